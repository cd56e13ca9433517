//! The bytes that a ruleset's hash covers.
//!
//! Only line ends are touched: CRLF and a lone CR become LF, and the text ends in exactly one LF.
//! White space and comments stay, since annotations live in comments; so does a byte order mark.

use assay_base::RulesetHash;

/// The normalised form of a source text.
#[must_use]
pub fn normalize(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len() + 1);
    for (index, part) in text.split('\r').enumerate() {
        // What follows a CR is either the LF of the same line end or a new line.
        if index > 0 && !part.starts_with('\n') {
            normalized.push('\n');
        }
        normalized.push_str(part);
    }
    let length = normalized.trim_end_matches('\n').len();
    normalized.truncate(length);
    normalized.push('\n');
    normalized
}

/// The address of a normalised source.
#[must_use]
pub fn hash(normalized: &str) -> RulesetHash {
    RulesetHash::of(normalized.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn only_line_ends_change() {
        for (text, normalized) in [
            ("", "\n"),
            ("\n\n", "\n"),
            ("a", "a\n"),
            ("a\r\nb\rc\n\r\n", "a\nb\nc\n"),
            ("a\r\r\nb", "a\n\nb\n"),
            ("\u{feff} a \t\n", "\u{feff} a \t\n"),
        ] {
            assert_eq!(normalize(text), normalized, "{text:?}");
            assert_eq!(normalize(normalized), normalized, "twice changes nothing");
        }
    }
}
