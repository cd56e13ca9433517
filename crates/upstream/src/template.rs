//! The path of a REST tool, with places for arguments.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// A path such as `matters/{matter_id}/notes`.
#[derive(Debug)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Text(String),
    Argument(String),
}

impl Template {
    /// The template, or what is wrong with it.
    pub(crate) fn new(path: &str) -> Result<Self, String> {
        let shown = path.escape_debug();
        if path.contains(['?', '#', '\\']) || path.chars().any(char::is_control) {
            return Err(format!(
                "the path `{shown}` holds more than a path; leave `?` and `#` out"
            ));
        }
        let mut pieces = Vec::new();
        let mut rest = path.trim_start_matches('/');
        while let Some((text, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').unwrap_or_default();
            if name.is_empty() || name.contains('{') || text.contains('}') {
                return Err(format!("the path `{shown}` must name arguments as `{{name}}`"));
            }
            pieces.push(Piece::Text(text.to_owned()));
            pieces.push(Piece::Argument(name.to_owned()));
            rest = behind;
        }
        if rest.contains('}') {
            return Err(format!("the path `{shown}` must name arguments as `{{name}}`"));
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// The path with the arguments that it names, which are taken out, or what is wrong with them.
    pub(crate) fn fill(&self, arguments: &mut Map<String, Value>) -> Result<String, String> {
        let mut path = String::new();
        let mut used = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => path.push_str(text),
                Piece::Argument(name) => {
                    let value = arguments.get(name).and_then(scalar);
                    let value = value.filter(|it| !it.is_empty());
                    let value = value.ok_or_else(|| {
                        format!("the path needs the argument `{name}`, a text or a number")
                    })?;
                    encode(&mut path, &value);
                    used.push(name);
                }
            }
        }
        // A URL reads these as steps towards its root, out of what the operator meant.
        if path.split('/').any(|it| matches!(it, "." | "..")) {
            return Err("the arguments would lead to another path".to_owned());
        }
        for name in used {
            arguments.remove(name);
        }
        Ok(path)
    }
}

/// A value that has a text of its own.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn encode(path: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(path, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Template;

    #[test]
    fn paths() {
        let table = [
            ("notes", json!({"a": 1}), Ok(("notes", json!({"a": 1})))),
            ("/m/{id}/n", json!({"id": "x", "a": 1}), Ok(("m/x/n", json!({"a": 1})))),
            ("{a}-{b}/{a}", json!({"a": 1.5, "b": true}), Ok(("1.5-true/1.5", json!({})))),
            ("m/{id}", json!({"id": "a/../b?c#d%"}), Ok(("m/a%2F..%2Fb%3Fc%23d%25", json!({})))),
            ("m/{id}", json!({"id": "é {x}"}), Ok(("m/%C3%A9%20%7Bx%7D", json!({})))),
            ("m/{id}", json!({"id": "..."}), Ok(("m/...", json!({})))),
            ("m/{id}", json!({"id": ".."}), Err("another path")),
            ("m/{a}{b}/n", json!({"a": ".", "b": "."}), Err("another path")),
            ("m/{id}", json!({"id": ""}), Err("the argument `id`")),
            ("m/{id}", json!({"id": null}), Err("the argument `id`")),
            ("m/{id}", json!({"id": ["x"]}), Err("the argument `id`")),
            ("m/{id}", json!({}), Err("the argument `id`")),
        ];
        for (path, arguments, expected) in table {
            let mut left = arguments.as_object().unwrap().clone();
            let found = Template::new(path).unwrap().fill(&mut left);
            match expected {
                Ok((filled, rest)) => {
                    assert_eq!(found.as_deref(), Ok(filled), "{path} {arguments}");
                    assert_eq!(Value::Object(left), rest, "{path} {arguments}");
                }
                Err(part) => assert!(found.unwrap_err().contains(part), "{path} {arguments}"),
            }
        }
    }

    #[test]
    fn templates_that_are_refused() {
        for path in ["a?b", "a#b", "a\\b", "{", "}", "{}", "{a", "a}", "{a{b}}", "a}{b}", "a\nb"] {
            assert!(Template::new(path).is_err(), "{path}");
        }
    }
}
