//! What people who signed in see and say, and who is not heard.

use std::fs;
use std::path::{Path, PathBuf};

use assay_core::{Access, KeyRequest, Profile, RegistrySource, Scope, Scopes, SkillName};
use tempfile::TempDir;

use super::*;
use crate::desk::DESK;

const TOKEN: &str = "the-token-of-the-installation";
/// What only a person who signed in may do, with a body of the right shape.
const CONTROLS: &[(&str, &str, &str)] = &[
    ("GET", "/v1/approvals", ""),
    ("POST", "/v1/approvals/{request}", r#"{"shown":"0","word":"approve"}"#),
    ("POST", "/v1/findings/{event}", r#"{"note":"seen"}"#),
    ("GET", "/v1/admin/switches", ""),
    ("POST", "/v1/admin/switches", r#"{"reason":"r","target":"everything"}"#),
    ("POST", "/v1/admin/switches/lift", r#"{"fix":"f","reason":"r","target":"everything"}"#),
];

/// A practice: its owner is a partner and an administrator, Ada an associate, Eve nothing.
struct Office {
    service: Arc<Service>,
    door: Router,
    owner: String,
    ada: String,
    eve: String,
    key: String,
    _folder: TempDir,
}

/// The registry of the practice, in which calls need nothing that a server behind them knows.
fn registry(folder: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice/registry");
    for part in ["tools", "skills"] {
        fs::create_dir(folder.join(part)).unwrap();
    }
    let copy = |name: PathBuf| {
        let mut file: Value = serde_json::from_slice(&fs::read(from.join(&name)).unwrap()).unwrap();
        for needed in ["prerequisites", "scope_fields"] {
            file.as_object_mut().unwrap().remove(needed);
        }
        if file["skill"] == "practice-desk" {
            file["permitted_tools"] = json!(["efirm.matter-db.create-matter", "email.send"]);
        }
        fs::write(folder.join(name), file.to_string()).unwrap();
    };
    copy("registry.json".into());
    copy("skills/practice-desk.json".into());
    copy("tools/efirm.matter-db.create-matter.json".into());
    copy("tools/email.send.json".into());
}

impl Office {
    fn open() -> Self {
        let folder = TempDir::new().unwrap();
        registry(folder.path());
        let environment = |_: &str| Some("/nothing".to_owned());
        let source = RegistrySource { folder: folder.path().to_owned(), environment };
        let service = Service::open(Settings {
            access: Access::with_token(TOKEN),
            profile: Profile::shipped("all").unwrap(),
            registry: Some(source),
            skill: SkillName::parse("practice-desk@1.0"),
            page: Some("http://localhost:8725".to_owned()),
            ..Settings::default()
        })
        .unwrap();
        let owner = service.session_for("owner").unwrap();
        let door = router(Arc::clone(&service), &HttpSettings::default());
        let none = String::new();
        let (ada, eve, key) = (none.clone(), none.clone(), none);
        Self { service, door, owner, ada, eve, key, _folder: folder }
    }

    async fn furnished() -> Self {
        let mut office = Self::open();
        let team = office.did(&office.owner, "/v1/teams", json!({ "name": "Practice" })).await;
        let team = team["team_id"].as_str().unwrap().to_owned();
        let moving = json!({ "workspace": team });
        office.did(&office.owner, "/v1/workspaces/current", moving.clone()).await;
        let mut sessions = Vec::new();
        for name in ["Ada", "Eve"] {
            let email = format!("{name}@example.org");
            let path = format!("/v1/teams/{team}/invitations");
            let invited = office.did(&office.owner, &path, json!({ "email": email })).await;
            let accept =
                json!({ "invitation": invited["invitation"], "email": email, "name": name });
            let joined = office.did("", "/v1/invitations/accept", accept).await;
            let session = joined["session"].as_str().unwrap().to_owned();
            office.did(&session, "/v1/workspaces/current", moving.clone()).await;
            sessions.push(session);
        }
        office.eve = sessions.pop().unwrap();
        office.ada = sessions.pop().unwrap();
        let people = office.service.people().unwrap();
        let ada = people.iter().find(|it| it.name.as_deref() == Some("Ada")).unwrap();
        for (person, role) in
            [("owner", "partner"), ("owner", "admin"), (ada.subject.as_str(), "associate")]
        {
            office.service.grant_role(Some(&team), person, role).unwrap();
        }
        let request = KeyRequest {
            scopes: Scopes::EMPTY.with(Scope::Read).with(Scope::Write),
            skill: Some("practice-desk@1.0".to_owned()),
            ..KeyRequest::default()
        };
        office.key = office.service.issue_key(Some(&team), &request).unwrap().secret;
        office
    }

    async fn ask(&self, bearer: &str, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut request = request(method, path, body.to_owned());
        if !bearer.is_empty() {
            let value = format!("Bearer {bearer}").parse().unwrap();
            request.headers_mut().insert("authorization", value);
        }
        let (head, body) = self.door.clone().oneshot(request).await.unwrap().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (head.status.as_u16(), serde_json::from_slice(&body).unwrap())
    }

    async fn did(&self, bearer: &str, path: &str, body: Value) -> Value {
        let (status, answer) = self.ask(bearer, "POST", path, &body.to_string()).await;
        assert_eq!(status, 200, "{path} {answer}");
        answer
    }

    /// What is answered, after it was held to what is published of the route.
    async fn held(
        &self,
        bearer: &str,
        (method, template, named): (&str, &str, &str),
        body: &str,
    ) -> (u16, Value) {
        let path =
            template.replace("{request}", named).replace("{event}", named).replace("{name}", named);
        let (status, answer) = self.ask(bearer, method, &path, body).await;
        let (_, document) = self.ask("", "GET", "/openapi.json", "").await;
        let operation = &document["paths"][template][method.to_lowercase()];
        let mut schema =
            operation["responses"][status.to_string()]["content"][JSON]["schema"].clone();
        assert!(schema.is_object(), "{method} {path} {status} {answer}");
        schema["components"] = document["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> = validator.iter_errors(&answer).map(|it| it.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{method} {path} {answer}");
        (status, answer)
    }

    /// The one call that waits, as a person sees it.
    async fn waiting(&self, bearer: &str) -> Value {
        let (_, answer) = self.held(bearer, ("GET", "/v1/approvals", ""), "").await;
        assert_eq!(answer["waiting"].as_array().unwrap().len(), 1, "{answer}");
        answer["waiting"][0].clone()
    }

    async fn say(&self, bearer: &str, waiting: &Value, word: &str) -> (u16, Value) {
        let body = json!({ "shown": waiting["hash"], "word": word }).to_string();
        let route = ("POST", "/v1/approvals/{request}", waiting["request"].as_str().unwrap());
        self.held(bearer, route, &body).await
    }
}

const MATTER: &str = r#"{"client_id":"c","fee_structure":"hourly","matter_type":"dispute","responsible_partner_id":"p"}"#;
const MESSAGE: &str = r#"{"body":"Dear all","matter_id":"m","subject":"S","to":["a@example.com"]}"#;
const CREATE: (&str, &str, &str) = ("POST", "/v1/tools/{name}", "create_matter");
const SEND: (&str, &str, &str) = ("POST", "/v1/tools/{name}", "send_email");

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_a_person_of_the_right_role_is_heard() {
    let office = Office::furnished().await;
    let (status, refused) = office.held(&office.ada, CREATE, MATTER).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (428, &json!("APPROVAL_REQUIRED")),
        "{refused}"
    );
    let request = refused["error"]["details"]["request"].as_str().unwrap();
    let controlled: BTreeSet<_> =
        CONTROLS.iter().map(|(method, path, _)| (method.to_lowercase(), *path)).collect();
    let routes = DESK.iter().filter(|it| !it.path.starts_with("/v1/tools"));
    assert_eq!(controlled, routes.map(|it| (it.method.to_owned(), it.path)).collect());
    for (method, path, body) in CONTROLS {
        for (who, bearer, expected) in [
            ("nobody", "", 401),
            ("a stranger", "made-up", 401),
            ("the machine", TOKEN, 401),
            ("a key", &office.key, 401),
        ] {
            for body in [body, &"[", &""] {
                let (status, answer) = office.held(bearer, (method, path, request), body).await;
                assert_eq!(
                    (status, &answer["ok"]),
                    (expected, &json!(false)),
                    "{who} {method} {path}"
                );
            }
        }
        let expected = match *path {
            "/v1/approvals" => 200,
            // Who has no say about a finding does not learn that there is one.
            "/v1/findings/{event}" => 404,
            _ => 403,
        };
        for bearer in [&office.eve, &office.ada] {
            let (status, answer) = office.held(bearer, (method, path, request), body).await;
            assert_eq!(status, expected, "{method} {path} {answer}");
        }
    }
    let (_, switches) = office.held(&office.owner, ("GET", "/v1/admin/switches", ""), "").await;
    assert_eq!(switches["stops"], json!([]), "nothing was stopped meanwhile");
    assert_eq!(office.waiting(&office.owner).await["said"], json!([]), "and nothing said");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_person_agrees_to_what_was_shown() {
    let office = Office::furnished().await;
    let (_, refused) = office.held(&office.ada, CREATE, MATTER).await;
    let own = office.waiting(&office.ada).await;
    assert_eq!([&own["approves"], &own["confirms"]], [&json!(false), &json!(false)]);
    let seen = office.waiting(&office.owner).await;
    assert_eq!([&seen["approves"], &seen["confirms"]], [&json!(true), &json!(false)]);
    let shown: Value = serde_json::from_str(MATTER).unwrap();
    assert_eq!([&seen["shown"]["arguments"], &seen["shown"]["undoable"]], [&shown, &json!(false)]);
    let page = format!("http://localhost:8725/approvals#{}", seen["request"].as_str().unwrap());
    assert_eq!(refused["error"]["details"]["page"], json!(page));
    let mut other = seen.clone();
    other["hash"] = json!("0".repeat(64));
    for (bearer, waiting, word, expected) in [
        (&office.ada, &seen, "approve", 403),
        (&office.owner, &other, "approve", 400),
        (&office.owner, &seen, "confirm", 403),
        (&office.owner, &seen, "agree", 400),
        (&office.owner, &seen, "approve", 200),
        (&office.owner, &seen, "refuse", 200),
        // It is closed now.
        (&office.owner, &seen, "approve", 404),
    ] {
        let (status, answer) = office.say(bearer, waiting, word).await;
        assert_eq!(status, expected, "{word} {answer}");
        if (word, status) == ("approve", 200) {
            let said = office.waiting(&office.ada).await["said"].clone();
            assert_eq!(
                [&said[0]["word"], &said[0]["person"]],
                [&json!("approve"), &json!("owner")]
            );
        }
    }
    let (_, left) = office.held(&office.owner, ("GET", "/v1/approvals", ""), "").await;
    assert_eq!(left["waiting"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_confirms_and_nobody_else() {
    let office = Office::furnished().await;
    let (status, refused) = office.held(&office.ada, SEND, MESSAGE).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (428, &json!("CONFIRMATION_REQUIRED")),
        "{refused}"
    );
    // Who has no say in it does not see what somebody else is about to send.
    let (_, others) = office.held(&office.owner, ("GET", "/v1/approvals", ""), "").await;
    assert_eq!(others["waiting"], json!([]));
    let own = office.waiting(&office.ada).await;
    assert_eq!(office.say(&office.owner, &own, "confirm").await.0, 403);
    assert_eq!(own["confirms"], json!(true));
    assert_eq!(office.say(&office.ada, &own, "decline").await.0, 200);
    let (_, refused) = office.held(&office.ada, SEND, MESSAGE).await;
    assert_eq!(refused["error"]["code"], json!("CONFIRMATION_DECLINED"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_stops_a_tool_at_once() {
    let office = Office::furnished().await;
    let stop = json!({ "reason": "drill", "target": "email.send" }).to_string();
    let lift = json!({ "fix": "none", "reason": "over", "target": "email.send" }).to_string();
    let route = ("POST", "/v1/admin/switches", "");
    assert_eq!(office.held(&office.owner, route, &stop).await.0, 200);
    let (status, refused) = office.held(&office.ada, SEND, MESSAGE).await;
    assert_eq!((status, &refused["error"]["code"]), (503, &json!("TOOL_SUSPENDED")), "{refused}");
    let (_, switches) = office.held(&office.owner, ("GET", "/v1/admin/switches", ""), "").await;
    let stop = &switches["stops"][0];
    assert_eq!([&stop["target"], &stop["set_by"]], [&json!("email.send"), &json!("owner")]);
    let route = ("POST", "/v1/admin/switches/lift", "");
    let (status, young) = office.held(&office.owner, route, &lift).await;
    assert!(status == 400 && young["ok"] == false, "a stop stands for a minute: {young}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_by_their_names_answer_as_everywhere() {
    let office = Office::furnished().await;
    let credentials = assay_core::Credentials { bearer: Some(&office.ada), key: None };
    let caller = office.service.caller(Door::Rest, &credentials).unwrap();
    let (_, listed) = office.held(&office.ada, ("GET", "/v1/tools", ""), "").await;
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    let core = office.service.tools(&caller);
    assert_eq!(names, core.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
    assert!(names.ends_with(&["create_matter", "send_email"]), "{names:?}");
    let compile = json!({ "source": SOURCE }).to_string();
    for (name, body, arguments) in [
        ("dsail_compile", compile.as_str(), compile.as_str()),
        ("dsail_compile", "{}", "{}"),
        ("dsail_list_rulesets", "", "{}"),
        ("nothing", "{}", "{}"),
        ("send%5femail", "{}", "{}"),
    ] {
        let (_, answer) = office.held(&office.ada, ("POST", "/v1/tools/{name}", name), body).await;
        let name = name.replace("%5f", "_");
        let same = office.service.call(&caller, &name, arguments, &Cancel::new()).body;
        let mut same: Value = serde_json::from_slice(&same).unwrap();
        let mut answer = answer;
        for it in [&mut same, &mut answer] {
            // Each call of a governed tool has a reference of its own.
            it["error"].as_object_mut().map(|it| it.remove("reference"));
        }
        assert_eq!(answer, same, "{name}");
    }
    // A program calls what needs no person.
    let (status, answer) = office.held(&office.key, CREATE, MATTER).await;
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("TOOL_UNAVAILABLE")), "{answer}");
}
