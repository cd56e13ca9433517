//! What the command line names: source files, claims, and standard input for either.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use serde_json::value::RawValue;

use crate::failure::Failure;

/// Most bytes that are read of one input. The service's own limits are far below and are the ones
/// that a caller meets; this one keeps an endless input from filling the memory.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The name that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// A text with the name by which problems refer to it.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Reads a source file, or standard input for `-`.
pub(crate) fn text(name: &str) -> Result<Text, Failure> {
    if name != STANDARD_INPUT {
        return text_at(Path::new(name), name.to_owned());
    }
    let name = "standard input".to_owned();
    let bytes = bounded(io::stdin().lock()).map_err(|error| unreadable(&name, &error))?;
    decoded(name, bytes)
}

/// Reads the file at `path`, which problems call `name`.
pub(crate) fn text_at(path: &Path, name: String) -> Result<Text, Failure> {
    let bytes = file(path, &name)?;
    decoded(name, bytes)
}

fn decoded(name: String, bytes: Vec<u8>) -> Result<Text, Failure> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::usage(format!("`{name}` is larger than {MOST_BYTES} bytes")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text { name, text }),
        Err(error) => Err(not_utf8(&name, error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

fn file(path: &Path, name: &str) -> Result<Vec<u8>, Failure> {
    let opened = File::open(path).map_err(|error| unreadable(name, &error))?;
    if opened.metadata().is_ok_and(|it| it.is_dir()) {
        return Err(Failure::usage(format!("`{name}` is a folder, not a file")));
    }
    bounded(opened).map_err(|error| unreadable(name, &error))
}

/// Reads to the end, or to one byte beyond what is allowed.
fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::usage(format!("there is no file `{name}`"))
            .help("name a file, or `-` for standard input"),
        ErrorKind::IsADirectory => Failure::usage(format!("`{name}` is a folder, not a file")),
        _ => Failure::usage(format!("`{name}` cannot be read: {error}")),
    }
}

fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> Failure {
    let before = bytes.get(..valid).unwrap_or_default();
    let line = before.iter().filter(|&&it| it == b'\n').count() + 1;
    let byte = bytes.get(valid).copied().unwrap_or_default();
    Failure::usage(format!("`{name}` is not UTF-8: byte 0x{byte:02x} on line {line}"))
        .help("save the file as UTF-8")
}

/// Reads what `--claims` gives: JSON, `@file`, or `-` for standard input. The text is JSON when
/// this returns and otherwise as it was written, so that no number is rounded and no key lost on
/// its way to the service.
pub(crate) fn claims(value: &str) -> Result<Box<RawValue>, Failure> {
    let (name, written) = match value.strip_prefix('@') {
        Some(file) => (format!("`{file}`"), text(file)?.text),
        None if value == STANDARD_INPUT => ("standard input".to_owned(), text(value)?.text),
        None => ("`--claims`".to_owned(), value.to_owned()),
    };
    serde_json::from_str(&written).map_err(|error| {
        Failure::usage(format!("{name} is not JSON: {error}"))
            .help("give an object such as '{\"amount\": 120}', `@file`, or `-` for standard input")
    })
}

/// Reads the arguments of a call: JSON, a file, or `-` for standard input.
pub(crate) fn call_arguments(value: &str) -> Result<String, Failure> {
    if value.trim_start().starts_with('{') { Ok(value.to_owned()) } else { Ok(text(value)?.text) }
}

#[cfg(test)]
mod tests {
    use super::{claims, not_utf8};
    use crate::failure::Failure;

    #[test]
    fn claims_stay_as_they_are_written() {
        let written = r#"{"a": 12345678901234567890.123, "a": 1e400}"#;
        assert_eq!(claims(&format!(" {written}\n")).unwrap().get(), written);
    }

    #[test]
    fn claims_cannot_reach_beyond_themselves() {
        for written in ["{}, \"source\": \"x\"", "{", "", "{\"a\": 1", "[1] 2"] {
            assert!(claims(written).is_err(), "{written}");
        }
    }

    #[test]
    fn a_byte_that_is_not_utf8_is_placed() {
        let failure = not_utf8("x", b"a\nb\xff", 3);
        let expected = Failure::usage("`x` is not UTF-8: byte 0xff on line 2");
        assert_eq!(failure, expected.help("save the file as UTF-8"));
    }
}
