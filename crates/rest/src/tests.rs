//! The door without a socket, in front of a whole service.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use assay_core::{Cancel, Door, EngineSettings, Service, Settings, docs};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use assay_http::HttpSettings;

use crate::router;
use crate::table::ROUTES;

mod arguments;
mod callers;
mod desk;

const SOURCE: &str = "declare n as numeric;\nassert small { n < 5 };";
const JSON: &str = "application/json";

static SERVICE: LazyLock<Arc<Service>> = LazyLock::new(|| service(EngineSettings::default()));

fn service(engine: EngineSettings) -> Arc<Service> {
    Service::open(Settings { engine, ..Settings::default() }).unwrap()
}

fn door() -> Router {
    router(Arc::clone(&SERVICE), &HttpSettings::default())
}

fn request(method: &str, path: &str, body: impl Into<Body>) -> Request {
    let builder = Request::builder().method(method).uri(path).header("host", "localhost:8725");
    builder.body(body.into()).unwrap()
}

async fn send(request: Request) -> (StatusCode, HeaderMap, Bytes) {
    let response = door().oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    (head.status, head.headers, to_bytes(body, usize::MAX).await.unwrap())
}

/// What the core answers to the same arguments.
fn payload(tool: &str, arguments: &str) -> Vec<u8> {
    SERVICE.call(&SERVICE.local(Door::Rest).unwrap(), tool, arguments, &Cancel::new()).body
}

