//! JSON on one line and on many, without touching a token: numbers, escapes and the order of
//! members stay as they are written.

/// Longest line that is not broken where it could be.
const COLUMNS: usize = 100;

/// The text without the spaces and line breaks between its tokens.
pub(crate) fn compact(text: &str) -> String {
    let mut tokens = String::with_capacity(text.len());
    each(text, |character, inside| {
        if inside || !character.is_ascii_whitespace() {
            tokens.push(character);
        }
    });
    tokens
}

/// A compact text laid out for reading: what fits on one line stays there. Its first line stands
/// behind something else, and the others are indented by `indent` at least.
pub(crate) fn laid_out(text: &str, indent: usize) -> String {
    let is_container = text.starts_with(['{', '[']) && text.len() > 2;
    if !is_container || indent + text.chars().count() <= COLUMNS {
        return spaced(text);
    }
    let inner = text.get(1..text.len() - 1).unwrap_or_default();
    let (margin, inset) = (" ".repeat(indent), " ".repeat(indent + 2));
    let entries = split(inner, ',').into_iter().map(|entry| match split(entry, ':').as_slice() {
        [key, value] => format!("{inset}{key}: {}", laid_out(value, indent + 2)),
        _ => format!("{inset}{}", laid_out(entry, indent + 2)),
    });
    let entries = entries.collect::<Vec<_>>().join(",\n");
    let (open, close) = (text.get(..1).unwrap_or_default(), text.get(text.len() - 1..));
    format!("{open}\n{entries}\n{margin}{}", close.unwrap_or_default())
}

/// The text with a space behind each comma and colon between tokens.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    each(text, |character, inside| {
        spaced.push(character);
        if !inside && [',', ':'].contains(&character) {
            spaced.push(' ');
        }
    });
    spaced
}

/// The parts of `text` between the separators that lie in no string and in no brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut place) = (Vec::new(), 0, 0_usize, 0);
    each(text, |character, inside| {
        if !inside {
            match character {
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                it if it == separator && depth == 0 => {
                    parts.push(text.get(start..place).unwrap_or_default());
                    start = place + 1;
                }
                _ => {}
            }
        }
        place += character.len_utf8();
    });
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Visits each character with whether it belongs to a string; its quotes do.
fn each(text: &str, mut visit: impl FnMut(char, bool)) {
    let (mut inside, mut escaped) = (false, false);
    for character in text.chars() {
        let quote = character == '"' && !escaped;
        visit(character, inside || quote);
        inside ^= quote;
        escaped = inside && character == '\\' && !escaped;
    }
}

#[test]
fn a_layout_is_undone() {
    for text in [
        "{}",
        "[]",
        "1E400",
        r#"{"a":[1,{"b":"c, d: {\" e\\"}],"a":"\u0020 "}"#,
        &format!(r#"{{"a":{{}},"long":["{}",[],[1,2.50]],"größe":"🧾:"}}"#, "x ".repeat(60)),
    ] {
        assert_eq!(compact(&laid_out(text, 2)), text);
        let lines = laid_out(text, 2).lines().count();
        assert_eq!(lines > 1, text.len() > COLUMNS, "{text}");
    }
}
