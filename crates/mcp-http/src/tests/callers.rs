//! Who may call, and what that caller is shown.

use assay_core::{Access, KeyRequest, Scope, Scopes};

use super::*;

const TOKEN: &str = "the-token-of-the-installation";

/// A service that asks for credentials, with a key that may only check.
fn locked() -> (Arc<Service>, String) {
    let access = Access::with_token(TOKEN);
    let service = Service::open(Settings { access, ..Settings::default() }).unwrap();
    let scopes = Scopes::EMPTY.with(Scope::Check);
    let request = KeyRequest { scopes, ..KeyRequest::default() };
    let key = service.issue_key(None, &request).unwrap().secret;
    (service, key)
}

async fn with(service: &Arc<Service>, header: &str, value: &str, members: &str) -> (u16, Value) {
    let method = if members.is_empty() { "tools/list" } else { "tools/call" };
    for version in ["2025-11-25", MODERN] {
        let mut request = request(version, method, members);
        if !header.is_empty() {
            let name: http::HeaderName = header.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let door = router(Arc::clone(service), &HttpSettings::default());
        let (status, body) = send(door, request).await;
        if version == MODERN {
            return (status.as_u16(), serde_json::from_str(&body).unwrap());
        }
    }
    (0, Value::Null)
}

#[tokio::test]
async fn a_caller_without_a_credential_is_answered_401() {
    let (service, key) = locked();
    let bearer = format!("Bearer {TOKEN}");
    let lower = format!("bearer {key}");
    for (header, value, status, code) in [
        ("", "", 401, "CREDENTIAL_REQUIRED"),
        ("authorization", "Bearer nothing", 401, "CREDENTIAL_INVALID"),
        ("authorization", "Basic dXNlcjpwYXNz", 401, "CREDENTIAL_INVALID"),
        ("authorization", "Bearer", 401, "CREDENTIAL_INVALID"),
        ("x-jaxon-credential", "nothing", 401, "CREDENTIAL_INVALID"),
        ("authorization", bearer.as_str(), 200, ""),
        ("x-jaxon-credential", TOKEN, 200, ""),
        ("authorization", lower.as_str(), 200, ""),
        ("x-jaxon-credential", key.as_str(), 200, ""),
    ] {
        let (found, body) = with(&service, header, value, "").await;
        assert_eq!(found, status, "{header} {value} {body}");
        assert_eq!(body["error"]["code"].as_str().unwrap_or_default(), code, "{body}");
    }
}

#[tokio::test]
async fn a_list_shows_what_a_call_would_admit() {
    let (service, key) = locked();
    let (_, list) = with(&service, "x-jaxon-credential", &key, "").await;
    let tools = list["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["dsail_check", "dsail_get_prompt_pack"]);
    let (_, all) = with(&service, "x-jaxon-credential", TOKEN, "").await;
    assert_eq!(all["result"]["tools"].as_array().unwrap().len(), 20);
    let members = r#""name":"dsail_list_rulesets","arguments":{}"#;
    let (_, refused) = with(&service, "x-jaxon-credential", &key, members).await;
    let structured = &refused["result"]["structuredContent"];
    assert_eq!(structured["error"]["code"], "CREDENTIAL_SCOPE", "{refused}");
}

#[tokio::test]
async fn nothing_of_the_door_is_open_to_strangers() {
    let (service, key) = locked();
    let door = router(service, &HttpSettings::default());
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (method, path, media_type, body) in [
        ("POST", "/mcp", "application/json", ping),
        ("POST", "/mcp/rules", "application/json", ping),
        ("POST", "/mcp", "application/json", "no message"),
        ("POST", "/mcp", "application/jsonx", ping),
        ("POST", "/mcp", "text/plain", ping),
        ("GET", "/mcp", "application/json", ""),
        ("DELETE", "/mcp", "application/json", ""),
    ] {
        let build = |key: Option<&str>| {
            let builder = Request::builder().method(method).uri(path).header("host", "localhost");
            let builder = builder.header("content-type", media_type);
            let builder = key.into_iter().fold(builder, |it, key| it.header("authorization", key));
            builder.body(Body::from(body)).unwrap()
        };
        let response = door.clone().oneshot(build(None)).await.unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{method} {media_type}");
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        assert_eq!(response.headers()["content-type"], "application/json");
        let known = door.clone().oneshot(build(Some(&format!("Bearer {key}")))).await.unwrap();
        assert_ne!(known.status(), StatusCode::UNAUTHORIZED, "{method} {media_type}");
    }
}
