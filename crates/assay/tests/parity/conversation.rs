//! Every tool, in the course of one conversation, gives the same bytes through every door.
//!
//! The tools that write cannot be asked twice, so each door has the whole conversation on a data
//! folder of its own. Times and secrets are other ones each time; they are replaced by what kind
//! they are and by which of its kind, so that the rest is compared byte for byte.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]
#![expect(clippy::indexing_slicing, reason = "what a test cannot do without fails the test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::{MCP_2025, MCP_2026, Server};
use crate::mcp::{self, Era};
use crate::process::Scratch;
use crate::seen::Answer;
use crate::stdio::Client;

const STEPS: &str = include_str!("../../../core/tests/conversation.json");
const UNITS: &str = "// @unit amount USD\n// @range amount 0.5..1e6\ndeclare amount as numeric;\n\
                     // Nothing converts.\nassert cap { amount <= 24000 \"EUR\" };\n\
                     // @unit age mo\ndeclare age as numeric;\n// Days.\nassert old { age > 90 \"d\" };\n";

/// What a random part of an address or of a secret stands behind.
const SECRETS: [&str; 7] =
    ["assay_invitation_", "assay_session_", "assay_key_", "session-", "person-", "team-", "key-"];

/// What calls have in common, by the word that stands for it.
type Kept = BTreeMap<String, Value>;

/// Where a conversation takes place.
enum Place {
    Stdio(Client, Era),
    Http(Era),
    Rest,
}

impl Place {
    fn ask(&mut self, server: &Server, tool: &str, arguments: &Value) -> Result<String, String> {
        let text = arguments.to_string();
        let answer = match self {
            Self::Stdio(client, era) => client.call(*era, tool, &text)?,
            Self::Http(era) => {
                let named = format!("{MCP_2026}Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n");
                let headers = match era {
                    Era::Initialized => MCP_2025,
                    Era::Stateless => &named,
                };
                let response = server.post("/mcp", headers, &era.call(7, tool, &text))?;
                mcp::answer(7, &response.body)?
            }
            Self::Rest => {
                let (line, body) = request(tool, arguments);
                server.send(&line, "", &body)?.payload()
            }
        };
        match answer {
            Answer::Payload { text, structured, .. } => {
                if structured.is_some_and(|it| it != text) {
                    return Err(format!("the structured content of {tool} is not its text"));
                }
                Ok(text)
            }
            Answer::ProtocolError(error) => Err(format!("{tool}: {error}")),
        }
    }
}

/// The first line and the body of the request for a call.
fn request(tool: &str, arguments: &Value) -> (String, String) {
    let text = |key: &str| encoded(arguments[key].as_str().unwrap_or_default());
    let team = |rest: &str| format!("/v1/teams/{}{rest}", text("team_id"));
    let without = |keys: &[&str]| {
        let mut body = arguments.clone();
        body.as_object_mut().unwrap().retain(|key, _| !keys.contains(&key.as_str()));
        body.to_string()
    };
    let (get, post) = ("GET ", "POST ");
    let whole = || arguments.to_string();
    match tool {
        // Over MCP, rules are always described.
        "dsail_compile" => {
            let mut body = arguments.clone();
            body["require_descriptions"] = json!(true);
            (format!("{post}/v1/compile"), body.to_string())
        }
        "dsail_check" => (format!("{post}/v1/check"), whole()),
        "dsail_get_prompt_pack" => (format!("{post}/v1/prompt-pack"), whole()),
        "dsail_save_ruleset" => (format!("{post}/v1/rulesets"), whole()),
        "dsail_load_ruleset" => (format!("{get}/v1/rulesets/{}", text("name")), String::new()),
        "dsail_list_rulesets" => (format!("{get}/v1/rulesets"), String::new()),
        "dsail_record_approval" => (format!("{post}/v1/approvals"), whole()),
        "dsail_review" => (format!("{post}/v1/review"), whole()),
        "dsail_get_account_status" => (format!("{get}/v1/account"), String::new()),
        "dsail_issue_api_key" => (format!("{post}/v1/credentials/api-key"), whole()),
        "dsail_unit_library" => {
            let pairs = arguments.as_object().unwrap().keys();
            let query: Vec<String> = pairs.map(|key| format!("{key}={}", text(key))).collect();
            let path = if query.is_empty() {
                "".to_owned()
            } else {
                format!("/bridge?{}", query.join("&"))
            };
            (format!("{get}/v1/units{path}"), String::new())
        }
        "dsail_add_unit_converter" => (format!("{post}/v1/units/converters"), whole()),
        "dsail_list_workspaces" => (format!("{get}/v1/workspaces"), String::new()),
        "dsail_use_workspace" => (format!("{post}/v1/workspaces/current"), whole()),
        "dsail_create_team" => (format!("{post}/v1/teams"), whole()),
        "dsail_invite_to_team" => {
            (format!("{post}{}", team("/invitations")), without(&["team_id"]))
        }
        "dsail_team_members" => (format!("{get}{}", team("/members")), String::new()),
        "dsail_set_team_role" => (
            format!("{post}{}/{}/role", team("/members"), text("member")),
            without(&["team_id", "member"]),
        ),
        "dsail_remove_from_team" => {
            (format!("DELETE {}/{}", team("/members"), text("member")), String::new())
        }
        "dsail_copy_ruleset" => {
            (format!("{post}/v1/rulesets/{}/copies", text("name")), without(&["name"]))
        }
        other => (format!("GET /no-route-is-known-for/{other}"), String::new()),
    }
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").unwrap();
        }
    }
    out
}

