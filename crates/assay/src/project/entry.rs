//! The entry of `.mcp.json` by which an agent finds the server.

use std::ops::Range;

use assay_base::json::{JsonError, Scalar};

use super::member::{self, Member, Value, members};

/// The member that holds all servers, and the one of this server.
const SERVERS: &str = "mcpServers";
const NAME: &str = "assay";

/// How an agent reaches the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Server {
    /// It starts the command.
    Command,
    /// It sends requests to this address.
    Url(String),
}

impl Server {
    /// The members of the entry.
    fn members(&self) -> Vec<(&'static str, Value)> {
        match self {
            Self::Command => vec![
                ("command", Value::String("assay".to_owned())),
                ("args", Value::Strings(vec!["stdio".to_owned()])),
            ],
            Self::Url(url) => vec![
                ("type", Value::String("http".to_owned())),
                ("url", Value::String(url.clone())),
            ],
        }
    }

    /// Members that would make the entry name another kind of server.
    const fn strangers(&self) -> &'static [&'static str] {
        match self {
            Self::Command => &["type", "url"],
            Self::Url(_) => &["command", "args"],
        }
    }

    /// Whether an entry reaches this server already. Where the person named the path of the
    /// command or gave it more arguments, it does.
    fn is_reached_by(&self, text: &str, entry: &[Member<'_>]) -> bool {
        let find = |key: &str| entry.iter().find(|it| it.key == key).map(|it| it.value.clone());
        let string = |key: &str| match find(key).and_then(|it| member::scalar(text, it)) {
            Some(Scalar::String(it)) => Some(it),
            _ => None,
        };
        match self {
            Self::Command => {
                let args = find("args").and_then(|it| text.get(it));
                let args: Option<Vec<String>> = args.and_then(|it| serde_json::from_str(it).ok());
                let command = string("command");
                command.is_some_and(|it| it.rsplit('/').next() == Some(NAME))
                    && args.is_some_and(|it| it.first().is_some_and(|it| it == "stdio"))
                    && find("url").is_none()
                    && (find("type").is_none() || string("type").is_some_and(|it| it == "stdio"))
            }
            Self::Url(url) => {
                string("type").is_some_and(|it| it == "http")
                    && string("url").is_some_and(|it| it == *url)
                    && find("command").is_none()
                    && find("args").is_none()
            }
        }
    }
}

/// `before`, or a new file, with the entry for `server`.
///
/// # Errors
/// What is wrong with the file, as the rest of a sentence that begins with its name.
pub(super) fn edited(before: Option<&str>, server: &Server) -> Result<String, String> {
    let mut text = before.unwrap_or("{}\n").to_owned();
    if object_at(&text, &[SERVERS])?.is_none() {
        text = set(&text, &[], SERVERS, &Value::Object(Vec::new()))?;
    }
    let Some(entry) = object_at(&text, &[SERVERS, NAME])? else {
        return set(&text, &[SERVERS], NAME, &Value::Object(server.members()));
    };
    if server.is_reached_by(&text, &members(&text, entry).map_err(|it| no_json(&it))?) {
        return Ok(text);
    }
    for key in server.strangers() {
        if let Some(entry) = object_at(&text, &[SERVERS, NAME])? {
            text = member::removed(&text, entry, key).map_err(|it| no_json(&it))?;
        }
    }
    for (key, value) in server.members() {
        text = set(&text, &[SERVERS, NAME], key, &value)?;
    }
    Ok(text)
}

fn set(text: &str, path: &[&str], key: &str, value: &Value) -> Result<String, String> {
    match object_at(text, path)? {
        Some(object) => member::set(text, object, key, value).map_err(|it| no_json(&it)),
        None => Ok(text.to_owned()),
    }
}

/// Where the object at the end of `path` stands, if it is there.
fn object_at(text: &str, path: &[&str]) -> Result<Option<Range<usize>>, String> {
    let mut object = 0..text.len();
    members(text, object.clone()).map_err(|it| no_json(&it))?;
    let mut walked = String::new();
    for key in path {
        let members = members(text, object).map_err(|it| no_json(&it))?;
        let Some(found) = members.into_iter().find(|it| it.key == *key) else { return Ok(None) };
        walked = if walked.is_empty() { (*key).to_owned() } else { format!("{walked}.{key}") };
        match member::scalar(text, found.value.clone()) {
            Some(Scalar::Object) => {}
            kind => {
                let kind = kind.map_or("nothing", |it| it.kind());
                return Err(format!("holds {kind} at `{walked}`, where an object is expected"));
            }
        }
        object = found.value;
        members_of(text, &object, &walked)?;
    }
    Ok(Some(object))
}

