//! What is refused, and how.

use super::*;

/// The code of the error within a body.
fn code(body: &str) -> Option<i64> {
    let answer: Value = serde_json::from_str(body).ok()?;
    answer.pointer("/error/code")?.as_i64()
}

/// A `ping` with the head of another request.
fn clone(other: &Request) -> Request {
    let mut request = request("2025-11-25", "ping", "");
    *request.headers_mut() = other.headers().clone();
    request
}

#[tokio::test]
async fn requests_from_elsewhere_are_forbidden() {
    let table = [
        ("localhost:8725", None, StatusCode::OK),
        ("[::1]:1", Some("http://localhost:3000"), StatusCode::OK),
        ("127.0.0.1", Some("http://[::1]"), StatusCode::OK),
        ("evil.example", None, StatusCode::FORBIDDEN),
        ("localhost.evil.example", None, StatusCode::FORBIDDEN),
        ("localhost", Some("http://evil.example"), StatusCode::FORBIDDEN),
        ("localhost", Some("https://localhost"), StatusCode::FORBIDDEN),
        ("localhost", Some("null"), StatusCode::FORBIDDEN),
        ("localhost", Some(""), StatusCode::FORBIDDEN),
    ];
    for (host, origin, expected) in table {
        let mut request = request("2025-11-25", "ping", "");
        request.headers_mut().insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        for path in ["/mcp", "/mcp/rules", "/mcp/other"] {
            let mut request = clone(&request);
            *request.uri_mut() = path.parse().unwrap();
            let (status, body) = send(door(), request).await;
            let expected = match (expected, path) {
                (StatusCode::OK, "/mcp/other") => StatusCode::NOT_FOUND,
                _ => expected,
            };
            assert_eq!(status, expected, "{host} {origin:?} {path} {body}");
            let forbidden = body.contains(r#""code":"FORBIDDEN_ORIGIN""#);
            assert_eq!(forbidden, expected == StatusCode::FORBIDDEN, "{body}");
        }
    }
}

#[tokio::test]
async fn other_methods_and_profiles_do_not_exist() {
    for (method, path, expected) in [
        ("GET", "/mcp", 405),
        ("DELETE", "/mcp", 405),
        ("PUT", "/mcp/rules", 405),
        ("POST", "/mcp/other", 404),
        ("POST", "/mcp/rules", 200),
    ] {
        let (mut head, body) = request("2025-11-25", "ping", "").into_parts();
        head.method = method.parse().unwrap();
        head.uri = path.parse().unwrap();
        let response = door().oneshot(Request::from_parts(head, body)).await.unwrap();
        assert_eq!(response.status(), expected, "{method} {path}");
        let allowed = response.headers().get("allow").map(|it| it.to_str().unwrap());
        assert_eq!(allowed, (expected == 405).then_some("POST"), "{method} {path}");
    }
}

#[tokio::test]
async fn bodies_that_are_no_message_are_answered() {
    let large = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(1024 * 1024));
    let table: &[(&[u8], u16, i64)] = &[
        (b"", 400, -32700),
        (b"{\"jsonrpc\":", 400, -32700),
        (b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", 400, -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, -32700),
        (b"[]", 400, -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", 400, -32600),
        (b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", 400, -32600),
        (large.as_bytes(), 413, -32700),
    ];
    for (body, status, expected) in table {
        let request = raw().body(Body::from(body.to_vec())).unwrap();
        let (found, body) = send(door(), request).await;
        assert_eq!((found.as_u16(), code(&body)), (*status, Some(*expected)), "{body}");
    }
    let request = raw().header("content-type", "text/plain").body(Body::empty()).unwrap();
    assert_eq!(send(door(), request).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn each_kind_of_refusal_has_its_code() {
    let table = [
        ("2025-11-25", "tools/call", r#""name":"none""#, 200, -32602),
        (MODERN, "tools/call", r#""name":"none","arguments":{}"#, 200, -32602),
        ("2025-11-25", "tools/call", r#""nam":"dsail_check""#, 200, -32602),
        ("2025-11-25", "tools/call", r#""name":"dsail_check","arguments":[]"#, 200, -32602),
        ("2025-11-25", "tools/none", "", 200, -32601),
        (MODERN, "tools/none", "", 404, -32601),
        ("2025-11-25", "prompts/list", "", 200, -32601),
        ("2025-11-25", "initialize", "", 200, -32602),
        (MODERN, "initialize", "", 404, -32601),
        (
            MODERN,
            "initialize",
            r#""protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"t","version":"1"}"#,
            404,
            -32601,
        ),
        (MODERN, "ping", "", 404, -32601),
        (MODERN, "logging/setLevel", r#""level":"info""#, 404, -32601),
    ];
    for (version, method, members, status, expected) in table {
        let (found, body) = send(door(), request(version, method, members)).await;
        let found = (found.as_u16(), code(&body));
        assert_eq!(found, (status, Some(expected)), "{version} {method} {body}");
    }
    let answer = ask(MODERN, "tools/call", r#""name":"none""#).await;
    assert_eq!(answer["error"]["data"]["code"], "UNKNOWN_TOOL");
    assert_eq!(answer["error"]["message"], "no tool is called `none`");
}

#[tokio::test]
async fn the_new_era_asks_for_its_headers_and_metadata() {
    for (header, code_of_lack) in
        [("mcp-protocol-version", -32020), ("mcp-method", -32020), ("mcp-name", -32020)]
    {
        let members = format!(r#""name":"dsail_check","arguments":{EXACT}"#);
        let mut request = request(MODERN, "tools/call", &members);
        request.headers_mut().remove(header);
        let (status, body) = send(door(), request).await;
        assert_eq!((status.as_u16(), code(&body)), (400, Some(code_of_lack)), "{header} {body}");
    }
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    let request = raw()
        .header("mcp-protocol-version", MODERN)
        .header("mcp-method", "tools/list")
        .body(Body::from(message))
        .unwrap();
    let (status, body) = send(door(), request).await;
    assert_eq!((status.as_u16(), code(&body)), (400, Some(-32602)), "{body}");
}
