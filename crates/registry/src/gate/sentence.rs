//! What a person is told when a call does not go through.
//!
//! Calm, short, and honest about whether anything happened; no code, name of a tool or place in a
//! document. What the details hold is filled in where it helps: numbers, roles, the names of fields
//! and what an author wrote for people, and never a value of the call.

use assay_base::json::printable;
use serde_json::Value;

use crate::gate::{Code, Refusal};

/// The most characters of a text that an author wrote for people.
const MAX_TEXT: usize = 200;
/// The most characters of the name of a field.
const MAX_LABEL: usize = 40;
/// The most names that a sentence lists.
const MAX_NAMES: usize = 4;

impl Code {
    /// The sentence for a person.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::RequestMalformed => "I could not read this request, so nothing was done.",
            Self::SessionInvalid => "Please sign in again; nothing was done.",
            Self::ToolUnknown | Self::SkillNotBound => {
                "This step is no part of the current work. Your administrator can add it."
            }
            Self::FacetDenied => "This workspace does not offer this kind of work.",
            Self::ToolSuspended => {
                "This step is switched off while our team examines it. Nothing was recorded."
            }
            Self::ToolDisabled => "This step is no longer in use. Nothing was recorded.",
            Self::VersionUnavailable => {
                "This step is not available in the form that was asked for. Nothing was recorded."
            }
            Self::PermissionDenied => {
                "Your role does not include this step. A colleague whose role does can help."
            }
            Self::RoleSessionRequired => {
                "This step needs a colleague of the right role who has just signed in."
            }
            Self::ScopeViolation => {
                "No such record was found in your workspace. Please look at the reference again."
            }
            Self::InputInvalid => "Some details are missing or do not fit. Nothing was recorded.",
            Self::PrerequisiteMissing => "Another step has to be finished before this one.",
            Self::PrerequisiteNotMet => {
                "An earlier step had a result that does not allow this one as it stands."
            }
            Self::ApprovalRequired => "This waits until enough colleagues have agreed to it.",
            Self::ApprovalInvalid => "One of the approvals does not count for this request.",
            Self::ConfirmationRequired => "Please look this over and confirm; until then it waits.",
            Self::ConfirmationDeclined => "As you wished, nothing was sent.",
            Self::ConfirmationUnavailable => {
                "You would have to confirm this on a screen, which is not possible here."
            }
            Self::RateLimited => "This step was used very often just now. Please wait a little.",
            Self::IdempotencyInFlight => "The same request is being worked on already.",
            Self::IdempotencyMismatch => {
                "The same request came before with other details. Please say which ones hold."
            }
            Self::IdempotencyUnknownOutcome | Self::OutcomeUnknown => {
                "Whether this was carried out is not known yet. Please do not repeat it."
            }
            Self::ToolUnavailable => "The service for this step cannot be reached at the moment.",
            Self::ToolTimeout => "The service for this step did not answer in time.",
            Self::ToolFailed => "The service for this step could not do what was asked.",
            Self::OutputInvalid => {
                "The answer was incomplete. If this was to change something, please have it checked."
            }
            Self::AuditUnavailable => {
                "This cannot be put on record at the moment, so it was not carried out."
            }
            Self::Internal => "Something failed on our side. Please have it checked.",
        }
    }
}

impl Refusal {
    /// What a person is told: the sentence of the code, with what the details add.
    #[must_use]
    pub fn sentence(&self) -> String {
        let plain = self.code.sentence();
        let more = match self.code {
            Code::PermissionDenied => self.colleagues("who_can_help"),
            Code::RoleSessionRequired => self.colleagues("roles_any"),
            Code::InputInvalid => self.fields(),
            Code::PrerequisiteMissing => self.steps(),
            Code::PrerequisiteNotMet => self.decision(),
            Code::ApprovalRequired => self.count(),
            Code::ApprovalInvalid => return self.invalid().to_owned(),
            Code::IdempotencyMismatch => self.differing(),
            Code::RateLimited | Code::ToolUnavailable | Code::ToolTimeout => self.wait(),
            Code::OutputInvalid => return self.incomplete().to_owned(),
            Code::ToolDisabled => self.successor(),
            _ => None,
        };
        more.map_or_else(|| plain.to_owned(), |it| format!("{plain} {it}"))
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.details.get(key).and_then(Value::as_u64)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.details.get(key).and_then(Value::as_str)
    }

