//! Ordinary HTTP interfaces.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use assay_upstream::{Answer, Call, CallError, Context, Method, Route, State, Upstreams};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use futures_util::stream;
use serde_json::{Value, json};

use crate::site::{Site, nobody};
use crate::support::*;

/// Tells what it was asked.
async fn mirror(request: Request) -> String {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let names =
        ["authorization", "content-type", "idempotency-key", "x-assay-org", "x-assay-matter"];
    let headers =
        names.into_iter().filter_map(|it| Some((it, parts.headers.get(it)?.to_str().ok()?)));
    json!({
        "method": parts.method.as_str(),
        "uri": parts.uri.to_string(),
        "headers": headers.collect::<BTreeMap<_, _>>(),
        "body": String::from_utf8(body.to_vec()).unwrap(),
    })
    .to_string()
}

async fn status(Path(code): Path<u16>) -> Response {
    let status = StatusCode::from_u16(code).unwrap();
    let mut response = (status, r#"{"reason":"so it is"}"#).into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/api/empty"));
    response
}

/// A body that never ends and does not say how long it is.
async fn endless() -> Body {
    Body::from_stream(stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 1000])))
}

/// A body that ends before it should.
async fn cut() -> Body {
    let pieces = [Ok("{\"a\":"), Err(std::io::Error::other("gone"))];
    Body::from_stream(stream::iter(pieces))
}

async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_secs(4)).await;
    "{}"
}

fn site() -> Site {
    let api = Router::new()
        .route("/api/status/{code}", any(status))
        .route("/api/text", get(|| async { "a word" }))
        .route("/api/list", get(|| async { "[1, 2.50]" }))
        .route("/api/empty", get(|| async {}))
        .route("/api/refused", get(|| async { (StatusCode::CONFLICT, "<p>no</p>") }))
        .route("/api/endless", get(endless))
        .route("/api/cut", get(cut))
        .route("/api/slow", get(slow))
        .fallback(mirror);
    Site::new(api)
}

fn to(url: String) -> Upstreams {
    let tools = [
        ("find", Method::Get, "matters/{id}/notes"),
        ("add", Method::Post, "/matters/{id}/notes"),
        ("set", Method::Put, "notes"),
        ("change", Method::Patch, "notes"),
        ("drop", Method::Delete, "notes/{id}"),
        ("status", Method::Get, "status/{code}"),
        ("text", Method::Get, "text"),
        ("list", Method::Get, "list"),
        ("empty", Method::Get, "empty"),
        ("refused", Method::Get, "refused"),
        ("endless", Method::Get, "endless"),
        ("cut", Method::Get, "cut"),
        ("slow", Method::Get, "slow"),
    ];
    let tools = tools.map(|(name, method, path)| (name.to_owned(), (method, path.to_owned())));
    let headers = secrets([("authorization", SECRET)]);
    upstreams([("it", Route::Rest { url, headers, tools: BTreeMap::from(tools) })])
}

