//! What an instance with a narrow profile serves.

use assay_core::Profile;

use super::*;

static PUBLIC: LazyLock<Arc<Service>> = LazyLock::new(|| {
    let profile = Profile::shipped("public").unwrap();
    Service::open(Settings { profile, ..Settings::default() }).unwrap()
});

async fn ask_public(version: &str, method: &str, members: &str) -> Value {
    let door = router(Arc::clone(&PUBLIC), &HttpSettings::default());
    let (_, body) = send(door, request(version, method, members)).await;
    serde_json::from_str(&body).unwrap_or(Value::String(body))
}

#[tokio::test]
async fn a_denied_tool_has_its_number_and_the_reason_in_every_version() {
    let reason = "rules are written and compiled on the author's own installation";
    for version in LEGACY.into_iter().chain([MODERN]) {
        let members = r#""name":"dsail_compile","arguments":{"source":""}"#;
        let error = &ask_public(version, "tools/call", members).await["error"];
        assert_eq!(error["code"], -32002, "{version}: {error}");
        let message =
            format!("the profile denies `dsail_compile`, whose facet is `drafting`: {reason}");
        assert_eq!(error["message"], message, "{version}");
        assert_eq!(error["data"]["code"], "FACET_DENIED", "{version}");
        let unknown = ask_public(version, "tools/call", r#""name":"law_ask","arguments":{}"#).await;
        assert_eq!(unknown["error"]["code"], -32602, "{version}");
        let tools = &ask_public(version, "tools/list", "").await["result"]["tools"];
        let names: Vec<_> = tools.as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["dsail_check"], "{version}");
        assert!(tools[0].get("facet").is_none(), "{version}");
    }
}

#[tokio::test]
async fn the_door_answers_for_the_name_of_its_profile() {
    for (path, status) in
        [("/mcp", 200), ("/mcp/public", 200), ("/mcp/rules", 404), ("/mcp/PUBLIC", 404)]
    {
        let door = router(Arc::clone(&PUBLIC), &HttpSettings::default());
        let mut request = request("2025-11-25", "tools/list", "");
        *request.uri_mut() = path.parse().unwrap();
        let (found, body) = send(door, request).await;
        assert_eq!(found, status, "{path}");
        assert_eq!(body.contains("the only profile is `public`"), status == 404, "{body}");
    }
}
