//! Forwarding to a door over HTTP that listens on this machine.

use std::sync::Arc;

use assay_core::{Cancel, Door, EngineSettings, Service, Settings};
use assay_http::HttpSettings;
use assay_mcp_http::router;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
use tokio::net::TcpListener;

use super::{Target, forward};

const EXACT: &str = r#"{"source":"declare n as numeric;\nassert small { n < 5 };","claims":{"n":12345678901234567890.1230}}"#;

/// Every answer to `lines` as it was written.
async fn answers(target: &str, lines: &str) -> String {
    let (mut input, read) = duplex(1024);
    let (written, mut output) = duplex(1024);
    let door = tokio::spawn(forward(Target::parse(target).unwrap(), read, written));
    let lines = lines.to_owned();
    tokio::spawn(async move { input.write_all(lines.as_bytes()).await.unwrap() });
    let mut found = String::new();
    output.read_to_string(&mut found).await.unwrap();
    door.await.unwrap().unwrap();
    found
}

#[tokio::test]
async fn messages_of_both_eras_pass_unchanged() {
    let engine = EngineSettings::default();
    let service = Service::open(Settings { engine, ..Settings::default() }).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = format!("http://{}", listener.local_addr().unwrap());
    let door = router(Arc::clone(&service), &HttpSettings::default());
    tokio::spawn(axum::serve(listener, door).into_future());

    let reply =
        service.call(&service.local(Door::Mcp).unwrap(), "dsail_check", EXACT, &Cancel::new());
    let payload = String::from_utf8(reply.body).unwrap();
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"#;
    for meta in ["", meta] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{{meta}"name":"dsail_check","arguments":{EXACT}}}}}"#
        );
        let found = answers(&target, &line).await;
        assert!(found.contains(&format!(r#""structuredContent":{payload},"#)), "{found}");
        // The first answer of a server that never saw this client brings news before it.
        let news = found.matches("list_changed").count();
        assert_eq!(
            (news, found.matches('\n').count()),
            if meta.is_empty() { (2, 4) } else { (0, 1) }
        );
    }
    for (line, id, code) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"none"}"#, Value::from(1), -32601),
        ("not json", Value::Null, -32700),
        (
            r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"none"}}"#,
            "x".into(),
            -32602,
        ),
    ] {
        let answer: Value = serde_json::from_str(&answers(&target, line).await).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &Value::from(code)));
    }
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(answers(&target, notification).await, "");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let found = answers(&target, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    let answer: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(answer["error"]["code"], -32603);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("no answer from `{target}`: ")), "{message}");
}