#[tokio::test]
async fn bodies_pass_through_unchanged() {
    let compile = json!({ "source": SOURCE }).to_string();
    let stored: Value = serde_json::from_slice(&payload("dsail_compile", &compile)).unwrap();
    let hash = stored["ruleset_hash"].as_str().unwrap().to_owned();
    let check = |claims: &str| format!(r#"{{"claims":{claims},"ruleset_hash":"{hash}"}}"#);
    let by_hash = json!({ "ruleset_hash": hash }).to_string();
    let absent = json!({ "ruleset_hash": "0".repeat(64) }).to_string();
    let table = [
        ("POST", "/v1/compile", "dsail_compile", compile.clone(), 200),
        ("POST", "/v1/compile", "dsail_compile", r#"{"source":"assert"}"#.to_owned(), 422),
        ("POST", "/v1/check", "dsail_check", check(r#"{"n":12345678901234567890.1230}"#), 200),
        ("POST", "/v1/check", "dsail_check", check(r#"{"n":1e999}"#), 200),
        ("POST", "/v1/check", "dsail_check", check(r#"{"m":1}"#), 422),
        ("POST", "/v1/check", "dsail_check", check(r#"{"n":1,"n":9}"#), 422),
        ("POST", "/v1/check", "dsail_check", "[]".to_owned(), 400),
        ("POST", "/v1/check", "dsail_check", String::new(), 400),
        ("POST", "/v1/prompt-pack", "dsail_get_prompt_pack", by_hash.clone(), 200),
        ("POST", "/v1/prompt-pack", "dsail_get_prompt_pack", absent, 404),
        ("GET", &format!("/v1/prompt-pack/{hash}"), "dsail_get_prompt_pack", by_hash, 200),
    ];
    for (method, path, tool, arguments, expected) in table {
        let (status, headers, body) = send(request(method, path, arguments.clone())).await;
        assert_eq!(status, expected, "{path} {arguments} {body:?}");
        assert_eq!(body, payload(tool, &arguments), "{path} {arguments}");
        assert_eq!(headers["content-type"], JSON);
    }
}

#[tokio::test]
async fn what_the_door_refuses_is_in_the_envelope() {
    let large = vec![b' '; 1024 * 1024 + 1];
    let upper = format!("/v1/prompt-pack/{}", "A".repeat(64));
    let table: &[(&str, &str, &[u8], u16, &str)] = &[
        ("GET", "/nothing", b"", 404, "NOT_FOUND"),
        ("GET", "/docs/nothing.md", b"", 404, "NOT_FOUND"),
        ("GET", "/healthz/other", b"", 404, "NOT_FOUND"),
        ("DELETE", "/v1/check", b"", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/v1/check", b"{\"claims\":\"\xff\"}", 400, "BAD_REQUEST"),
        ("POST", "/v1/check", &large, 413, "BUDGET_EXCEEDED"),
        ("GET", &upper, b"", 400, "BAD_REQUEST"),
        ("GET", "/v1/prompt-pack/12", b"", 400, "BAD_REQUEST"),
        ("GET", "/v1/prompt-pack/%ff", b"", 400, "BAD_REQUEST"),
        ("GET", "/healthz/%ff", b"", 404, "NOT_FOUND"),
    ];
    for (method, path, body, status, code) in table {
        let (found, headers, body) = send(request(method, path, body.to_vec())).await;
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        assert_eq!(
            (found.as_u16(), answer["error"]["code"].as_str()),
            (*status, Some(*code)),
            "{path} {body:?}"
        );
        assert_eq!(answer["ok"], false);
        assert!(docs::page(answer["error"]["docs"].as_str().unwrap()).is_some(), "{code}");
        assert_eq!(headers["content-type"], JSON);
    }
    for (path, allowed) in [("/v1/check", "POST"), ("/health", "GET,HEAD")] {
        let (status, headers, _) = send(request("PUT", path, "")).await;
        assert_eq!((status.as_u16(), &headers["allow"]), (405, &allowed.parse().unwrap()));
    }
}

#[tokio::test]
async fn requests_from_elsewhere_are_forbidden() {
    let table = [
        (Some("localhost"), None, 200),
        (Some("LOCALHOST:8725"), Some("http://127.0.0.1:3000"), 200),
        (Some("[::1]:1"), Some("http://[::1]"), 200),
        (Some("evil.example"), None, 403),
        (Some("localhost.evil.example"), None, 403),
        (Some("user@localhost"), None, 403),
        (Some("localhost:x"), None, 403),
        (Some("localhost/evil.example"), None, 403),
        (None, None, 403),
        (Some("localhost"), Some("https://localhost"), 403),
        (Some("localhost"), Some("http://evil.example"), 403),
        (Some("localhost"), Some("null"), 403),
        (Some("localhost"), Some(""), 403),
    ];
    for (host, origin, expected) in table {
        for path in ["/health", "/nothing", "/v1/check"] {
            let mut builder = Request::builder().uri(path);
            for (name, value) in [("host", host), ("origin", origin)] {
                builder = value.into_iter().fold(builder, |it, value| it.header(name, value));
            }
            let (status, _, body) = send(builder.body(Body::empty()).unwrap()).await;
            let forbidden = status == 403;
            assert_eq!(forbidden, expected == 403, "{host:?} {origin:?} {path} {body:?}");
        }
    }
    let ports = HttpSettings {
        hosts: vec!["assay.example:8725".to_owned()],
        origins: vec!["https://app.example".to_owned(), "http://app.example:81".to_owned()],
        ..HttpSettings::default()
    };
    for (host, origin, expected) in [
        ("assay.example:8725", "https://app.example", 200),
        ("assay.example:8725", "http://app.example:81", 200),
        ("assay.example:8725", "http://app.example", 403),
        ("assay.example", "https://app.example", 403),
    ] {
        let request = Request::builder().uri("/health").header("host", host);
        let request = request.header("origin", origin).body(Body::empty()).unwrap();
        let response = router(Arc::clone(&SERVICE), &ports).oneshot(request).await.unwrap();
        assert_eq!(response.status(), expected, "{host} {origin}");
    }
}

#[tokio::test]
async fn a_server_for_others_answers_to_its_names_and_addresses() {
    let settings = HttpSettings { any_address: true, ..HttpSettings::default() };
    let settings = settings.and_host("assay.example").and_host("[fd00::7]:81");
    let door = router(Arc::clone(&SERVICE), &settings);
    for (host, origin, expected) in [
        ("assay.example", "https://assay.example", 200),
        ("assay.example:8725", "http://assay.example:8725", 200),
        ("[fd00::7]:81", "https://[fd00::7]:81", 200),
        ("[fd00::7]:81", "https://[fd00::7]:82", 403),
        ("192.0.2.7:8725", "http://192.0.2.7:8725", 200),
        ("[2001:db8::1]", "http://[2001:db8::1]", 200),
        // The page of another address is not a page of this server.
        ("192.0.2.7:8725", "http://192.0.2.8:8725", 403),
        ("192.0.2.7:8725", "http://192.0.2.7", 403),
        ("192.0.2.7.evil.example", "http://192.0.2.7.evil.example", 403),
        ("evil.example", "http://evil.example", 403),
        ("[evil.example]", "http://[evil.example]", 403),
        ("0300.0250.1", "http://0300.0250.1", 403),
    ] {
        let request = Request::builder().uri("/health").header("host", host);
        let request = request.header("origin", origin).body(Body::empty()).unwrap();
        let response = door.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), expected, "{host} {origin}");
    }
}

#[tokio::test]
async fn health_and_pages() {
    for path in ["/health", "/healthz", "/healthz/rules", "/version"] {
        let (status, _, body) = send(request("GET", path, "")).await;
        assert_eq!((status.as_u16(), &body), (200, &Bytes::from(SERVICE.health().body)), "{path}");
    }
    let (_, headers, index) = send(request("GET", "/llms.txt", "")).await;
    assert_eq!(headers["content-type"], "text/plain; charset=utf-8");
    let index = String::from_utf8(index.into()).unwrap();
    for page in docs::PAGES {
        assert!(index.contains(&format!("- [{}]({})\n", page.title, page.path)), "{}", page.path);
        let (status, headers, body) = send(request("GET", page.path, "")).await;
        assert_eq!((status.as_u16(), body), (200, Bytes::from(page.text)), "{}", page.path);
        assert_eq!(headers["content-type"], "text/markdown; charset=utf-8");
    }
    let (status, headers, _) = send(request("HEAD", "/health", "")).await;
    assert_eq!((status.as_u16(), &headers["content-type"]), (200, &JSON.parse().unwrap()));
}

#[tokio::test]
async fn the_description_holds_every_route_and_its_answers() {
    let (_, headers, body) = send(request("GET", "/openapi.json", "")).await;
    assert_eq!(headers["content-type"], JSON);
    let document: Value = serde_json::from_slice(&body).unwrap();
    let canonical = assay_base::canonical::to_bytes(|slot| slot.json(&document));
    assert_eq!(body, canonical);
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    let routes: BTreeSet<&str> = ROUTES.iter().map(|it| it.path).collect();
    assert_eq!(paths.len(), routes.len() + 21);
    let served: BTreeSet<&str> = ROUTES.iter().map(|it| it.tool).collect();
    let tools: BTreeSet<&str> = SERVICE.every_tool().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(served, tools, "each tool has a route");
    // Each operation is named once, and each reference leads somewhere.
    let text = String::from_utf8(canonical).unwrap();
    let operations: Vec<&str> = text.split(r#""operationId":""#).skip(1).collect();
    let names: BTreeSet<&str> = operations.iter().filter_map(|it| it.split('"').next()).collect();
    assert_eq!(names.len(), operations.len());
    for part in text.split(r##""$ref":"#"##).skip(1) {
        let pointer = part.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some_and(Value::is_object), "{pointer}");
    }
    let hash = "0".repeat(64);
    let compile = json!({ "source": SOURCE }).to_string();
    for (method, path, template, body) in [
        ("POST", "/v1/compile".to_owned(), "/v1/compile", compile.as_str()),
        ("POST", "/v1/compile".to_owned(), "/v1/compile", r#"{"source":""}"#),
        ("POST", "/v1/check".to_owned(), "/v1/check", "[]"),
        ("POST", "/v1/prompt-pack".to_owned(), "/v1/prompt-pack", compile.as_str()),
        ("GET", format!("/v1/prompt-pack/{hash}"), "/v1/prompt-pack/{ruleset_hash}", ""),
        ("GET", "/health".to_owned(), "/health", ""),
        ("GET", "/healthz/x".to_owned(), "/healthz/{profile}", ""),
        ("GET", "/v1/vocabulary".to_owned(), "/v1/vocabulary", ""),
        ("GET", "/v1/flags".to_owned(), "/v1/flags", ""),
        (
            "POST",
            "/v1/credentials/evaluation".to_owned(),
            "/v1/credentials/evaluation",
            r#"{"client":"x"}"#,
        ),
        (
            "POST",
            "/v1/invitations/accept".to_owned(),
            "/v1/invitations/accept",
            r#"{"email":"a@example.org","invitation":"none","name":"A"}"#,
        ),
    ] {
        let (status, _, body) = send(request(method, &path, body.to_owned())).await;
        let operation = &document["paths"][template][method.to_lowercase()];
        let response = &operation["responses"][status.as_str()];
        let schema = &response["content"][JSON]["schema"];
        assert!(schema.is_object(), "{path} {status}");
        let mut schema = schema.clone();
        schema["components"] = document["components"].clone();
        let answer: Value = serde_json::from_slice(&body).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> = validator.iter_errors(&answer).map(|it| it.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{path} {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_frees_the_solver_and_others_are_told_to_wait() {
    let wall_clock = Duration::from_secs(60);
    let engine = EngineSettings { workers: 1, queue: 1, resource_limit: u32::MAX, wall_clock };
    let door = router(service(engine), &HttpSettings::default());
    let check = |source: &str, claims: Value| {
        let body = json!({ "source": source, "claims": claims }).to_string();
        door.clone().oneshot(request("POST", "/v1/check", body))
    };
    // Whether 114 is a sum of three cubes is not known.
    let endless = "declare x as numeric; declare y as numeric; declare z as numeric;\n\
        assert hard { Or(Not((x % 1) + (y % 1) + (z % 1) == 0), \
        Not(x * x * x + y * y * y + z * z * z == 114)) };";
    let quick = "declare x as numeric; declare y as numeric;\nassert easy { Or(x < y, x >= y) };";
    let none = || json!("unknown");
    let xyz = || json!({ "x": none(), "y": none(), "z": none() });
    let solving = tokio::spawn(check(endless, xyz()));
    tokio::time::sleep(Duration::from_millis(300)).await;
    let waiting = tokio::spawn(check(endless, xyz()));
    tokio::time::sleep(Duration::from_millis(300)).await;
    let refused = check(quick, json!({ "x": none(), "y": none() })).await.unwrap();
    assert_eq!(refused.status(), 503);
    let seconds: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!(seconds >= 1);
    for task in [solving, waiting] {
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    }
    let again = async {
        loop {
            let answer = check(quick, json!({ "x": none(), "y": none() })).await.unwrap();
            if answer.status() != 503 {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let answer = tokio::time::timeout(Duration::from_secs(20), again).await.unwrap();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    assert!(String::from_utf8_lossy(&body).contains(r#""check":"TRUE""#), "{body:?}");
}
