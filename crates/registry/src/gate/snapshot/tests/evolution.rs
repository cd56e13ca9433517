use serde_json::{Value, json};

use super::{Snapshot, faults, files, record, told};

/// An answer schema, the next one under the same id, and where that breaks the promise.
const ANSWERS: &[(&str, &str, &[&str])] = &[
    ("null", "null", &[]),
    ("null", r#"{"type": "object"}"#, &[]),
    (r#"{"type": "object"}"#, "null", &[""]),
    (r#"{"enum": ["a", "b"]}"#, r#"{"enum": ["b", "a"]}"#, &[]),
    (r#"{"enum": ["a", "b"]}"#, r#"{"enum": ["a"]}"#, &[]),
    (r#"{"enum": ["a"]}"#, r#"{"enum": ["a", "b"]}"#, &["/enum"]),
    (r#"{"enum": ["a"]}"#, "{}", &["/enum"]),
    ("{}", r#"{"enum": ["a"]}"#, &[]),
    (r#"{"type": "string"}"#, r#"{"type": ["string", "null"]}"#, &["/type"]),
    (r#"{"type": ["string", "null"]}"#, r#"{"type": "string"}"#, &[]),
    (r#"{"maximum": 5}"#, r#"{"maximum": 6}"#, &["/maximum"]),
    (r#"{"maximum": 5}"#, r#"{"maximum": 4}"#, &[]),
    (r#"{"properties": {"a": {}}}"#, r#"{"properties": {"a": {}}, "required": ["a"]}"#, &[]),
    (
        r#"{"properties": {"a": {}}, "required": ["a"]}"#,
        r#"{"properties": {"a": {}}}"#,
        &["/required"],
    ),
    (r#"{"properties": {"a": {}}, "required": ["a"]}"#, "{}", &["/required"]),
    (
        r#"{"properties": {"a": {"items": {"enum": [1]}}}}"#,
        r#"{"properties": {"a": {"items": {"enum": [1, 2]}}}}"#,
        &["/properties/a/items/enum"],
    ),
    (r#"{"additionalProperties": false}"#, "{}", &["/additionalProperties"]),
    ("{}", r#"{"additionalProperties": false}"#, &[]),
    (r#"{"description": "An a."}"#, r#"{"description": "One a."}"#, &[]),
];

#[test]
fn answers_keep_what_was_promised_of_them() {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (old, new, pointers) in ANSWERS {
        let reload = files(|it| it[2].1["output_schema"] = read(old));
        let before = Snapshot::load(&reload, &[], None).unwrap();
        let reload = files(|it| it[2].1["output_schema"] = read(new));
        let next = files(|it| {
            it[2].1["output_schema"] = read(old);
            let mut next = record();
            next["version"] = "1.9".into();
            next["output_schema"] = read(new);
            it.push(("tools/next.json", next));
        });
        for (files, before, file) in
            [(&reload, Some(&before), "tools/create.json"), (&next, None, "tools/next.json")]
        {
            let found = faults(files, &[], before);
            assert_eq!(found.len(), pointers.len(), "{old} {new}\n{found:#?}");
            for (found, pointer) in found.iter().zip(*pointers) {
                let begin = format!("{file}#/output_schema{pointer}: callers of version 1.2 may");
                assert!(found.starts_with(&begin), "{old} {new}\n{found}");
            }
        }
    }
}

/// What the record says beside the example, what the next one says, and what is told of that.
const TURNS: &[(&str, &str, &[&str])] = &[
    ("{}", r#"{"description": "Opens a matter for a client."}"#, &[]),
    (
        r#"{"permissions_required": ["matter:create", "matter:read"]}"#,
        r#"{"permissions_required": ["matter:delete", "matter:read"]}"#,
        &[
            "/permissions_required: loosened: `matter:create` is gone",
            "/permissions_required: tightened: `matter:delete` is new",
        ],
    ),
    (
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 60}]}"#,
        r#"{"prerequisites": []}"#,
        &["/prerequisites: loosened: `efirm.conflict-check.run` is gone"],
    ),
    (
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 60,
            "verdict_in": ["CLEAN"], "scope": "matter"}]}"#,
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 61,
            "verdict_in": ["CLEAN", "CONCERN"], "same_subject": false}]}"#,
        &[
            "/prerequisites/0/verdict_in: loosened: `CONCERN` is new",
            "/prerequisites/0/same_subject: loosened: the same subject is gone",
            "/prerequisites/0/within_s: loosened: 61 instead of 60",
            "/prerequisites/0/scope: loosened: the place is another one",
        ],
    ),
    (
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 60,
            "verdict_in": ["CLEAN"]}]}"#,
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 60}]}"#,
        &["/prerequisites/0/verdict_in: loosened: anything will do"],
    ),
    (
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 60,
            "verdict_in": ["CLEAN"]}]}"#,
        r#"{"prerequisites": [{"tool": "efirm.conflict-check.run", "within_s": 60,
            "verdict_in": ["CLEAN"], "or_decision": {"verdict": "CONCERN", "role": "partner"}}]}"#,
        &["/prerequisites/0/or_decision: loosened: the decision is new"],
    ),
    (
        r#"{"approval": {"count": 2, "roles_any": ["partner"], "ttl_s": 60}}"#,
        "{}",
        &["/approval: loosened: the approval is gone"],
    ),
    (
        r#"{"approval": {"count": 2, "roles_any": ["partner"], "ttl_s": 60,
            "exclude_requester": true}}"#,
        r#"{"approval": {"count": 1, "roles_any": ["partner", "admin"], "ttl_s": 90,
            "unless_requester_role": ["partner"]}}"#,
        &[
            "/approval/count: loosened: 1 instead of 2",
            "/approval/roles_any: loosened: `admin` is new",
            "/approval/exclude_requester: loosened: another person than who asks is gone",
            "/approval/unless_requester_role: loosened: `partner` is new",
            "/approval/ttl_s: loosened: 90 instead of 60",
        ],
    ),
    (
        r#"{"confirmation": "human"}"#,
        "{}",
        &["/confirmation: loosened: a person's confirmation is gone"],
    ),
    (
        r#"{"session_requirements": {"principal": "user", "roles_any": ["partner"],
            "max_auth_age_s": 60}}"#,
        "{}",
        &[
            "/session_requirements/principal: loosened: a person behind the session is gone",
            "/session_requirements/roles_any: loosened: anything will do",
            "/session_requirements/max_auth_age_s: loosened: no limit instead of 60",
        ],
    ),
    (
        r#"{"rate_limit": {"requests_per_minute": 10, "burst": 2}}"#,
        r#"{"rate_limit": {"requests_per_minute": 11, "key": "org_user"}}"#,
        &[
            "/rate_limit/requests_per_minute: loosened: 11 instead of 10",
            "/rate_limit/burst: loosened: no limit instead of 2",
            "/rate_limit/key: loosened: org_user instead of org",
        ],
    ),
    ("{}", r#"{"rate_limit": null}"#, &["/rate_limit: loosened: the limit is gone"]),
    (
        r#"{"kill_switch": true, "scope_fields": [{"pointer": "/client_id", "kind": "org"}]}"#,
        r#"{"idempotency_key": "client_id"}"#,
        &[
            "/scope_fields: loosened: `/client_id as org` is gone",
            "/kill_switch: loosened: the stop is gone",
            "/idempotency_key: loosened: the key is another one",
        ],
    ),
    (
        r#"{"effect": "destructive"}"#,
        r#"{"effect": "write"}"#,
        &["/effect: loosened: write instead of destructive"],
    ),
];

