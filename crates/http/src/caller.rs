//! Who sent a request.

use assay_core::{Caller, Code, Credentials, Door, Reply, Service};
use http::{HeaderMap, HeaderName, header};

/// The header of a key, beside the one that HTTP has for it.
const KEY: HeaderName = HeaderName::from_static("x-jaxon-credential");
/// Longer than any credential that was ever issued.
const MAX_LENGTH: usize = 512;

/// Finds out who sent a request, from its headers alone.
///
/// # Errors
/// The reply for a request without a credential that needs one, and for one whose credential does
/// not serve.
pub fn caller(service: &Service, door: Door, headers: &HeaderMap) -> Result<Caller, Reply> {
    service.caller(door, &credentials(service, headers)?)
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
