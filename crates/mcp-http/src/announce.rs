//! How a client that holds an old list of tools hears of the new one.
//!
//! A client of the session era keeps the list for as long as its connection lives, which outlives
//! this process: after an update it would go on with the old one. There is no stream that stays
//! open to it, so the word goes out on the answer to its first request here. It is sent once: the
//! client is marked before, so that one which asks for the lists in response hears nothing more.
//!
//! Later eras have no connections, and are told with each list that it is not to be kept.

use std::net::SocketAddr;

use assay_core::SecretDigest;
use assay_http::read;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use http::header::{ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, USER_AGENT};
use http::{HeaderName, HeaderValue, StatusCode, request};
use quick_cache::sync::Cache;

/// How many clients are remembered. One that was forgotten hears the news again, which is no harm.
const REMEMBERED: usize = 10_000;
/// The first version without connections.
const WITHOUT_CONNECTIONS: &str = "2026-07-28";
/// What tells the clients apart, besides where they come from.
const TELLING: [HeaderName; 3] =
    [AUTHORIZATION, USER_AGENT, HeaderName::from_static("x-jaxon-credential")];
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

const NEWS: [&str; 3] = [
    r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"ui://dsail/review-widget.html"}}"#,
];

/// The clients that this process has served.
pub(crate) struct Announcer(Cache<SecretDigest, ()>);

impl Announcer {
    pub(crate) fn new() -> Self {
        Self(Cache::new(REMEMBERED))
    }

    /// Whether the answer to this request brings the news. Whoever asks is marked as served.
    pub(crate) fn is_due(&self, head: &request::Parts, method: Option<&str>) -> bool {
        let text = |name: &HeaderName| head.headers.get(name).and_then(|it| it.to_str().ok());
        let keeps_lists = text(&VERSION).is_none_or(|it| it < WITHOUT_CONNECTIONS);
        if !keeps_lists {
            return false;
        }
        let mut client = Vec::new();
        for name in &TELLING {
            client.extend(head.headers.get(name).map(HeaderValue::as_bytes).unwrap_or_default());
            client.push(b'\n');
        }
        if let Some(ConnectInfo(address)) = head.extensions.get::<ConnectInfo<SocketAddr>>() {
            client.extend(address.ip().to_string().bytes());
        }
        // The credential among it is nothing to keep.
        let client = SecretDigest::of(&client);
        if self.0.get(&client).is_some() {
            return false;
        }
        self.0.insert(client, ());
        // A client that introduces itself has no list yet; one that takes no stream hears nothing.
        let takes_streams = text(&ACCEPT).is_some_and(|it| it.contains("text/event-stream"));
        method != Some("initialize") && takes_streams
    }
}

/// The response as a stream of events with the news before it. One that is no message stays.
pub(crate) async fn before(response: Response) -> Response {
    let is_message = response.status() == StatusCode::OK
        && response.headers().get(CONTENT_TYPE).is_some_and(|it| it == "application/json");
    if !is_message {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let message = read(body, usize::MAX).await.unwrap_or_default();
    let mut stream = Vec::new();
    for event in NEWS.map(str::as_bytes).into_iter().chain([message.as_ref()]) {
        stream.extend_from_slice(b"event: message\ndata: ");
        stream.extend_from_slice(event);
        stream.extend_from_slice(b"\n\n");
    }
    head.headers.remove(http::header::CONTENT_LENGTH);
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Response::from_parts(head, Body::from(stream))
}
