use assay_base::Timestamp;
use serde_json::{Value, json};

use super::{Cell, GRANTS, Grants, Holder, PRACTICE, ROLES, approvals, check, is_own_resource};
use crate::gate::Code;
use crate::gate::record::{Record, read};
use crate::scope::Scopes;

const EXAMPLE: &str = include_str!("../record/create-matter.json");

const NOW: Timestamp = Timestamp::from_seconds(1_000_000);

fn tool(permissions: &Value, session: &Value) -> Record {
    let mut value: Value = serde_json::from_str(EXAMPLE).unwrap();
    value["permissions_required"] = permissions.clone();
    value["session_requirements"] = session.clone();
    read("tool.json", &value.to_string()).unwrap().record
}

fn person<'s>(roles: &'s [&'s str]) -> Holder<'s> {
    Holder {
        grants: &PRACTICE,
        roles,
        is_person: true,
        signed_in_at: NOW,
        scopes: Scopes::ALL,
        token: None,
        skill: None,
    }
}

/// Written out a second time, as the practice's own list has it: role by role.
const BY_ROLE: [(&str, &str); 4] = [
    ("associate", "matter:read client:read client:create billing:read matter:create?"),
    (
        "partner",
        "matter:read client:read client:create billing:read matter:create matter:delete \
         billing:write trust-account:read",
    ),
    ("finance", "billing:read billing:write trust-account:read trust-account:write?"),
    ("admin", "admin:*"),
];

#[test]
fn every_cell() {
    for (role, list) in BY_ROLE {
        for (permission, _) in GRANTS {
            let mut words = list.split_whitespace();
            let expected = words.find(|it| it.trim_end_matches('?') == *permission);
            let outcome = check(&tool(&json!([permission]), &json!({})), &person(&[role]), NOW);
            match expected {
                None => {
                    let refusal = outcome.unwrap_err();
                    assert_eq!(refusal.code, Code::PermissionDenied, "{role} {permission}");
                    assert_eq!(refusal.details["missing"], json!([permission]));
                }
                Some(word) => {
                    let conditions = outcome.unwrap().len();
                    assert_eq!(conditions, usize::from(word.ends_with('?')), "{role} {permission}");
                }
            }
        }
    }
    assert!(BY_ROLE.iter().map(|(role, _)| *role).eq(ROLES));
}

#[test]
fn conditions() {
    let asked = |permission, role| {
        let approvals =
            check(&tool(&json!([permission]), &json!({})), &person(&[role]), NOW).unwrap();
        let it = &approvals[0];
        (it.count, it.roles_any.join(" "), it.exclude_requester)
    };
    assert_eq!(asked("matter:create", "associate"), (1, "partner".to_owned(), true));
    assert_eq!(asked("trust-account:write", "finance"), (2, "finance".to_owned(), false));
    // The better of two roles counts.
    assert_eq!(PRACTICE.held("matter:create", &["associate", "partner"]), Cell::Held);
    assert_eq!(
        PRACTICE.held("matter:create", &["somebody", "associate"]),
        Cell::Approved("partner")
    );
    assert_eq!(PRACTICE.held("matter:create", &[]), Cell::No);
}

#[test]
fn administrators() {
    assert_eq!(PRACTICE.held("admin:users", &["admin"]), Cell::Held);
    assert_eq!(PRACTICE.held("admin:users", &["partner"]), Cell::No);
    assert_eq!(PRACTICE.held("matter:*", &["admin", "partner"]), Cell::No);
    for (permission, known) in
        [("admin:users", true), ("matter:read", true), ("matter:*", false), ("pay:all", false)]
    {
        assert_eq!(PRACTICE.is_known(permission), known, "{permission}");
    }
}

#[test]
fn all_of_them_and_who_can_help() {
    let both = tool(&json!(["matter:delete", "billing:read"]), &json!({}));
    assert!(check(&both, &person(&["partner"]), NOW).unwrap().is_empty());
    let refusal = check(&both, &person(&["finance"]), NOW).unwrap_err();
    assert_eq!(refusal.details["missing"], json!(["matter:delete"]));
    assert_eq!(refusal.details["who_can_help"], json!(["partner"]));
}

#[test]
fn tokens_and_skills_only_narrow() {
    let record = tool(&json!(["matter:read"]), &json!({}));
    let with: &[&str] = &["matter:read"];
    for (token, skill, passes) in [
        (None, None, true),
        (Some(with), None, true),
        (Some(with), Some(with), true),
        (Some(&[][..]), None, false),
        (Some(with), Some(&["client:read"][..]), false),
    ] {
        let holder = Holder { token, skill, ..person(&["associate"]) };
        assert_eq!(check(&record, &holder, NOW).is_ok(), passes, "{token:?} {skill:?}");
        let nobody = Holder { token, skill, ..person(&["finance"]) };
        assert!(check(&record, &nobody, NOW).is_err());
    }
}

#[test]
fn sessions() {
    let session = json!({ "principal": "user", "roles_any": ["finance"], "max_auth_age_s": 900 });
    let record = tool(&json!(["trust-account:write"]), &session);
    let finance: &[&str] = &["finance"];
    for (is_person, age, passes) in [
        (true, 0, true),
        (true, 900, true),
        (true, 901, false),
        (true, -1, false),
        (false, 0, false),
    ] {
        let signed_in_at = Timestamp::from_seconds(NOW.seconds() - age);
        let holder = Holder { is_person, signed_in_at, ..person(finance) };
        let outcome = check(&record, &holder, NOW).map_err(|it| it.code);
        assert_eq!(outcome.err(), (!passes).then_some(Code::RoleSessionRequired), "{age}");
    }
    // The permission comes first, so that nobody signs in again for nothing.
    let outcome = check(&record, &person(&["partner"]), NOW).map_err(|it| it.code);
    assert_eq!(outcome, Err(Code::PermissionDenied));
    let other = tool(&json!(["billing:read"]), &session);
    let refusal = check(&other, &person(&["partner"]), NOW).unwrap_err();
    assert_eq!(refusal.code, Code::RoleSessionRequired);
    assert_eq!(refusal.details["roles_any"], json!(["finance"]));
    assert_eq!(refusal.details["max_auth_age_s"], json!(900));
}

/// What an operator adds stands beside what is there, and never in its place.
#[test]
fn permissions_of_an_operator() {
    let [associate, partner, finance] =
        [Cell::Approved("finance"), Cell::Held, Cell::Signed("finance")];
    let added = ["wiki:write", "matter:delete", "admin:use"]
        .map(|it| (it.to_owned(), [associate, partner, finance, Cell::No]));
    let grants = Grants::with(added.into());
    for (permission, role, expected) in [
        ("wiki:write", "associate", associate),
        ("wiki:write", "partner", partner),
        ("wiki:write", "finance", finance),
        ("wiki:write", "admin", Cell::No),
        ("wiki:read", "partner", Cell::No),
        ("matter:delete", "associate", Cell::No),
        ("matter:delete", "partner", Cell::Held),
        ("admin:use", "partner", Cell::No),
        ("admin:use", "admin", Cell::Held),
    ] {
        assert_eq!(grants.held(permission, &[role]), expected, "{permission} {role}");
    }
    assert!(grants.is_known("wiki:write") && !PRACTICE.is_known("wiki:write"));
    let record = tool(&json!(["wiki:write"]), &json!({}));
    let asked = |role: &str| {
        let holder = Holder { grants: &grants, ..person(&[]) };
        let roles = [role];
        let of_check = check(&record, &Holder { roles: &roles, ..holder }, NOW);
        let it = of_check.map_err(|it| it.details["who_can_help"].clone())?;
        assert_eq!(it, approvals(&record, &grants, &roles));
        Ok(it.into_iter().map(|it| (it.count, it.roles_any.join(" "))).collect::<Vec<_>>())
    };
    assert_eq!(asked("partner"), Ok(Vec::new()));
    assert_eq!(asked("associate"), Ok(vec![(1, "finance".to_owned())]));
    assert_eq!(asked("finance"), Ok(vec![(2, "finance".to_owned())]));
    assert_eq!(asked("admin"), Err(json!(["associate", "partner", "finance"])));
    for (resource, is_own) in [
        ("matter", true),
        ("trust-account", true),
        ("admin", true),
        ("scope", true),
        ("wiki", false),
    ] {
        assert_eq!(is_own_resource(resource), is_own, "{resource}");
    }
}
