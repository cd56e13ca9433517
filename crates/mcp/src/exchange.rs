//! What travels beside a message, because the SDK would alter it.
//!
//! The SDK reads arguments and writes structured content as a tree of `serde_json` values, which
//! rounds numbers and drops duplicate keys. So a transport cuts the arguments out of a message as
//! text before the SDK reads it, and puts the payload into the answer as text after the SDK wrote
//! it. Both texts travel in an [`Exchange`], which the transport leaves in the extensions of the
//! request.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use assay_base::canonical;
use assay_core::Caller;
use rmcp::model::{ErrorCode, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The texts beside one message. Clones stand for the same message.
#[derive(Debug, Clone, Default)]
pub struct Exchange(Arc<Texts>);

#[derive(Debug, Default)]
struct Texts {
    arguments: Option<String>,
    payload: OnceLock<Vec<u8>>,
    caller: OnceLock<Caller>,
}

impl Exchange {
    /// The arguments of a tool call as they were sent.
    pub(crate) fn arguments(&self) -> &str {
        self.0.arguments.as_deref().unwrap_or("{}")
    }

    /// Who sent the message, where its transport found out. Where it did not, the message came from
    /// the owner's machine.
    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.0.caller.get()
    }

    /// Notes who sent the message.
    pub fn set_caller(&self, caller: Caller) {
        // A message has one sender, so the place is free.
        let _ = self.0.caller.set(caller);
    }

    /// Leaves the payload, a JSON object, for the answer.
    pub(crate) fn set_payload(&self, payload: Vec<u8>) {
        // A message is answered once, so the place is free.
        let _ = self.0.payload.set(payload);
    }

    /// Whether there is a payload for the answer.
    #[must_use]
    pub fn has_payload(&self) -> bool {
        self.0.payload.get().is_some()
    }

    /// Puts the payload into `answer`, one JSON-RPC message as the SDK wrote it, as its
    /// `structuredContent`. An answer without payload stays as it is.
    #[must_use]
    pub fn complete(&self, answer: Vec<u8>) -> Vec<u8> {
        const RESULT: &[u8] = b"\"result\":{";
        const KEY: &[u8] = b"\"structuredContent\":";
        // INVARIANT: the first match is the member of the message itself. What precedes it are
        // scalars, and within a string each of its quotation marks would have a backslash.
        let found = answer.windows(RESULT.len()).position(|it| it == RESULT);
        let (Some(payload), Some(found)) = (self.0.payload.get(), found) else { return answer };
        let (head, tail) = answer.split_at(found + RESULT.len());
        // The result is never empty, since it has content: a comma separates it.
        [head, KEY, payload, b",", tail].concat()
    }
}

/// One message from a client, cut in two.
#[derive(Debug)]
pub struct Incoming {
    /// The message for the SDK, with `{}` in place of the arguments of a tool call.
    pub message: Vec<u8>,
    /// What was cut out, and later the payload.
    pub exchange: Exchange,
    /// The id, where the message has one that an answer may bear.
    pub id: Option<RequestId>,
    /// Whether it opens a session of the eras that have them.
    pub initializes: bool,
}

#[derive(Deserialize)]
struct Envelope<'m> {
    #[serde(borrow, default)]
    id: Option<&'m RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'m, str>>,
    #[serde(borrow, default)]
    params: Option<Params<'m>>,
}

#[derive(Deserialize)]
struct Params<'m> {
    #[serde(borrow, default)]
    arguments: Option<&'m RawValue>,
}

impl Incoming {
    /// Cuts one message.
    ///
    /// # Errors
    /// [`Refused`] when the bytes are no JSON in UTF-8 (-32700), or no object that could be a
    /// message, which includes one that names a member twice (-32600).
    pub fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let text = std::str::from_utf8(bytes).map_err(|error| Refused::unreadable(&error))?;
        let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|error| {
            if error.is_data() { Refused::shapeless(None) } else { Refused::unreadable(&error) }
        })?;
        // The reader of structures takes an array for one too.
        if !text.trim_start().starts_with('{') {
            return Err(Refused::shapeless(None));
        }
        let id = envelope.id.and_then(|it| serde_json::from_str(it.get()).ok());
        let arguments = envelope.params.and_then(|it| it.arguments).map(RawValue::get);
        let arguments = arguments.filter(|it| it.starts_with('{'));
        let parts = match (envelope.method.as_deref(), arguments) {
            (Some("tools/call"), Some(arguments)) => cut(text, arguments),
            _ => None,
        };
        let (message, arguments) = match parts {
            Some((head, arguments, tail)) => {
                ([head, "{}", tail].concat().into_bytes(), Some(arguments.to_owned()))
            }
            None => (bytes.to_vec(), None),
        };
        let texts = Texts { arguments, ..Texts::default() };
        let initializes = envelope.method.as_deref() == Some("initialize");
        Ok(Self { message, exchange: Exchange(Arc::new(texts)), id, initializes })
    }
}

/// What stands before, in and behind `part`, which is a slice of `whole`.
fn cut<'t>(whole: &'t str, part: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let (head, rest) = whole.split_at_checked(start)?;
    let (part, tail) = rest.split_at_checked(part.len())?;
    Some((head, part, tail))
}

/// The answer to bytes that are no message.
#[derive(Debug)]
pub struct Refused {
    id: Option<RequestId>,
    code: ErrorCode,
    message: String,
}

impl Refused {
    /// No object that could be a message.
    #[must_use]
    pub fn shapeless(id: Option<RequestId>) -> Self {
        let message = "not a JSON-RPC 2.0 message".to_owned();
        Self { id, code: ErrorCode::INVALID_REQUEST, message }
    }

    /// More bytes than are read.
    #[must_use]
    pub fn too_long(limit: usize) -> Self {
        let message = format!("the message is longer than {limit} bytes");
        Self { id: None, code: ErrorCode::PARSE_ERROR, message }
    }

    /// Fewer bytes than were announced, or later than they are waited for.
    #[must_use]
    pub fn incomplete() -> Self {
        let message = "the message did not arrive whole and in time".to_owned();
        Self { id: None, code: ErrorCode::PARSE_ERROR, message }
    }

    /// No answer to the request `id`, because of what `message` says.
    #[must_use]
    pub fn unanswered(id: RequestId, message: String) -> Self {
        Self { id: Some(id), code: ErrorCode::INTERNAL_ERROR, message }
    }

    fn unreadable(problem: &dyn fmt::Display) -> Self {
        let message = format!("not JSON in UTF-8: {problem}");
        Self { id: None, code: ErrorCode::PARSE_ERROR, message }
    }

    /// The answer as one JSON-RPC message. An id that is not known is `null`, which JSON-RPC asks
    /// for and the types of the SDK cannot express.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        canonical::to_bytes(|value| {
            value.object(|object| {
                object.key("error").object(|error| {
                    error.key("code").integer(self.code.0);
                    error.key("message").string(&self.message);
                });
                match &self.id {
                    None => object.key("id").null(),
                    Some(RequestId::Number(id)) => object.key("id").integer(*id),
                    Some(RequestId::String(id)) => object.key("id").string(id),
                }
                object.key("jsonrpc").string("2.0");
            });
        })
    }
}

/// One message of the protocol as bytes without line breaks.
#[must_use]
pub fn encode(message: &ServerJsonRpcMessage) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The types of the protocol have string keys and finite numbers, and a vector takes all bytes.
    let _ = serde_json::to_writer(&mut bytes, message);
    bytes
}

#[cfg(test)]
mod tests;
