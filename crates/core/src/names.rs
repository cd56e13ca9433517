//! The texts that people give things: names, labels, notes.

use assay_base::json::{is_invisible, printable};
use assay_dsail::budget::{Budget, BudgetExceeded};

use crate::failure::Failure;

/// Most characters of a ruleset's name.
const MAX_NAME: usize = 128;
/// Most characters of a team's name, and of a person's.
pub(crate) const MAX_SHORT_NAME: usize = 64;
/// Most characters of what a key is for.
pub(crate) const MAX_KEY_LABEL: usize = 128;
/// Most characters of an e-mail address.
const MAX_EMAIL: usize = 254;
/// Most characters of who supplied a converter.
const MAX_ATTRIBUTION: usize = 512;

/// Refuses what cannot name a ruleset: a name is seen as what it is, and is one step of a path.
pub(crate) fn ruleset_name(key: &str, name: &str) -> Result<(), Failure> {
    one_line(key, name, MAX_NAME)?;
    if name.contains(['/', '\\']) || matches!(name, "." | "..") {
        let name = printable(name);
        return Err(Failure::bad_request(format!(
            "`{key}` is `{name}`, and a name has no slash, no backslash and is not `.` or `..`"
        )));
    }
    Ok(())
}

/// Refuses a text that is not one line of at most `most` characters, seen as what it is.
pub(crate) fn one_line(key: &str, text: &str, most: usize) -> Result<(), Failure> {
    let refuse = |why: String| Err(Failure::bad_request(format!("`{key}` {why}")));
    let length = text.chars().count();
    if length > most {
        return refuse(format!("has {length} characters, and {most} are the most"));
    }
    if text.trim().is_empty() {
        return refuse("is empty".to_owned());
    }
    if text.trim() != text {
        return refuse("begins or ends with white space".to_owned());
    }
    match text.chars().find(|it| it.is_control() || is_invisible(*it)) {
        Some(character) => {
            let code = u32::from(character);
            refuse(format!("has the character U+{code:04X}, which nobody sees"))
        }
        None => Ok(()),
    }
}

/// Refuses an approver that is too long or not one line.
pub(crate) fn approver(text: &str) -> Result<(), Failure> {
    Budget::APPROVAL_CHARACTERS.check(text.chars().count())?;
    one_line("approver", text, usize::MAX)
}

/// Refuses a note that is too long. It may have several lines.
pub(crate) fn note(text: &str) -> Result<(), Failure> {
    Budget::APPROVAL_CHARACTERS.check(text.chars().count())?;
    let unseen = |it: &char| (it.is_control() && !"\n\t".contains(*it)) || is_invisible(*it);
    match text.chars().find(unseen) {
        Some(character) => Err(Failure::bad_request(format!(
            "`note` has the character U+{:04X}, which nobody sees",
            u32::from(character)
        ))),
        None => Ok(()),
    }
}

/// Refuses an attribution that is too long or not one line.
pub(crate) fn attribution(text: &str) -> Result<(), Failure> {
    let length = text.chars().count();
    if length > MAX_ATTRIBUTION {
        return Err(Failure::Budget(BudgetExceeded {
            budget: "max_attribution_chars",
            limit: MAX_ATTRIBUTION as u64,
            actual: Some(length as u64),
        }));
    }
    one_line("attribution", text, MAX_ATTRIBUTION)
}

/// An e-mail address in the form in which two spellings of one are equal.
pub(crate) fn email(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    one_line("email", text, MAX_EMAIL)?;
    let parts = text.rsplit_once('@').filter(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !text.contains(char::is_whitespace)
    });
    match parts {
        Some(_) => Ok(text.to_lowercase()),
        None => Err(Failure::bad_request(format!("`{}` is no e-mail address", printable(text)))),
    }
}

#[cfg(test)]
mod tests {
    use super::{email, note, ruleset_name};

    #[test]
    fn names_are_seen_as_what_they_are() {
        for name in [
            "a",
            "Expense policy, 2026 (v2)",
            "..a",
            "~",
            "%2e",
            "ü 費用",
            "a".repeat(128).as_str(),
        ] {
            assert!(ruleset_name("name", name).is_ok(), "{name}");
        }
        for name in [
            "",
            " ",
            " a",
            "a ",
            "a\n",
            "a\u{0}b",
            "a\u{202e}b",
            "a\u{200b}b",
            "..",
            ".",
            "a/b",
            "..\\b",
            "a".repeat(129).as_str(),
        ] {
            assert!(ruleset_name("name", name).is_err(), "{name:?}");
        }
        assert!(note("two\nlines").is_ok() && note("\u{1b}[31m").is_err());
    }

    #[test]
    fn spellings_of_one_address_are_equal() {
        assert_eq!(email(" Ada@Example.org ").ok().as_deref(), Some("ada@example.org"));
        for text in ["", "a", "@x", "a@", "a b@x", "a@x\n.org"] {
            assert!(email(text).is_err(), "{text:?}");
        }
    }
}
