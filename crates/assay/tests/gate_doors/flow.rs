//! A matter is opened over each door, in front of each form of the back end, in the same words.

use std::thread;

use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::client::{Client, Door};
use crate::firm::Firm;
use crate::office::{FLOW, word};

/// One call after the other, and the word of its answer; `$bo` is the client that was created.
const STEPS: &str = r#"[
    ["create_client", {"full_name": "Bo Lind", "kind": "person"}, "PREREQUISITE_MISSING"],
    ["check_sanctions", {"full_name": "Bo Lind"}, "ok"],
    ["create_client", {"full_name": "Bo Lind", "kind": "person"}, "ok"],
    ["create_client", {"full_name": "Bo Lind", "kind": "person"}, "replayed"],
    ["create_matter", "matter", "PREREQUISITE_MISSING"],
    ["run_conflict_check", {"client_id": "$bo", "parties": ["Somebody"]}, "ok"],
    ["create_matter", "matter", "PREREQUISITE_MISSING"],
    ["draft_engagement_letter",
        {"client_id": "$bo", "scope": "The lease", "fee_structure": "hourly"}, "ok"],
    ["create_matter", "matter", "APPROVAL_REQUIRED"],
    ["approve", "ana", "CREDENTIAL_SCOPE"],
    ["create_matter", "matter", "APPROVAL_REQUIRED"],
    ["approve", "paula", "ok"],
    ["create_matter", "matter", "ok"],
    ["create_matter", "matter", "replayed"]
]"#;

#[test]
fn a_matter_is_opened_over_every_door_and_once() {
    thread::scope(|scope| {
        for behind in Behind::ALL {
            for door in Door::ALL {
                scope.spawn(move || opened(door, behind));
            }
        }
    });
}

fn opened(door: Door, behind: Behind) {
    let mut firm = Firm::new(&format!("flow-{door:?}-{behind:?}"), behind);
    // People speak over HTTP; whoever calls over pipes has a process of their own beside it.
    let server = firm.serve(Some(FLOW));
    let client = Client::enter(door, &firm, &server, (Some(FLOW), None));
    let before = firm.count("matter");
    let steps: Vec<(String, Value, String)> = serde_json::from_str(STEPS).unwrap();
    let mut request = String::new();
    for (number, (tool, arguments, expected)) in steps.iter().enumerate() {
        let place = format!("{door:?} before {behind:?}, step {number}, {tool}");
        if tool == "approve" {
            let said = firm.say(&server, arguments.as_str().unwrap(), &request, "approve");
            assert_eq!(said, *expected, "{place}");
            continue;
        }
        let arguments = if arguments == "matter" { &matter() } else { arguments };
        let answer = client.call(tool, &firm.office.fill(arguments));
        assert_eq!(word(&answer), *expected, "{place}: {answer}");
        if let Some(it) = answer["error"]["details"]["request"].as_str() {
            request = it.to_owned();
        }
        if let Some(it) = answer["result"]["client_id"].as_str().filter(|_| tool == "create_client")
        {
            firm.office.ids.insert("bo".to_owned(), it.to_owned());
        }
    }
    assert_eq!(firm.count("matter") - before, 1, "{door:?} before {behind:?}");
    assert_eq!(firm.office.carried("create_matter"), 1, "{door:?} before {behind:?}");
    let called = steps.iter().filter(|it| it.0 != "approve").map(|it| it.2.as_str());
    firm.assert_recorded(called, &format!("{door:?} before {behind:?}"));
}

fn matter() -> Value {
    json!({
        "client_id": "$bo", "matter_type": "ip", "responsible_partner_id": "p",
        "fee_structure": "hourly",
    })
}