/// Looks into an object further in, where lines and columns count from its own start.
fn members_of(text: &str, object: &Range<usize>, walked: &str) -> Result<(), String> {
    match members(text, object.clone()) {
        Ok(_) => Ok(()),
        Err(JsonError { message, .. }) => Err(format!("cannot be used at `{walked}`: {message}")),
    }
}

fn no_json(error: &JsonError) -> String {
    if error.message.starts_with("expected an object") {
        format!("holds no JSON object: {error}")
    } else {
        format!("is not JSON: {error}")
    }
}

#[cfg(test)]
mod tests {
    use super::{NAME, SERVERS, Server, edited};

    const STDIO: &str = r#"{"command": "assay", "args": ["stdio"]}"#;

    /// What stands before, and where in it what is inserted.
    const INSERTED: &[(&str, &str)] = &[
        (
            "{}",
            "{\n  \"mcpServers\": {\n    \"assay\": {\n      \"command\": \"assay\",\n      \"args\": [\"stdio\"]\n    }\n  }\n}",
        ),
        (
            r#"{"mcpServers":{}}"#,
            r#"{"mcpServers":{"assay":{"command":"assay","args":["stdio"]}}}"#,
        ),
        (
            r#"{"a":1e400}"#,
            r#"{"a":1e400,"mcpServers":{"assay":{"command":"assay","args":["stdio"]}}}"#,
        ),
        (
            r#"{ "a": 1 }"#,
            r#"{ "a": 1, "mcpServers": {"assay": {"command": "assay", "args": ["stdio"]}} }"#,
        ),
        (
            "{\n\t\"mcpServers\": {\n\t\t\"x\": {\"url\": \"y\"}\n\t},\n\t\"n\": 0.10\n}\n",
            "{\n\t\"mcpServers\": {\n\t\t\"x\": {\"url\": \"y\"},\n\t\t\"assay\": {\n\t\t\t\"command\": \"assay\",\n\t\t\t\"args\": [\"stdio\"]\n\t\t}\n\t},\n\t\"n\": 0.10\n}\n",
        ),
        (
            "{\r\n    \"a\": [ 1,2 ]\r\n}\r\n",
            "{\r\n    \"a\": [ 1,2 ],\r\n    \"mcpServers\": {\r\n        \"assay\": {\r\n            \"command\": \"assay\",\r\n            \"args\": [\"stdio\"]\r\n        }\r\n    }\r\n}\r\n",
        ),
        (
            "{\n  \"mcpServers\": {\n  }\n}",
            "{\n  \"mcpServers\": {\n    \"assay\": {\n      \"command\": \"assay\",\n      \"args\": [\"stdio\"]\n    }\n  }\n}",
        ),
    ];

    #[test]
    fn an_entry_takes_the_shape_of_what_stands_around_it() {
        for (before, after) in INSERTED {
            let edited_once = edited(Some(before), &Server::Command).unwrap();
            assert_eq!(edited_once, *after, "{before}");
            assert_eq!(edited(Some(after), &Server::Command).unwrap(), *after, "{before}");
        }
    }

    #[test]
    fn an_entry_of_another_kind_is_turned() {
        let url = Server::Url("http://a/mcp".to_owned());
        let http = r#"{"type": "http", "url": "http://a/mcp"}"#;
        for (before, server, after) in [
            (STDIO, &url, http),
            (http, &Server::Command, STDIO),
            (
                r#"{"env": {"A": "1"}, "command": "old", "args": []}"#,
                &Server::Command,
                r#"{"env": {"A": "1"}, "command": "assay", "args": ["stdio"]}"#,
            ),
            (
                r#"{"args":[], "headers": {}, "command": "x"}"#,
                &url,
                r#"{"headers": {}, "type": "http", "url": "http://a/mcp"}"#,
            ),
            (
                r#"{"command": "/opt/assay", "args": ["stdio", "--data", "d"]}"#,
                &Server::Command,
                r#"{"command": "/opt/assay", "args": ["stdio", "--data", "d"]}"#,
            ),
        ] {
            let file = |entry: &str| format!("{{\"mcpServers\": {{\"assay\": {entry}}}}}");
            assert_eq!(edited(Some(&file(before)), server).unwrap(), file(after), "{before}");
        }
    }

