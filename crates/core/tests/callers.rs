//! Callers other than the owner, and owners with an allowance, get what the tools publish.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]
#![expect(clippy::indexing_slicing, reason = "what a test cannot do without fails the test")]

use std::sync::Arc;

use assay_base::canonical::to_bytes;
use assay_core::{Caller, Cancel, Credentials, Door, Service, Settings};
use assay_registry::closed;
use serde_json::{Value, json};

/// One caller.
struct Work {
    service: Arc<Service>,
    /// What the caller shows; the owner shows nothing.
    secret: Option<String>,
}

impl Work {
    fn of_owner(settings: Settings) -> Self {
        let service = Service::open(settings).unwrap();
        Self { service, secret: None }
    }

    /// The same service, for whoever bears the secret.
    fn with_secret(&self, secret: &Value) -> Self {
        let (service, secret) = (Arc::clone(&self.service), secret.as_str().map(str::to_owned));
        Self { service, secret }
    }

    /// As of now: a door asks for it with each request.
    fn caller(&self) -> Caller {
        let credentials = Credentials { bearer: self.secret.as_deref(), key: None };
        self.service.caller(Door::Mcp, &credentials).ok().unwrap()
    }

    /// Whether the caller is shown a tool.
    fn listed(&self, tool: &str) -> bool {
        self.service.tools(&self.caller()).iter().any(|it| it.name == tool)
    }

    /// Whether the secret opens nothing any more.
    fn is_out(&self) -> bool {
        let credentials = Credentials { bearer: self.secret.as_deref(), key: None };
        self.service.caller(Door::Rest, &credentials).is_err()
    }

    /// A payload that follows the published schema and has nothing beyond it.
    fn payload(&self, tool: &str, arguments: &Value) -> Value {
        let text = String::from_utf8(to_bytes(|slot| slot.json(arguments))).unwrap();
        let reply = self.service.call(&self.caller(), tool, &text, &Cancel::new());
        let payload: Value = serde_json::from_slice(&reply.body).unwrap();
        let owner = self.service.local(Door::Mcp).unwrap();
        let tools = self.service.tools(&owner);
        let schema = tools.iter().find(|it| it.name == tool).unwrap().output_schema();
        let validator = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(&closed(schema))
            .unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&payload).map(|it| it.to_string()).collect();
        assert!(faults.is_empty(), "{tool}: {faults:?}\n{payload}");
        payload
    }

    /// The answer of a call that succeeds.
    fn answer(&self, tool: &str, arguments: &Value) -> Value {
        let payload = self.payload(tool, arguments);
        assert_eq!(payload["ok"], json!(true), "{tool} {arguments}: {payload}");
        payload
    }

    /// The error of a call that fails.
    fn error(&self, tool: &str, arguments: &Value) -> Value {
        let payload = self.payload(tool, arguments);
        assert_eq!(payload["ok"], json!(false), "{tool} {arguments}: {payload}");
        payload["error"].clone()
    }
}

const RULES: &str = "// @unit amount USD\ndeclare amount as numeric;\n\
                     // A cap.\nassert cap { amount <= 100 \"USD\" };\n\
                     // A floor.\nassert floor { amount > 1 \"USD\" };\n";

#[test]
fn an_exhausted_allowance_is_described() {
    let owner = Work::of_owner(Settings { allowance: Some(3), ..Settings::default() });
    let check = |amount: &str| json!({"source": RULES, "claims": {"amount": amount}});
    // A determined value costs a unit for each of the two rules; an undetermined one costs nothing.
    owner.answer("dsail_check", &check("unknown"));
    owner.answer("dsail_check", &check("5 USD"));
    let error = owner.error("dsail_check", &check("6 USD"));
    assert_eq!(error["code"], json!("ENTITLEMENT_EXCEEDED"));
    assert_eq!([&error["limit_value"], &error["used"]], [&json!(3), &json!(2)]);
    assert_eq!(error["tier"], json!("self-hosted"));
    let usage = owner.answer("dsail_get_account_status", &json!({}))["usage"].clone();
    assert_eq!([&usage["enforced"], &usage["remaining"]], [&json!(true), &json!(1)]);
    assert_eq!(usage["period"], error["period"]);
    // What is free stays free.
    owner.answer("dsail_compile", &json!({"source": RULES}));
}

/// A member works in the team, a key of the member works there too and manages nothing, and both
/// are out once the member is.
#[test]
fn a_member_and_a_key_of_the_member() {
    let owner = Work::of_owner(Settings::default());
    let team = owner.answer("dsail_create_team", &json!({"name": "Audit"}))["team_id"].clone();
    owner.answer("dsail_save_ruleset", &json!({"name": "caps", "source": RULES}));
    owner.answer("dsail_copy_ruleset", &json!({"name": "caps", "destination": team}));
    let invite = json!({"team_id": team, "email": "ada@example.org"});
    let link = owner.answer("dsail_invite_to_team", &invite)["invitation"].clone();
    let accept = json!({"invitation": link, "email": "ada@example.org", "name": "Ada"});
    let body = String::from_utf8(to_bytes(|slot| slot.json(&accept))).unwrap();
    let reply = owner.service.accept_invitation(Door::Rest, &Credentials::default(), &body);
    let accepted: Value = serde_json::from_slice(&reply.body).unwrap();

    let member = owner.with_secret(&accepted["session"]);
    let nothing = member.error("dsail_load_ruleset", &json!({"name": "caps"}));
    assert_eq!(nothing["code"], json!("RULESET_NOT_FOUND"));
    member.answer("dsail_use_workspace", &json!({"workspace": "Audit"}));
    let loaded = member.answer("dsail_load_ruleset", &json!({"name": "caps"}));
    let status = member.answer("dsail_get_account_status", &json!({}));
    assert_eq!(status["credential"]["grade"], json!("person"));
    let denied = json!({"team_id": team, "email": "eve@example.org"});
    assert_eq!(member.error("dsail_invite_to_team", &denied)["code"], json!("CREDENTIAL_SCOPE"));

    let key = member.answer("dsail_issue_api_key", &json!({"label": "nightly"}));
    let program = member.with_secret(&key["credential"]);
    let check = json!({"ruleset_hash": loaded["ruleset_hash"], "claims": {"amount": "5 USD"}});
    program.answer("dsail_check", &check);
    let status = program.answer("dsail_get_account_status", &json!({}));
    assert_eq!(status["credential"]["scope"], key["scope"]);
    assert_eq!(program.answer("dsail_list_workspaces", &json!({}))["signed_in"], json!(false));
    for (tool, arguments) in [
        ("dsail_issue_api_key", json!({})),
        ("dsail_create_team", json!({"name": "Mine"})),
        ("dsail_use_workspace", json!({"workspace": "personal"})),
    ] {
        let refused = program.error(tool, &arguments);
        assert_eq!(refused["code"], json!("CREDENTIAL_SCOPE"), "{tool}");
        assert!(refused["message"].as_str().unwrap().contains("`account`"), "{refused}");
        assert!(!program.listed(tool), "{tool}");
    }

    let members = owner.answer("dsail_team_members", &json!({"team_id": team}));
    let remove = json!({"team_id": team, "member": members["members"][1]["subject"]});
    assert_eq!(owner.answer("dsail_remove_from_team", &remove)["credentials_revoked"], json!(1));
    assert!(program.is_out());
    member.error("dsail_load_ruleset", &json!({"name": "caps"}));
}