#[test]
fn requests() {
    let site = site();
    let upstreams = to(site.url("/api/"));
    let table = [
        (
            "find",
            json!({"id": "a/b", "q": "x y&z", "n": 1.5, "l": [1, "a"], "o": {"b": 1}, "e": null}),
            "GET",
            "/api/matters/a%2Fb/notes?l=1&l=a&n=1.5&o=%7B%22b%22%3A1%7D&q=x+y%26z",
            "",
        ),
        ("find", json!({"id": 7}), "GET", "/api/matters/7/notes", ""),
        (
            "add",
            json!({"id": 7, "text": "ü", "n": 2}),
            "POST",
            "/api/matters/7/notes",
            r#"{"n":2,"text":"ü"}"#,
        ),
        ("set", json!({}), "PUT", "/api/notes", "{}"),
        ("change", json!({"a": [{"b": null}]}), "PATCH", "/api/notes", r#"{"a":[{"b":null}]}"#),
        ("drop", json!({"id": "x", "hard": true}), "DELETE", "/api/notes/x?hard=true", ""),
    ];
    for (tool, arguments, method, uri, body) in table {
        let context =
            Context { org_id: "org-1", matter_id: Some("m-2"), idempotency_key: Some("k-3") };
        let answer =
            upstreams.call(&Call { tool, arguments: &arguments, context, ..CALL }).unwrap();
        let mut headers = json!({
            "authorization": SECRET,
            "idempotency-key": "k-3", "x-assay-org": "org-1", "x-assay-matter": "m-2",
        });
        if !body.is_empty() {
            headers["content-type"] = json!("application/json");
        }
        let result = json!({ "method": method, "uri": uri, "body": body, "headers": headers });
        assert_eq!(answer, Answer { result, has_structure: true, is_error: false }, "{tool}");
    }
    for (tool, arguments) in
        [("find", json!({})), ("find", json!({"id": ".."})), ("none", json!({}))]
    {
        let not_sent = call(&upstreams, tool, &arguments);
        assert!(matches!(not_sent, Err(CallError::NotSent(_))), "{tool} {not_sent:?}");
    }
    assert_eq!(upstreams.states()["it"], State::Connected);
    assert_eq!(upstreams.definitions("it", Duration::from_secs(1)), Ok(BTreeMap::new()));
}

#[test]
fn what_a_status_means() {
    let site = site();
    let upstreams = to(site.url("/api"));
    let answer =
        |result: Value, has_structure, is_error| Ok(Answer { result, has_structure, is_error });
    let reason = || json!({ "reason": "so it is" });
    let broken = |code| Err(CallError::Broken(format!("it answered with status {code}")));
    let table = [
        (200, answer(reason(), true, false)),
        (201, answer(reason(), true, false)),
        (302, broken(302)),
        (307, broken(307)),
        (400, answer(reason(), false, true)),
        (401, answer(reason(), false, true)),
        (404, answer(reason(), false, true)),
        (408, broken(408)),
        (429, Err(CallError::Unavailable)),
        (500, broken(500)),
        (502, broken(502)),
        (504, broken(504)),
        (503, Err(CallError::Unavailable)),
    ];
    for (code, expected) in table {
        assert_eq!(call(&upstreams, "status", &json!({ "code": code })), expected, "{code}");
    }
}

#[test]
fn bodies() {
    let site = site();
    let upstreams = to(site.url("/api"));
    let answer =
        |result: Value, has_structure, is_error| Ok(Answer { result, has_structure, is_error });
    let table = [
        ("list", answer(json!([1, 2.5]), true, false)),
        ("empty", answer(json!({}), false, false)),
        ("refused", answer(json!({}), false, true)),
        ("text", Err(CallError::Broken("the answer cannot be read".to_owned()))),
        ("endless", Err(CallError::TooLarge)),
    ];
    for (tool, expected) in table {
        assert_eq!(call(&upstreams, tool, &json!({})), expected, "{tool}");
    }
    let broken = call(&upstreams, "cut", &json!({}));
    assert!(matches!(broken, Err(CallError::Broken(_))), "{broken:?}");
    let small = Call { tool: "list", arguments: &json!({}), max_output_bytes: 8, ..CALL };
    assert_eq!(upstreams.call(&small), Err(CallError::TooLarge));
}

#[test]
fn given_up() {
    let site = site();
    let upstreams = to(site.url("/api"));
    let start = Instant::now();
    let slow = Call { tool: "slow", arguments: &json!({}), ..CALL };
    let late = Call { within: Duration::from_millis(100), ..slow };
    assert_eq!(upstreams.call(&late), Err(CallError::TimedOut { sent: true }));
    let cancel = || start.elapsed() > Duration::from_millis(150);
    let cancelled = Call { cancel: &cancel, ..slow };
    assert_eq!(upstreams.call(&cancelled), Err(CallError::Cancelled { sent: true }));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    for _ in 0..4 {
        assert_eq!(upstreams.call(&late), Err(CallError::TimedOut { sent: true }));
    }
    assert_eq!(upstreams.call(&late), Err(CallError::Unavailable));
}

#[test]
fn nobody_listens() {
    let upstreams = to(format!("http://{}", nobody()));
    let refused = CallError::NotSent("no connection: connection refused".to_owned());
    for _ in 0..5 {
        assert_eq!(call(&upstreams, "list", &json!({})), Err(refused.clone()));
    }
    assert_eq!(call(&upstreams, "list", &json!({})), Err(CallError::Unavailable));
}
