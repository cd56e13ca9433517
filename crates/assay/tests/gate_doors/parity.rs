//! The same call has the same answer over every door, byte for byte but for its reference.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::client::{Client, Door};
use crate::firm::{Firm, send};
use crate::office::{DESK, word};
use crate::server::Server;
use crate::wire::{MODERN, Pipes, call, over_http, traced};

/// Who calls, which tool, with what text, and the word of the answer.
const CALLS: &[(&str, &str, &str, &str)] = &[
    ("ana", "lookup_matter", r#"{"matter_id":"$matter"}"#, "ok"),
    ("ana", "search_documents", r#"{"query":"lease"}"#, "ok"),
    ("ana", "create_client", r#"{"full_name":"Bo Lind","kind":"person"}"#, "replayed"),
    ("ana", "no_such_tool", "{}", "UNKNOWN_TOOL"),
    ("ana", "lookup_matter", r#"{"matter_id":"$matter","matter_id":"$other"}"#, "BAD_REQUEST"),
    ("ana", "lookup_matter", r#"{"matter_id":"nowhere"}"#, "SCOPE_VIOLATION"),
    ("ana", "lookup_matter", r#"{"matter_id":"$matter","more":1e400}"#, "BAD_REQUEST"),
    ("ana", "draft_email", r#"{"matter_id":"$matter","to":"a"}"#, "INPUT_INVALID"),
    (
        "ana",
        "delete_document",
        r#"{"document_id":"$document","reason":"Old."}"#,
        "PERMISSION_DENIED",
    ),
    (
        "me",
        "send_email",
        r#"{"matter_id":"$matter","to":["a@example.com"],"subject":"s","body":"b"}"#,
        "ROLE_SESSION_REQUIRED",
    ),
    (
        "ana",
        "send_email",
        r#"{"matter_id":"$matter","to":["a@example.com"],"subject":"s","body":"b"}"#,
        "CONFIRMATION_REQUIRED",
    ),
    ("ana", "create_client", r#"{"full_name":"Al","kind":"person"}"#, "PREREQUISITE_MISSING"),
    (
        "ana",
        "create_client",
        r#"{"full_name":"Blocked Person","kind":"person"}"#,
        "PREREQUISITE_NOT_MET",
    ),
    (
        "ana",
        "create_client",
        r#"{"full_name":"Bo Lind","kind":"person","email":"b@example.com"}"#,
        "IDEMPOTENCY_MISMATCH",
    ),
    ("ana", "create_matter", MATTER, "APPROVAL_REQUIRED"),
    ("ana", "upload_document", "{}", "TOOL_SUSPENDED"),
    ("ana", "post_notice", "{}", "TOOL_DISABLED"),
];

const MATTER: &str = r#"{"client_id":"$client","matter_type":"ip","responsible_partner_id":"p","fee_structure":"hourly"}"#;

/// What has to be there before.
const PREPARED: [(&str, &str); 5] = [
    ("check_sanctions", r#"{"full_name":"Bo Lind"}"#),
    ("check_sanctions", r#"{"full_name":"Blocked Person"}"#),
    ("create_client", r#"{"full_name":"Bo Lind","kind":"person"}"#),
    ("run_conflict_check", r#"{"client_id":"$client","parties":["Somebody"]}"#),
    (
        "draft_engagement_letter",
        r#"{"client_id":"$client","scope":"The lease","fee_structure":"hourly"}"#,
    ),
];

/// The text of an answer without its reference, and its word.
fn seen(text: &str, answer: &Value) -> (String, String) {
    let reference = answer["error"]["reference"].as_str().unwrap_or("no reference");
    (text.replace(reference, "evt"), word(answer))
}

/// The same of a message of the protocol.
fn unpacked(message: &Value) -> (String, String) {
    if message["error"].is_object() {
        let answer = json!({ "error": message["error"]["data"] });
        return seen(&answer["error"].to_string(), &answer);
    }
    let result = &message["result"];
    let text = result["content"][0]["text"].as_str().unwrap();
    let answer: Value = serde_json::from_str(text).unwrap();
    assert_eq!(result["structuredContent"], answer);
    assert_eq!(result["isError"], answer["ok"] == false, "{answer}");
    seen(text, &answer)
}

fn over_rest(server: &Server, headers: &str, tool: &str, arguments: &str) -> (String, String) {
    let (_, body) = send(server, &format!("POST /v1/tools/{tool}"), headers, arguments);
    let answer: Value = serde_json::from_str(&body).unwrap();
    match tool {
        // Over the other protocol this is an error without a payload.
        "no_such_tool" => seen(&answer["error"].to_string(), &answer),
        _ => seen(&body, &answer),
    }
}

#[test]
fn one_call_has_one_answer() {
    let firm = Firm::new("parity", Behind::Pipes);
    firm.office.change("comms.notice.post", |it| {
        it["enabled"] = false.into();
        it["deprecation"] = json!({ "since": "2026-01-01" });
    });
    let stop = ["tool", "kill", "dms.document.upload", "--reason", "looked at"];
    assert_eq!(firm.run(&stop).exit, Some(0));
    let server = firm.serve(Some(DESK));
    let text = |text: &str| {
        firm.office.ids.iter().fold(text.to_owned(), |text, (name, id)| {
            text.replace(&format!("\"${name}\""), &format!("\"{id}\""))
        })
    };
    let ana = Client::enter(Door::Rest, &firm, &server, (None, Some(&firm.office.tokens["ana"])));
    for (tool, arguments) in PREPARED {
        let answer = ana.call(tool, &serde_json::from_str(&text(arguments)).unwrap());
        assert_eq!(word(&answer), "ok", "{tool}: {answer}");
    }
    let pipes = |name: &str, version| {
        let mut stdio = firm.command(&["stdio", "--profile", "practice", "--skill", DESK]);
        stdio.envs(firm.office.tokens.get(name).map(|it| ("ASSAY_SESSION", it)));
        Pipes::start(&mut stdio, version)
    };
    let versions = ["2025-11-25", MODERN];
    let mut open = ["ana", "me"].map(|name| (name, versions.map(|it| pipes(name, it))));
    let (mut wrong, mut compared, mut traces) = (Vec::new(), 0, 0);
    for (name, tool, arguments, expected) in CALLS {
        let (arguments, headers) = (text(arguments), firm.bearer(name));
        let params = call(tool, &arguments);
        let headers = format!("{headers}user-agent: wire/1\r\n");
        // Each call has a trace of its own, by which its records are found.
        let mut trace = || {
            traces += 1;
            format!("00-{traces:032x}-00f067aa0ba902b7-01")
        };
        let in_trace = |trace: String| format!("{headers}traceparent: {trace}\r\n");
        let headers_of_rest = in_trace(trace());
        let (rest, found) = over_rest(&server, &headers_of_rest, tool, &arguments);
        assert_eq!(found, *expected, "{tool} {arguments}: {rest}");
        for (who, doors) in &mut open {
            for (pipes, version) in doors.iter_mut().zip(versions).filter(|_| who == name) {
                let traced = traced(tool, &arguments, &trace());
                let over_pipes = unpacked(&pipes.ask("tools/call", &traced)).0;
                let headers = in_trace(trace());
                let answer = over_http(&server, &headers, version, ("tools/call", &params));
                for (door, text) in [("stdio", over_pipes), ("HTTP", unpacked(&answer).0)] {
                    compared += 1;
                    if text != rest {
                        wrong.push(format!("{tool}, {door} {version}\n  {text}\n  {rest}"));
                    }
                }
            }
        }
    }
    assert_eq!(compared, 4 * CALLS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_same_records(&firm);
}

/// How often each call was made: over REST, and over both transports in two versions.
const DOORS: usize = 5;

/// The members of a record that tell one call from another that is the same.
const OWN: [&str; 5] = ["event_id", "latency_ms", "previous_hash", "sequence", "timestamp"];

/// Each call has one record of how it ended, whichever door it came through, and the records of the
/// same call differ in nothing but what the doors know of where it came from. Processes write
/// theirs a moment after they answered.
fn assert_same_records(firm: &Firm) {
    let ended = || {
        let ended = ["tool.denied", "tool.invoked"].map(|it| firm.office.entries(it)).concat();
        let trace = |it: &Value| {
            let trace = it["context"]["trace_id"].as_str()?;
            Some(usize::from_str_radix(trace, 16).unwrap())
        };
        ended.into_iter().filter_map(|it| Some((trace(&it)?, it))).collect::<Vec<_>>()
    };
    let all = DOORS * CALLS.len();
    let mut found = ended();
    for _ in 0..100 {
        if found.len() >= all {
            break;
        }
        thread::sleep(Duration::from_millis(50));
        found = ended();
    }
    found.sort_by_key(|it| it.0);
    let traces: Vec<usize> = found.iter().map(|it| it.0).collect();
    assert_eq!(traces, (1..=all).collect::<Vec<_>>());
    let mut records = found.into_iter().map(|it| it.1);
    for (_, tool, _, expected) in CALLS {
        let of_call: Vec<Value> = records.by_ref().take(DOORS).collect();
        let origins: Vec<_> = of_call.iter().map(origin).collect();
        let http = (json!("127.0.0.1"), json!("wire/1"));
        let pipes = (Value::Null, Value::Null);
        assert_eq!(origins, [&http, &pipes, &http, &pipes, &http].map(Clone::clone), "{tool}");
        let bare: Vec<Value> = of_call.into_iter().map(without_origin).collect();
        for other in &bare {
            assert_eq!(Some(other), bare.first(), "{tool} {expected}");
        }
    }
}

fn origin(record: &Value) -> (Value, Value) {
    (record["actor"]["ip_address"].clone(), record["actor"]["user_agent"].clone())
}

/// A record without what tells it from that of the same call through another door.
fn without_origin(mut record: Value) -> Value {
    let members = record.as_object_mut().unwrap();
    OWN.iter().for_each(|it| drop(members.remove(*it)));
    for (group, member) in [
        ("actor", "ip_address"),
        ("actor", "user_agent"),
        ("context", "request_id"),
        ("context", "trace_id"),
        // Each process counts for itself, and each call counts.
        ("decision", "rate"),
    ] {
        let group = record[group].as_object_mut().unwrap();
        assert!(group.remove(member).is_some(), "{member}");
    }
    record
}
