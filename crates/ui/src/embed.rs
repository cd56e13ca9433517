//! Text within a script.

use std::fmt::Write as _;

/// `text` as a string literal that stands in a script within HTML: neither the script nor the page
/// around it can be left from inside.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // No tag opens or closes, and no comment begins.
            '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn no_text_leaves_its_literal() {
        assert_eq!(literal("a\"b\\\n"), r#""a\"b\\\n""#);
        assert_eq!(literal("</script><!--"), r#""\u003c/script\u003e\u003c!--""#);
        assert_eq!(literal("\u{2028}\u{0}ü"), r#""\u2028\u0000ü""#);
    }
}
