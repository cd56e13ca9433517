//! Every tool through its routes, beside a core that gets the same arguments whole.

use assay_base::Timestamp;
use assay_core::World;

use super::*;
use crate::table::{Body as Holds, Route};

/// A service in which nothing differs from one run to the next.
fn fixed() -> Arc<Service> {
    let world = World {
        now: || Timestamp::from_seconds(1_796_094_332),
        milliseconds: || 1_796_094_332_000,
        random: |bytes| {
            bytes.fill(7);
            true
        },
    };
    Service::open(Settings { world, ..Settings::default() }).unwrap()
}

/// Method, path and body; the tool and the arguments that the core gets, which are the body where
/// it is the whole. `$source` is a ruleset, `$hash` its hash and `$team` a team.
const CONVERSATION: &[(&str, &str, &str, &str, &str)] = &[
    ("POST", "/v1/compile", r#"{"source":$source}"#, "dsail_compile", ""),
    (
        "POST",
        "/v1/check",
        r#"{"claims":{"n":4.00000000000000000000000000001},"ruleset_hash":"$hash"}"#,
        "dsail_check",
        "",
    ),
    ("POST", "/v1/prompt-pack", r#"{"source":$source}"#, "dsail_get_prompt_pack", ""),
    ("POST", "/v1/prompt-pack", " ", "dsail_get_prompt_pack", "{}"),
    ("GET", "/v1/prompt-pack/$hash", "", "dsail_get_prompt_pack", r#"{"ruleset_hash":"$hash"}"#),
    ("POST", "/v1/rulesets", r#"{"name":"A, \"b\" é","source":$source}"#, "dsail_save_ruleset", ""),
    ("POST", "/v1/rulesets", "", "dsail_save_ruleset", ""),
    ("GET", "/v1/rulesets", "", "dsail_list_rulesets", "{}"),
    (
        "GET",
        "/v1/rulesets/A,%20%22b%22%20%C3%A9",
        "",
        "dsail_load_ruleset",
        r#"{"name":"A, \"b\" é"}"#,
    ),
    ("GET", "/v1/rulesets/a%2Fb%00", "", "dsail_load_ruleset", r#"{"name":"a/b\u0000"}"#),
    (
        "POST",
        "/v1/approvals",
        r#"{"approver":"Ada","ruleset_hash":"$hash"}"#,
        "dsail_record_approval",
        "",
    ),
    ("GET", "/v1/review/$hash", "", "dsail_review", r#"{"ruleset_hash":"$hash"}"#),
    ("POST", "/v1/review", r#"{"name":"none"}"#, "dsail_review", ""),
    ("POST", "/v1/review", "", "dsail_review", "{}"),
    ("GET", "/v1/account", "", "dsail_get_account_status", "{}"),
    ("POST", "/v1/credentials/api-key", "", "dsail_issue_api_key", "{}"),
    ("GET", "/v1/units", "", "dsail_unit_library", "{}"),
    (
        "GET",
        "/v1/units/bridge?from_unit=%C2%B5m&to_unit=a+b",
        "",
        "dsail_unit_library",
        r#"{"from_unit":"µm","to_unit":"a b"}"#,
    ),
    (
        "POST",
        "/v1/units/converters",
        r#"{"factor":1.00000000000000000000000000001,"from_unit":"EUR","to_unit":"USD"}"#,
        "dsail_add_unit_converter",
        "",
    ),
    ("GET", "/v1/workspaces", "", "dsail_list_workspaces", "{}"),
    ("POST", "/v1/teams", r#"{"name":"Legal"}"#, "dsail_create_team", ""),
    (
        "POST",
        "/v1/teams/$team/invitations",
        r#"{"email":"bob@example.org"}"#,
        "dsail_invite_to_team",
        r#"{"email":"bob@example.org","team_id":"$team"}"#,
    ),
    ("GET", "/v1/teams/$team/members", "", "dsail_team_members", r#"{"team_id":"$team"}"#),
    (
        "POST",
        "/v1/teams/$team/members/owner/role",
        r#"{"role":"member"}"#,
        "dsail_set_team_role",
        r#"{"member":"owner","role":"member","team_id":"$team"}"#,
    ),
    (
        "DELETE",
        "/v1/teams/$team/members/o%77ner",
        "",
        "dsail_remove_from_team",
        r#"{"member":"owner","team_id":"$team"}"#,
    ),
    (
        "POST",
        "/v1/rulesets/A,%20%22b%22%20%C3%A9/copies",
        r#"{"destination":"Legal","new_name":"c"}"#,
        "dsail_copy_ruleset",
        r#"{"destination":"Legal","name":"A, \"b\" é","new_name":"c"}"#,
    ),
    ("POST", "/v1/workspaces/current", r#"{"workspace":"Legal"}"#, "dsail_use_workspace", ""),
];

#[tokio::test]
async fn every_tool_gets_the_arguments_of_its_routes() {
    let door = router(fixed(), &HttpSettings::default());
    let core = fixed();
    let source = json!(SOURCE).to_string();
    let compiled = payload("dsail_compile", &format!(r#"{{"source":{source}}}"#));
    let compiled: Value = serde_json::from_slice(&compiled).unwrap();
    let fill = |text: &str| {
        let text = text.replace("$hash", compiled["ruleset_hash"].as_str().unwrap());
        text.replace("$source", &source).replace("$team", "team-0707070707070707")
    };
    let mut called = BTreeSet::new();
    for (method, path, body, tool, arguments) in CONVERSATION {
        let arguments = if arguments.is_empty() { body } else { arguments };
        let caller = core.local(Door::Rest).unwrap();
        let expected = core.call(&caller, tool, &fill(arguments), &Cancel::new());
        let response = door.clone().oneshot(request(method, &fill(path), fill(body))).await;
        let response = response.unwrap();
        let status = response.status().as_u16();
        let found = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(found, expected.body, "{method} {path} {body}");
        assert_eq!(status, expected.failure.map_or(200, |it| it.http_status()), "{found:?}");
        called.insert(*tool);
    }
    let tools: BTreeSet<&str> = core.every_tool().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(called, tools);
}

#[tokio::test]
async fn arguments_in_the_wrong_place_are_named() {
    let team = "/v1/teams/team-1/invitations";
    for (method, path, body, message) in [
        ("GET", "/v1/units/bridge", "", "the parameter `from_unit` is missing"),
        ("GET", "/v1/units/bridge?from_unit=m", "", "the parameter `to_unit` is missing"),
        (
            "GET",
            "/v1/units/bridge?from_unit=m&from_unit=km&to_unit=m",
            "",
            "`from_unit` stands in the query twice: give it once",
        ),
        (
            "GET",
            "/v1/units/bridge?unit=m",
            "",
            "the query takes `from_unit`, `to_unit`, not `unit`",
        ),
        ("GET", "/v1/units?from_unit=m", "", "this path takes no query, and `from_unit` is in it"),
        ("POST", "/v1/check?source=x", "{}", "this path takes no query, and `source` is in it"),
        (
            "POST",
            team,
            r#"{"email":"a@example.org","team_id":"team-1"}"#,
            "`team_id` stands in the path and in the body: give it once",
        ),
        (
            "POST",
            team,
            r#"{"email":"a","email":"b"}"#,
            "the body cannot be read: the key `email` stands twice at line 1 column 25",
        ),
        ("POST", team, "", "the body cannot be read: EOF while parsing a value at line 1 column 0"),
        ("DELETE", "/v1/teams/team-1/members/%FF", "", "the path is not UTF-8"),
    ] {
        let (status, _, answer) = send(request(method, path, body)).await;
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(answer["error"]["message"], message, "{path} {body}");
        assert_eq!((status.as_u16(), &answer["error"]["code"]), (400, &json!("BAD_REQUEST")));
    }
}

/// The parameters of a tool that a request has to name in its body.
fn required(route: &Route) -> Vec<&'static str> {
    let tool = SERVICE.every_tool().iter().find(|it| it.name == route.tool).unwrap();
    let names = tool.input_schema()["required"].as_array().into_iter().flatten();
    let names = names.map(|it| it.as_str().unwrap());
    names.filter(|it| !route.path.contains(&format!("{{{it}}}"))).collect()
}

#[test]
fn a_body_is_asked_for_where_it_holds_something_required() {
    for route in ROUTES {
        let (needs, path) = (required(route), route.path);
        match route.body {
            Holds::None => assert_eq!(needs, [""; 0], "{path}"),
            Holds::Optional => assert_eq!(needs, [""; 0], "{path}"),
            Holds::Required => assert_ne!(needs, [""; 0], "{path}"),
        }
    }
}
