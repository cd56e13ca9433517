//! The HTTP client of every route that needs one, and how it carries what belongs to one call.

// The signatures are those of the library's trait.
#![expect(clippy::disallowed_types, reason = "the library hands headers over in a hash map")]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url, redirect, retry};
use rmcp::model::{ClientJsonRpcMessage, GetExtensions as _};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    StreamableHttpResponseLimits,
};
use sse_stream::Sse;

use crate::call::{CallError, Context};
use crate::route::Secret;

/// How long a connection may take to come about, whatever time a call has.
const CONNECT: Duration = Duration::from_secs(5);

/// Headers that a request has for reasons of its own.
const OWN: [&str; 10] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
    "last-event-id",
    "transfer-encoding",
    "x-assay-matter",
    "x-assay-org",
];

/// A client that goes where it is sent: no redirects, no proxies of the environment, no second try.
///
/// A connection serves one request. One that is kept may be closing when the next request is
/// written to it, which leaves the outcome of a call unknown; and servers that stream their
/// answers in small pieces stall on it for 40 ms, until the kernel acknowledges the first.
pub(crate) fn client() -> Result<Client, reqwest::Error> {
    let builder = || {
        let builder = Client::builder().redirect(redirect::Policy::none()).no_proxy();
        let builder = builder.pool_max_idle_per_host(0).connect_timeout(CONNECT);
        builder.retry(retry::never())
    };
    // A machine that trusts nobody still reaches servers that need no certificate.
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}

/// An address and the headers of every request to it.
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
}

impl Target {
    /// The target, or what is wrong with it.
    pub(crate) fn new(url: &str, headers: &BTreeMap<String, Secret>) -> Result<Self, String> {
        let url = Url::parse(url).map_err(|error| format!("the URL cannot be read: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("the URL must begin with `http://` or `https://`".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the URL holds a name or a password; give a header instead".to_owned());
        }
        let headers = headers.iter().map(|(name, value)| header(name, value));
        Ok(Self { url, headers: headers.collect::<Result<_, _>>()? })
    }
}

fn header(name: &str, value: &Secret) -> Result<(HeaderName, HeaderValue), String> {
    let shown = name.escape_debug();
    let fault = |it: &str| format!("the header `{shown}` {it}");
    let name: HeaderName = name.parse().map_err(|_| fault("has no valid name"))?;
    if OWN.contains(&name.as_str()) || name.as_str().starts_with("mcp-") {
        return Err(fault("is set with each call; leave it out"));
    }
    let value = HeaderValue::from_str(value.reveal());
    let mut value = value.map_err(|_| fault("has a value that no header can have"))?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// The headers that say on whose behalf a call is made.
pub(crate) fn context_headers(context: &Context<'_>) -> Result<HeaderMap, CallError> {
    let header = |(_, name, value)| {
        let fault = || CallError::NotSent(format!("`{name}` has a value that no header can have"));
        let value = HeaderValue::from_str(value).map_err(|_| fault())?;
        Ok((HeaderName::from_static(name), value))
    };
    context.known().map(header).collect()
}

/// What goes along with one request as far as the client, and not on the wire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Carried {
    pub(crate) headers: HeaderMap,
    /// The most bytes of a message that answers.
    pub(crate) limit: usize,
    /// Whether a stream was cut off at the limit, which the library reports as a closed one.
    pub(crate) is_cut: Arc<AtomicBool>,
}

/// The client as the MCP library uses it.
#[derive(Debug, Clone)]
pub(crate) struct Carrier(pub(crate) Client);

type Failure = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

impl StreamableHttpClient for Carrier {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        mut headers: Headers,
        mut limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let carried = match &message {
            ClientJsonRpcMessage::Request(it) => it.request.extensions().get::<Carried>().cloned(),
            _ => None,
        };
        if let Some(carried) = &carried {
            headers.extend(carried.headers.iter().map(|(name, it)| (name.clone(), it.clone())));
            limits.max_json_response_size = carried.limit;
            limits.max_sse_event_size = carried.limit;
        }
        let post =
            self.0.post_message_with_response_limits(uri, message, session, token, headers, limits);
        match (post.await?, carried) {
            (StreamableHttpPostResponse::Sse(events, session), Some(carried)) => {
                let events = events.inspect_err(move |error| {
                    // The library's own type for this is not public.
                    let is_cut = error.to_string().contains("maximum size");
                    carried.is_cut.fetch_or(is_cut, Ordering::AcqRel);
                });
                Ok(StreamableHttpPostResponse::Sse(events.boxed(), session))
            }
            (response, _) => Ok(response),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failure> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failure> {
        self.0.get_stream(uri, session, last_event, token, headers).await
    }
}
