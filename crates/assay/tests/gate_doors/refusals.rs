//! What is forbidden is refused over every door with the same code, reaches no back end and is on
//! record as refused.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::client::{Client, Door};
use crate::firm::{Firm, send};
use crate::office::{DESK, FLOW, word};
use crate::server::Server;
use crate::wire::over_http;

/// Who calls with which skill, the tool, the arguments, the code of the gate, and what the details
/// hold at least.
const FORBIDDEN: &str = r#"[
    ["me", "flow", "create_client", {"full_name": "Al", "kind": "person"},
        "PREREQUISITE_MISSING", {}],
    ["me", "flow", "create_client", {"full_name": "Blocked Person", "kind": "person"},
        "PREREQUISITE_NOT_MET", {"verdict": "flagged"}],
    ["me", "flow", "create_matter", {"client_id": "$bo", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "PREREQUISITE_MISSING", {}],
    ["paula", "flow", "create_matter", {"client_id": "$company", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"},
        "PREREQUISITE_NOT_MET", {"verdict": "CONFLICT"}],
    ["paula", "flow", "create_matter", {"client_id": "$worry", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"},
        "PREREQUISITE_NOT_MET", {"verdict": "CONCERN"}],
    ["me", "flow", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"},
        "APPROVAL_REQUIRED", {"have": 0, "need": 1}],
    ["ana", "flow", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly", "approved_by": "paula"},
        "APPROVAL_REQUIRED", {"have": 0}],
    ["fin", "flow", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "PERMISSION_DENIED", {}],
    ["paula", "desk", "delete_document", {"document_id": "$document", "reason": "Filed twice"},
        "APPROVAL_REQUIRED", {"have": 1, "need": 2}],
    ["ana", "desk", "send_email", {"matter_id": "$matter", "to": ["a@example.com"],
        "subject": "s", "body": "b"}, "CONFIRMATION_REQUIRED", {}],
    ["ana", "desk", "send_email", {"matter_id": "$matter", "to": ["a@example.com"],
        "subject": "s", "body": "b", "confirm": true}, "INPUT_INVALID", {}],
    ["me", "desk", "send_email", {"matter_id": "$matter", "to": ["a@example.com"],
        "subject": "s", "body": "b"}, "ROLE_SESSION_REQUIRED", {}],
    ["me", "flow", "create_matter", {"client_id": "$their client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "SCOPE_VIOLATION", {}],
    ["me", "flow", "create_matter", {"client_id": "cli_00000000_0001", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "SCOPE_VIOLATION", {}],
    ["me", "flow", "create_matter", {"client_id": "$their client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly", "org_id": "personal-owner"},
        "SCOPE_VIOLATION", {}],
    ["me", "desk", "lookup_matter", {"matter_id": "$their matter"}, "SCOPE_VIOLATION", {}],
    ["paula", "desk", "delete_document", {"document_id": "$their document", "reason": "Old"},
        "SCOPE_VIOLATION", {}],
    ["me", "flow", "check_sanctions", {"full_name": "Bo Lind", "org_id": "personal-owner"},
        "SCOPE_VIOLATION", {}],
    ["me", "flow", "lookup_matter", {"matter_id": "$matter"}, "SKILL_NOT_BOUND", null],
    ["me", "flow", "lookup_mattes", {"matter_id": "$matter"}, "TOOL_UNKNOWN", null],
    ["me", "flow", "lookup_matter", {"matter_id": "$matter", "skill": "practice-desk@1.0",
        "skill_id": "practice-desk"}, "SKILL_NOT_BOUND", null],
    ["me", "none", "check_sanctions", {"full_name": "Bo Lind"}, "SKILL_NOT_BOUND", null],
    ["me", "none", "check_sanctions", {"full_name": "Bo Lind",
        "skill": "practice-desk@1.0"}, "SKILL_NOT_BOUND", null],
    ["reader", "flow", "create_client", {"full_name": "Bo Lind", "kind": "person"},
        "PERMISSION_DENIED", {"missing": ["scope:write"]}]
]"#;

/// What was done before: who, the tool, the arguments, the word, and the name of the client.
const BEFORE: &str = r#"[
    ["me", "check_sanctions", {"full_name": "Somebody Else"}, "ok"],
    ["me", "check_sanctions", {"full_name": "Blocked Person"}, "ok"],
    ["me", "check_sanctions", {"full_name": "Bo"}, "ok"],
    ["me", "create_client", {"full_name": "Bo", "kind": "person"}, "ok"],
    ["me", "check_sanctions", {"full_name": "Worry"}, "ok"],
    ["me", "create_client", {"full_name": "Worry", "kind": "person"}, "ok"],
    ["me", "run_conflict_check", {"client_id": "$client", "parties": ["Somebody"]}, "ok"],
    ["me", "run_conflict_check", {"client_id": "$company", "parties": ["Adverse Corp"]}, "ok"],
    ["me", "run_conflict_check", {"client_id": "$worry", "parties": ["Concern Ltd"]}, "ok"],
    ["me", "draft_engagement_letter",
        {"client_id": "$client", "scope": "The lease", "fee_structure": "hourly"}, "ok"],
    ["me", "draft_engagement_letter",
        {"client_id": "$company", "scope": "The lease", "fee_structure": "hourly"}, "ok"],
    ["me", "draft_engagement_letter",
        {"client_id": "$worry", "scope": "The lease", "fee_structure": "hourly"}, "ok"],
    ["paula", "delete_document", {"document_id": "$document", "reason": "Filed twice"},
        "APPROVAL_REQUIRED"]
]"#;

type Row = (String, String, String, Value, String, Option<Value>);

/// The servers for the three skills.
struct Servers([(&'static str, Option<&'static str>, Server); 3]);

impl Servers {
    fn start(firm: &Firm) -> Self {
        let skills = [("flow", Some(FLOW)), ("desk", Some(DESK)), ("none", None)];
        Self(skills.map(|(name, skill)| (name, skill, firm.serve(skill))))
    }

    fn of(&self, name: &str) -> (&Server, Option<&'static str>) {
        let found = self.0.iter().find(|it| it.0 == name).unwrap();
        (&found.2, found.1)
    }
}

/// A firm in which everything was done that does not suffice, and the words of those calls.
fn prepared(servers: &Servers, firm: &mut Firm) -> Vec<String> {
    let (server, _) = servers.of("desk");
    let before: Vec<(String, String, Value, String)> = serde_json::from_str(BEFORE).unwrap();
    let mut words = Vec::new();
    for (name, tool, arguments, expected) in before {
        let path = format!("/v1/tools/{tool}");
        let answer = server.post(&path, &firm.bearer(&name), &firm.office.fill(&arguments));
        assert_eq!(word(&answer), expected, "{tool}: {answer}");
        if let (Some(id), Some(name)) =
            (answer["result"]["client_id"].as_str(), arguments["full_name"].as_str())
        {
            firm.office.ids.insert(name.to_lowercase(), id.to_owned());
        }
        for _ in 0..2 {
            if let Some(request) = answer["error"]["details"]["request"].as_str() {
                assert_eq!(firm.say(server, "paula", request, "approve"), "ok");
            }
        }
        words.push(expected);
    }
    words
}

#[test]
fn what_is_forbidden_is_refused_over_every_door_and_on_record() {
    let mut firm = Firm::new("forbidden", Behind::Pipes);
    let key = firm.json(&["key", "issue", "--scope", "read", "--json"]);
    let key = key["credential"].as_str().unwrap().to_owned();
    firm.office.tokens.insert("reader", key);
    let servers = Servers::start(&firm);
    let mut words = prepared(&servers, &mut firm);
    let rows: Vec<Row> = serde_json::from_str(FORBIDDEN).unwrap();
    let before: Vec<i64> = ["client", "matter", "document"].map(|it| firm.count(it)).to_vec();
    let calls = firm.carried();
    let mut answers: Vec<Vec<String>> = Vec::new();
    for door in Door::ALL {
        let mut seen = Vec::new();
        for row in &rows {
            let (name, skill, tool, arguments, code, details) = row;
            let (server, skill) = servers.of(skill);
            let token = firm.office.tokens.get(name.as_str()).map(String::as_str);
            let client = Client::enter(door, &firm, server, (skill, token));
            let mut answer = client.call(tool, &firm.office.fill(arguments));
            let place = format!("{door:?} {name} {tool} {arguments}: {answer}");
            let is_unknown = ["TOOL_UNKNOWN", "SKILL_NOT_BOUND"].contains(&code.as_str());
            let wire = if is_unknown { "UNKNOWN_TOOL" } else { code };
            assert_eq!(word(&answer), wire, "{place}");
            for (key, value) in details.iter().filter_map(Value::as_object).flatten() {
                assert_eq!(answer["error"]["details"][key], *value, "{place}");
            }
            words.push(code.clone());
            if let Some(it) = answer["error"].get_mut("reference") {
                *it = Value::Null;
            }
            seen.push(answer["error"].to_string().replace(tool, "the tool"));
        }
        answers.push(seen);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    for (is_alike, what) in [
        (|it: &Row| it.4 == "SCOPE_VIOLATION", "what is another's and what is not there"),
        (|it: &Row| it.1 == "flow" && it.5.is_none(), "what is not listed and what is not there"),
    ] as [(fn(&Row) -> bool, &str); 2]
    {
        let alike = rows.iter().zip(&answers[0]).filter(|it| is_alike(it.0)).map(|it| it.1);
        let alike: Vec<&String> = alike.collect();
        assert!(alike.len() > 2 && alike.windows(2).all(|it| it[0] == it[1]), "{what}: {alike:?}");
    }
    let after: Vec<i64> = ["client", "matter", "document"].map(|it| firm.count(it)).to_vec();
    assert_eq!(after, before);
    assert_eq!(firm.carried(), calls);
    firm.assert_recorded(words.iter().map(String::as_str), "forbidden");
}

/// Nothing that a request says of its skill is heard.
#[test]
fn a_skill_is_not_taken_from_a_request() {
    let firm = Firm::new("forged", Behind::Pipes);
    let server = firm.serve(None);
    let headers = "x-assay-skill: practice-desk@1.0\r\nx-skill-id: practice-desk\r\n";
    let path = "/v1/tools/check_sanctions";
    let arguments = json!({ "full_name": "Bo Lind" });
    assert_eq!(word(&server.post(path, headers, &arguments)), "UNKNOWN_TOOL");
    // The name stands last, as the header that repeats it is taken from there.
    let meta = json!({ "skill": DESK, "skill_id": "practice-desk", "assay/skill": DESK });
    let params = format!(r#"{{"arguments":{arguments},"_meta":{meta},"name":"check_sanctions"}}"#);
    let answer = over_http(&server, headers, "2025-11-25", ("tools/call", &params));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(firm.carried(), 0);
}

#[test]
fn who_cannot_be_known_is_not_heard() {
    let firm = Firm::new("unknown", Behind::Pipes);
    let key = firm.json(&["key", "issue", "--days", "1", "--label", "old", "--json"]);
    let server = firm.serve(Some(DESK));
    let database = Connection::open(firm.office.folder.join("assay.db")).unwrap();
    let expire = "UPDATE credential SET issued_at = 1, expires_at = 2 WHERE label = 'old'";
    assert_eq!(database.execute(expire, ()).unwrap(), 1);
    let calls = firm.carried();
    let arguments = json!({ "full_name": "Bo Lind" }).to_string();
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "check_sanctions", "arguments": { "full_name": "Bo Lind" } },
    });
    for token in [key["credential"].as_str().unwrap(), "assay_key_nobody", "x"] {
        let headers = format!("authorization: Bearer {token}\r\n");
        let rest = send(&server, "POST /v1/tools/check_sanctions", &headers, &arguments);
        let mcp = send(&server, "POST /mcp", &headers, &call.to_string());
        for (status, body) in [rest, mcp] {
            assert_eq!(status, 401, "{body}");
            assert!(body.contains("CREDENTIAL_INVALID"), "{body}");
        }
        let mut stdio = firm.command(&["stdio", "--profile", "practice", "--skill", DESK]);
        stdio.env("ASSAY_SESSION", token);
        let run = crate::support::run_with(&mut stdio, format!("{call}\n").as_bytes());
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("CREDENTIAL_INVALID"), "{token}: {run:?}");
    }
    assert_eq!(firm.carried(), calls);
}
