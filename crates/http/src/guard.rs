//! Which hosts and origins are answered.
//!
//! A page that a browser loaded from elsewhere may point a name of its own at this machine. The
//! `Host` and `Origin` of its requests still tell, so both are held to lists.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use assay_core::{Code, Reply, Service};
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http::uri::{Authority, Uri};
use http::{HeaderMap, header};

use crate::{HttpSettings, reply};

/// Answers only what comes for a host and from an origin of the lists.
pub fn guarded(router: Router, service: Arc<Service>, settings: &HttpSettings) -> Router {
    let guard = Arc::new(Guard::new(service, settings));
    router.layer(from_fn_with_state(guard, check))
}

/// The lists, read once.
#[derive(Debug)]
pub struct Guard {
    service: Arc<Service>,
    hosts: Vec<Place>,
    any_address: bool,
    origins: Vec<(String, Place)>,
}

/// A host, with the port where only one is meant.
#[derive(Debug)]
struct Place {
    host: String,
    port: Option<u16>,
}

impl Guard {
    /// An entry that cannot be read allows nothing.
    #[must_use]
    pub fn new(service: Arc<Service>, settings: &HttpSettings) -> Self {
        let hosts = settings.hosts.iter().filter_map(|it| Place::read(it)).collect();
        let origins = settings.origins.iter().filter_map(|it| {
            let (scheme, rest) = it.strip_suffix(":*").unwrap_or(it).split_once("://")?;
            Some((scheme.to_owned(), Place::read(rest)?))
        });
        let any_address = settings.any_address;
        Self { service, hosts, any_address, origins: origins.collect() }
    }

    /// The reply to what does not come for a host and from an origin of the lists.
    #[must_use]
    pub fn refusal(&self, headers: &HeaderMap, uri: &Uri) -> Option<Reply> {
        let message = "the `Host` or the `Origin` of the request is not on the list of this server";
        let is_allowed = self.allows(headers, uri);
        (!is_allowed).then(|| self.service.refusal(Code::ForbiddenOrigin, message))
    }

    fn allows(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let host = match headers.get(header::HOST) {
            Some(value) => value.to_str().ok(),
            None => uri.authority().map(Authority::as_str),
        };
        let Some(host) = host else { return false };
        let named = self.hosts.iter().any(|allowed| allowed.covers(host))
            || (self.any_address && is_address(host));
        if !named {
            return false;
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        let origin = origin.to_str().ok().and_then(|it| it.split_once("://"));
        origin.is_some_and(|(scheme, place)| {
            // A page of this server itself, whose name was found good above.
            let is_own = scheme.eq_ignore_ascii_case("http") && place.eq_ignore_ascii_case(host);
            let mut allowed = self.origins.iter();
            is_own || allowed.any(|it| it.0.eq_ignore_ascii_case(scheme) && it.1.covers(place))
        })
    }
}

impl Place {
    fn read(text: &str) -> Option<Self> {
        let (host, port) = split(text)?;
        Some(Self { host: host.to_owned(), port })
    }

    fn covers(&self, text: &str) -> bool {
        split(text).is_some_and(|(host, port)| {
            self.host.eq_ignore_ascii_case(host) && (self.port.is_none() || self.port == port)
        })
    }
}

/// Host and port. What is no host at all equals none on a list, so only the port is looked into.
fn split(text: &str) -> Option<(&str, Option<u16>)> {
    match text.rsplit_once(':') {
        // The last colon of an address in brackets stands within them.
        Some((host, port)) if !port.ends_with(']') => Some((host, Some(port.parse().ok()?))),
        _ => Some((text, None)),
    }
}

/// Whether a host is given with its port.
pub(crate) fn has_port(host: &str) -> bool {
    split(host).is_some_and(|it| it.1.is_some())
}

fn is_address(host: &str) -> bool {
    let Some((host, _)) = split(host) else { return false };
    match host.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv4Addr>().is_ok(),
    }
}

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.refusal(request.headers(), request.uri()) {
        None => next.run(request).await,
        Some(refusal) => reply(refusal),
    }
}
