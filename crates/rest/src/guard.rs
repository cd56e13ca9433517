//! Which hosts and origins are answered.
//!
//! A page that a browser loaded from elsewhere may point a name of its own at this machine. The
//! `Host` and `Origin` of its requests still tell, so both are held to lists.

use std::sync::Arc;

use assay_core::{Code, Service};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::uri::{Authority, Uri};
use http::{HeaderMap, header};

use crate::routes::reply;

/// The lists, read once.
pub(crate) struct Guard {
    service: Arc<Service>,
    hosts: Vec<Place>,
    origins: Vec<(String, Place)>,
}

/// A host, with the port where only one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    host: String,
    port: Option<u16>,
}

impl Guard {
    /// An entry that cannot be read allows nothing.
    pub(crate) fn new(service: Arc<Service>, hosts: &[String], origins: &[String]) -> Self {
        let hosts = hosts.iter().filter_map(|it| place(it)).collect();
        let origins =
            origins.iter().filter_map(|it| origin(it.strip_suffix(":*").unwrap_or(it))).collect();
        Self { service, hosts, origins }
    }

    fn allows(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let host = match headers.get(header::HOST) {
            Some(value) => value.to_str().ok().and_then(place),
            None => uri.authority().and_then(|it| place(it.as_str())),
        };
        let named = host.is_some_and(|it| self.hosts.iter().any(|allowed| allowed.covers(&it)));
        let from = headers.get(header::ORIGIN).map(|it| it.to_str().ok().and_then(origin));
        let comes = from.is_none_or(|from| {
            from.is_some_and(|(scheme, it)| {
                self.origins.iter().any(|allowed| allowed.0 == scheme && allowed.1.covers(&it))
            })
        });
        named && comes
    }
}

impl Place {
    fn covers(&self, other: &Self) -> bool {
        self.host == other.host && (self.port.is_none() || self.port == other.port)
    }
}

fn place(text: &str) -> Option<Place> {
    let authority: Authority = text.parse().ok()?;
    Some(Place { host: authority.host().to_ascii_lowercase(), port: authority.port_u16() })
}

fn origin(text: &str) -> Option<(String, Place)> {
    let (scheme, rest) = text.split_once("://")?;
    Some((scheme.to_ascii_lowercase(), place(rest)?))
}

pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    if guard.allows(request.headers(), request.uri()) {
        return next.run(request).await;
    }
    let message = "the `Host` or the `Origin` of the request is not on the list of this server";
    reply(guard.service.refusal(Code::ForbiddenOrigin, message))
}
