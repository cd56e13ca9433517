//! How a client that holds an old list of tools hears of the new one.
//!
//! A client of the session era keeps the list for as long as its connection lives, which outlives
//! this process: after an update it would go on with the old one. There is no stream that stays
//! open to it, so the word goes out on the answer to its first request here, and to its first one after
//! another registry came into force or something was stopped. It is sent once: the client is marked
//! before, so that one which asks for the lists in response hears nothing more.
//!
//! Later eras have no connections, and are told with each list that it is not to be kept.

use std::convert::Infallible;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _, RandomState};
use std::net::SocketAddr;

use assay_core::Lists;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::response::Response;
use http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, USER_AGENT};
use http::{HeaderName, HeaderValue, StatusCode, request};
use quick_cache::sync::Cache;

use crate::accept::Accept;

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
pub(crate) struct Announcer {
    served: Cache<Client, ()>,
    seed: RandomState,
}

/// What stands for a client in this process, and tells nobody its credential.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client(u64);

impl Announcer {
    pub(crate) fn new() -> Self {
        Self { served: Cache::new(REMEMBERED), seed: RandomState::new() }
    }

    /// Whom the answer to this request brings the news. Whoever asks is marked as served.
    pub(crate) fn due(
        &self,
        head: &request::Parts,
        accept: Accept,
        initializes: bool,
        lists: impl FnOnce() -> Lists,
    ) -> Option<Client> {
        let version = head.headers.get(VERSION).and_then(|it| it.to_str().ok());
        if version.is_some_and(|it| it >= WITHOUT_CONNECTIONS) {
            return None;
        }
        let client = self.client(head, &lists());
        let mut is_new = false;
        // Of two requests that arrive together, one finds the place taken.
        let _ = self.served.get_or_insert_with(&client, || {
            is_new = true;
            Ok::<_, Infallible>(())
        });
        // A client that introduces itself has no list yet; one that takes no stream hears nothing.
        (is_new && !initializes && accept.streams).then_some(client)
    }

    /// A client together with the lists that it is told of: with others it is one that was not
    /// served yet.
    fn client(&self, head: &request::Parts, lists: &Lists) -> Client {
        let mut hasher = self.seed.build_hasher();
        lists.hash(&mut hasher);
        for name in &TELLING {
            head.headers.get(name).hash(&mut hasher);
        }
        if let Some(ConnectInfo(address)) = head.extensions.get::<ConnectInfo<SocketAddr>>() {
            // The port is another one for each of the connections that a client opens.
            address.ip().hash(&mut hasher);
        }
        Client(hasher.finish())
    }

    /// The response as a stream of events with the news before it. One that is no message stays,
    /// and its client hears the news another time.
    pub(crate) async fn announce(&self, client: Client, response: Response) -> Response {
        let is_message = response.status() == StatusCode::OK
            && response.headers().get(CONTENT_TYPE).is_some_and(|it| it == "application/json");
        if !is_message {
            self.served.remove(&client);
            return response;
        }
        let (mut head, body) = response.into_parts();
        let message = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let mut stream = Vec::new();
        for event in NEWS.map(str::as_bytes).into_iter().chain([message.as_ref()]) {
            stream.extend_from_slice(b"event: message\ndata: ");
            stream.extend_from_slice(event);
            stream.extend_from_slice(b"\n\n");
        }
        head.headers.remove(CONTENT_LENGTH);
        head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        Response::from_parts(head, Body::from(stream))
    }
}
