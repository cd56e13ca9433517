//! The one writer of bytes that leave the product: canonical JSON.
//!
//! Keys stand in the order of their Unicode code points, separators are compact, text is raw
//! UTF-8, and only `"`, `\` and the control characters are escaped, each in its shortest form.
//! This is not RFC 8785, whose key order and number form differ.
//!
//! Values are written straight into one buffer. Keys that arrive in order cost nothing; an object
//! whose keys do not is put in order when it is closed, so a caller cannot get it wrong.

use std::fmt::{self, Write as _};

use crate::rational::Rational;

/// Writes one value and returns its bytes.
///
/// ```
/// let bytes = assay_base::canonical::to_bytes(|value| {
///     value.object(|object| {
///         object.key("b").boolean(true);
///         object.key("a").array(|array| array.item().string("ü"));
///     });
/// });
/// assert_eq!(bytes, "{\"a\":[\"ü\"],\"b\":true}".as_bytes());
/// ```
#[must_use]
pub fn to_bytes(write: impl FnOnce(Slot<'_>)) -> Vec<u8> {
    to_bytes_with_capacity(0, write)
}

/// As [`to_bytes`], with a buffer that holds `capacity` bytes before it grows.
#[must_use]
pub fn to_bytes_with_capacity(capacity: usize, write: impl FnOnce(Slot<'_>)) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(capacity);
    write(Slot { buffer: &mut buffer });
    buffer
}

/// One value, already in canonical form, that may be copied into others.
#[derive(Clone, PartialEq, Eq)]
pub struct Fragment(Vec<u8>);

impl Fragment {
    /// Writes one value for later use.
    #[must_use]
    pub fn new(write: impl FnOnce(Slot<'_>)) -> Self {
        Self(to_bytes(write))
    }

    /// The canonical bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Fragment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// The place of one value. Each method fills it.
#[derive(Debug)]
pub struct Slot<'w> {
    buffer: &'w mut Vec<u8>,
}

impl Slot<'_> {
    /// `null`.
    pub fn null(self) {
        self.buffer.extend_from_slice(b"null");
    }

    /// `true` or `false`.
    pub fn boolean(self, value: bool) {
        self.buffer.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// An integer.
    pub fn integer(self, value: impl Into<i128>) {
        append(self.buffer, format_args!("{}", value.into()));
    }

    /// An integer, or `null` where there is none.
    pub fn optional_integer<T: TryInto<i128>>(self, value: Option<T>) {
        match value.and_then(|it| it.try_into().ok()) {
            Some(value) => self.integer(value),
            None => self.null(),
        }
    }

    /// An exact number: its decimal digits, or the string `"n/d"` where they never end.
    pub fn number(self, value: &Rational) {
        match value.to_decimal() {
            Some(digits) => self.buffer.extend_from_slice(digits.as_bytes()),
            None => self.string(&value.to_string()),
        }
    }

    /// A string.
    pub fn string(self, value: &str) {
        write_string(self.buffer, value);
    }

    /// The text of `value` as a string.
    pub fn display(self, value: impl fmt::Display) {
        self.string(&value.to_string());
    }

    /// A string, or `null` where there is none.
    pub fn optional_string(self, value: Option<&str>) {
        match value {
            Some(value) => self.string(value),
            None => self.null(),
        }
    }

    /// A value written before.
    pub fn fragment(self, value: &Fragment) {
        self.buffer.extend_from_slice(&value.0);
    }

    /// An array of strings.
    pub fn strings<T: AsRef<str>>(self, values: impl IntoIterator<Item = T>) {
        self.array(|array| values.into_iter().for_each(|it| array.item().string(it.as_ref())));
    }

    /// An array.
    pub fn array(self, write: impl FnOnce(&mut Array<'_>)) {
        self.buffer.push(b'[');
        write(&mut Array { buffer: self.buffer, first: true });
        self.buffer.push(b']');
    }

    /// An object.
    pub fn object(self, write: impl FnOnce(&mut Object<'_>)) {
        self.buffer.push(b'{');
        let start = self.buffer.len();
        let mut object = Object { buffer: self.buffer, start, last_key: None, ordered: true };
        write(&mut object);
        let ordered = object.ordered;
        if !ordered {
            sort_members(self.buffer, start);
        }
        self.buffer.push(b'}');
    }

    /// A document that was read by `serde_json`, for schemas and other cold data.
    pub fn json(self, value: &serde_json::Value) {
        match value {
            serde_json::Value::Null => self.null(),
            serde_json::Value::Bool(value) => self.boolean(*value),
            serde_json::Value::Number(number) => append(self.buffer, format_args!("{number}")),
            serde_json::Value::String(value) => self.string(value),
            serde_json::Value::Array(values) => {
                self.array(|array| values.iter().for_each(|it| array.item().json(it)));
            }
            serde_json::Value::Object(members) => self.object(|object| {
                members.iter().for_each(|(key, value)| object.key(key).json(value));
            }),
        }
    }
}

/// The items of an array.
#[derive(Debug)]
pub struct Array<'w> {
    buffer: &'w mut Vec<u8>,
    first: bool,
}

impl Array<'_> {
    /// The place of the next item, which must be filled.
    pub fn item(&mut self) -> Slot<'_> {
        if !std::mem::replace(&mut self.first, false) {
            self.buffer.push(b',');
        }
        Slot { buffer: self.buffer }
    }
}

/// The members of an object.
#[derive(Debug)]
pub struct Object<'w> {
    buffer: &'w mut Vec<u8>,
    start: usize,
    last_key: Option<(usize, usize)>,
    ordered: bool,
}

impl Object<'_> {
    /// The place of the value of `key`, which must be filled. No key may be given twice.
    pub fn key(&mut self, key: &str) -> Slot<'_> {
        if self.buffer.len() > self.start {
            self.buffer.push(b',');
        }
        let from = self.buffer.len();
        write_string(self.buffer, key);
        let to = self.buffer.len();
        if let Some((last_from, last_to)) = self.last_key {
            let last = self.buffer.get(last_from..last_to);
            // Keys with escapes are rare and are ordered by what they mean: by the sorter.
            let plain = to - from == key.len() + 2;
            self.ordered &= plain && last < self.buffer.get(from..to);
        }
        self.last_key = Some((from, to));
        self.buffer.push(b':');
        Slot { buffer: self.buffer }
    }
}

