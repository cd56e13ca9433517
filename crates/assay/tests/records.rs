//! What is on record of people's words, of stops and of calls, beside how each call ended.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[expect(dead_code, reason = "what other tests need of the firm")]
#[path = "support/office.rs"]
mod office;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;
use std::{fs, thread};

use assay_core::{Cancel, Origin, Settings, Target};
use office::{DESK, Desk, FLOW, Office};
use serde_json::{Value, json};

/// The chain of what belongs to no organisation.
const INSTALLATION: &str = "installation";

/// The texts at these places of every entry that tells of an event.
fn told<const N: usize>(
    desk: &Desk<'_>,
    (chain, event): (&str, &str),
    places: [&str; N],
) -> Vec<[String; N]> {
    desk.service.flush_audit();
    let text = |entry: &Value, place: &str| {
        entry.pointer(place).and_then(Value::as_str).unwrap_or("-").to_owned()
    };
    let entries = desk.office.entries_of(chain, event);
    entries.iter().map(|it| places.map(|place| text(it, place))).collect()
}

/// What two people said is used up, and both their words and the use are on record.
#[test]
fn words_that_a_call_used_up_are_on_record() {
    let office = Office::new("records-words");
    let desk = office.open(DESK);
    let deletion = json!({ "document_id": "$document", "reason": "The client asked for it." });
    let answer = desk.call("paula", "delete_document", &deletion);
    let request = answer["error"]["details"]["request"].as_str().unwrap().to_owned();
    assert_eq!(
        (desk.say("paula", "approve"), desk.say("pia", "approve")),
        ("ok".into(), "ok".into())
    );
    assert_eq!(desk.word("paula", "delete_document", &deletion), "ok");
    let places = ["/resource/id", "/resource/name", "/actor/user_id", "/action/result"];
    let consumed = told(&desk, (&office.org, "approval.consumed"), places);
    let paula = office.subject(&desk, "paula");
    assert_eq!(consumed, [[request.as_str(), "dms.document.delete", &paula, "success"]]);
    assert_eq!(told(&desk, (&office.org, "approval.expired"), []).len(), 0);
}

/// The value at a place of the only entry that tells of an event; of the last one, where there are
/// more.
fn last(desk: &Desk<'_>, event: &str) -> Value {
    desk.service.flush_audit();
    desk.office.entries(event).pop().unwrap_or_default()
}

/// A call that people agreed to names their words, what it came after, and how it was judged.
#[test]
fn a_record_names_what_it_relied_on() {
    let office = Office::new("records-relied");
    let desk = office.open(FLOW);
    let client = json!({ "client_id": "$client", "parties": ["Somebody"] });
    assert_eq!(desk.word("me", "run_conflict_check", &client), "ok");
    let check = last(&desk, "tool.invoked")["event_id"].clone();
    let letter = json!({ "client_id": "$client", "scope": "The lease", "fee_structure": "hourly" });
    assert_eq!(desk.word("me", "draft_engagement_letter", &letter), "ok");
    let letter = last(&desk, "tool.invoked")["event_id"].clone();
    let matter = json!({
        "client_id": "$client", "matter_type": "ip", "responsible_partner_id": "p",
        "fee_structure": "hourly",
    });
    assert_eq!(desk.word("me", "create_matter", &matter), "APPROVAL_REQUIRED");
    let denied = last(&desk, "tool.denied");
    assert_eq!(denied["decision"]["approvals"], json!([]));
    assert_eq!(denied["slo_breached"], Value::Null);
    assert_eq!(desk.say("paula", "approve"), "ok");
    let granted = last(&desk, "approval.granted")["event_id"].clone();
    assert_eq!(desk.word("me", "create_matter", &matter), "ok");
    for event in ["tool.dispatching", "tool.invoked"] {
        let decision = last(&desk, event)["decision"].clone();
        assert_eq!(decision["approvals"], json!([granted]), "{event}: {decision}");
        assert_eq!(decision["rate"], json!({ "limit": 10, "used": 1 }), "{event}");
        let stages = decision["stages"].as_array().unwrap();
        let relied = json!(["prerequisite", "pass", [check, letter]]);
        assert!(
            stages.contains(&relied) && stages.contains(&json!(["rate", "pass"])),
            "{stages:?}"
        );
    }
    assert_eq!(last(&desk, "approval.consumed")["decision"]["approvals"], json!([granted]));
    let invoked = last(&desk, "tool.invoked");
    assert_eq!(invoked["slo_breached"], false);
    let time = invoked["timestamp"].as_str().unwrap();
    assert_eq!(time.len(), "2026-12-01T03:05:32.123Z".len(), "{time}");
}

