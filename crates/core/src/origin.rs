//! Where a call came from, as far as its door knows. It stands in the log and decides nothing: all
//! of it but the address is what strangers say of themselves.

use std::net::IpAddr;

use assay_base::json::visible;

/// Most characters that are kept of what a stranger says.
const MAX_CHARACTERS: usize = 200;
/// The lengths of the parts of a `traceparent`: version, trace, parent, flags.
const TRACE_PARTS: [usize; 4] = [2, 32, 16, 2];

/// Where a call came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The address at the other end of the connection; none where there is no connection.
    ip: Option<IpAddr>,
    user_agent: Option<String>,
    request_id: Option<String>,
    trace_id: Option<String>,
}

impl Origin {
    /// A call over a connection whose other end has this address, where it is known.
    #[must_use]
    pub fn of_peer(ip: Option<IpAddr>) -> Self {
        Self { ip, ..Self::default() }
    }

    /// With the program that the caller says to be.
    #[must_use]
    pub fn with_user_agent(mut self, said: &str) -> Self {
        self.user_agent = kept(said);
        self
    }

    /// With the name that the request goes by elsewhere, unless it has one.
    #[must_use]
    pub fn with_request_id(mut self, said: &str) -> Self {
        self.request_id = self.request_id.or_else(|| kept(said));
        self
    }

    /// With the trace that a `traceparent` of the W3C names. One that is none names none.
    #[must_use]
    pub fn with_traceparent(mut self, said: &str) -> Self {
        self.trace_id = trace_id(said).or(self.trace_id);
        self
    }

    pub(crate) fn ip_address(&self) -> Option<String> {
        self.ip.map(|it| it.to_canonical().to_string())
    }

    pub(crate) fn user_agent(&self) -> Option<String> {
        self.user_agent.clone()
    }

    pub(crate) fn request_id(&self) -> Option<String> {
        self.request_id.clone()
    }

    pub(crate) fn trace_id(&self) -> Option<String> {
        self.trace_id.clone()
    }
}

/// What is kept of what a stranger says: not much of it, and nothing that nobody sees.
fn kept(said: &str) -> Option<String> {
    let text: String = visible(said.trim()).take(MAX_CHARACTERS).collect();
    (!text.is_empty()).then_some(text)
}

fn trace_id(said: &str) -> Option<String> {
    let parts: Vec<&str> = said.split('-').collect();
    let is_hexadecimal = |it: &str| it.chars().all(|it| matches!(it, '0'..='9' | 'a'..='f'));
    let is_zero = |it: &str| it.chars().all(|it| it == '0');
    let [version, trace, parent, ..] = parts.as_slice() else { return None };
    let lengths = parts.iter().zip(TRACE_PARTS);
    let is_shaped = lengths.clone().count() == TRACE_PARTS.len()
        && lengths.clone().all(|(part, length)| part.len() == length && is_hexadecimal(part));
    // A later version may have more parts.
    let is_known = *version != "ff" && (*version != "00" || parts.len() == TRACE_PARTS.len());
    let is_set = !is_zero(trace) && !is_zero(parent);
    (is_shaped && is_known && is_set).then(|| (*trace).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARACTERS, Origin};

    #[test]
    fn strangers_say_little_and_nothing_unseen() {
        let said = Origin::default()
            .with_user_agent(&"x".repeat(1_000))
            .with_request_id("a\u{1b}[31m\u{202e}\n")
            .with_request_id("another");
        assert_eq!(said.user_agent().unwrap().len(), MAX_CHARACTERS);
        let id = said.request_id().unwrap();
        assert!(id.starts_with('a') && id.chars().all(|it| !it.is_control() && it != '\u{202e}'));
        assert_eq!(Origin::default().with_user_agent(" \t").user_agent(), None);
        let unseen = Origin::default().with_user_agent(&"\u{200b}".repeat(1_000));
        assert_eq!(unseen.user_agent().unwrap().len(), MAX_CHARACTERS);
    }

    #[test]
    fn a_trace_is_named_as_the_w3c_has_it() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let named = |said: &str| Origin::default().with_traceparent(said).trace_id();
        for said in ["00-TRACE-00f067aa0ba902b7-01", "01-TRACE-00f067aa0ba902b7-01-more"] {
            assert_eq!(named(&said.replace("TRACE", trace)).as_deref(), Some(trace), "{said}");
        }
        for said in [
            "",
            "TRACE",
            "00-TRACE-00f067aa0ba902b7",
            "00-TRACE-00f067aa0ba902b7-01-more",
            "ff-TRACE-00f067aa0ba902b7-01",
            "00-TRACE-0000000000000000-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-short-00f067aa0ba902b7-01",
        ] {
            assert_eq!(named(&said.replace("TRACE", trace)), None, "{said}");
        }
        let kept = Origin::default()
            .with_traceparent(&format!("00-{trace}-00f067aa0ba902b7-01"))
            .with_traceparent("nothing");
        assert_eq!(kept.trace_id().as_deref(), Some(trace));
    }
}
