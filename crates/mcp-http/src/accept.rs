//! Which forms of an answer a client takes.
//!
//! The protocol asks clients to take both, and the SDK refuses the others. Every answer of this
//! door is JSON unless it brings news, so a client that takes JSON alone is answered all the same.

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};

const STREAM: &str = "text/event-stream";
/// How the protocol writes it, and most clients do.
const BOTH: &str = "application/json, text/event-stream";

/// Which forms of an answer a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accept {
    pub(crate) json: bool,
    pub(crate) streams: bool,
}

impl Accept {
    /// Streams have to be named: who takes anything at all seldom reads events.
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        if headers.get(ACCEPT).is_some_and(|it| it == BOTH) {
            return Self { json: true, streams: true };
        }
        let mut found = Self { json: !headers.contains_key(ACCEPT), streams: false };
        let values = headers.get_all(ACCEPT).iter().filter_map(|it| it.to_str().ok());
        for entry in values.flat_map(|it| it.split(',')) {
            let mut parts = entry.split(';').map(str::trim);
            let essence = parts.next().unwrap_or_default();
            if parts.any(is_excluding) {
                continue;
            }
            let is = |name: &str| essence.eq_ignore_ascii_case(name);
            found.json |= is("application/json") || is("application/*") || is("*/*");
            found.streams |= is(STREAM);
        }
        found
    }

    /// Tells the SDK what it asks for of a client that takes JSON.
    pub(crate) fn complete(self, headers: &mut HeaderMap) {
        if self.json && !self.streams {
            headers.insert(ACCEPT, HeaderValue::from_static(BOTH));
        }
    }
}

/// Whether a parameter is the weight zero.
fn is_excluding(parameter: &str) -> bool {
    let weight =
        parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    weight.is_some_and(|(_, value)| {
        value.trim().starts_with('0') && value.trim().bytes().all(|it| matches!(it, b'0' | b'.'))
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use http::header::ACCEPT;

    use super::Accept;

    #[test]
    fn forms() {
        for (values, json, streams) in [
            (&[][..], true, false),
            (&["application/json, text/event-stream"], true, true),
            (&["application/json", "text/event-stream"], true, true),
            (&["Application/JSON;charset=utf-8, TEXT/EVENT-STREAM;q=0.1"], true, true),
            (&["application/json, text/event-stream;q=0"], true, false),
            (&["application/json;q=0.0, text/event-stream; q = 1"], false, true),
            (&["*/*"], true, false),
            (&["application/*"], true, false),
            (&["text/event-stream"], false, true),
            (&["text/html, application/jsonx"], false, false),
            (&[""], false, false),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(ACCEPT, value.parse().unwrap());
            }
            assert_eq!(Accept::read(&headers), Accept { json, streams }, "{values:?}");
        }
    }
}
