//! MCP over streamable HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_upstream::{Call, CallError, Context, Route, State, Upstreams};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;

use crate::site::{Site, nobody};
use crate::support::*;
use crate::tools::Tools;

/// An MCP server with sessions and streams, or with neither.
fn mcp(plain: bool) -> Router {
    let tools = Tools::default();
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = !plain;
    config.json_response = plain;
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(tools.clone()), sessions, config);
    Router::new().route_service("/mcp", service)
}

fn route(url: String) -> Route {
    Route::Http { url, headers: secrets([("authorization", SECRET)]) }
}

fn to(site: &Site) -> Upstreams {
    upstreams([("it", route(site.url("/mcp")))])
}

#[test]
fn answers() {
    for plain in [false, true] {
        let site = Site::new(mcp(plain));
        let upstreams = to(&site);
        assert_answers(&upstreams);
        assert_definitions(&upstreams);
        assert_concurrent(&upstreams);
        assert_eq!(upstreams.states()["it"], State::Connected);
    }
}

#[test]
fn given_up() {
    let site = Site::new(mcp(false));
    assert_given_up(&to(&site));
}

#[test]
fn what_a_server_sees() {
    let site = Site::new(mcp(false));
    let upstreams = to(&site);
    let arguments = json!({ "a": 1 });
    let full = Context { org_id: "org-1", matter_id: Some("m-2"), idempotency_key: Some("key-3") };
    for context in [full, CALL.context] {
        let call = Call { arguments: &arguments, context, ..CALL };
        let seen = upstreams.call(&call).unwrap().result;
        assert_eq!(seen["arguments"], arguments);
        assert_eq!(seen["headers"]["authorization"], SECRET);
        for (key, name, value) in [
            ("assay/org_id", "x-assay-org", Some(context.org_id)),
            ("assay/matter_id", "x-assay-matter", context.matter_id),
            ("assay/idempotency-key", "idempotency-key", context.idempotency_key),
        ] {
            assert_eq!(seen["headers"].get(name).and_then(|it| it.as_str()), value, "{name}");
            assert_eq!(seen["meta"].get(key).and_then(|it| it.as_str()), value, "{key}");
        }
    }
    let context = Context { org_id: "a\nb", ..full };
    let not_sent = upstreams.call(&Call { arguments: &arguments, context, ..CALL });
    assert!(matches!(not_sent, Err(CallError::NotSent(_))), "{not_sent:?}");
}

/// Answers calls in its own way, and lets everything else through.
async fn interrupted(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let message: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let status = |code: u16| StatusCode::from_u16(code).unwrap().into_response();
    match message["params"]["name"].as_str() {
        Some("challenge") => {
            let mut response = status(401);
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
        Some("redirect") => {
            let mut response = status(307);
            response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/trap"));
            response
        }
        Some("html") => (StatusCode::OK, [("content-type", "text/html")], "<p>").into_response(),
        Some("nonsense") => {
            (StatusCode::OK, [("content-type", "application/json")], "{\"a\":").into_response()
        }
        Some("cut") => {
            let events = "event: message\ndata: {\"jsonrpc\":\"2.0\"";
            (StatusCode::OK, [("content-type", "text/event-stream")], events).into_response()
        }
        Some(code) if code.parse::<u16>().is_ok() => status(code.parse().unwrap()),
        _ => next.run(Request::from_parts(parts, bytes.into())).await,
    }
}

#[test]
fn answers_that_are_none() {
    let trapped = Arc::new(AtomicUsize::new(0));
    let trap = Arc::clone(&trapped);
    let spring = move || async move { trap.fetch_add(1, Ordering::SeqCst).to_string() };
    let router = mcp(true).layer(from_fn(interrupted)).route("/trap", any(spring));
    let site = Site::new(router);
    let upstreams = to(&site);
    let broken = |it: &str| Err(CallError::Broken(it.to_owned()));
    let table = [
        ("503", Err(CallError::Unavailable)),
        ("429", Err(CallError::Unavailable)),
        ("403", Err(CallError::Unavailable)),
        ("challenge", Err(CallError::Unavailable)),
        ("408", broken("it answered with status 408")),
        ("500", broken("it answered with status 500")),
        ("redirect", broken("it answered with status 307")),
        ("html", broken("the answer cannot be read")),
        ("nonsense", broken("the answer cannot be read")),
        ("cut", broken("the connection ended before the answer")),
    ];
    for (tool, expected) in table {
        assert_eq!(call(&upstreams, tool, &json!({})), expected, "{tool}");
        assert!(call(&upstreams, "text", &json!({})).is_ok(), "after {tool}");
    }
    assert_eq!(trapped.load(Ordering::SeqCst), 0);
}

#[test]
fn a_server_that_goes_and_comes_back() {
    let address = nobody();
    let upstreams = upstreams([("it", route(format!("http://{address}/mcp")))]);
    let refused = Err(CallError::NotSent("no connection: connection refused".to_owned()));
    assert_eq!(call(&upstreams, "pid", &json!({})), refused);
    for _ in 0..2 {
        let site = Site::at(address, mcp(false));
        assert!(call(&upstreams, "pid", &json!({})).is_ok());
        drop(site);
        // What is left of its connections can still break under a call for a moment.
        assert!(eventually(|| call(&upstreams, "pid", &json!({})) == refused));
    }
}

#[test]
fn secrets_stand_in_no_text() {
    let site = Site::new(mcp(true).layer(from_fn(interrupted)));
    let (url, headers) = (site.url("/mcp"), secrets([("authorization", SECRET)]));
    let gone = format!("http://{}/secret-b91d?key=secret-b91d", nobody());
    let tools = std::collections::BTreeMap::new();
    let routes = || {
        [
            ("it", Route::Http { url: url.clone(), headers: headers.clone() }),
            ("gone", Route::Http { url: gone.clone(), headers: headers.clone() }),
            (
                "rest",
                Route::Rest { url: url.clone(), headers: headers.clone(), tools: tools.clone() },
            ),
            (
                "child",
                Route::Stdio {
                    command: "/secret-b91d".to_owned(),
                    arguments: vec![SECRET.to_owned()],
                    environment: headers.clone(),
                },
            ),
        ]
    };
    let upstreams = upstreams(routes());
    let mut texts = vec![format!("{:?}", routes()), format!("{upstreams:?}")];
    for upstream in ["it", "gone", "rest", "child"] {
        for tool in ["echo", "403", "500", "challenge", "redirect", "html", "nonsense", "no such"] {
            let arguments = json!({ "password": SECRET });
            let call = Call { upstream, tool, arguments: &arguments, ..CALL };
            texts.push(format!("{call:?}"));
            match upstreams.call(&call) {
                Err(error) => texts.extend([error.to_string(), format!("{error:?}")]),
                // An answer belongs to whoever asked. A refusal in the server's words is none.
                Ok(answer) if answer.is_error => texts.push(answer.result.to_string()),
                Ok(_) => {}
            }
        }
    }
    texts.push(format!("{upstreams:?} {:?}", upstreams.states()));
    for text in texts {
        assert!(!text.contains(SECRET) && !text.contains(crate::tools::CANARY), "{text}");
    }
}
