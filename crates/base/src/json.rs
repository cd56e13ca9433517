//! A strict reader of JSON objects that keeps numbers as text and refuses duplicate keys.
//!
//! It borrows from the input and builds no tree: an object becomes its members in the order in
//! which they were written, each value still raw.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize as _;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value that has not been looked into yet.
pub type Raw<'a> = &'a RawValue;

/// Why a text is not the JSON that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong, in lower case and without a final stop.
    pub message: String,
    /// Line of the problem, from one.
    pub line: usize,
    /// Column of the problem in bytes, from one; zero at the start of the input.
    pub column: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at line {} column {}", self.message, self.line, self.column)
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let full = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = full.strip_suffix(place.as_str()).unwrap_or(&full).to_owned();
        Self { message, line, column }
    }
}

/// What one value is, seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// The digits of a number as they were written.
    Number(&'a str),
    /// A string without its quotes and escapes.
    String(Cow<'a, str>),
    /// An array, not looked into.
    Array,
    /// An object, not looked into.
    Object,
}

impl Scalar<'_> {
    /// The kind of value, as an error names it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// What `raw` is.
#[must_use]
pub fn scalar(raw: Raw<'_>) -> Scalar<'_> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'n') => Scalar::Null,
        Some(b't') => Scalar::Boolean(true),
        Some(b'f') => Scalar::Boolean(false),
        Some(b'"') => Scalar::String(unescape(text)),
        Some(b'[') => Scalar::Array,
        Some(b'{') => Scalar::Object,
        _ => Scalar::Number(text),
    }
}

/// The members of the object that `text` holds, in the order in which they were written.
///
/// # Errors
/// [`JsonError`] when the text is not JSON, is no object, or names a key twice.
pub fn object(text: &str) -> Result<Vec<(Cow<'_, str>, Raw<'_>)>, JsonError> {
    let mut members = Vec::new();
    let mut keys = std::collections::BTreeSet::new();
    each_member(text, |key, value| {
        if !keys.insert(key.clone()) {
            return Err(format!("the key `{}` stands twice", printable(&key)));
        }
        members.push((key, value));
        Ok(())
    })?;
    Ok(members)
}

/// Hands each member of the object that `text` holds to `visit`, in the order of writing.
///
/// Duplicate keys are the visitor's to refuse, since it has the cheaper means.
///
/// # Errors
/// [`JsonError`] when the text is not JSON or no object, and with the visitor's own words when it
/// refuses a member.
pub fn each_member<'a>(
    text: &'a str,
    visit: impl FnMut(Cow<'a, str>, Raw<'a>) -> Result<(), String>,
) -> Result<(), JsonError> {
    if let Some(error) = not_an_object(text) {
        return Err(error);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(Members { visit })?;
    deserializer.end()?;
    Ok(())
}

/// Why a text that begins another kind of value is no object; a text that begins nothing is left
/// to the reader.
fn not_an_object(text: &str) -> Option<JsonError> {
    let begun = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let kind = match begun.bytes().next()? {
        b'[' => "an array",
        b'"' => "a string",
        b't' | b'f' => "a boolean",
        b'n' => "null",
        b'-' | b'0'..=b'9' => "a number",
        _ => return None,
    };
    let before = text.get(..text.len() - begun.len()).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().len() + 1;
    Some(JsonError { message: format!("expected an object, found {kind}"), line, column })
}

/// `text` as an error may quote it: control and format characters escaped, at most 80 characters.
#[must_use]
pub fn printable(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut shown: String = text.chars().take(SHOWN).flat_map(escape_invisible).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// `text` with control and format characters escaped.
pub fn visible(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(escape_invisible)
}

fn escape_invisible(character: char) -> impl Iterator<Item = char> {
    let visible = !character.is_control() && !is_invisible(character);
    let escaped = (!visible).then(|| character.escape_unicode());
    escaped.into_iter().flatten().chain(visible.then_some(character))
}

/// Zero-width and bidirectional format characters, which change what a reader sees.
#[must_use]
pub const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
    )
}

struct Members<F> {
    visit: F,
}

impl<'a, F: FnMut(Cow<'a, str>, Raw<'a>) -> Result<(), String>> Visitor<'a> for Members<F> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(key)) = map.next_key()? {
            let value = map.next_value()?;
            (self.visit)(key, value).map_err(de::Error::custom)?;
        }
        Ok(())
    }
}

/// A string that is borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn unescape(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut deserializer = serde_json::Deserializer::from_str(quoted);
    // The raw value was validated as JSON, but for escapes that name no character.
    String::deserialize(&mut deserializer)
        .map_or_else(|_| Cow::Owned("\u{fffd}".to_owned()), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::{Scalar, object, printable, scalar};

    #[test]
    fn members_keep_their_text() {
        let members =
            object(r#"{"a": 12345678901234567890.123, "b\n": "x\u00fc", "c": [1, {}]}"#).unwrap();
        let seen: Vec<_> = members.iter().map(|(key, raw)| (&**key, scalar(raw))).collect();
        assert_eq!(seen[0], ("a", Scalar::Number("12345678901234567890.123")));
        assert_eq!(seen[1], ("b\n", Scalar::String("xü".into())));
        assert_eq!(seen[2], ("c", Scalar::Array));
    }

    #[test]
    fn refusals_name_the_place() {
        for (text, message) in [
            (r#"{"a": 1, "a": 2}"#, "the key `a` stands twice at line 1 column 16"),
            ("[1]", "expected an object, found an array at line 1 column 1"),
            ("\n  null", "expected an object, found null at line 2 column 3"),
            ("\u{a0}{}", "expected value at line 1 column 1"),
            ("{\"a\": 1,\n \"b\" 2}", "expected `:` at line 2 column 6"),
            ("{} x", "trailing characters at line 1 column 4"),
            ("", "EOF while parsing a value at line 1 column 0"),
        ] {
            assert_eq!(object(text).map_err(|it| it.to_string()).unwrap_err(), message, "{text}");
        }
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(object(&deep).is_ok(), "depth is not walked by recursion");
    }

    #[test]
    fn invisible_characters_are_shown() {
        assert_eq!(printable("a\u{202e}b\n"), "a\\u{202e}b\\u{a}");
        assert_eq!(printable(&"x".repeat(100)).chars().count(), 81);
    }
}
