use serde_json::{Value, json};

use super::{Filed, Operator, check, lint};
use crate::gate::permission::PRACTICE;
use crate::gate::record::{Record, Verdict, read};

const EXAMPLE: &str = include_str!("../record/create-matter.json");

fn tool(id: &str, changes: &Value) -> Record {
    let mut value: Value = serde_json::from_str(EXAMPLE).unwrap();
    value["tool_id"] = id.into();
    value["category"] = id.split('.').next().unwrap().into();
    let path = id.split(':').next().unwrap();
    value["name"] = path
        .split('.')
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
        .join("-")
        .into();
    value["description"] = "Does what its name says, for one matter.".into();
    for (key, change) in changes.as_object().unwrap() {
        value[key] = change.clone();
    }
    read("tool.json", &value.to_string()).unwrap().record
}

fn operator<'o>(unscoped: &'o [&'o str]) -> Option<Operator<'o>> {
    Some(Operator { unscoped, grants: &PRACTICE })
}

fn pointers(records: &[Record]) -> Vec<String> {
    let filed: Vec<Filed<'_>> =
        records.iter().map(|record| Filed { file: "tool.json", record }).collect();
    check(&filed, operator(&[])).into_iter().map(|it| it.pointer).collect()
}

/// Whether a tool of this id, with these changes to the example, moves money, and where it says so.
const MONEY: &[(&str, &str, &[&str])] = &[
    ("efirm-finance.ledger.transfer", "{}", &["/tool_id", "/name"]),
    ("efirm-finance.ledger.initiate-wire", "{}", &["/tool_id", "/name"]),
    ("efirm-finance.ledger.move", r#"{"name": "refund_client"}"#, &["/name"]),
    (
        "efirm-finance.ledger.book",
        r#"{"side_effects": ["debits the client"]}"#,
        &["/side_effects/0"],
    ),
    ("efirm-finance.ledger.list-refunds", "{}", &["/tool_id", "/name"]),
    (
        "efirm.matter-db.settle",
        r#"{"description": "Closes a matter. Disburses the remaining funds to the client."}"#,
        &["/description"],
    ),
    (
        "efirm.matter-db.settle",
        r#"{"description": "Wires money out, but says that it only reads.", "side_effects": []}"#,
        &["/description"],
    ),
    ("dms.funds.transfer", "{}", &["/tool_id", "/name"]),
    // Near misses.
    ("efirm.matter-db.transfer-of-venue", "{}", &[]),
    ("efirm.matter-db.transfer-matter", r#"{"side_effects": ["transfers the file"]}"#, &[]),
    ("efirm-finance.ledger.list-refunds", r#"{"side_effects": []}"#, &[]),
    ("efirm-finance.refunds.read", r#"{"side_effects": []}"#, &[]),
    ("search.wiretap.find", "{}", &[]),
    ("search.wireless.find", "{}", &[]),
    ("efirm-finance.invoice.draft", r#"{"name": "draft_debitor_note"}"#, &[]),
    (
        "efirm-finance.wip.read",
        r#"{"description": "Lists wire payments and refunds of a client.", "side_effects": []}"#,
        &[],
    ),
];

#[test]
fn no_tool_moves_money() {
    for (id, changes, places) in MONEY {
        let record = tool(id, &serde_json::from_str(changes).unwrap());
        assert_eq!(pointers(&[record]), *places, "{id} {changes}");
    }
}

const APPROVED: &str = r#"{"approval": {"count": 2, "roles_any": ["partner"], "ttl_s": 600}}"#;

/// Records that break a built-in constraint, and those that just hold it.
const SAFETY: &[(&str, &str, &[&str])] = &[
    ("dms.document.delete", "{}", &["/approval/count"]),
    ("dms.document.delete", r#"{"effect": "write"}"#, &["/approval/count"]),
    (
        "dms.document.delete:v2",
        r#"{"version": "2.0", "approval": {"count": 1, "roles_any": ["partner"], "ttl_s": 600}}"#,
        &["/approval/count"],
    ),
    (
        "dms.document.delete",
        r#"{"approval": {"count": 2, "roles_any": ["partner"], "ttl_s": 600,
            "unless_requester_role": ["admin"]}}"#,
        &["/approval/unless_requester_role"],
    ),
    ("dms.folder.purge", "{}", &["/approval/count"]),
    ("dms.document.delete", APPROVED, &[]),
    ("dms.document.upload", "{}", &[]),
    ("email.send", "{}", &["/confirmation"]),
    ("email.send", r#"{"confirmation": "none"}"#, &["/confirmation"]),
    ("email.send-now", "{}", &["/confirmation"]),
    ("esign.initiate", "{}", &["/confirmation"]),
    ("esign.initiate", r#"{"confirmation": "human"}"#, &[]),
    ("email.draft", "{}", &[]),
    (
        "efirm-finance.trust-account.post",
        r#"{"permissions_required": ["trust-account:write"]}"#,
        &[
            "/session_requirements/principal",
            "/session_requirements/roles_any",
            "/session_requirements/max_auth_age_s",
            "/approval/count",
        ],
    ),
    ("efirm-finance.trust-account.post", "{}", &["/permissions_required"]),
    (
        "efirm-finance.trust-account.post",
        r#"{"permissions_required": ["trust-account:write"],
            "session_requirements": {"principal": "user", "roles_any": ["finance", "partner"],
                "max_auth_age_s": 60},
            "approval": {"count": 2, "roles_any": ["finance"], "ttl_s": 600}}"#,
        &["/session_requirements/roles_any"],
    ),
    (
        "efirm-finance.trust-account.post",
        r#"{"permissions_required": ["trust-account:write"],
            "session_requirements": {"principal": "user", "roles_any": ["finance"],
                "max_auth_age_s": 3601},
            "approval": {"count": 2, "roles_any": ["finance"], "ttl_s": 600}}"#,
        &["/session_requirements/max_auth_age_s"],
    ),
    (
        "efirm-finance.trust-account.post",
        r#"{"permissions_required": ["trust-account:write"],
            "session_requirements": {"principal": "user", "roles_any": ["finance"],
                "max_auth_age_s": 3600},
            "approval": {"count": 2, "roles_any": ["finance"], "ttl_s": 600}}"#,
        &[],
    ),
];

#[test]
fn built_in_constraints() {
    for (id, changes, places) in SAFETY {
        let record = tool(id, &serde_json::from_str(changes).unwrap());
        assert_eq!(pointers(&[record]), *places, "{id} {changes}");
    }
}

/// What is required before a client is taken on, and whether that holds the constraint.
const SCREENED: &[(&str, bool)] = &[
    ("[]", false),
    (r#"[{"tool": "screening.sanctions.check", "within_s": 60}]"#, false),
    (
        r#"[{"tool": "screening.sanctions.check", "within_s": 60, "verdict_in": ["clear"],
            "same_subject": false}]"#,
        false,
    ),
    (
        r#"[{"tool": "screening.sanctions.check", "within_s": 60, "verdict_in": ["flagged"]}]"#,
        false,
    ),
    (r#"[{"tool": "screening.sanctions.check", "within_s": 60, "verdict_in": ["CLEAR"]}]"#, false),
    (
        r#"[{"tool": "screening.sanctions.check", "within_s": 60,
            "verdict_in": ["clear", "flagged"]}]"#,
        false,
    ),
    (
        r#"[{"tool": "screening.sanctions.check", "within_s": 60,
            "or_decision": {"verdict": "flagged", "role": "partner"}}]"#,
        false,
    ),
    (r#"[{"tool": "dms.document.search", "within_s": 60, "verdict_in": ["clear"]}]"#, false),
    (r#"[{"tool": "screening.sanctions.check", "within_s": 60, "verdict_in": ["clear"]}]"#, true),
    (
        r#"[{"tool": "screening.sanctions.check", "within_s": 60, "verdict_in": ["clear"],
            "or_decision": {"verdict": "flagged", "role": "partner"}}]"#,
        true,
    ),
];