    fn items(&self, key: &str) -> impl Iterator<Item = &Value> {
        self.details.get(key).and_then(Value::as_array).into_iter().flatten()
    }

    fn colleagues(&self, key: &str) -> Option<String> {
        let roles: Vec<&str> = self.items(key).filter_map(Value::as_str).filter_map(role).collect();
        (!roles.is_empty()).then(|| format!("Please ask {}.", roles.join(" or ")))
    }

    fn fields(&self) -> Option<String> {
        let pointer = |it: &Value| it.get("pointer").and_then(Value::as_str).and_then(label);
        listed(self.items("fields").filter_map(pointer)).map(|it| format!("Please look at {it}."))
    }

    fn differing(&self) -> Option<String> {
        let name = |it: &Value| it.as_str().and_then(label);
        listed(self.items("fields").filter_map(name)).map(|it| format!("They differ in {it}."))
    }

    fn steps(&self) -> Option<String> {
        let action = |it: &Value| it.get("user_action").and_then(Value::as_str).map(shown);
        let actions: Vec<String> = self.items("steps").filter_map(action).take(2).collect();
        (!actions.is_empty()).then(|| actions.join(" "))
    }

    fn decision(&self) -> Option<String> {
        let role = self.text("decision_role").and_then(role)?;
        Some(format!("Please have {role} decide on it."))
    }

    fn count(&self) -> Option<String> {
        let (have, need) = (self.number("have")?, self.number("need")?);
        Some(format!("So far {have} of {need} have."))
    }

    fn wait(&self) -> Option<String> {
        let seconds = self.number("retry_after")?;
        let (count, unit) =
            if seconds > 90 { (seconds.div_ceil(60), "minute") } else { (seconds, "second") };
        let plural = if count == 1 { "" } else { "s" };
        Some(format!("Trying again makes sense in {count} {unit}{plural}."))
    }

    fn successor(&self) -> Option<String> {
        self.text("successor").map(|_| "Another step has taken its place.".to_owned())
    }

    fn invalid(&self) -> &'static str {
        match self.text("why") {
            Some("same_person") => "The approval has to come from another person.",
            Some("role") => "Whoever approved this has no longer the role that it takes.",
            Some("expired") => "The approval came too long ago, so it has to be given again.",
            Some("changed") => "The request is another than the one that was approved.",
            Some("used") => "The approval was for one time and has been used.",
            Some("revoked") => "A colleague decided against this request.",
            _ => self.code.sentence(),
        }
    }

    fn incomplete(&self) -> &'static str {
        match self.details.get("effects_possible").and_then(Value::as_bool) {
            Some(true) => {
                "The request may have been carried out, but its answer was incomplete. Please have \
                 it checked before it is made again."
            }
            Some(false) => "The answer was incomplete, so I cannot use it. It changed nothing.",
            None => self.code.sentence(),
        }
    }
}

/// Somebody of a role as people say it; none for what is no role.
fn role(word: &str) -> Option<&'static str> {
    match word {
        "associate" => Some("an associate"),
        "partner" => Some("a partner"),
        "finance" => Some("the finance team"),
        "admin" => Some("an administrator"),
        _ => None,
    }
}

/// The name of a field as people write it: the last one of a pointer that is no number. A name that
/// is none of an ordinary schema is not shown, since a caller may have made it up.
fn label(pointer: &str) -> Option<String> {
    let name = pointer.rsplit('/').find(|it| it.parse::<usize>().is_err())?;
    let plain = |it: char| it.is_ascii_alphanumeric() || "_-".contains(it);
    let fits = !name.is_empty() && name.len() <= MAX_LABEL && name.chars().all(plain);
    fits.then(|| name.replace(['_', '-'], " "))
}

