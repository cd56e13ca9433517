//! A matter is opened step by step through the gate, over a real back end.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test ends where its setting fails"
)]

#[path = "support/office.rs"]
mod office;

use std::thread;

use office::{DESK, FLOW, Office};
use serde_json::{Value, json};

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