/// A tool that finds one of two words about a client.
fn finding(id: &str, changes: &Value) -> Record {
    let mut record = json!({
        "side_effects": [],
        "subject_key": "client_id",
        "output_schema": { "type": "object", "properties": { "verdict": { "type": "string" } } },
        "verdict": { "pointer": "/verdict", "values": ["clear", "flagged"] },
    });
    for (key, change) in changes.as_object().unwrap() {
        record[key] = change.clone();
    }
    tool(id, &record)
}

#[test]
fn no_client_without_screening() {
    let screening = finding("screening.sanctions.check", &json!({}));
    let search = finding("dms.document.search", &json!({}));
    for (needed, held) in SCREENED {
        let needed: Value = serde_json::from_str(needed).unwrap();
        for (id, version) in
            [("efirm.client-db.create-client", "1.0"), ("efirm.client-db.create-client:v2", "2.0")]
        {
            let changes =
                json!({ "prerequisites": needed, "version": version, "subject_key": "client_id" });
            let places = pointers(&[screening.clone(), search.clone(), tool(id, &changes)]);
            let constraint = places.iter().any(|it| it == "/prerequisites");
            assert_eq!(
                (places.is_empty(), constraint),
                (*held, !held),
                "{id} {needed}: {places:?}"
            );
        }
    }
}

