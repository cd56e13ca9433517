//! A matter is opened step by step through the gate, over a real back end.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[path = "support/office.rs"]
mod office;

use std::thread;
use std::time::Duration;

use office::{DESK, FLOW, Office};
use serde_json::{Value, json};

const MATTER: &str = r#"{"client_id": "$client", "matter_type": "ip",
    "responsible_partner_id": "p", "fee_structure": "hourly"}"#;

fn matter() -> Value {
    serde_json::from_str(MATTER).unwrap()
}

/// What has to come before a matter.
const PREPARED: &str = r#"[
    ["me", "run_conflict_check", {"client_id": "$client", "parties": ["Somebody"]}, "ok"],
    ["me", "draft_engagement_letter",
        {"client_id": "$client", "scope": "The lease", "fee_structure": "hourly"}, "ok"]
]"#;

/// One call after the other: who calls, which tool, with what, and the word of the answer.
fn play(desk: &office::Desk<'_>, steps: &str) {
    let steps: Vec<(String, String, Value, String)> = serde_json::from_str(steps).unwrap();
    for (number, (name, tool, arguments, expected)) in steps.iter().enumerate() {
        let word = match tool.as_str() {
            "say" => desk.say(name, arguments.as_str().unwrap()),
            tool => {
                let answer = desk.call(name, tool, arguments);
                let word = office::word(&answer);
                assert_eq!(word, *expected, "step {number}, {tool}: {answer}");
                word
            }
        };
        assert_eq!(word, *expected, "step {number}, {tool}");
    }
}