/// Whoever asks and confirms is named by the word, and a late answer as late.
#[test]
fn a_record_names_the_confirmation_and_a_late_answer() {
    let office = Office::new("records-confirmed");
    office.change("email.send", |it| it["latency_slo_ms"] = 100.into());
    let desk = office.open(DESK);
    let email = json!({
        "matter_id": "$matter", "to": ["a@example.com"], "subject": "Hello", "body": "Dear A",
    });
    assert_eq!(desk.word("ana", "send_email", &email), "CONFIRMATION_REQUIRED");
    let waiting = desk.waiting("ana")["waiting"][0].clone();
    let body = json!({ "word": "confirm", "shown": waiting["hash"] }).to_string();
    let said =
        desk.service.say_to_call(&desk.caller("ana"), waiting["request"].as_str().unwrap(), &body);
    assert!(said.failure.is_none());
    let confirmed = last(&desk, "action.confirmed")["event_id"].clone();
    office.faults(&json!({ "send_email": { "before_ms": 300 } }));
    assert_eq!(desk.word("ana", "send_email", &email), "ok");
    let invoked = last(&desk, "tool.invoked");
    assert_eq!(invoked["decision"]["confirmation"], confirmed);
    assert_eq!(invoked["decision"]["approvals"], json!([]));
    assert_eq!(invoked["slo_breached"], true, "{invoked}");
}

/// Each change of what is stopped has a number, which stands in the records that were judged by it.
#[test]
fn a_record_names_the_last_change_of_stops() {
    let office = Office::new("records-epoch");
    let desk = office.open(DESK);
    let epoch = |event: &str| {
        desk.word("me", "lookup_matter", &json!({ "matter_id": "$matter" }));
        last(&desk, event)["decision"]["kill_epoch"].as_u64().unwrap()
    };
    let first = epoch("tool.invoked");
    assert_eq!(epoch("tool.invoked"), first);
    let target = Target::parse("email.*").unwrap();
    desk.service.stop("ops-3", &target, "Wrong recipients.").unwrap();
    desk.service.stop("ops-3", &target, "Wrong recipients.").unwrap();
    assert_eq!(epoch("tool.invoked"), first + 1);
    let target = Target::parse("efirm.*").unwrap();
    desk.service.stop("ops-3", &target, "Wrong matters.").unwrap();
    assert_eq!(epoch("tool.denied"), first + 2);
}

/// Where a call came from stands in its records and in those of words, cut and without what nobody
/// sees; which model asked nobody is believed about.
#[test]
fn a_record_names_where_the_call_came_from() {
    let office = Office::new("records-origin");
    let desk = office.open(DESK);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let origin = Origin::of_peer(Some("::ffff:203.0.113.42".parse().unwrap()))
        .with_user_agent(&"agent\u{1b}[31m".repeat(100))
        .with_request_id("req-7")
        .with_traceparent(&format!("00-{trace}-00f067aa0ba902b7-01"));
    let caller = desk.caller("ana").coming_from(origin);
    let email = json!({
        "matter_id": "$matter", "to": ["a@example.com"], "subject": "Hello", "body": "Dear A",
    });
    let email = office.fill(&email).to_string();
    let answer = desk.service.call(&caller, "send_email", &email, &Cancel::new());
    assert_eq!(answer.failure, Some(assay_core::Code::ConfirmationRequired));
    for event in ["tool.denied", "approval.requested"] {
        let entry = last(&desk, event);
        assert_eq!(entry["actor"]["ip_address"], "203.0.113.42", "{entry}");
        let agent = entry["actor"]["user_agent"].as_str().unwrap();
        assert!(agent.starts_with("agent") && !agent.contains('\u{1b}'), "{agent}");
        assert_eq!(agent.chars().count(), 200);
        let context = &entry["context"];
        assert_eq!(
            (&context["request_id"], &context["trace_id"]),
            (&json!("req-7"), &json!(trace))
        );
        assert_eq!(context["model_id"], Value::Null);
    }
}

/// What the file of stops says and no longer says is on record like any other stop.
#[test]
fn stops_of_the_file_are_on_record() {
    let office = Office::new("records-file");
    let file = office.folder.join("stops");
    fs::write(&file, "esign.*\n").unwrap();
    let desk =
        office.open_with(Settings { stop_file: Some(file.clone()), ..office.settings(DESK) });
    let lookup = json!({ "matter_id": "$matter" });
    let until = |word: &str| {
        let is_so = (0..200).any(|_| {
            thread::sleep(Duration::from_millis(50));
            desk.word("me", "lookup_matter", &lookup) == word
        });
        assert!(is_so, "{word}");
    };
    until("ok");
    fs::write(&file, "esign.*\nefirm.* # for now\n").unwrap();
    until("TOOL_SUSPENDED");
    fs::remove_file(&file).unwrap();
    until("ok");
    let places =
        ["/resource/id", "/actor/user_id", "/resource/name", "/output/before", "/output/after"];
    let by_file = |target, before, after| [target, "file", "the file of stops", before, after];
    assert_eq!(
        told(&desk, (INSTALLATION, "registry.kill.set"), places),
        [by_file("esign.*", "running", "stopped"), by_file("efirm.*", "running", "stopped")]
    );
    let mut cleared = told(&desk, (INSTALLATION, "registry.kill.cleared"), places);
    cleared.sort();
    assert_eq!(
        cleared,
        [by_file("efirm.*", "stopped", "running"), by_file("esign.*", "stopped", "running")]
    );
}

