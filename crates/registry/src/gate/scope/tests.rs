use serde_json::{Value, json};

use super::{Owner, Place, check, names_another};
use crate::gate::Code;
use crate::gate::record::{Record, ScopeKind, read};

fn tool(org_scoped: bool) -> Record {
    let example = include_str!("../record/create-matter.json");
    let mut value: Value = serde_json::from_str(example).unwrap();
    value["org_scoped"] = org_scoped.into();
    value["scope_fields"] = json!([
        { "pointer": "/org", "kind": "org" },
        { "pointer": "/client_id", "kind": "client" },
        { "pointer": "/matter", "kind": "matter" },
        { "pointer": "/files/*/id", "kind": "document" },
        { "pointer": "/ids", "kind": "document" },
        { "pointer": "/user_id", "kind": "user" },
    ]);
    read("tool.json", &value.to_string()).unwrap().record
}

/// Ids are `organisation:matter:shared:number`; there is nothing behind any other.
fn owner(_: ScopeKind, id: &str) -> Option<Owner> {
    let parts: Vec<&str> = id.split(':').collect();
    let [organisation, matter, shared, _] = parts.as_slice() else { return None };
    Some(Owner {
        organisation: (*organisation).to_owned(),
        matter: Some((*matter).to_owned()),
        shared_with: vec![(*shared).to_owned()],
    })
}

/// Arguments, whether they pass without a matter, and whether they pass inside `m1`.
const CALLS: &[(&str, bool, bool)] = &[
    (r#"{}"#, true, true),
    (r#"{"client_id": null}"#, true, true),
    (r#"{"org": "o1"}"#, true, true),
    (r#"{"org": "o2"}"#, false, false),
    (r#"{"org_id": "o1"}"#, true, true),
    (r#"{"org_id": "o2"}"#, false, false),
    (r#"{"org_id": null}"#, false, false),
    (r#"{"note": [{"org_id": "o2"}]}"#, false, false),
    (r#"{"client_id": "o1:::1"}"#, true, true),
    (r#"{"client_id": "o2:::1"}"#, false, false),
    (r#"{"client_id": "nobody"}"#, false, false),
    (r#"{"client_id": 7}"#, false, false),
    (r#"{"client_id": {"id": "o1:::1"}}"#, false, false),
    (r#"{"matter": "m1"}"#, false, false),
    (r#"{"matter": "o1:m2:m1:1"}"#, true, true),
    (r#"{"matter": "o1:m2::1"}"#, true, false),
    (r#"{"matter": "o2:m1::1"}"#, false, false),
    (r#"{"matter": "o2:m1:m1:1"}"#, false, false),
    (r#"{"files": [{"id": "o1:m1::1"}]}"#, true, true),
    (r#"{"files": [{"id": "o1:m2:m1:1"}]}"#, true, true),
    (r#"{"files": [{"id": "o1:m1::1"}, {"id": "o1:m2::2"}]}"#, true, false),
    (r#"{"files": [{"id": "o1:m1::1"}, {"id": "o2:m1::2"}]}"#, false, false),
    (r#"{"ids": ["o1:m1::1", "o2:m1::1"]}"#, false, false),
    (r#"{"ids": ["o1:m1::1"]}"#, true, true),
    (r#"{"user_id": "o1:::1"}"#, true, true),
    (r#"{"user_id": "o2:::1"}"#, false, false),
    (r#"{"user_id": "o2:m1:m1:1"}"#, false, false),
    (r#"{"user_id": "nobody"}"#, false, false),
    (r#"{"user_id": ["o1:::1", "o2:::1"]}"#, false, false),
];

/// What an answer may name, by what is known of the names of its members.
#[test]
fn answers_name_nothing_of_another_organisation() {
    let kind = |name: &str| match name {
        "client_id" => Some(ScopeKind::Client),
        "firm" => Some(ScopeKind::Org),
        _ => None,
    };
    let is_foreign =
        |kind: ScopeKind, id: &str| kind == ScopeKind::Client && id.starts_with("their");
    for (answer, expected) in [
        (json!({ "client_id": "ours" }), false),
        (json!({ "client_id": "theirs" }), true),
        (json!({ "client_id": ["ours", "theirs"] }), true),
        (json!({ "clients": [{ "client_id": "ours" }, { "client_id": "theirs" }] }), true),
        (json!([{ "a": { "b": [{ "client_id": "theirs" }] } }]), true),
        (json!({ "note": "theirs", "clients": ["theirs"], "client_id": null }), false),
        (json!({ "client_id": 7 }), false),
        (json!({ "firm": "o1", "org_id": "o1" }), false),
        (json!({ "firm": "o2" }), true),
        (json!({ "a": [{ "org_id": "o2" }] }), true),
        (json!({ "org_id": null }), true),
        (json!("theirs"), false),
    ] {
        assert_eq!(names_another(&answer, "o1", &kind, &is_foreign), expected, "{answer}");
    }
}

#[test]
fn organisations_and_matters() {
    let mut refusals = Vec::new();
    for (arguments, free, inside) in CALLS {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        for (matter, passes) in [(None, *free), (Some("m1"), *inside)] {
            let place = Place { organisation: "o1", matter };
            let outcome = check(&tool(true), &arguments, place, owner);
            assert_eq!(outcome.is_ok(), passes, "{arguments} {matter:?}");
            refusals.extend(outcome.err());
            assert!(check(&tool(false), &arguments, place, owner).is_ok());
        }
    }
    // Foreign and absent cannot be told apart.
    assert!(refusals.iter().all(|it| it.code == Code::ScopeViolation && it.details.is_empty()));
}

#[test]
fn the_own_matter() {
    let own =
        |_: ScopeKind, _: &str| Some(Owner { organisation: "o1".to_owned(), ..Owner::default() });
    let place = Place { organisation: "o1", matter: Some("m1") };
    for (id, passes) in [("m1", true), ("m2", false)] {
        let outcome = check(&tool(true), &json!({ "matter": id }), place, own);
        assert_eq!(outcome.is_ok(), passes, "{id}");
    }
}
