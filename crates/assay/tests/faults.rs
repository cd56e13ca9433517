//! What is on record, and what a caller is told, when something of this program fails on the way.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its setting fails")]

#[expect(dead_code, reason = "what other tests need of the firm")]
#[path = "support/office.rs"]
mod office;

use std::cell::Cell;

use assay_core::{Settings, World};
use office::{DESK, Desk, Office, word};
use serde_json::{Value, json};

thread_local! {
    /// How often this thread may ask for the time or for chance until it gets a fault instead.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// A clock that breaks while a call is under way.
fn milliseconds() -> i64 {
    count_down();
    (World::default().milliseconds)()
}

/// The same of chance.
fn random(bytes: &mut [u8; 32]) -> bool {
    count_down();
    (World::default().random)(bytes)
}

fn count_down() {
    let left = LEFT.get().map(|it| it.checked_sub(1));
    match left {
        Some(None) => {
            LEFT.set(None);
            panic!("the world broke over kanari-77aa");
        }
        Some(left) => LEFT.set(left),
        None => {}
    }
}

/// Makes a call in a world that breaks when it is asked once more after `readings`; the answer, and
/// whether it broke.
fn broken_after(readings: u32, desk: &Desk<'_>, tool: &str, arguments: &Value) -> (Value, bool) {
    let caller = desk.caller("ana");
    let arguments = desk.office.fill(arguments).to_string();
    LEFT.set(Some(readings));
    let reply = desk.service.call(&caller, tool, &arguments, &assay_core::Cancel::new());
    let broke = LEFT.take().is_none();
    (serde_json::from_slice(&reply.body).unwrap(), broke)
}

/// How calls ended so far, the oldest first: the kind of event, the result, and the code.
fn ends(desk: &Desk<'_>) -> Vec<(String, String, String)> {
    desk.service.flush_audit();
    let entries = ["tool.denied", "tool.invoked"].map(|it| desk.office.entries(it)).concat();
    let text = |it: &Value| it.as_str().unwrap_or("-").to_owned();
    let end = |it: &Value| {
        let action = &it["action"];
        (text(&it["event_type"]), text(&action["result"]), text(&action["error_code"]))
    };
    entries.iter().map(end).collect()
}

/// The world breaks at each of the places at which the way of a call asks for something, in turn.
#[test]
fn a_fault_anywhere_leaves_one_record_and_no_false_word() {
    let office = Office::new("faults-clock");
    let world = World { milliseconds, random, ..World::default() };
    let desk = office.open_with(Settings { world, ..office.settings(DESK) });
    for (tool, is_read) in [("create_deadline", false), ("search_documents", true)] {
        let mut told = Vec::new();
        for readings in 0..40 {
            let arguments = match is_read {
                true => json!({ "query": format!("lease {readings}") }),
                false => json!({ "matter_id": "$matter", "title": format!("Reply {readings}"),
                    "due_on": "2027-02-01" }),
            };
            let before = (ends(&desk), office.carried(tool));
            let (answer, broke) = broken_after(readings, &desk, tool, &arguments);
            let place = format!("{tool} after {readings}: {answer}");
            let after = ends(&desk);
            assert_eq!(after.len(), before.0.len() + 1, "{place}");
            let end = after.iter().find(|it| count(&after, it) > count(&before.0, it)).unwrap();
            let end = format!("{} {} {}", end.0, end.1, end.2);
            let was_carried = office.carried(tool) - before.1;
            if !broke {
                assert_eq!((word(&answer).as_str(), was_carried), ("ok", 1), "{place}");
                break;
            }
            assert!(!answer.to_string().contains("kanari"), "{place}");
            match word(&answer).as_str() {
                "INTERNAL" if is_read => {
                    let ended = ["tool.denied failure INTERNAL", "tool.invoked failure INTERNAL"];
                    assert!(ended.contains(&end.as_str()), "{place}: {end}");
                }
                "INTERNAL" => {
                    assert_eq!((end.as_str(), was_carried), ("tool.denied failure INTERNAL", 0));
                    assert_eq!(desk.word("ana", tool, &arguments), "ok", "{place}");
                }
                "OUTCOME_UNKNOWN" => {
                    assert_eq!(end, "tool.invoked partial OUTCOME_UNKNOWN", "{place}");
                    let again = desk.word("ana", tool, &arguments);
                    assert_eq!(again, "IDEMPOTENCY_UNKNOWN_OUTCOME", "{place}");
                    let reference = answer["error"]["details"]["reference"].as_str().unwrap();
                    desk.service.reconcile("ops-3", reference, None).unwrap();
                }
                other => panic!("{place}: {other}"),
            }
            told.push(end);
        }
        told.dedup();
        let (gate, left) = match is_read {
            true => ("tool.denied failure INTERNAL", "tool.invoked failure INTERNAL"),
            false => ("tool.denied failure INTERNAL", "tool.invoked partial OUTCOME_UNKNOWN"),
        };
        assert_eq!(told, [gate, left], "{tool}");
    }
}

fn count<T: PartialEq>(among: &[T], it: &T) -> usize {
    among.iter().filter(|other| *other == it).count()
}

/// What a strict tool read is told only once that is on record, also where the log fails first at
/// this very record.
#[test]
fn a_strict_read_is_told_after_its_record() {
    let office = Office::new("faults-strict");
    office.change("efirm.matter-db.lookup-matter", |it| {
        it["audit"]["on_sink_failure"] = "fail_closed".into();
    });
    let desk = office.open(DESK);
    let lookup = json!({ "matter_id": "$matter" });
    assert_eq!(desk.word("me", "lookup_matter", &lookup), "ok");
    // It is there before the answer is, and not after the log got round to it.
    assert_eq!(office.entries("tool.invoked").len(), 1);
    office.sql(
        "CREATE TRIGGER full BEFORE INSERT ON audit_entry
        WHEN json_extract(NEW.record, '$.event_type') = 'tool.invoked'
        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    let answer = desk.call("me", "lookup_matter", &lookup);
    assert_eq!(word(&answer), "AUDIT_UNAVAILABLE", "{answer}");
    assert_eq!((answer.get("result"), office.carried("lookup_matter")), (None, 2));
    office.sql("DROP TRIGGER full");
    desk.service.flush_audit();
    assert_eq!(office.entries("tool.invoked").len(), 2);
}
