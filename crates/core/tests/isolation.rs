//! Who may not, may not: credentials that ended, workspaces of others, allowances that are spent.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]
#![expect(clippy::indexing_slicing, reason = "what a test cannot do without fails the test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use assay_base::Timestamp;
use assay_base::canonical::to_bytes;
use assay_core::{
    Access, Cancel, Code, Credentials, Door, KeyRequest, Scope, Scopes, Service, Settings, World,
};
use serde_json::{Value, json};

const RULES: &str = "declare a as boolean;\n// It holds.\nassert r { a };\n";
/// Two open numbers, so that the solver is asked.
const OPEN: &str = "declare a as numeric;\ndeclare b as numeric;\n\
                    // One of them.\nassert r { Or(a + b > 1, a - b > 1) };\n";

fn text(arguments: &Value) -> String {
    String::from_utf8(to_bytes(|slot| slot.json(arguments))).unwrap()
}

fn call(service: &Arc<Service>, secret: Option<&str>, tool: &str, arguments: &Value) -> Vec<u8> {
    let credentials = Credentials { bearer: secret, key: None };
    match service.caller(Door::Rest, &credentials) {
        Ok(caller) => service.call(&caller, tool, &text(arguments), &Cancel::new()).body,
        Err(refusal) => refusal.body,
    }
}

fn answer(service: &Arc<Service>, secret: Option<&str>, tool: &str, arguments: &Value) -> Value {
    serde_json::from_slice(&call(service, secret, tool, arguments)).unwrap()
}

static NOW: AtomicI64 = AtomicI64::new(0);

#[test]
fn credentials_end_when_they_said_they_would() {
    let now = || Timestamp::from_seconds(NOW.load(Ordering::Relaxed));
    let world = World { now, ..World::default() };
    let service = Service::open(Settings { world, ..Settings::default() }).unwrap();
    let scopes = Scopes::EMPTY.with(Scope::Read);
    let request = KeyRequest { scopes, days: Some(1), ..KeyRequest::default() };
    let key = service.issue_key(None, &request).unwrap().secret;
    let session = service.session_for("owner").unwrap();
    let code = |secret: &str| {
        let answer = answer(&service, Some(secret), "dsail_list_rulesets", &json!({}));
        answer.pointer("/error/code").and_then(Value::as_str).unwrap_or("").to_owned()
    };
    for (seconds, of_key, of_session) in [
        (0, "", ""),
        (86_399, "", ""),
        (86_400, "CREDENTIAL_INVALID", ""),
        (90 * 86_400 - 1, "CREDENTIAL_INVALID", ""),
        (90 * 86_400, "CREDENTIAL_INVALID", "CREDENTIAL_INVALID"),
    ] {
        NOW.store(seconds, Ordering::Relaxed);
        assert_eq!([code(&key), code(&session)], [of_key, of_session], "after {seconds} seconds");
    }
    NOW.store(0, Ordering::Relaxed);
    let address = service.keys().unwrap()[0].address.clone();
    service.revoke_key(&address).unwrap();
    assert_eq!(code(&key), "CREDENTIAL_INVALID");
    assert!(service.revoke_key(&address).is_err(), "it has ended already");
}

/// Calls that name what only the owner has, or the owner's team.
fn calls(hash: &Value, team: &Value) -> Vec<(&'static str, Value)> {
    let next = "declare b as boolean;\n// Next.\nassert s { b };\n";
    vec![
        ("dsail_check", json!({"ruleset_hash": hash, "claims": {"a": true}})),
        ("dsail_get_prompt_pack", json!({"ruleset_hash": hash})),
        ("dsail_review", json!({"ruleset_hash": hash})),
        ("dsail_review", json!({"name": "secret"})),
        ("dsail_load_ruleset", json!({"name": "secret"})),
        ("dsail_list_rulesets", json!({})),
        ("dsail_record_approval", json!({"ruleset_hash": hash, "approver": "Eve"})),
        ("dsail_compile", json!({"source": next, "parent_hash": hash})),
        ("dsail_save_ruleset", json!({"name": "n", "source": next, "parent_hash": hash})),
        (
            "dsail_copy_ruleset",
            json!({"name": "secret", "destination": "personal", "new_name": "x"}),
        ),
        (
            "dsail_copy_ruleset",
            json!({"name": "secret", "source": team, "destination": "personal"}),
        ),
        ("dsail_unit_library", json!({})),
        ("dsail_team_members", json!({"team_id": team})),
        ("dsail_use_workspace", json!({"workspace": team})),
        ("dsail_set_team_role", json!({"team_id": team, "member": "owner", "role": "member"})),
        ("dsail_remove_from_team", json!({"team_id": team, "member": "owner"})),
        ("dsail_invite_to_team", json!({"team_id": team, "email": "a@example.org"})),
    ]
}

/// A service with a stranger in it, who belongs to a team of the owner's that holds nothing.
fn with_stranger() -> (Arc<Service>, String) {
    // Every installation draws the same secrets here, so that answers can be compared.
    static DRAWN: AtomicI64 = AtomicI64::new(0);
    let random = |bytes: &mut [u8; 32]| {
        let drawn = DRAWN.fetch_add(1, Ordering::Relaxed);
        *bytes = *assay_core::SecretDigest::of(&drawn.to_be_bytes()).as_bytes();
        true
    };
    let now = || Timestamp::from_seconds(1_796_094_332);
    let settings =
        Settings { world: World { now, random, ..World::default() }, ..Settings::default() };
    let service = Service::open(settings).unwrap();
    let common = answer(&service, None, "dsail_create_team", &json!({"name": "Common"}));
    let invite = json!({"team_id": common["team_id"], "email": "eve@example.org"});
    let link = answer(&service, None, "dsail_invite_to_team", &invite)["invitation"].clone();
    let accept = json!({"invitation": link, "email": "eve@example.org", "name": "Eve"});
    let reply = service.accept_invitation(Door::Rest, &Credentials::default(), &text(&accept));
    let accepted: Value = serde_json::from_slice(&reply.body).unwrap();
    (service, accepted["session"].as_str().unwrap().to_owned())
}

