//! Who sent a request.

use std::net::SocketAddr;

use assay_core::{Caller, Code, Credentials, Door, Origin, Reply, Service};
use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName, header};

/// The header of a key, beside the one that HTTP has for it.
const KEY: HeaderName = HeaderName::from_static("x-jaxon-credential");
/// Longer than any credential that was ever issued.
const MAX_LENGTH: usize = 512;

/// The names of a request and of its trace elsewhere.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Finds out who sent a request, from its headers alone, and notes where it came from.
///
/// # Errors
/// The reply for a request without a credential that needs one, and for one whose credential does
/// not serve.
pub fn caller(
    service: &Service,
    door: Door,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<Caller, Reply> {
    let caller = service.caller(door, &credentials(service, headers)?)?;
    Ok(caller.coming_from(origin(headers, extensions)))
}

/// Where a request came from. The address is the one at the other end of the connection, whatever a
/// header says.
fn origin(headers: &HeaderMap, extensions: &Extensions) -> Origin {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let mut origin = Origin::of_peer(peer.map(|it| it.0.ip()));
    let said =
        |name: &HeaderName| headers.get(name).map(|it| String::from_utf8_lossy(it.as_bytes()));
    if let Some(said) = said(&header::USER_AGENT) {
        origin = origin.with_user_agent(&said);
    }
    if let Some(said) = said(&REQUEST_ID) {
        origin = origin.with_request_id(&said);
    }
    if let Some(said) = said(&TRACEPARENT) {
        origin = origin.with_traceparent(&said);
    }
    origin
}

/// The credentials of a request.
///
/// # Errors
/// The reply for a header that is not one credential.
pub fn credentials<'h>(
    service: &Service,
    headers: &'h HeaderMap,
) -> Result<Credentials<'h>, Reply> {
    let read = |name: &HeaderName| -> Result<Option<&'h str>, Reply> {
        let mut values = headers.get_all(name).iter();
        let Some(value) = values.next() else { return Ok(None) };
        let text = value.to_str().ok().filter(|it| it.len() <= MAX_LENGTH);
        match (text, values.next()) {
            (Some(text), None) => Ok(Some(text.trim())),
            _ => Err(invalid(service, name)),
        }
    };
    let bearer = match read(&header::AUTHORIZATION)? {
        None => None,
        Some(text) => {
            let token = text.split_once(' ').filter(|(scheme, _)| {
                // The name of a scheme is written in any case.
                scheme.eq_ignore_ascii_case("bearer")
            });
            let token = token.map(|(_, token)| token.trim()).filter(|it| !it.is_empty());
            Some(token.ok_or_else(|| invalid(service, &header::AUTHORIZATION))?)
        }
    };
    let key = read(&KEY)?.filter(|it| !it.is_empty());
    Ok(Credentials { bearer, key })
}

fn invalid(service: &Service, name: &HeaderName) -> Reply {
    let message = format!(
        "the header `{name}` is not one credential: send it once, as `Bearer TOKEN` in \
         `authorization` or as it is in `{KEY}`"
    );
    service.refusal(Code::CredentialInvalid, &message)
}