/// The names as a list, each once; none where there are none.
fn listed(names: impl Iterator<Item = String>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let more = all.len().saturating_sub(MAX_NAMES);
    all.truncate(MAX_NAMES);
    match all.split_last() {
        None => None,
        Some(_) if more > 0 => Some(format!("{} and {more} more", all.join(", "))),
        Some((last, [])) => Some(last.clone()),
        Some((last, first)) => Some(format!("{} and {last}", first.join(", "))),
    }
}

/// What an author wrote for people, on one line and within bounds.
fn shown(text: &str) -> String {
    printable(&text.chars().take(MAX_TEXT).collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::gate::{Code, Refusal};

    /// A code, details, and what a person is told.
    const TOLD: &[(Code, &str, &str)] = &[
        (
            Code::PermissionDenied,
            r#"{"missing": ["billing:write"], "who_can_help": ["partner", "finance"]}"#,
            "Your role does not include this step. A colleague whose role does can help. Please ask \
             a partner or the finance team.",
        ),
        (
            Code::RoleSessionRequired,
            r#"{"roles_any": ["finance"], "max_auth_age_s": 300}"#,
            "This step needs a colleague of the right role who has just signed in. Please ask the \
             finance team.",
        ),
        (
            Code::InputInvalid,
            r#"{"fields": [{"pointer": "/matter_type"}, {"pointer": "/parties/0"},
                {"pointer": "/parties/1"}, {"pointer": ""}, {"pointer": "/\u202ex y"}]}"#,
            "Some details are missing or do not fit. Nothing was recorded. Please look at matter \
             type and parties.",
        ),
        (
            Code::InputInvalid,
            r#"{"fields": [{"pointer": "/a"}, {"pointer": "/b"}, {"pointer": "/c"},
                {"pointer": "/d"}, {"pointer": "/e"}, {"pointer": "/f"}]}"#,
            "Some details are missing or do not fit. Nothing was recorded. Please look at a, b, c, \
             d and 2 more.",
        ),
        (
            Code::PrerequisiteMissing,
            r#"{"steps": [{"tool": "a.b", "user_action": "Have the name\n screened."},
                {"tool": "a.c", "user_action": null}]}"#,
            "Another step has to be finished before this one. Have the name\\u{a} screened.",
        ),
        (
            Code::PrerequisiteNotMet,
            r#"{"verdict": "CONCERN", "decision_role": "partner"}"#,
            "An earlier step had a result that does not allow this one as it stands. Please have a \
             partner decide on it.",
        ),
        (
            Code::PrerequisiteNotMet,
            r#"{"verdict": "CONFLICT", "decision_role": null}"#,
            "An earlier step had a result that does not allow this one as it stands.",
        ),
        (
            Code::ApprovalRequired,
            r#"{"have": 1, "need": 2}"#,
            "This waits until enough colleagues have agreed to it. So far 1 of 2 have.",
        ),
        (
            Code::ApprovalInvalid,
            r#"{"why": "same_person"}"#,
            "The approval has to come from another person.",
        ),
        (
            Code::ApprovalInvalid,
            r#"{"why": "changed"}"#,
            "The request is another than the one that was approved.",
        ),
        (
            Code::IdempotencyMismatch,
            r#"{"fields": ["fee_structure"]}"#,
            "The same request came before with other details. Please say which ones hold. They \
             differ in fee structure.",
        ),
        (
            Code::RateLimited,
            r#"{"retry_after": 1}"#,
            "This step was used very often just now. Please wait a little. Trying again makes sense \
             in 1 second.",
        ),
        (
            Code::RateLimited,
            r#"{"retry_after": null}"#,
            "This step was used very often just now. Please wait a little.",
        ),
        (
            Code::ToolUnavailable,
            r#"{"retry_after": 100}"#,
            "The service for this step cannot be reached at the moment. Trying again makes sense in \
             2 minutes.",
        ),
        (
            Code::OutputInvalid,
            r#"{"effects_possible": false, "why": "schema"}"#,
            "The answer was incomplete, so I cannot use it. It changed nothing.",
        ),
        (
            Code::ToolDisabled,
            r#"{"successor": "a.b:v2"}"#,
            "This step is no longer in use. Nothing was recorded. Another step has taken its place.",
        ),
    ];

    fn refusal(code: Code, details: &str) -> Refusal {
        let details: Value = serde_json::from_str(details).unwrap();
        Refusal { code, details: details.as_object().cloned().unwrap_or_default() }
    }

    #[test]
    fn details_are_told_in_words() {
        for (code, details, expected) in TOLD {
            assert_eq!(refusal(*code, details).sentence(), *expected, "{details}");
        }
    }

    /// Each reason for which an approval does not count, and each that a program may add later.
    #[test]
    fn every_reason_has_a_sentence_of_its_own() {
        let words = ["same_person", "role", "expired", "changed", "used", "revoked", "other"];
        let told: std::collections::BTreeSet<String> = words
            .iter()
            .map(|it| Refusal::new(Code::ApprovalInvalid, [("why", json!(it))]).sentence())
            .collect();
        assert_eq!(told.len(), words.len());
        assert!(told.contains(Code::ApprovalInvalid.sentence()));
    }

    /// Whatever stands in the details, nothing of a machine and no made up name is said.
    #[test]
    fn details_bring_no_words_of_machines() {
        let texts = json!(["a.b.c", "<b>x</b>", "x".repeat(400), "partner'; DROP", "\u{202e}"]);
        let fields: Vec<Value> = ["/a.b", "/<b>", "/", "/1", &format!("/{}", "x".repeat(99))]
            .iter()
            .map(|it| json!({ "pointer": it }))
            .collect();
        for code in Code::ALL {
            let details = [
                ("fields", fields.clone().into()),
                ("missing", texts.clone()),
                ("who_can_help", texts.clone()),
                ("roles_any", texts.clone()),
                ("decision_role", json!("a.b")),
                ("successor", json!("a.b.c:v2")),
                ("why", json!("stack trace")),
            ];
            let sentence = Refusal::new(*code, details).sentence();
            let words = sentence.to_lowercase();
            assert!(BANNED.iter().all(|it| !words.contains(it)), "{sentence}");
            let plain = |it: char| it.is_ascii_alphanumeric() || " .,;".contains(it);
            assert!(sentence.chars().all(plain) && sentence.len() <= 160, "{sentence}");
        }
    }

    /// Words that belong to machines.
    const BANNED: &[&str] =
        &["json", "schema", "exception", "null", "gateway", "upstream", "token", "tool", "error"];

    #[test]
    fn calm_and_plain() {
        for code in Code::ALL {
            let sentence = code.sentence();
            let words = sentence.to_lowercase();
            assert!(BANNED.iter().all(|it| !words.contains(it)), "{sentence}");
            let plain = |it: char| it.is_ascii_alphabetic() || " .,;".contains(it);
            assert!(sentence.chars().all(plain) && sentence.ends_with('.'), "{sentence}");
            assert!(sentence.split(". ").count() <= 3 && sentence.len() <= 120, "{sentence}");
        }
    }

    #[test]
    fn unknown_and_unlisted_sound_alike() {
        assert_eq!(Code::ToolUnknown.sentence(), Code::SkillNotBound.sentence());
    }

    /// Codes of calls that were perhaps sent: no sentence may say that nothing came of it.
    const PERHAPS_SENT: &[Code] = &[
        Code::ToolUnavailable,
        Code::ToolTimeout,
        Code::ToolFailed,
        Code::OutcomeUnknown,
        Code::OutputInvalid,
        Code::IdempotencyInFlight,
        Code::IdempotencyUnknownOutcome,
        Code::Internal,
    ];

    #[test]
    fn what_was_perhaps_sent_is_never_said_to_be_nothing() {
        for code in PERHAPS_SENT {
            let sentence = code.sentence().to_lowercase();
            for promise in ["nothing", "not carried out"] {
                assert!(!sentence.contains(promise), "{sentence}");
            }
        }
    }
}
