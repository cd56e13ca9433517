//! Nothing that is private is written down or told: not what people write, not what opens the back
//! end, and not what the back end shows of itself when it breaks.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::client::{Client, Door};
use crate::firm::{Firm, get};
use crate::office::{DESK, word};

/// Stands in every field that is personal, privileged or not listed by the record of its tool.
const PRIVATE: &str = "kanari-7f3a";
/// What opens the back end.
const TOKEN: &str = "kanari-token-91c2";
/// What the back end shows when it breaks.
const SHOWN: [&str; 4] = ["psycopg", "INSERT INTO", "/srv/practice", "nginx"];

/// The tool, the arguments, what goes wrong behind the gate, and the word of the answer.
const CALLS: &str = r#"[
    ["check_sanctions", {"full_name": "PRIVATE"}, null, "ok"],
    ["check_sanctions", {"full_name": ["PRIVATE"]}, null, "INPUT_INVALID"],
    ["check_sanctions", {"full_name": "Al", "note": "PRIVATE"}, null, "INPUT_INVALID"],
    ["create_client", {"full_name": "PRIVATE", "kind": "person", "email": "PRIVATE@example.com"},
        null, "ok"],
    ["create_client", {"full_name": "PRIVATE 2", "kind": "person"}, null, "PREREQUISITE_MISSING"],
    ["lookup_client", {"name": "PRIVATE"}, null, "ok"],
    ["run_conflict_check", {"client_id": "$client", "parties": ["PRIVATE"]}, null, "ok"],
    ["draft_engagement_letter",
        {"client_id": "$client", "scope": "PRIVATE", "fee_structure": "hourly"}, null, "ok"],
    ["draft_email", {"matter_id": "$matter", "to": ["PRIVATE@example.com"], "subject": "PRIVATE",
        "body": "PRIVATE"}, null, "ok"],
    ["draft_email", {"matter_id": "nowhere", "to": ["PRIVATE@example.com"], "subject": "s",
        "body": "b"}, null, "SCOPE_VIOLATION"],
    ["send_email", {"matter_id": "$matter", "to": ["PRIVATE@example.com"], "subject": "PRIVATE",
        "body": "PRIVATE"}, null, "CONFIRMATION_REQUIRED"],
    ["upload_document", {"matter_id": "$matter", "title": "PRIVATE", "content": "PRIVATE",
        "privileged": true}, null, "ok"],
    ["search_documents", {"query": "PRIVATE"}, null, "ok"],
    ["create_deadline", {"matter_id": "$matter", "title": "PRIVATE 1", "due_on": "2027-02-01"},
        "stack_trace", "TOOL_FAILED"],
    ["create_deadline", {"matter_id": "$matter", "title": "PRIVATE 2", "due_on": "2027-02-01"},
        "html", "OUTPUT_INVALID"],
    ["create_deadline", {"matter_id": "$matter", "title": "PRIVATE 3", "due_on": "2027-02-01"},
        "wrong_shape", "OUTPUT_INVALID"],
    ["lookup_client", {"name": "PRIVATE"}, "exit", "TOOL_UNAVAILABLE"]
]"#;

/// The arguments with the private word in them.
fn private(arguments: &Value) -> Value {
    serde_json::from_str(&arguments.to_string().replace("PRIVATE", PRIVATE)).unwrap()
}

#[test]
fn what_is_private_is_not_written_down() {
    let firm = Firm::new("secrets", Behind::McpOverHttp);
    let registry = firm.office.registry().join("registry.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&registry).unwrap()).unwrap();
    config["upstreams"]["practice"]["headers"] = json!({ "authorization": { "env": "BACK_END" } });
    fs::write(&registry, config.to_string()).unwrap();
    firm.office.change("email.draft", |it| it["audit"]["fields"]["body"] = "secret".into());
    let mut serve = firm.command(&["serve", "--http", "127.0.0.1:0", "--profile", "practice"]);
    serve.args(["--skill", DESK]).env("BACK_END", format!("Bearer {TOKEN}"));
    let server = crate::server::Server::start(&mut serve);
    let session = &firm.office.tokens["ana"];
    let ana = Client::enter(Door::Rest, &firm, &server, (None, Some(session)));
    let calls: Vec<(String, Value, Option<String>, String)> = serde_json::from_str(CALLS).unwrap();
    let mut told = Vec::new();
    for (tool, arguments, fault, expected) in &calls {
        let faults =
            fault.as_ref().map_or_else(|| json!({}), |it| json!({ tool: { "answer": it } }));
        firm.office.faults(&faults);
        let answer = ana.call(tool, &private(&firm.office.fill(arguments)));
        assert_eq!(word(&answer), *expected, "{tool} {arguments} {fault:?}: {answer}");
        // What went well brings back what was sent.
        if expected != "ok" {
            told.push(answer.to_string());
        }
    }
    told.push(get(&server, "/healthz", "").to_string());
    told.extend(server.lines());
    firm.assert_recorded(calls.iter().map(|it| it.3.as_str()), "private");
    let exported = firm.run(&["audit", "export", "--org", &firm.office.org]);
    let lines: Vec<String> = exported.stdout.lines().map(str::to_owned).collect();
    assert!(lines.iter().filter(|it| it.contains("\"tool.")).count() > calls.len(), "{lines:?}");
    told.extend(lines);
    drop(server);
    let data = Connection::open(firm.office.folder.join("assay.db")).unwrap();
    let mut records = data.prepare("SELECT record FROM audit_entry").unwrap();
    let records = records.query_map((), |row| row.get::<_, String>(0)).unwrap();
    told.extend(records.map(Result::unwrap));
    for word in [PRIVATE, TOKEN, session].into_iter().chain(SHOWN) {
        assert_eq!(told.iter().find(|it| it.contains(word)), None, "{word} is told");
    }
    // The test would find them where they are: the page shows people what they agree to.
    let waiting: String = data
        .query_row("SELECT group_concat(arguments) FROM request", (), |row| row.get(0))
        .unwrap();
    assert!(waiting.contains(PRIVATE), "{waiting}");
}