fn filled(value: &Value, kept: &Kept) -> Value {
    match value {
        Value::String(word) => kept.get(word).unwrap_or(value).clone(),
        Value::Array(items) => items.iter().map(|it| filled(it, kept)).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, it)| (key.clone(), filled(it, kept))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The payloads of one conversation, each with the call that it answers.
fn converse(mut place: Place, server: &Server) -> Result<Vec<String>, String> {
    let mut kept = Kept::from([
        ("$units".to_owned(), json!(UNITS)),
        ("$changed".to_owned(), json!(UNITS.replace("24000", "25000"))),
        ("$example".to_owned(), json!(assay_dsail::grammar::example())),
        ("$nowhere".to_owned(), json!("0".repeat(64))),
    ]);
    let steps: Vec<Value> = serde_json::from_str(STEPS).unwrap();
    let mut said = Vec::new();
    for step in &steps {
        if let Some(accepted) = step.get("accept") {
            // Whoever accepts an invitation does so over HTTP, wherever the team talks.
            let body = filled(accepted, &kept).to_string();
            said.push(server.post("/v1/invitations/accept", "", &body)?.body);
            continue;
        }
        let tool = step["tool"].as_str().unwrap();
        let payload = place.ask(server, tool, &filled(&step["arguments"], &kept))?;
        let read: Value = serde_json::from_str(&payload).map_err(|it| it.to_string())?;
        for (word, pointer) in step["keep"].as_object().into_iter().flatten() {
            kept.insert(word.clone(), read.pointer(pointer.as_str().unwrap()).unwrap().clone());
        }
        said.push(format!("{tool} {}\n{payload}", step["arguments"]));
    }
    Ok(said)
}

/// The text with every time and every secret replaced.
fn plain(text: &str, names: &mut BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.get(20..).filter(|_| is_time(rest)) {
            out.push_str("TIME");
            rest = after;
        } else if let Some((secret, after)) = secret(rest) {
            let next = names.len();
            let name = names.entry(secret.to_owned()).or_insert_with(|| format!("SECRET {next}"));
            out.push_str(name);
            rest = after;
        } else {
            out.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    out
}

fn is_time(text: &str) -> bool {
    let pattern = b"0000-00-00T00:00:00Z";
    let matches = |(byte, pattern): (u8, &u8)| match pattern {
        b'0' => byte.is_ascii_digit(),
        other => byte == *other,
    };
    text.len() >= pattern.len() && text.bytes().zip(pattern).all(matches)
}

/// A random part with what it stands behind, and what follows.
fn secret(text: &str) -> Option<(&str, &str)> {
    let prefix = SECRETS.into_iter().find(|it| text.starts_with(it))?;
    let random = text.get(prefix.len()..)?;
    let length = random.bytes().take_while(|it| it.is_ascii_hexdigit()).count();
    matches!(length, 16 | 64).then(|| text.split_at(prefix.len() + length))
}

#[test]
fn one_conversation_is_the_same_through_every_door() {
    let scratch = Scratch::new("conversation").unwrap();
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for name in
            ["stdio 2025-11-25", "stdio 2026-07-28", "HTTP 2025-11-25", "HTTP 2026-07-28", "REST"]
        {
            let scratch = &scratch;
            running.push(scope.spawn(move || {
                let server = Server::start_in(scratch, name, "1").unwrap();
                let era =
                    if name.ends_with("2026-07-28") { Era::Stateless } else { Era::Initialized };
                let place = match name.split(' ').next().unwrap() {
                    // It shares the file with the server, as two programs of one person do.
                    "stdio" => Place::Stdio(Client::start(scratch, name, "1").unwrap(), era),
                    "HTTP" => Place::Http(era),
                    _ => Place::Rest,
                };
                let said = converse(place, &server).unwrap_or_else(|it| panic!("{name}: {it}"));
                let mut names = BTreeMap::new();
                (name.to_owned(), said.iter().map(|it| plain(it, &mut names)).collect())
            }));
        }
        told.extend(running.into_iter().map(|it| it.join().unwrap()));
    });
    let (first, expected) = told.first().unwrap();
    assert!(expected.len() > 50, "{} answers", expected.len());
    for (door, said) in &told[1..] {
        for (a, b) in expected.iter().zip(said) {
            assert_eq!(a, b, "{first} and {door}");
        }
        assert_eq!(expected.len(), said.len());
    }
}