/// The record of the example with these changes, as that file and version.
fn turned(file: &'static str, version: &str, changes: &str) -> (&'static str, Value) {
    let mut value = record();
    value["subject_key"] = "client_id".into();
    value["version"] = version.into();
    let changes: Value = serde_json::from_str(changes).unwrap();
    for (key, change) in changes.as_object().unwrap() {
        value[key] = change.clone();
    }
    (file, value)
}

/// A registry of these records and of the check that some of them wait for.
fn turning(records: Vec<(&'static str, Value)>, before: Option<&Snapshot>) -> Snapshot {
    let files = files(|it| {
        it.truncate(1);
        let (_, mut check) = turned("tools/check.json", "1.0", "{}");
        check["tool_id"] = "efirm.conflict-check.run".into();
        check["name"] = "run_conflict_check".into();
        check["verdict"] = json!({ "pointer": "/status", "values": ["CLEAN", "CONCERN"] });
        it.push(("tools/check.json", check));
        it.extend(records);
    });
    Snapshot::load(&files, &[], before).unwrap()
}

#[test]
fn what_is_held_less_strictly_is_told_and_so_is_what_is_held_more() {
    let turned_round = |line: &str| {
        let (word, other) = match line.contains("loosened") {
            true => ("loosened", "tightened"),
            false => ("tightened", "loosened"),
        };
        line.replace(word, other).split(": ").take(2).collect::<Vec<_>>().join(": ")
    };
    for (old, new, lines) in TURNS {
        let before = turning(vec![turned("tools/a.json", "1.2", old)], None);
        let after = turning(vec![turned("tools/a.json", "1.2", new)], Some(&before));
        let expected: Vec<String> = lines
            .iter()
            .map(|line| {
                let mend = match line.contains("loosened") {
                    true => "let somebody read this who did not write it",
                    false => "tell those who call the tool",
                };
                format!("tools/a.json#{line}, compared with version 1.2; {mend}")
            })
            .collect();
        assert_eq!(told(&after), expected, "{old} {new}");
        // Two versions that are stored beside each other, and without a registry before.
        let pair = vec![turned("tools/a.json", "1.2", old), turned("tools/b.json", "1.10", new)];
        let expected: Vec<String> =
            expected.iter().map(|it| it.replace("tools/a.json", "tools/b.json")).collect();
        assert_eq!(told(&turning(pair, None)), expected, "{old} {new}");
        // The same the other way round.
        let back = told(&turning(vec![turned("tools/a.json", "1.2", old)], Some(&after)));
        assert_eq!(back.len(), lines.len(), "{back:#?}");
        for line in lines.iter().filter(|it| !it.contains("another one")) {
            let begin = format!("tools/a.json#{}", turned_round(line));
            let begin = begin.replace("/prerequisites: t", "/prerequisites/0: t");
            assert!(back.iter().any(|it| it.starts_with(&begin)), "{begin}\n{back:#?}");
        }
    }
}

/// A version that is taken back lets callers have the one before it.
#[test]
fn going_back_to_a_version_is_told_as_well() {
    let old = turned("tools/a.json", "1.2", "{}");
    let new = turned("tools/b.json", "1.3", r#"{"confirmation": "human"}"#);
    let both = turning(vec![old.clone(), new], None);
    assert_eq!(told(&both).len(), 1);
    let one = turning(vec![old], Some(&both));
    let line = "tools/a.json#/confirmation: loosened: a person's confirmation is gone, compared \
                with version 1.3; let somebody read this who did not write it";
    assert_eq!(told(&one), [line]);
    assert_eq!(told(&turning(vec![turned("tools/a.json", "1.2", "{}")], Some(&one))).len(), 0);
}
