use serde_json::json;

use super::{Evidence, Place, Waiting, check};
use crate::gate::record::Prerequisite;

const HERE: Place<'static> = Place { organisation: "o1", matter: Some("m1"), session: "s1" };

/// The call arrives at this time; the check counts for a hundred seconds.
const ARRIVED: i64 = 1_000_000;

const CALL: Waiting<'static> = Waiting { place: HERE, subject: Some("a"), received_at: ARRIVED };

const CLEAN: Evidence<'static> = Evidence {
    tool: "efirm.conflict-check.run",
    place: HERE,
    subject: Some("a"),
    verdict: Some("CLEAN"),
    decided_by: &[],
    finished_at: ARRIVED - 50_000,
};

fn needed(scope: &str, same_subject: bool) -> Prerequisite {
    serde_json::from_value(json!({
        "tool": "efirm.conflict-check.run", "within_s": 100, "verdict_in": ["CLEAN"],
        "or_decision": { "verdict": "CONCERN", "role": "conflicts-partner" },
        "user_action": "Run the conflict check", "scope": scope, "same_subject": same_subject,
    }))
    .unwrap()
}

/// What comes of it, as `met`, `missing`, or the finding and who may decide on it.
fn outcome(needed: &Prerequisite, evidence: &[Evidence<'_>], call: Waiting<'_>) -> String {
    match check(std::slice::from_ref(needed), evidence, call) {
        Ok(()) => "met".to_owned(),
        Err(refusal) if refusal.details.contains_key("steps") => "missing".to_owned(),
        Err(refusal) => {
            let word = |key: &str| refusal.details[key].as_str().unwrap_or("-").to_owned();
            format!("{} {}", word("verdict"), word("decision_role"))
        }
    }
}

const CONCERN: Evidence<'static> = Evidence { verdict: Some("CONCERN"), ..CLEAN };
const CONFLICT: Evidence<'static> = Evidence { verdict: Some("CONFLICT"), ..CLEAN };

/// What is on record, and what comes of it.
const RECORDED: &[(&[Evidence<'static>], &str)] = &[
    (&[], "missing"),
    (&[CLEAN], "met"),
    (&[Evidence { subject: Some("b"), ..CLEAN }], "missing"),
    (&[Evidence { subject: None, ..CLEAN }], "missing"),
    (&[Evidence { tool: "screening.sanctions.check", ..CLEAN }], "missing"),
    (&[Evidence { place: Place { organisation: "o2", ..HERE }, ..CLEAN }], "missing"),
    (&[Evidence { finished_at: ARRIVED - 100_000, ..CLEAN }], "met"),
    (&[Evidence { finished_at: ARRIVED - 100_001, ..CLEAN }], "missing"),
    (&[Evidence { finished_at: ARRIVED - 1, ..CLEAN }], "met"),
    (&[Evidence { finished_at: ARRIVED, ..CLEAN }], "missing"),
    (&[Evidence { finished_at: ARRIVED + 1, ..CLEAN }], "missing"),
    (&[CONCERN], "CONCERN conflicts-partner"),
    (&[Evidence { decided_by: &["partner"], ..CONCERN }], "CONCERN conflicts-partner"),
    (&[Evidence { decided_by: &["conflicts-partner"], ..CONCERN }], "met"),
    (&[CONFLICT], "CONFLICT -"),
    (&[Evidence { decided_by: &["conflicts-partner"], ..CONFLICT }], "CONFLICT -"),
    (&[Evidence { verdict: None, ..CLEAN }], "- -"),
    (&[CLEAN, Evidence { finished_at: ARRIVED - 1, ..CONCERN }], "CONCERN conflicts-partner"),
    (&[Evidence { finished_at: ARRIVED - 1, ..CLEAN }, CONCERN], "met"),
    (&[CLEAN, CONFLICT], "CONFLICT -"),
    (&[CLEAN, Evidence { finished_at: ARRIVED + 5, ..CONFLICT }], "CONFLICT -"),
    (&[CLEAN, Evidence { finished_at: ARRIVED + 5, ..CLEAN }], "met"),
];

#[test]
fn recorded() {
    for (evidence, expected) in RECORDED {
        assert_eq!(outcome(&needed("org", true), evidence, CALL), *expected, "{evidence:?}");
    }
}

#[test]
fn scopes_and_subjects() {
    let elsewhere = Evidence { place: Place { session: "s2", ..HERE }, ..CLEAN };
    let other = Evidence { place: Place { matter: Some("m2"), ..HERE }, ..CLEAN };
    let none = Evidence { place: Place { matter: None, ..HERE }, ..CLEAN };
    for (scope, evidence, expected) in [
        ("org", elsewhere, "met"),
        ("org", other, "met"),
        ("session", CLEAN, "met"),
        ("session", elsewhere, "missing"),
        ("matter", CLEAN, "met"),
        ("matter", elsewhere, "met"),
        ("matter", other, "missing"),
        ("matter", none, "missing"),
    ] {
        assert_eq!(outcome(&needed(scope, true), &[evidence], CALL), expected, "{scope}");
    }
    let no_matter = Waiting { place: Place { matter: None, ..HERE }, ..CALL };
    assert_eq!(outcome(&needed("matter", true), &[none], no_matter), "missing");
    // Two calls about nothing are not about the same.
    let nothing = Evidence { subject: None, ..CLEAN };
    let about_nothing = Waiting { subject: None, ..CALL };
    assert_eq!(outcome(&needed("org", true), &[nothing], about_nothing), "missing");
    assert_eq!(outcome(&needed("org", false), &[nothing], about_nothing), "met");
}

#[test]
fn every_missing_step_at_once() {
    let screening =
        Prerequisite { tool: "screening.sanctions.check".into(), ..needed("org", true) };
    let both = [needed("org", true), screening];
    let steps = |evidence: &[Evidence<'_>]| {
        check(&both, evidence, CALL).unwrap_err().details["steps"].as_array().unwrap().len()
    };
    assert_eq!(steps(&[]), 2);
    assert_eq!(steps(&[CONCERN]), 1);
    let refusal = check(&both, &[], CALL).unwrap_err();
    assert_eq!(refusal.details["steps"][0]["user_action"], "Run the conflict check");
}