#[test]
fn what_is_foreign_is_answered_as_what_is_absent() {
    let (service, eve) = with_stranger();
    let saved =
        answer(&service, None, "dsail_save_ruleset", &json!({"name": "secret", "source": RULES}));
    let hash = saved["ruleset_hash"].clone();
    let team =
        answer(&service, None, "dsail_create_team", &json!({"name": "Closed"}))["team_id"].clone();
    let converter = json!({"from_unit": "EUR", "to_unit": "USD", "factor": 1.1});
    answer(&service, None, "dsail_add_unit_converter", &converter);
    // The owner's rulesets are ready in memory, which must not show either.
    answer(&service, None, "dsail_check", &json!({"ruleset_hash": hash, "claims": {"a": true}}));
    let (empty, other_eve) = with_stranger();
    for (tool, arguments) in calls(&hash, &team) {
        let mut bodies = [
            call(&service, Some(&eve), tool, &arguments),
            call(&empty, Some(&other_eve), tool, &arguments),
        ]
        .map(|it| String::from_utf8(it).unwrap());
        // The two strangers have different names, which both of them know.
        for body in &mut bodies {
            let own = body
                .split("personal-person-")
                .nth(1)
                .map(|it| it.chars().take(16).collect::<String>());
            *body = own.map_or(body.clone(), |it| body.replace(&it, "…"));
        }
        let [foreign, absent] = bodies;
        assert_eq!(foreign, absent, "{tool} {arguments}");
        assert!(!foreign.contains("EUR"), "{foreign}");
    }
    // And nothing of it changed anything for the owner.
    let loaded = answer(&service, None, "dsail_load_ruleset", &json!({"name": "secret"}));
    assert_eq!(loaded["approvals"], json!([]));
    let members = answer(&service, None, "dsail_team_members", &json!({"team_id": team}));
    assert_eq!(members["members"].as_array().unwrap().len(), 1);
}

#[test]
fn what_gets_no_answer_costs_nothing() {
    let allowance = Some(10);
    let service = Service::open(Settings { allowance, ..Settings::default() }).unwrap();
    let owner = service.local(Door::Rest).unwrap();
    let used = || {
        let status = answer(&service, None, "dsail_get_account_status", &json!({}));
        status["usage"]["used"].as_u64().unwrap()
    };
    let check = |claims: Value| text(&json!({"source": OPEN, "claims": claims}));
    let refused =
        service.call(&owner, "dsail_check", &check(json!({"a": "x", "b": 1})), &Cancel::new());
    assert_eq!((refused.failure, used()), (Some(Code::ValidationRejected), 0));
    let given_up = Cancel::new();
    given_up.cancel();
    let open = json!({"a": 1, "b": null});
    let source =
        OPEN.replace("declare b as numeric;", "declare b as numeric;\ndeclare c as numeric;");
    let source = source.replace("a - b > 1", "a - b * c > 1");
    let solver = text(&json!({"source": source, "claims": {"a": 1, "b": null, "c": null}}));
    let cancelled = service.call(&owner, "dsail_check", &solver, &given_up);
    assert_eq!((cancelled.failure, used()), (Some(Code::CallCancelled), 0));
    let answered = service.call(&owner, "dsail_check", &check(open), &Cancel::new());
    assert_eq!((answered.failure, used()), (None, 1));
    let all_open =
        service.call(&owner, "dsail_check", &check(json!({"a": null, "b": null})), &Cancel::new());
    assert_eq!((all_open.failure, used()), (None, 1));
}

#[test]
fn where_credentials_are_asked_for_nobody_else_gets_in() {
    let access = Access::with_token("a token of the installation");
    let service = Service::open(Settings { access, ..Settings::default() }).unwrap();
    let code = |bearer: Option<&str>, key: Option<&str>| {
        service.caller(Door::Rest, &Credentials { bearer, key }).err().and_then(|it| it.failure)
    };
    let session = service.session_for("owner").unwrap();
    let scopes = Scopes::ALL.without(Scope::Account);
    let request = KeyRequest { scopes, ..KeyRequest::default() };
    let key = service.issue_key(None, &request).unwrap().secret;
    let token = "a token of the installation";
    for (bearer, other, expected) in [
        (None, None, Some(Code::CredentialRequired)),
        (Some(""), None, Some(Code::CredentialInvalid)),
        (Some("a token"), None, Some(Code::CredentialInvalid)),
        (Some(token), None, None),
        (None, Some(token), None),
        (Some(&*session), Some(&*key), None),
        (Some(&*key), Some(&*session), None),
        (Some(&*session), Some("nothing"), Some(Code::CredentialInvalid)),
        (Some("nothing"), Some(&*key), Some(Code::CredentialInvalid)),
        (Some(&*session), Some(token), Some(Code::CredentialInvalid)),
    ] {
        assert_eq!(code(bearer, other), expected, "{bearer:?} {other:?}");
    }
    // Whoever is at the machine is the owner.
    assert!(service.local(Door::CommandLine).is_ok());
}