const OPENED: &str = r#"[
    ["me", "create_client", {"full_name": "Bo Lind", "kind": "person"}, "PREREQUISITE_MISSING"],
    ["me", "check_sanctions", {"full_name": "Somebody Else"}, "ok"],
    ["me", "create_client", {"full_name": "Bo Lind", "kind": "person"}, "PREREQUISITE_MISSING"],
    ["me", "check_sanctions", {"full_name": "Blocked Person"}, "ok"],
    ["me", "create_client", {"full_name": "Blocked Person", "kind": "person"}, "PREREQUISITE_NOT_MET"],
    ["me", "check_sanctions", {"full_name": " bo  LIND"}, "ok"],
    ["me", "create_client", {"full_name": "Bo Lind", "kind": "person"}, "ok"],
    ["me", "create_client", {"full_name": "Bo Lind", "kind": "person"}, "replayed"],
    ["me", "create_client", {"full_name": "Bo Lind", "kind": "person", "email": "bo@example.com"},
        "IDEMPOTENCY_MISMATCH"],
    ["me", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "PREREQUISITE_MISSING"],
    ["me", "run_conflict_check", {"client_id": "$client", "parties": ["Somebody"]}, "ok"],
    ["me", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "PREREQUISITE_MISSING"],
    ["me", "draft_engagement_letter",
        {"client_id": "$client", "scope": "The lease", "fee_structure": "hourly"}, "ok"],
    ["me", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly", "confirm": true},
        "APPROVAL_REQUIRED"],
    ["me", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "APPROVAL_REQUIRED"],
    ["me", "create_matter", {"client_id": "$client", "matter_type": "other",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "INPUT_INVALID"],
    ["me", "create_matter", {"client_id": "$their client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "SCOPE_VIOLATION"],
    ["me", "create_matter", {"client_id": "cli_00000000_0001", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "SCOPE_VIOLATION"],
    ["fin", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "PERMISSION_DENIED"],
    ["ada", "create_matter", {"client_id": "$client", "matter_type": "ip",
        "responsible_partner_id": "p", "fee_structure": "hourly"}, "PERMISSION_DENIED"],
    ["me", "delete_matter", {"matter_id": "$matter", "reason": "old"}, "UNKNOWN_TOOL"],
    ["me", "delete_everything", {}, "UNKNOWN_TOOL"]
]"#;

/// Every step before its time is refused with the right code, and none of them reaches the back
/// end twice.
#[test]
fn a_matter_is_opened_step_by_step_and_not_otherwise() {
    let office = Office::new("steps");
    let desk = office.open(FLOW);
    play(&desk, OPENED);
    assert_eq!(office.carried("create_client"), 1);
    assert_eq!(office.carried("create_matter"), 0);
    assert_eq!(office.carried("delete_matter"), 0);
}

/// An associate needs a partner, whose word counts once, for this call and nobody else's.
#[test]
fn a_partner_agrees_to_one_exact_call() {
    let office = Office::new("partner");
    let desk = office.open(FLOW);
    play(&desk, PREPARED);
    assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
    // A person with the wrong role, the requester's own workspace owner at the machine, and a
    // finance clerk are not heard.
    for (name, word) in [
        ("me", "CREDENTIAL_REQUIRED"),
        ("ana", "CREDENTIAL_SCOPE"),
        ("fin", "CREDENTIAL_SCOPE"),
        ("ada", "CREDENTIAL_SCOPE"),
    ] {
        assert_eq!(desk.say(name, "approve"), word, "{name}");
    }
    assert_eq!(desk.say("paula", "confirm"), "CREDENTIAL_SCOPE");
    let waiting = &desk.waiting("paula")["waiting"][0];
    assert_eq!(waiting["shown"]["arguments"], office.fill(&matter()));
    assert_eq!(waiting["shown"]["requester"], "owner");
    assert_eq!(waiting["shown"]["undoable"], false);
    // A word about something else that was shown does not count.
    let body = json!({ "word": "approve", "shown": "0".repeat(64) }).to_string();
    let address = waiting["request"].as_str().unwrap();
    let reply = desk.service.say_to_call(&desk.caller("paula"), address, &body);
    assert!(String::from_utf8_lossy(&reply.body).contains("BAD_REQUEST"));
    assert_eq!(desk.say("paula", "approve"), "ok");
    let mut other = matter();
    other["fee_structure"] = "fixed".into();
    assert_eq!(desk.word("me", "create_matter", &other), "APPROVAL_REQUIRED");
    assert_eq!(desk.word("ana", "create_matter", &matter()), "APPROVAL_REQUIRED");
    // The order of the arguments is no part of the call.
    let reordered = json!({
        "fee_structure": "hourly", "responsible_partner_id": "p", "matter_type": "ip",
        "client_id": "$client",
    });
    assert_eq!(desk.word("me", "create_matter", &reordered), "ok");
    assert_eq!(desk.word("me", "create_matter", &matter()), "replayed");
    assert_eq!(desk.word("me", "create_matter", &other), "IDEMPOTENCY_MISMATCH");
    assert_eq!(office.carried("create_matter"), 1);
}

/// A partner needs nobody; somebody who was against it closes the request.
#[test]
fn whoever_is_against_it_closes_the_request() {
    let office = Office::new("against");
    let desk = office.open(FLOW);
    play(&desk, PREPARED);
    assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
    assert_eq!(desk.say("paula", "refuse"), "ok");
    let answer = desk.call("me", "create_matter", &matter());
    assert_eq!(office::word(&answer), "APPROVAL_INVALID");
    assert_eq!(answer["error"]["details"]["why"], "revoked");
    assert_eq!(desk.waiting("pia")["waiting"], json!([]));
    assert_eq!(desk.word("paula", "create_matter", &matter()), "ok");
    assert_eq!(office.carried("create_matter"), 1);
}

/// One set of approvals carries one call, however many are made at once.
#[test]
fn two_people_delete_once_however_often_it_is_asked() {
    let office = Office::new("deletion");
    let desk = office.open(DESK);
    let deletion = json!({ "document_id": "$document", "reason": "The client asked for it." });
    assert_eq!(desk.word("ana", "delete_document", &deletion), "PERMISSION_DENIED");
    assert_eq!(desk.word("me", "delete_document", &deletion), "PERMISSION_DENIED");
    let answer = desk.call("paula", "delete_document", &deletion);
    assert_eq!(office::word(&answer), "APPROVAL_REQUIRED");
    assert_eq!(
        (&answer["error"]["details"]["have"], &answer["error"]["details"]["need"]),
        (&json!(0), &json!(2))
    );
    assert_eq!(desk.say("paula", "approve"), "ok");
    assert_eq!(desk.say("paula", "approve"), "ok");
    let answer = desk.call("paula", "delete_document", &deletion);
    assert_eq!(answer["error"]["details"]["have"], 1, "one person counts once: {answer}");
    let second = desk.service.session_for(&office.subject(&desk, "paula")).unwrap();
    let second = assay_core::Credentials { bearer: Some(&second), key: None };
    let second = desk.service.caller(assay_core::Door::Rest, &second).unwrap();
    let waiting = &desk.waiting("paula")["waiting"][0];
    let body = json!({ "word": "approve", "shown": waiting["hash"] }).to_string();
    let said = desk.service.say_to_call(&second, waiting["request"].as_str().unwrap(), &body);
    assert!(said.failure.is_none());
    let answer = desk.call("paula", "delete_document", &deletion);
    assert_eq!(answer["error"]["details"]["have"], 1, "in two sessions as well: {answer}");
    assert_eq!(desk.say("pia", "approve"), "ok");
    office.faults(&json!({ "delete_document": { "before_ms": 300 } }));
    let words: Vec<String> = thread::scope(|scope| {
        let call = || scope.spawn(|| desk.word("paula", "delete_document", &deletion));
        let calls: Vec<_> = (0..4).map(|_| call()).collect();
        calls.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(words.iter().filter(|it| *it == "ok").count(), 1, "{words:?}");
    assert!(
        words.iter().all(|it| ["ok", "IDEMPOTENCY_IN_FLIGHT", "replayed"].contains(&it.as_str())),
        "{words:?}"
    );
    assert_eq!(office.carried("delete_document"), 1);
}

/// A concern waits for a partner, a conflict for nobody, and a later finding counts.
#[test]
fn findings_lock_and_decisions_unlock() {
    let office = Office::new("findings");
    let desk = office.open(FLOW);
    play(&desk, PREPARED);
    let check = |parties: &str| {
        let arguments =
            json!({ "client_id": "$client", "parties": [parties], "occasion": parties });
        desk.word("me", "run_conflict_check", &arguments)
    };
    let found = || {
        let answer = desk.call("paula", "create_matter", &matter());
        let verdict = &answer["error"]["details"]["verdict"];
        (office::word(&answer), verdict.as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(check("Concern Ltd"), "ok");
    assert_eq!(found(), ("PREREQUISITE_NOT_MET".to_owned(), "CONCERN".to_owned()));
    assert!(desk.waiting("fin")["findings"].as_array().unwrap().is_empty());
    let finding = &desk.waiting("pia")["findings"][0];
    assert_eq!((&finding["verdict"], &finding["role"]), (&json!("CONCERN"), &json!("partner")));
    let event = finding["event"].as_str().unwrap();
    let note = json!({ "note": "An old matter, long closed." }).to_string();
    for (name, expected) in [("ana", "NOT_FOUND"), ("me", "CREDENTIAL_REQUIRED"), ("pia", "ok")] {
        let reply = desk.service.decide_on_finding(&desk.caller(name), event, &note);
        assert_eq!(office::word(&serde_json::from_slice(&reply.body).unwrap()), expected, "{name}");
    }
    assert!(desk.waiting("pia")["findings"].as_array().unwrap().is_empty());
    // The decision unlocked what the concern had locked, and a conflict locks it for good.
    assert_eq!(check("Adverse Corp"), "ok");
    assert_eq!(found(), ("PREREQUISITE_NOT_MET".to_owned(), "CONFLICT".to_owned()));
    assert!(desk.waiting("pia")["findings"].as_array().unwrap().is_empty());
    assert_eq!(check("Nobody"), "ok");
    assert_eq!(found().0, "ok");
}

/// An e-mail leaves after the person whom it is for has seen it, and no argument stands for that.
#[test]
fn an_email_waits_for_the_person() {
    let office = Office::new("email");
    let desk = office.open(DESK);
    let email = json!({
        "matter_id": "$matter", "to": ["a@example.com"], "subject": "Hello", "body": "Dear A",
    });
    assert_eq!(desk.word("me", "send_email", &email), "ROLE_SESSION_REQUIRED");
    let mut claimed = email.clone();
    claimed["confirm"] = true.into();
    let word = desk.word("ana", "send_email", &claimed);
    assert!(["INPUT_INVALID", "CONFIRMATION_REQUIRED"].contains(&word.as_str()), "{word}");
    let answer = desk.call("ana", "send_email", &email);
    assert_eq!(office::word(&answer), "CONFIRMATION_REQUIRED");
    let page = answer["error"]["details"]["page"].as_str().unwrap();
    assert!(page.starts_with("http://assay.example/approvals#req_"), "{page}");
    assert_eq!(office.carried("send_email"), 0);
    let own = |name: &str, word: &str| {
        let waiting = desk.waiting("ana");
        let all = waiting["waiting"].as_array().unwrap();
        let it = all.iter().find(|it| it["shown"]["arguments"] == office.fill(&email)).unwrap();
        let body = json!({ "word": word, "shown": it["hash"] }).to_string();
        let address = it["request"].as_str().unwrap();
        let reply = desk.service.say_to_call(&desk.caller(name), address, &body);
        office::word(&serde_json::from_slice(&reply.body).unwrap())
    };
    assert_eq!(own("paula", "confirm"), "CREDENTIAL_SCOPE");
    assert_eq!(own("ana", "confirm"), "ok");
    // It counts for ten minutes, and after those it has to be said again.
    // A clock that was set back makes nothing last longer.
    for moved in [-600_001, 3_600_000] {
        office.sql(&format!("UPDATE word SET said_at = said_at + {moved}"));
        assert_eq!(desk.word("ana", "send_email", &email), "CONFIRMATION_REQUIRED", "{moved}");
        assert_eq!(own("ana", "confirm"), "ok");
    }
    assert_eq!(desk.word("ana", "send_email", &email), "ok");
    assert_eq!(desk.word("ana", "send_email", &email), "replayed");
    assert_eq!(office.carried("send_email"), 1);
    let mut second = email;
    second["subject"] = "Again".into();
    assert_eq!(desk.word("ana", "send_email", &second), "CONFIRMATION_REQUIRED");
    let waiting = desk.waiting("ana");
    let all = waiting["waiting"].as_array().unwrap();
    let it = all.iter().find(|it| it["shown"]["arguments"]["subject"] == "Again").unwrap();
    let body = json!({ "word": "decline", "shown": it["hash"] }).to_string();
    let reply =
        desk.service.say_to_call(&desk.caller("ana"), it["request"].as_str().unwrap(), &body);
    assert!(reply.failure.is_none());
    assert_eq!(desk.word("ana", "send_email", &second), "CONFIRMATION_DECLINED");
    assert_eq!(office.carried("send_email"), 1);
}

/// What goes wrong behind the gate: the tool, what the back end does, the word, the word of the
/// same call afterwards, and how often it was carried out by then.
const FAULTS: &[(&str, &str, &str, &str, i64)] = &[
    ("create_deadline", r#"{"answer": "error"}"#, "TOOL_FAILED", "TOOL_FAILED", 1),
    (
        "create_deadline",
        r#"{"answer": "exit"}"#,
        "OUTCOME_UNKNOWN",
        "IDEMPOTENCY_UNKNOWN_OUTCOME",
        1,
    ),
    (
        "create_deadline",
        r#"{"after_ms": 3000}"#,
        "OUTCOME_UNKNOWN",
        "IDEMPOTENCY_UNKNOWN_OUTCOME",
        1,
    ),
    ("create_deadline", r#"{"answer": "huge"}"#, "OUTPUT_INVALID", "OUTPUT_INVALID", 1),
    ("create_deadline", r#"{"answer": "foreign"}"#, "OUTPUT_INVALID", "OUTPUT_INVALID", 1),
    ("create_deadline", r#"{"answer": "foreign_id"}"#, "OUTPUT_INVALID", "OUTPUT_INVALID", 1),
    ("create_deadline", r#"{"answer": "wrong_shape"}"#, "OUTPUT_INVALID", "OUTPUT_INVALID", 1),
    ("create_deadline", r#"{"answer": "text"}"#, "OUTPUT_INVALID", "OUTPUT_INVALID", 1),
    ("create_deadline", r#"{"answer": "stack_trace"}"#, "TOOL_FAILED", "TOOL_FAILED", 1),
    ("lookup_matter", r#"{"answer": "foreign"}"#, "OUTPUT_INVALID", "ok", 2),
    ("lookup_matter", r#"{"answer": "foreign_id"}"#, "OUTPUT_INVALID", "ok", 2),
    ("lookup_matter", r#"{"after_ms": 1500}"#, "TOOL_TIMEOUT", "ok", 3),
];

/// A call that changes something is sent once whatever happens to its answer, and one that only
/// reads is sent a second time.
#[test]
fn a_call_of_unknown_end_is_never_sent_again() {
    let office = Office::new("faults");
    for (tool, within) in
        [("calendar.deadline.create", 2_000), ("efirm.matter-db.lookup-matter", 700)]
    {
        office.change(tool, |it| it["execution"]["attempt_timeout_ms"] = within.into());
    }
    let desk = office.open(DESK);
    for (number, (tool, fault, first, second, carried)) in FAULTS.iter().enumerate() {
        let before = office.carried(tool);
        let arguments = match *tool {
            "lookup_matter" => json!({ "matter_id": "$matter" }),
            _ => json!({
                "matter_id": "$matter", "title": format!("Reply {number}"), "due_on": "2027-02-01",
            }),
        };
        let fault: Value = serde_json::from_str(fault).unwrap();
        office.faults(&json!({ *tool: fault }));
        let answer = desk.call("me", tool, &arguments);
        assert_eq!(office::word(&answer), *first, "{tool} {fault}: {answer}");
        let details = &answer["error"]["details"];
        match *first {
            "OUTCOME_UNKNOWN" => assert_eq!(details["side_effects"].as_array().unwrap().len(), 1),
            "TOOL_TIMEOUT" => assert!(details["retry_after"].as_u64() > Some(0), "{answer}"),
            _ => {}
        }
        let is_foreign = fault["answer"].as_str().is_some_and(|it| it.starts_with("foreign"));
        let why = &answer["error"]["details"]["why"];
        assert_eq!(*why == "organisation", is_foreign, "{tool} {fault}: {answer}");
        let text = answer.to_string();
        assert!(
            !text.contains("at line") && !text.contains("SELECT") && !text.contains('<'),
            "{text}"
        );
        office.faults(&json!({}));
        let answer = desk.call("me", tool, &arguments);
        assert_eq!(office::word(&answer), *second, "{tool} {fault}, again: {answer}");
        assert_eq!(office.carried(tool) - before, *carried, "{tool} {fault}");
    }
    let health: Value = serde_json::from_slice(&desk.service.health().body).unwrap();
    let withheld = FAULTS.iter().flat_map(|it| [it.2, it.3]).filter(|it| *it == "OUTPUT_INVALID");
    let replays = FAULTS.iter().filter(|it| it.3 == "OUTPUT_INVALID").count();
    assert_eq!(health["registry"]["withheld_answer_count"], withheld.count() - replays);
    // Whatever went wrong, each call has one record that says how it ended.
    drop(desk);
    let late = office.entries("tool.invoked").into_iter();
    let late: Vec<Value> = late.filter(|it| it["action"]["error_code"] == "TOOL_TIMEOUT").collect();
    assert_eq!(late.len(), 1);
    let latency = &late[0]["latency_ms"];
    // Twice 700 milliseconds, and two seconds between them.
    assert_eq!(latency["attempts"], 2);
    assert!((3_400..5_400).contains(&latency["upstream"].as_i64().unwrap()), "{latency}");
    let ended = office.entries("tool.invoked").into_iter().chain(office.entries("tool.denied"));
    let ended: Vec<Value> = ended.collect();
    let events: std::collections::BTreeSet<String> =
        ended.iter().map(|it| it["event_id"].to_string()).collect();
    assert_eq!((ended.len(), events.len()), (2 * FAULTS.len(), 2 * FAULTS.len()));
    let went_well = ended.iter().filter(|it| it["action"]["result"] == "success");
    assert_eq!(went_well.count(), FAULTS.iter().filter(|it| it.3 == "ok").count());
}

/// A finding counts for calls that arrive after it: for none that is made beside the check, and
/// not at all where the check went wrong.
#[test]
fn a_check_counts_for_what_comes_after_it() {
    let office = Office::new("beside");
    let desk = office.open(FLOW);
    let client = json!({ "full_name": "Bo Lind", "kind": "person" });
    let check = || desk.word("me", "check_sanctions", &json!({ "full_name": "Bo Lind" }));
    for answer in ["error", "wrong_shape"] {
        office.faults(&json!({ "check_sanctions": { "answer": answer } }));
        assert_ne!(check(), "ok", "{answer}");
        assert_eq!(desk.word("me", "create_client", &client), "PREREQUISITE_MISSING", "{answer}");
    }
    // Nor where it was refused.
    assert_eq!(
        desk.word("fin", "check_sanctions", &json!({ "full_name": "Bo Lind" })),
        "PERMISSION_DENIED"
    );
    assert_eq!(desk.word("me", "create_client", &client), "PREREQUISITE_MISSING");
    office.faults(&json!({ "run_conflict_check": { "answer": "wrong_shape" } }));
    let conflicts = json!({ "client_id": "$client", "parties": ["Somebody"] });
    assert_eq!(desk.word("me", "run_conflict_check", &conflicts), "OUTPUT_INVALID");
    let missing = desk.call("paula", "create_matter", &matter());
    assert_eq!(office::word(&missing), "PREREQUISITE_MISSING", "{missing}");
    office.faults(&json!({ "check_sanctions": { "before_ms": 300 } }));
    let words = thread::scope(|scope| {
        let check = scope.spawn(check);
        let create = scope.spawn(|| desk.word("me", "create_client", &client));
        [check.join().unwrap(), create.join().unwrap()]
    });
    assert_eq!(words, ["ok", "PREREQUISITE_MISSING"]);
    assert_eq!(office.carried("create_client"), 0);
    assert_eq!(desk.word("me", "create_client", &client), "ok");
}

/// A failed call that changes something is not sent again either, and a sentence is not an answer
/// that a form was promised for.
#[test]
fn what_may_have_been_done_is_not_done_again() {
    let office = Office::new("perhaps");
    let desk = office.open(FLOW);
    play(&desk, PREPARED);
    office.faults(&json!({ "create_matter": { "answer": "stack_trace" } }));
    assert_eq!(desk.word("paula", "create_matter", &matter()), "TOOL_FAILED");
    office.faults(&json!({}));
    drop(desk);
    office.sql("UPDATE outcome SET until = until - 3600000");
    let desk = office.open(FLOW);
    assert_eq!(desk.word("paula", "create_matter", &matter()), "TOOL_FAILED");
    assert_eq!(office.carried("create_matter"), 1);
    office.faults(&json!({ "create_matter": { "answer": "html" } }));
    let mut other = matter();
    other["description"] = "Another".into();
    assert_eq!(desk.word("paula", "create_matter", &other), "OUTPUT_INVALID");
}

/// A server that cannot be reached is left alone for a while, and whoever asks hears how long.
#[test]
fn a_server_that_is_gone_is_left_alone() {
    let office = Office::new("gone");
    office.write_registry(&json!({ "kind": "mcp-http", "url": "http://127.0.0.1:9/mcp" }));
    office.change("efirm.client-db.lookup-client", |it| it["execution"]["retry"] = "never".into());
    let desk = office.open(DESK);
    let call = || desk.call("me", "lookup_client", &json!({ "name": "Marsh" }))["error"].clone();
    let waits: Vec<Option<u64>> = (0..6).map(|_| call()["retry_after_ms"].as_u64()).collect();
    assert_eq!(waits, [None, None, None, None, None, Some(30_000)]);
    assert_eq!((&call()["code"], &call()["retryable"]), (&json!("TOOL_UNAVAILABLE"), &json!(true)));
}

/// Where a record promises no form, a sentence is an answer as well.
#[test]
fn a_tool_may_answer_in_words() {
    let office = Office::new("words");
    office.change("efirm.client-db.lookup-client", |it| {
        it["output_schema"] = Value::Null;
        it["audit"]["output_summary"] = json!([]);
    });
    let desk = office.open(DESK);
    office.faults(&json!({ "lookup_client": { "answer": "text" } }));
    let answer = desk.call("me", "lookup_client", &json!({ "name": "Marsh" }));
    assert_eq!(answer["result"], json!({ "text": "The work is done." }), "{answer}");
}

/// What came of a call of unknown end is for people to say, once.
#[test]
fn people_settle_what_nobody_knows() {
    let office = Office::new("settled");
    let desk = office.open(DESK);
    for (title, took_place, word) in [("One", true, "replayed"), ("Two", false, "ok")] {
        let arguments = json!({ "matter_id": "$matter", "title": title, "due_on": "2027-02-01" });
        office.faults(&json!({ "create_deadline": { "answer": "exit" } }));
        let answer = desk.call("me", "create_deadline", &arguments);
        let reference = answer["error"]["reference"].as_str().unwrap();
        office.faults(&json!({}));
        let result = took_place.then_some(r#"{"deadline_id": "d", "due_on": "2027-02-01"}"#);
        desk.service.reconcile("ops-3", reference, result).unwrap();
        assert!(desk.service.reconcile("ops-3", reference, result).is_err());
        assert_eq!(desk.word("me", "create_deadline", &arguments), word, "{title}");
    }
}

/// A stop holds back the next call at once, in this process and after a restart, and beside every
/// other reason; lifting it takes two administrators and a minute.
#[test]
fn what_is_stopped_stays_stopped() {
    let office = Office::new("stopped");
    let lookup = json!({ "matter_id": "$matter" });
    {
        let desk = office.open(DESK);
        assert_eq!(desk.word("me", "lookup_matter", &lookup), "ok");
        let targets = ["efirm.matter-db.lookup-matter", "upstream:practice", "efirm.*"];
        for text in targets {
            let target = assay_core::Target::parse(text).unwrap();
            desk.service.stop("ada", &target, "It answers for other firms.").unwrap();
            assert_eq!(desk.word("me", "lookup_matter", &lookup), "TOOL_SUSPENDED", "{text}");
            // Who may not call it learns no more.
            assert_eq!(desk.word("fin", "lookup_matter", &lookup), "TOOL_SUSPENDED", "{text}");
        }
        let listed = desk.service.tools(&desk.caller("me"));
        assert!(listed.iter().all(|it| it.name != "lookup_matter"));
        let lift = json!({ "target": "efirm.*", "fix": "T-1", "reason": "Mended." }).to_string();
        for (name, word) in
            [("me", "CREDENTIAL_REQUIRED"), ("paula", "CREDENTIAL_SCOPE"), ("ada", "BAD_REQUEST")]
        {
            let reply = desk.service.lift_switch(&desk.caller(name), &lift);
            let answer: Value = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!(office::word(&answer), word, "{name}: {answer}");
        }
    }
    // A registry that does not load keeps nothing from being stopped.
    let desk = office.open(DESK);
    let stopped = desk.call("me", "lookup_matter", &lookup);
    assert_eq!(office::word(&stopped), "TOOL_SUSPENDED");
    let since = stopped["error"]["details"]["since"].as_str().unwrap_or_default();
    assert!(since.starts_with("20") && since.ends_with('Z'), "{stopped}");
    std::fs::write(office.registry().join("registry.json"), "{").unwrap();
    let target = assay_core::Target::parse("everything").unwrap();
    desk.service.stop("ada", &target, "No reason is too small.").unwrap();
    assert_eq!(desk.word("me", "check_sanctions", &json!({ "full_name": "A" })), "TOOL_SUSPENDED");
}

/// A stop that comes while a call is under way lets it finish, and no second attempt follows.
#[test]
fn no_second_attempt_follows_a_stop() {
    let office = Office::new("attempt");
    office.change("efirm.matter-db.lookup-matter", |it| {
        it["execution"]["attempt_timeout_ms"] = 500.into();
    });
    let desk = office.open(DESK);
    let lookup = json!({ "matter_id": "$matter" });
    office.faults(&json!({ "lookup_matter": { "after_ms": 1000 } }));
    let word = thread::scope(|scope| {
        let call = scope.spawn(|| desk.word("me", "lookup_matter", &lookup));
        thread::sleep(Duration::from_millis(900));
        let target = assay_core::Target::parse("efirm.*").unwrap();
        desk.service.stop("ada", &target, "Now.").unwrap();
        call.join().unwrap()
    });
    assert_eq!(word, "TOOL_TIMEOUT");
    assert_eq!(office.carried("lookup_matter"), 1);
}

/// A stop holds back a call that people agreed to, and uses nothing of it up; a call that is under
/// way ends as it would have.
#[test]
fn a_stop_comes_between_a_word_and_the_call() {
    let office = Office::new("between");
    let target = assay_core::Target::parse("efirm.*").unwrap();
    {
        let desk = office.open(FLOW);
        play(&desk, PREPARED);
        assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
        assert_eq!(desk.say("paula", "approve"), "ok");
        desk.service.stop("ada", &target, "Now.").unwrap();
        assert_eq!(desk.word("me", "create_matter", &matter()), "TOOL_SUSPENDED");
        assert_eq!(office.carried("create_matter"), 0);
    }
    office.sql("DELETE FROM stop");
    let desk = office.open(FLOW);
    office.faults(&json!({ "create_matter": { "before_ms": 600 } }));
    let word = thread::scope(|scope| {
        let call = scope.spawn(|| desk.word("me", "create_matter", &matter()));
        thread::sleep(Duration::from_millis(250));
        desk.service.stop("ada", &target, "Now.").unwrap();
        call.join().unwrap()
    });
    assert_eq!(word, "ok");
    assert_eq!(office.carried("create_matter"), 1);
}

/// A folder that does not load changes nothing, and one that does takes its place within a moment.
#[test]
fn a_bad_reload_keeps_what_was_there() {
    let office = Office::new("reload");
    let desk = office.open(DESK);
    let health = || serde_json::from_slice::<Value>(&desk.service.health().body).unwrap();
    let first = health();
    assert_eq!(first["registry"]["is_current"], true);
    assert_eq!(first["audit"], json!({ "is_sound": true, "is_written": true }));
    let until = |what: &dyn Fn(&Value) -> bool| {
        for _ in 0..500 {
            if what(&health()) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        assert!(what(&health()), "{}", health());
    };
    office.change("efirm.matter-db.lookup-matter", |it| it["verson"] = 1.into());
    until(&|it| it["registry"]["is_current"] == false);
    assert_eq!(health()["registry"]["snapshot"], first["registry"]["snapshot"]);
    let stopped = assay_core::Target::parse("screening.*").unwrap();
    desk.service.stop("ada", &stopped, "Now.").unwrap();
    let screening = json!({ "full_name": "Bo Lind" });
    assert_eq!(desk.word("me", "check_sanctions", &screening), "TOOL_SUSPENDED");
    assert_eq!(health()["registry"]["snapshot"], first["registry"]["snapshot"]);
    let fault = desk.service.registry_faults().join("");
    let place = "tools/efirm.matter-db.lookup-matter.json#/verson: `verson` is no field here";
    assert!(fault.starts_with(place), "{fault}");
    assert_eq!(desk.word("me", "lookup_matter", &json!({ "matter_id": "$matter" })), "ok");
    office.change("efirm.matter-db.lookup-matter", |it| {
        it.as_object_mut().unwrap().remove("verson");
        it["enabled"] = false.into();
        it["deprecation"] = json!({ "since": "2026-01-01" });
    });
    until(&|it| it["registry"]["is_current"] == true);
    assert_ne!(health()["registry"]["snapshot"], first["registry"]["snapshot"]);
    let answer = desk.call("me", "lookup_matter", &json!({ "matter_id": "$matter" }));
    assert_eq!(office::word(&answer), "TOOL_DISABLED");
    // What is held less strictly than before loads, and is told.
    assert_eq!(first["registry"]["warning_count"], 0);
    office.change("dms.document.delete", |it| it["approval"]["count"] = 3.into());
    let begins =
        |begin: &str| desk.service.registry_warnings().iter().any(|it| it.starts_with(begin));
    let place = "tools/dms.document.delete.json#/approval/count: ";
    until(&|_| begins(&format!("{place}tightened: 3 instead of 2")));
    office.change("dms.document.delete", |it| it["approval"]["count"] = 2.into());
    until(&|_| begins(&format!("{place}loosened: 2 instead of 3")));
    assert!(health()["registry"]["warning_count"].as_u64() > Some(0));
}

/// Whoever has nothing may call nothing: every tool is refused, none reaches the back end, and
/// each refusal is on record as a failure.
#[test]
fn whoever_has_nothing_may_call_nothing() {
    let office = Office::new("nothing");
    let unknown = office.settings("no-such-skill@1.0");
    let refused = assay_core::Service::open(unknown).unwrap_err().to_string();
    assert!(refused.contains("no skill `no-such-skill@1.0`; it has `"), "{refused}");
    let desk = office.open_with(assay_core::Settings { skill: None, ..office.settings(DESK) });
    let tools = std::fs::read_dir(office.registry().join("tools")).unwrap();
    let mut called = 0;
    for tool in tools {
        let text = std::fs::read_to_string(tool.unwrap().path()).unwrap();
        let record: Value = serde_json::from_str(&text).unwrap();
        let name = record["name"].as_str().unwrap();
        assert_eq!(desk.word("me", name, &json!({})), "UNKNOWN_TOOL", "{name}");
        assert_eq!(office.carried(name), 0, "{name}");
        called += 1;
    }
    assert!(desk.service.tools(&desk.caller("me")).is_empty());
    drop(desk);
    let denied = office.entries("tool.denied");
    assert_eq!(denied.len(), called);
    for entry in denied {
        assert_eq!(entry["action"]["result"], "failure", "{entry}");
        assert_eq!(entry["action"]["error_code"], "SKILL_NOT_BOUND", "{entry}");
    }
}

/// A call is answered with its first outcome only while its caller may still make it, and a word
/// counts only while whoever said it still has the role.
#[test]
fn what_was_allowed_is_asked_again() {
    let office = Office::new("again");
    let desk = office.open(FLOW);
    play(&desk, PREPARED);
    assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
    assert_eq!(desk.say("paula", "approve"), "ok");
    let paula = office.subject(&desk, "paula");
    assert!(desk.service.revoke_role(Some(&office.org), &paula, "partner").unwrap());
    let answer = desk.call("me", "create_matter", &matter());
    assert_eq!(office::word(&answer), "APPROVAL_INVALID", "{answer}");
    assert_eq!(answer["error"]["details"]["why"], "role");
    desk.service.grant_role(Some(&office.org), &paula, "partner").unwrap();
    assert_eq!(desk.word("me", "create_matter", &matter()), "ok");
    assert_eq!(desk.word("me", "create_matter", &matter()), "replayed");
    assert!(desk.service.revoke_role(Some(&office.org), "owner", "associate").unwrap());
    assert_eq!(desk.word("me", "create_matter", &matter()), "PERMISSION_DENIED");
    assert_eq!(office.carried("create_matter"), 1);
}

/// A call that nobody said anything to in time is forgotten with its arguments, and on record.
#[test]
fn what_waits_too_long_is_over() {
    let office = Office::new("over");
    let desk = office.open(FLOW);
    play(&desk, PREPARED);
    assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
    let request = desk.waiting("paula")["waiting"][0]["request"].clone();
    office.sql("UPDATE request SET expires_at = 1");
    assert_eq!(desk.waiting("paula")["waiting"], json!([]));
    let expired = office.entries("approval.expired");
    assert_eq!(expired.len(), 1);
    assert_eq!(expired[0]["resource"]["id"], request);
    office.sql(
        "CREATE TEMP TABLE none (n CHECK (n = 0)); INSERT INTO none SELECT count(*) FROM request",
    );
    assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
    assert_ne!(desk.waiting("paula")["waiting"][0]["request"], request);
}

/// Where nobody can be asked, the answer comes at once and says so.
#[test]
fn nobody_is_asked_where_there_is_no_page() {
    let office = Office::new("no_page");
    let settings = assay_core::Settings { page: None, ..office.settings(DESK) };
    let desk = office.open_with(settings);
    let email = json!({
        "matter_id": "$matter", "to": ["a@example.com"], "subject": "Hello", "body": "Dear A",
    });
    let refused = desk.call("ana", "send_email", &email);
    assert_eq!(office::word(&refused), "CONFIRMATION_UNAVAILABLE");
    assert_eq!(refused["error"]["details"]["channels"], json!(["page", "prompt"]));
    assert_eq!(office.carried("send_email"), 0);
}

/// While nothing can be put on record, nothing is changed, and what only reads goes on, unless its
/// record wants it otherwise. Nothing of it is lost.
#[test]
fn without_a_record_nothing_is_changed() {
    let office = Office::new("unrecorded");
    office.change("efirm-finance.wip.read", |it| {
        it["audit"]["on_sink_failure"] = "fail_closed".into();
    });
    let desk = office.open(DESK);
    let deadline = json!({ "matter_id": "$matter", "title": "Reply", "due_on": "2027-02-01" });
    let lookup = json!({ "matter_id": "$matter" });
    assert_eq!(desk.word("me", "lookup_matter", &lookup), "ok");
    desk.service.flush_audit();
    let full = "CREATE TRIGGER full BEFORE INSERT ON audit_entry
        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
    office.sql(full);
    assert_eq!(desk.word("me", "create_deadline", &deadline), "AUDIT_UNAVAILABLE");
    assert_eq!(office.carried("create_deadline"), 0);
    assert_eq!(desk.word("me", "lookup_matter", &lookup), "ok");
    let failing = || desk.service.audit_status().failing.is_some();
    (0..100).take_while(|_| !failing()).for_each(|_| thread::sleep(Duration::from_millis(20)));
    assert!(failing());
    assert_eq!(desk.word("me", "read_wip", &lookup), "AUDIT_UNAVAILABLE");
    assert_eq!(office.carried("read_wip"), 0);
    let health: Value = serde_json::from_slice(&desk.service.health().body).unwrap();
    assert_eq!(health["audit"]["is_written"], false);
    office.sql("DROP TRIGGER full");
    assert_eq!(desk.word("me", "create_deadline", &deadline), "ok");
    assert_eq!(office.carried("create_deadline"), 1);
    drop(desk);
    let ended = |tool: &str| {
        let entries = office.entries("tool.invoked");
        entries.iter().filter(|it| it["tool"]["tool_id"] == tool).count()
    };
    assert_eq!(ended("efirm.matter-db.lookup-matter"), 2);
    assert_eq!(ended("calendar.deadline.create"), 1);
    assert_eq!(office.entries("tool.denied").len(), 2);
}

/// Where a call took place and its end cannot be put on record, nobody is told that it is done, and
/// nothing of it is lost.
#[test]
fn an_end_without_a_record_is_not_told_as_one() {
    let office = Office::new("unrecorded_end");
    let desk = office.open(DESK);
    let deadline = json!({ "matter_id": "$matter", "title": "Reply", "due_on": "2027-02-01" });
    office.sql(
        "CREATE TRIGGER full BEFORE INSERT ON audit_entry
        WHEN json_extract(NEW.record, '$.event_type') = 'tool.invoked'
        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    assert_eq!(desk.word("me", "create_deadline", &deadline), "OUTCOME_UNKNOWN");
    assert_eq!(desk.word("me", "create_deadline", &deadline), "IDEMPOTENCY_IN_FLIGHT");
    assert_eq!(office.carried("create_deadline"), 1);
    office.sql("DROP TRIGGER full");
    drop(desk);
    let ended = office.entries("tool.invoked").into_iter();
    let ended = ended.filter(|it| it["tool"]["tool_id"] == "calendar.deadline.create");
    assert_eq!(ended.count(), 1);
}

/// A word is about what people were shown: where the record changed since, it has to be said again.
#[test]
fn a_word_is_about_what_was_shown() {
    let office = Office::new("shown");
    {
        let desk = office.open(FLOW);
        play(&desk, PREPARED);
        assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
        assert_eq!(desk.say("paula", "approve"), "ok");
    }
    office.change("efirm.matter-db.create-matter", |it| {
        it["side_effects"] = json!(["creates database record", "bills the client"]);
    });
    let desk = office.open(FLOW);
    assert_eq!(desk.word("me", "create_matter", &matter()), "APPROVAL_REQUIRED");
    assert_eq!(desk.say("paula", "approve"), "ok");
    assert_eq!(desk.word("me", "create_matter", &matter()), "ok");
    assert_eq!(office.carried("create_matter"), 1);
}

/// The same call for another matter is another call, to the store and to people.
#[test]
fn work_for_one_matter_says_nothing_of_another() {
    let office = Office::new("matters");
    let deadline = json!({ "matter_id": "$matter", "title": "Reply", "due_on": "2027-02-01" });
    let email = json!({
        "matter_id": "$matter", "to": ["a@example.com"], "subject": "Hello", "body": "Dear A",
    });
    let matter = office.ids["matter"].clone();
    for (bound, first) in [(Value::Null, "ok"), (json!(matter), "ok")] {
        let value = bound.as_str().map_or_else(|| "NULL".to_owned(), |it| format!("'{it}'"));
        office.sql(&format!("UPDATE credential SET matter = {value}"));
        let desk = office.open(DESK);
        assert_eq!(desk.word("ana", "create_deadline", &deadline), first, "{bound}");
        assert_eq!(desk.word("ana", "create_deadline", &deadline), "replayed", "{bound}");
        assert_eq!(desk.word("ana", "send_email", &email), "CONFIRMATION_REQUIRED", "{bound}");
        let waiting = desk.waiting("ana")["waiting"].as_array().unwrap().clone();
        assert!(waiting.iter().any(|it| it["shown"]["matter"] == bound), "{waiting:?}");
    }
    assert_eq!(office.carried("create_deadline"), 2);
}

/// What is lifted is on record, or it is not lifted.
#[test]
fn a_stop_is_not_lifted_without_a_record() {
    let office = Office::new("unrecorded_lift");
    let desk = office.open(DESK);
    for name in ["paula", "pia"] {
        let subject = office.subject(&desk, name);
        desk.service.grant_role(Some(&office.org), &subject, "admin").unwrap();
    }
    let target = assay_core::Target::parse("email.*").unwrap();
    desk.service.stop("ada", &target, "Now.").unwrap();
    office.sql("UPDATE stop SET set_at = set_at - 61000");
    let lift = |name: &str| desk.service.lift(&desk.caller(name), &target, ("T-1", "Mended."));
    assert!(!lift("paula").unwrap());
    desk.service.flush_audit();
    office.sql(
        "CREATE TRIGGER full BEFORE INSERT ON audit_entry
        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    assert!(lift("pia").is_err());
    assert_eq!(desk.service.stops().unwrap().0.len(), 1);
    office.sql("DROP TRIGGER full");
    assert!(lift("pia").unwrap());
    assert!(desk.service.stops().unwrap().0.is_empty());
}