/// A stop takes two people to lift, and each of both is on record.
#[test]
fn both_who_lift_a_stop_are_on_record() {
    let office = Office::new("records-lift");
    let desk = office.open(DESK);
    let ada = office.subject(&desk, "ada");
    let paula = office.subject(&desk, "paula");
    desk.service.grant_role(Some(&office.org), &paula, "admin").unwrap();
    let target = Target::parse("email.*").unwrap();
    desk.service.stop("ops-3", &target, "Wrong recipients.").unwrap();
    office.sql("UPDATE stop SET set_at = set_at - 61000");
    let lift = |name: &str| desk.service.lift(&desk.caller(name), &target, ("T-1", "Mended."));
    assert!(!lift("ada").unwrap());
    assert!(lift("ada").is_err());
    assert!(lift("paula").unwrap());
    let places =
        ["/actor/user_id", "/resource/id", "/resource/name", "/output/before", "/output/after"];
    let told = |event| told(&desk, (INSTALLATION, event), places);
    assert_eq!(
        told("registry.kill.set"),
        [["ops-3", "email.*", "Wrong recipients.", "running", "stopped"]]
    );
    assert_eq!(
        told("registry.kill.lift_asked"),
        [[&ada, "email.*", "T-1: Mended.", "stopped", "stopped"]]
    );
    assert_eq!(
        told("registry.kill.cleared"),
        [[&paula, "email.*", "T-1: Mended.", "stopped", "running"]]
    );
}

/// Whoever says what came of a call of unknown end is named.
#[test]
fn whoever_settles_a_call_is_on_record() {
    let office = Office::new("records-settled");
    let desk = office.open(DESK);
    office.faults(&json!({ "create_deadline": { "answer": "exit" } }));
    let deadline = json!({ "matter_id": "$matter", "title": "One", "due_on": "2027-02-01" });
    let answer = desk.call("me", "create_deadline", &deadline);
    let reference = answer["error"]["reference"].as_str().unwrap();
    assert!(desk.service.reconcile("", reference, None).is_err());
    desk.service.reconcile("ops-3", reference, None).unwrap();
    let settled = told(
        &desk,
        (INSTALLATION, "tool.reconciled"),
        ["/actor/user_id", "/resource/id", "/resource/name"],
    );
    assert_eq!(settled, [["ops-3", reference, "it did not take place"]]);
}

/// Answers every request with `body`.
fn answering(body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let length = body.len();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
            let _ = write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{body}");
        }
    });
    format!("http://{address}")
}

/// An answer that has no fields cannot be brought into their forms: nothing of it is written, and
/// that this is so is.
#[test]
fn what_cannot_be_sanitised_is_left_out_and_said() {
    let office = Office::new("records-sanitised");
    let registry = office.registry().join("registry.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&registry).unwrap()).unwrap();
    config["upstreams"]["odd"] = json!({
        "kind": "rest", "url": answering(r#"["kanari-5c0e"]"#),
        "tools": { "search_documents": { "method": "POST", "path": "/search" } },
    });
    fs::write(&registry, config.to_string()).unwrap();
    office.change("dms.document.search", |it| {
        it["execution"]["upstream"] = "odd".into();
        it["output_schema"] = Value::Null;
    });
    let desk = office.open(DESK);
    let answer = desk.call("me", "search_documents", &json!({ "query": "lease" }));
    assert_eq!(answer["result"], json!(["kanari-5c0e"]), "{answer}");
    let places = ["/event_id", "/resource/id", "/action/result"];
    let invoked = told(&desk, (&office.org, "tool.invoked"), places);
    let event = invoked.first().unwrap()[0].clone();
    assert_eq!(invoked, [[event.as_str(), "dms.document.search", "success"]]);
    let failed = told(&desk, (&office.org, "audit.redaction.failed"), places);
    assert_eq!(failed, [[format!("{event}-r").as_str(), "dms.document.search", "failure"]]);
    let written = ["tool.invoked", "audit.redaction.failed"].map(|it| office.entries(it)).concat();
    assert!(written.iter().all(|it| it["output"] == json!({})), "{written:?}");
}