/// What one record says that cannot be so.
const CLAIMS: &[(&str, &[&str])] = &[
    (r#"{"effect": "read"}"#, &["/effect"]),
    (r#"{"permissions_required": ["matter:create", "matter:fly"]}"#, &["/permissions_required/1"]),
    (r#"{"permissions_required": []}"#, &["/permissions_required"]),
    (r#"{"permissions_required": [], "side_effects": []}"#, &[]),
    (r#"{"idempotency_key": null}"#, &["/idempotency_key"]),
    (r#"{"idempotency_key": null, "execution": {"upstream_idempotent": true}}"#, &[]),
    (r#"{"idempotency_key": "client_id + client_name"}"#, &["/idempotency_key"]),
    (r#"{"idempotency_key": "colour_hash"}"#, &["/idempotency_key"]),
    (r#"{"subject_key": "client_id.name"}"#, &["/subject_key"]),
    (r#"{"org_scoped": false}"#, &["/org_scoped"]),
    (r#"{"scope_fields": [{"pointer": "/client_id", "kind": "client"}]}"#, &[]),
    (
        r#"{"scope_fields": [{"pointer": "/client", "kind": "client"}]}"#,
        &["/scope_fields/0/pointer"],
    ),
    (r#"{"audit": {"fields": {"colour": "public"}}}"#, &["/audit/fields/colour"]),
    (
        r#"{"prerequisites": [{"tool": "efirm.nowhere.run", "within_s": 1,
            "same_subject": false}]}"#,
        &["/prerequisites/0/tool"],
    ),
    (
        r#"{"prerequisites": [{"tool": "efirm.matter-db.create-matter", "within_s": 1,
            "same_subject": false}]}"#,
        &["/prerequisites/0/tool"],
    ),
    (r#"{"effect": "read", "side_effects": [], "confirmation": "human"}"#, &["/effect"]),
    (
        r#"{"verdict": {"pointer": "/status", "values": ["open"]},
            "audit": {"output_summary": ["status", "matter_id"]}}"#,
        &[],
    ),
    (r#"{"verdict": {"pointer": "/verdict", "values": ["a"]}}"#, &["/verdict/pointer"]),
    (r#"{"verdict": {"pointer": "/status/word", "values": ["a"]}}"#, &["/verdict/pointer"]),
    (
        r#"{"output_schema": null, "verdict": {"pointer": "/status", "values": ["a"]}}"#,
        &["/verdict"],
    ),
    (r#"{"audit": {"output_summary": ["status", "colour"]}}"#, &["/audit/output_summary/1"]),
    (r#"{"output_schema": null, "audit": {"output_summary": ["colour"]}}"#, &[]),
    (
        r#"{"session_requirements": {"roles_any": ["partner", "judge"]}}"#,
        &["/session_requirements/roles_any/1"],
    ),
    (
        r#"{"approval": {"count": 1, "roles_any": ["Partner", "finance"], "ttl_s": 60,
            "unless_requester_role": ["admin", ""]}}"#,
        &["/approval/roles_any/0", "/approval/unless_requester_role/1"],
    ),
];

#[test]
fn claims_and_references() {
    for (changes, places) in CLAIMS {
        let changes = serde_json::from_str(changes).unwrap();
        let record = tool("efirm.matter-db.create-matter", &changes);
        assert_eq!(pointers(&[record]), *places, "{changes}");
    }
}

/// How one tool waits for another one, and where that comes to nothing.
const WAITING: &[(&str, &[&str])] = &[
    ("{}", &[]),
    (r#"{"verdict_in": ["clear"]}"#, &[]),
    (r#"{"verdict_in": ["clear"], "or_decision": {"verdict": "flagged", "role": "partner"}}"#, &[]),
    (r#"{"verdict_in": ["clear", "CLEAR"]}"#, &["/prerequisites/0/verdict_in/1"]),
    (
        r#"{"verdict_in": ["clear"], "or_decision": {"verdict": "grey", "role": "partner"}}"#,
        &["/prerequisites/0/or_decision/verdict"],
    ),
    (
        r#"{"verdict_in": ["clear"], "or_decision": {"verdict": "flagged", "role": "clerk"}}"#,
        &["/prerequisites/0/or_decision/role"],
    ),
    (
        r#"{"or_decision": {"verdict": "flagged", "role": "partner"}}"#,
        &["/prerequisites/0/or_decision"],
    ),
];

#[test]
fn what_is_waited_for_can_be_found() {
    let needs = |needed: &Value, changes: &Value| {
        let mut record = json!({ "subject_key": "client_id", "prerequisites": [needed] });
        record["prerequisites"][0]["tool"] = "screening.sanctions.check".into();
        record["prerequisites"][0]["within_s"] = 60.into();
        for (key, change) in changes.as_object().unwrap() {
            record[key] = change.clone();
        }
        tool("efirm.matter-db.create-matter", &record)
    };
    let screening = |changes: &Value| finding("screening.sanctions.check", changes);
    for (needed, places) in WAITING {
        let needed: Value = serde_json::from_str(needed).unwrap();
        let records = [screening(&json!({})), needs(&needed, &json!({}))];
        assert_eq!(pointers(&records), *places, "{needed}");
        // Nobody is held to what is out of use.
        let records = [screening(&json!({})), needs(&needed, &json!({ "enabled": false }))];
        let roles = places.iter().filter(|it| it.ends_with("/role"));
        assert_eq!(pointers(&records), roles.copied().collect::<Vec<_>>(), "{needed}");
    }
    let clear = json!({ "verdict_in": ["clear"] });
    let mut next = screening(&json!({ "version": "1.3" }));
    next.verdict = Some(Verdict { pointer: "/verdict".to_owned(), values: vec!["ok".to_owned()] });
    let other = next.clone();
    next.verdict = None;
    let silent = next.clone();
    next.enabled = false;
    let retired = next;
    for (version, places) in [
        (other, &["/prerequisites/0/verdict_in/0"][..]),
        (silent, &["/prerequisites/0/verdict_in"]),
        (retired, &[]),
    ] {
        let records = [screening(&json!({})), version, needs(&clear, &json!({}))];
        assert_eq!(pointers(&records), places, "{records:?}");
    }
}

#[test]
fn what_is_about_the_same_says_what_it_is_about() {
    for (first, second, same_subject, count) in [
        (true, true, true, 0),
        (true, false, true, 1),
        (false, true, true, 1),
        (false, false, true, 2),
        (false, false, false, 0),
    ] {
        let mut screening = finding("screening.sanctions.check", &json!({}));
        let needed = json!({ "tool": "screening.sanctions.check", "within_s": 60,
            "same_subject": same_subject });
        let changes = json!({ "subject_key": "client_id", "prerequisites": [needed] });
        let mut matter = tool("efirm.matter-db.create-matter", &changes);
        screening.subject_key = screening.subject_key.filter(|_| first);
        matter.subject_key = matter.subject_key.filter(|_| second);
        let places = vec!["/prerequisites/0/same_subject"; count];
        assert_eq!(pointers(&[screening, matter]), places, "{first} {second} {same_subject}");
    }
}

#[test]
fn circles_and_clashes() {
    let needs = |tool: &str| {
        let needed = json!({ "tool": tool, "within_s": 60, "same_subject": false });
        json!({ "prerequisites": [needed] })
    };
    let first = tool("efirm.a.run", &needs("efirm.b.run"));
    let second = tool("efirm.b.run", &needs("efirm.c.run"));
    let third = tool("efirm.c.run", &needs("efirm.a.run"));
    assert_eq!(pointers(&[first.clone(), second.clone(), third]), ["/prerequisites/0/tool"; 3]);
    let end = tool("efirm.c.run", &json!({}));
    assert!(pointers(&[first, second, end.clone()]).is_empty());
    assert_eq!(pointers(&[end.clone(), end.clone()]), ["/version"]);
    let newer = tool("efirm.c.run", &json!({ "version": "1.3" }));
    assert!(pointers(&[end.clone(), newer]).is_empty());
    let clash = tool("efirm.d.run", &json!({ "name": "run-c" }));
    assert_eq!(pointers(&[end, clash]), ["/name"]);
}

#[test]
fn an_operator_lists_what_is_not_scoped() {
    let record = tool("search.law.find", &json!({ "org_scoped": false, "side_effects": [] }));
    let filed = [Filed { file: "tool.json", record: &record }];
    assert_eq!(check(&filed, operator(&[])).len(), 1);
    assert!(check(&filed, operator(&["search.law.find"])).is_empty());
    // What could not be read is held against nobody.
    assert!(check(&filed, None).is_empty());
}

#[test]
fn notes_that_nothing_enforces() {
    for (notes, needed, told) in [
        ("Verify that the check is done.", json!([]), true),
        ("To be done BEFORE billing.", json!([]), true),
        ("Verify it.", json!([{ "tool": "efirm.conflict-check.run", "within_s": 1 }]), false),
        ("Beforehand nothing is needed.", json!([]), false),
    ] {
        let changes = json!({ "legal_safety_notes": notes, "prerequisites": needed });
        let record = tool("efirm.matter-db.create-matter", &changes);
        let warnings = lint(&[Filed { file: "tool.json", record: &record }]);
        assert_eq!(warnings.len(), usize::from(told), "{notes}");
    }
}