/// Puts the members behind `start` in order. They are well formed, being our own output.
fn sort_members(buffer: &mut Vec<u8>, start: usize) {
    let members = buffer.split_off(start);
    let mut parts: Vec<(String, &[u8])> =
        split_members(&members).into_iter().map(|member| (key_of(member), member)).collect();
    parts.sort();
    for (index, (_, member)) in parts.iter().enumerate() {
        if index > 0 {
            buffer.push(b',');
        }
        buffer.extend_from_slice(member);
    }
}

fn split_members(members: &[u8]) -> Vec<&[u8]> {
    let (mut parts, mut from, mut depth, mut in_string, mut escaped) =
        (Vec::new(), 0, 0_usize, false, false);
    for (index, &byte) in members.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.extend(members.get(from..index));
                from = index + 1;
            }
            _ => {}
        }
    }
    parts.extend(members.get(from..));
    parts
}

fn key_of(member: &[u8]) -> String {
    let mut keys = serde_json::Deserializer::from_slice(member).into_iter::<String>();
    keys.next().and_then(Result::ok).unwrap_or_default()
}

fn append(buffer: &mut Vec<u8>, arguments: fmt::Arguments<'_>) {
    struct Bytes<'b>(&'b mut Vec<u8>);
    impl fmt::Write for Bytes<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.extend_from_slice(text.as_bytes());
            Ok(())
        }
    }
    // Writing to a vector does not fail.
    let _ = Bytes(buffer).write_fmt(arguments);
}

fn write_string(buffer: &mut Vec<u8>, text: &str) {
    buffer.push(b'"');
    let bytes = text.as_bytes();
    let mut from = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        buffer.extend_from_slice(bytes.get(from..index).unwrap_or_default());
        from = index + 1;
        write_escape(buffer, byte);
    }
    buffer.extend_from_slice(bytes.get(from..).unwrap_or_default());
    buffer.push(b'"');
}

fn write_escape(buffer: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => buffer.extend_from_slice(b"\\\""),
        b'\\' => buffer.extend_from_slice(b"\\\\"),
        b'\n' => buffer.extend_from_slice(b"\\n"),
        b'\r' => buffer.extend_from_slice(b"\\r"),
        b'\t' => buffer.extend_from_slice(b"\\t"),
        0x08 => buffer.extend_from_slice(b"\\b"),
        0x0c => buffer.extend_from_slice(b"\\f"),
        _ => append(buffer, format_args!("\\u{byte:04x}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fragment, to_bytes};
    use crate::rational::Rational;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn keys_are_ordered_by_code_point() {
        // U+FF5E sorts before U+1F600 by code point and behind it by UTF-16 unit.
        let bytes = to_bytes(|value| {
            value.object(|object| {
                object.key("😀").integer(1);
                object.key("～").integer(2);
                object.key("a").object(|inner| {
                    inner.key("z").string("},\"");
                    inner.key("b").array(|array| {
                        array.item().null();
                        array.item().boolean(false);
                    });
                });
                object.key("\"").integer(3);
                object.key("\n").integer(4);
                object.key("").integer(5);
            });
        });
        let expected = r#"{"":5,"\n":4,"\"":3,"a":{"b":[null,false],"z":"},\""},"～":2,"😀":1}"#;
        assert_eq!(text(bytes), expected);
    }

    #[test]
    fn text_is_raw_but_for_the_least_escapes() {
        let bytes = to_bytes(|value| value.string("ü/\u{7f}\u{2028}\"\\\n\r\t\u{8}\u{c}\u{1}"));
        assert_eq!(text(bytes), "\"ü/\u{7f}\u{2028}\\\"\\\\\\n\\r\\t\\b\\f\\u0001\"");
    }

    #[test]
    fn numbers_are_exact() {
        let third = Rational::fraction(1, 3).unwrap();
        let big = crate::numeral::parse("12345678901234567890.123").unwrap();
        let fragment = Fragment::new(|value| value.number(&big));
        let bytes = to_bytes(|value| {
            value.array(|array| {
                array.item().number(&third);
                array.item().fragment(&fragment);
                array.item().integer(u64::MAX);
            });
        });
        assert_eq!(text(bytes), r#"["1/3",12345678901234567890.123,18446744073709551615]"#);
    }

    #[test]
    fn documents_keep_their_meaning() {
        let document = serde_json::json!({"b": [1, -2, "x"], "a": {"d": null, "c": true}});
        let bytes = to_bytes(|value| value.json(&document));
        assert_eq!(text(bytes), r#"{"a":{"c":true,"d":null},"b":[1,-2,"x"]}"#);
    }
}