    /// Files in every layout that people and programs write: the text, and how each is made up.
    fn layouts() -> Vec<String> {
        const SERVERS: [&str; 4] = [
            "",
            r#""mcpServers"~:_{}"#,
            r#""mcpServers"~:_{@"x"~:_{"n"~:_1.50}@}"#,
            r#""mcpServers"~:_{@"x"~:_[1,2],@"y"~:_{}@}"#,
        ];
        let mut texts = Vec::new();
        for servers in SERVERS {
            for others in [r#""a"~:_1e400"#, r#""a"~:_"}\"{",@"b"~:_[{ },"\u00e9" ]"#, ""] {
                let comma = if servers.is_empty() || others.is_empty() { "" } else { ",@" };
                for inner in [
                    format!("{{@{servers}{comma}{others}@}}"),
                    format!("{{@{others}{comma}{servers}@}}"),
                ] {
                    for line in ["", " ", "\n", "\n  ", "\r\n\t"] {
                        for (space, colon) in [("", ""), ("", " "), (" ", " ")] {
                            let text = inner.replace('@', line).replace('~', space);
                            texts.push(format!("{}{line}", text.replace('_', colon)));
                        }
                    }
                }
            }
        }
        texts
    }

    #[test]
    fn one_insertion_is_all_that_a_file_sees() {
        let layouts = layouts();
        assert_eq!(layouts.len(), 360);
        for before in layouts {
            let after = edited(Some(&before), &Server::Command).unwrap();
            let common = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
            // Between the braces of an empty object there is no text to keep.
            let is_empty = before.split_whitespace().collect::<String>() == "{}";
            let rest =
                before.get(common..).unwrap().trim_start_matches(|it: char| is_empty && it != '}');
            assert!(after.ends_with(rest), "{before}\n{after}");
            let entry = format!("/{SERVERS}/{NAME}");
            let file: Box<serde_json::value::RawValue> = serde_json::from_str(&after).unwrap();
            assert!(file.get().contains("\"stdio\""), "{after}");
            let readable = after.replace("1e400", "1");
            let value: serde_json::Value = serde_json::from_str(&readable).unwrap();
            let expected = serde_json::json!({"command": "assay", "args": ["stdio"]});
            assert_eq!(value.pointer(&entry), Some(&expected), "{after}");
            assert_eq!(edited(Some(&after), &Server::Command).unwrap(), after);
            assert_eq!(after.contains('\r'), before.contains('\r'), "{after:?}");
            assert_eq!(after.matches("\r\n").count(), after.matches('\r').count());
            if before.contains('\r') {
                assert_eq!(after.matches("\r\n").count(), after.matches('\n').count(), "{after:?}");
            }
        }
    }

    #[test]
    fn what_is_no_such_file_is_told() {
        for (text, message) in [
            ("", "is not JSON: EOF while parsing a value at line 1 column 0"),
            ("{\n \"a\" 1}", "is not JSON: expected `:` at line 2 column 6"),
            ("[]", "holds no JSON object: expected an object, found an array at line 1 column 1"),
            ("{\"a\": 1, \"a\": 2}", "is not JSON: the key `a` stands twice at line 1 column 16"),
            ("{\"mcpServers\": 1}", "holds a number at `mcpServers`, where an object is expected"),
            (
                "{\"mcpServers\": {\"assay\": null}}",
                "holds null at `mcpServers.assay`, where an object is expected",
            ),
            (
                "{\"mcpServers\": {\"x\": 1, \"x\": 2}}",
                "cannot be used at `mcpServers`: the key `x` stands twice",
            ),
        ] {
            assert_eq!(edited(Some(text), &Server::Command).unwrap_err(), message, "{text}");
        }
    }
}
