//! The door without a socket, in front of a whole service.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use assay_core::{Cancel, Door, EngineSettings, Service, Settings, Target};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use http::StatusCode;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use assay_http::HttpSettings;

use crate::router;

mod announce;
mod callers;
mod calls;
mod profiles;
mod refusals;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const MODERN: &str = "2026-07-28";

/// A number that no float holds, and a claim that reads it.
const EXACT: &str = r#"{"source":"declare n as numeric;\nassert small { n < 5 };","claims":{"n":12345678901234567890.1230}}"#;

static SERVICE: LazyLock<Arc<Service>> = LazyLock::new(|| service(EngineSettings::default()));

fn service(engine: EngineSettings) -> Arc<Service> {
    Service::open(Settings { engine, ..Settings::default() }).unwrap()
}

fn door() -> Router {
    router(Arc::clone(&SERVICE), &HttpSettings::default())
}

/// A request of one era. `members` are those of the parameters, as text.
fn request(version: &str, method: &str, members: &str) -> Request {
    let meta = format!(
        r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}"#
    );
    let members = match (version, members) {
        (MODERN, "") => meta,
        (MODERN, members) => format!("{meta},{members}"),
        (_, members) => members.to_owned(),
    };
    let message =
        format!(r#"{{"jsonrpc":"2.0","id":"a","method":"{method}","params":{{{members}}}}}"#);
    let params: Value = serde_json::from_str(&format!("{{{members}}}")).unwrap_or_default();
    let name = params.get("name").or(params.get("uri")).and_then(Value::as_str);
    let mut builder = raw().header("mcp-protocol-version", version).header("mcp-method", method);
    if let Some(name) = name {
        builder = builder.header("mcp-name", name);
    }
    builder.body(Body::from(message)).unwrap()
}

fn raw() -> http::request::Builder {
    Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json; charset=utf-8")
        .header("accept", "application/json, text/event-stream")
}

async fn send(door: Router, request: Request) -> (StatusCode, String) {
    let response = door.oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body = String::from_utf8(body.into()).unwrap();
    // The first answer to a client may come behind news, as the last event of a stream.
    let last = messages(&body).pop().map(str::to_owned);
    (status, last.unwrap_or(body))
}

/// The messages of a stream of events; none of any other body.
fn messages(body: &str) -> Vec<&str> {
    body.lines().filter_map(|it| it.strip_prefix("data: ")).collect()
}

async fn ask(version: &str, method: &str, members: &str) -> Value {
    let (_, body) = send(door(), request(version, method, members)).await;
    serde_json::from_str(&body).unwrap_or(Value::String(body))
}

/// What the core answers to the same arguments.
fn payload(tool: &str, arguments: &str) -> String {
    let reply = SERVICE.call(&SERVICE.local(Door::Mcp).unwrap(), tool, arguments, &Cancel::new());
    String::from_utf8(reply.body).unwrap()
}

fn text(answer: &Value) -> &str {
    answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default()
}

#[tokio::test]
async fn the_handshake_names_a_version_that_both_know() {
    for (asked, agreed) in
        LEGACY.map(|it| (it, it)).into_iter().chain([(MODERN, "2025-11-25"), ("x", "2025-11-25")])
    {
        let params = json!({
            "protocolVersion": asked, "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let request = raw().body(Body::from(message.to_string())).unwrap();
        let (status, body) = send(door(), request).await;
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(status, StatusCode::OK);
        assert_eq!(answer["result"]["protocolVersion"], agreed);
        assert_eq!(answer["result"]["serverInfo"]["name"], "assay");
        let news =
            json!({ "tools": { "listChanged": true }, "resources": { "listChanged": true } });
        assert_eq!(answer["result"]["capabilities"], news);
        assert_eq!(answer["result"]["instructions"], *SERVICE.instructions());
    }
}

#[tokio::test]
async fn discovery_names_every_version() {
    let answer = ask(MODERN, "server/discover", "").await;
    let versions: Vec<&str> = LEGACY.into_iter().chain([MODERN]).collect();
    assert_eq!(answer["result"]["supportedVersions"], json!(versions));
    assert_eq!(answer["result"]["instructions"], *SERVICE.instructions());
    // Nothing can be subscribed to, so no news are promised here.
    assert_eq!(answer["result"]["capabilities"], json!({ "tools": {}, "resources": {} }));
}

#[tokio::test]
async fn tools_are_listed_as_the_catalogue_has_them() {
    for version in LEGACY.into_iter().chain([MODERN]) {
        let answer = ask(version, "tools/list", "").await;
        let listed = answer["result"]["tools"].as_array().unwrap();
        let tools = SERVICE.tools(&SERVICE.local(Door::Mcp).unwrap());
        assert_eq!(listed.len(), tools.len());
        for (listed, tool) in listed.iter().zip(tools) {
            assert_eq!(listed["name"], tool.name);
            assert_eq!(listed["title"], tool.title);
            assert_eq!(listed["description"], tool.description);
            assert_eq!(listed["inputSchema"], *tool.input_schema());
            assert_eq!(listed["outputSchema"], *tool.output_schema());
            for (name, hint) in tool.annotations.named() {
                assert_eq!(listed["annotations"][name], hint.value, "{name}");
            }
        }
        let fresh = (version == MODERN).then_some(0);
        assert_eq!(answer["result"]["ttlMs"].as_u64(), fresh);
    }
}

#[tokio::test]
async fn pages_are_resources() {
    for (version, missing) in [("2025-11-25", -32002), (MODERN, -32602)] {
        let answer = ask(version, "resources/list", "").await;
        let listed = answer["result"]["resources"].as_array().unwrap();
        // The pages, and the review interface.
        assert_eq!(listed.len(), assay_core::docs::PAGES.len() + 1);
        let uri = "assay://docs/errors/bad-request.md";
        assert!(listed.iter().any(|it| it["uri"] == uri && it["mimeType"] == "text/markdown"));
        let answer = ask(version, "resources/read", &format!(r#""uri":"{uri}""#)).await;
        let page = assay_core::docs::page("/docs/errors/bad-request.md").unwrap();
        assert_eq!(answer["result"]["contents"][0]["text"], page.text);
        let answer = ask(version, "resources/read", r#""uri":"assay://docs/none.md""#).await;
        assert_eq!(answer["error"]["code"], missing, "{answer}");
        assert_eq!(answer["error"]["data"], json!({ "uri": "assay://docs/none.md" }));
    }
}
