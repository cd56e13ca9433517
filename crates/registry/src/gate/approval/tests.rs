use std::collections::BTreeSet;

use assay_base::CallHash;
use serde_json::{Value, json};

use super::{Asked, Bound, Given, Standing, address, check};
use crate::gate::record::{Approval, ToolId};
use crate::gate::version::Version;

const NOW: i64 = 1_000_000;
const CALL: CallHash = CallHash::from_bytes([1; 32]);
const OTHER: CallHash = CallHash::from_bytes([2; 32]);

const ASKED: Asked<'static> = Asked { person: "ann", roles: &["associate"], call: CALL, now: NOW };

const ANN: Given<'static> =
    Given { person: "ann", roles: &["partner"], call: CALL, at: NOW, standing: Standing::Open };
const BOB: Given<'static> = Given { person: "bob", ..ANN };
const CAT: Given<'static> = Given { person: "cat", ..ANN };

fn rule(exclude_requester: bool) -> Approval {
    serde_json::from_value(json!({
        "count": 2, "roles_any": ["partner", "finance"], "ttl_s": 600,
        "exclude_requester": exclude_requester, "unless_requester_role": ["principal"],
    }))
    .unwrap()
}

/// The words used up, or the reason, or how many there are.
fn outcome(rules: &[Approval], given: &[Given<'_>], asked: Asked<'_>) -> String {
    match check(rules, given, asked) {
        Ok(used) => format!("{used:?}"),
        Err(refusal) => match refusal.details.get("why") {
            Some(why) => why.as_str().unwrap().to_owned(),
            None => format!("{} of {}", refusal.details["have"], refusal.details["need"]),
        },
    }
}

/// What people said, and what comes of it where the one who asks may count.
const SAID: &[(&[Given<'static>], &str)] = &[
    (&[], "0 of 2"),
    (&[BOB], "1 of 2"),
    (&[BOB, CAT], "{0, 1}"),
    (&[ANN, BOB], "{0, 1}"),
    (&[ANN, BOB, CAT], "{0, 1}"),
    (&[BOB, BOB], "same_person"),
    (&[BOB, BOB, CAT], "{0, 2}"),
    (&[BOB, Given { roles: &["finance"], ..BOB }], "same_person"),
    (&[BOB, Given { roles: &["associate"], ..CAT }], "role"),
    (&[BOB, Given { roles: &["admin"], ..CAT }], "role"),
    (&[BOB, Given { roles: &[], ..CAT }], "role"),
    (&[BOB, Given { call: OTHER, ..CAT }], "changed"),
    (&[BOB, Given { standing: Standing::Used, ..CAT }], "used"),
    (&[BOB, CAT, Given { standing: Standing::Revoked, ..ANN }], "revoked"),
    (&[BOB, CAT, Given { standing: Standing::Revoked, call: OTHER, ..ANN }], "{0, 1}"),
    (&[BOB, Given { at: NOW - 600_000, ..CAT }], "{0, 1}"),
    (&[BOB, Given { at: NOW - 600_001, ..CAT }], "expired"),
    (&[BOB, Given { at: NOW + 1, ..CAT }], "expired"),
];

#[test]
fn said() {
    for (given, expected) in SAID {
        assert_eq!(outcome(&[rule(false)], given, ASKED), *expected, "{given:?}");
    }
}

#[test]
fn who_asks_may_be_excluded_or_excused() {
    assert_eq!(outcome(&[rule(true)], &[ANN, BOB], ASKED), "same_person");
    assert_eq!(outcome(&[rule(true)], &[BOB, CAT], ASKED), "{0, 1}");
    let principal = Asked { roles: &["principal"], ..ASKED };
    assert_eq!(outcome(&[rule(true)], &[], principal), "{}");
    let admin = Asked { roles: &["admin"], ..ASKED };
    assert_eq!(outcome(&[rule(true)], &[], admin), "0 of 2");
}

#[test]
fn every_rule_holds() {
    let three = Approval { count: 3, ..rule(false) };
    assert_eq!(outcome(&[rule(false), three.clone()], &[BOB, CAT], ASKED), "2 of 3");
    assert_eq!(outcome(&[rule(true), three], &[ANN, BOB, CAT], ASKED), "{0, 1, 2}");
    assert_eq!(outcome(&[], &[], ASKED), "{}");
}

#[test]
fn any_difference_is_another_call() {
    let tool = |id: &str| ToolId::parse(id).unwrap();
    let (first, second) = (tool("dms.document.delete"), tool("dms.document.delete:v2"));
    let arguments = json!({ "a": 1, "b": ["x"] });
    let same: Value = serde_json::from_str(r#"{"b": ["x"], "a": 1}"#).unwrap();
    let [changed, more] = [json!({ "a": 1, "b": ["y"] }), json!({ "a": 1, "b": ["x"], "c": null })];
    let version = |text: &str| Version::parse(text).unwrap();
    let call = Bound {
        organisation: "o1",
        matter: None,
        tool: &first,
        version: version("1.2"),
        requester: "ann",
        arguments: &arguments,
    };
    assert_eq!(address(&call), address(&Bound { arguments: &same, ..call }));
    let all: BTreeSet<CallHash> = [
        call,
        Bound { arguments: &changed, ..call },
        Bound { arguments: &more, ..call },
        Bound { organisation: "o2", ..call },
        Bound { matter: Some("m1"), ..call },
        Bound { tool: &second, ..call },
        Bound { version: version("1.3"), ..call },
        Bound { requester: "bob", ..call },
    ]
    .iter()
    .map(address)
    .collect();
    assert_eq!(all.len(), 8);
}
