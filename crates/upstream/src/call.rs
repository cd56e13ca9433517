//! One call, its answer, and the ways in which there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{error, fmt};

use assay_base::canonical;
use serde_json::{Map, Value};

/// A call that was decided to be made.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// The name of the upstream, as in the routes.
    pub upstream: &'c str,
    /// The tool, as the server calls it.
    pub tool: &'c str,
    /// A JSON object.
    pub arguments: &'c Value,
    /// On whose behalf.
    pub context: Context<'c>,
    /// How long the whole call may take, connecting included.
    pub within: Duration,
    /// The most bytes that the canonical form of the result may have. A message of a child that
    /// is longer than 16 MiB is passed over, and the call waits until its time is over.
    pub max_output_bytes: usize,
    /// Asked about every 50 ms on the thread that waits; once it says true, the call is given up.
    pub cancel: &'c dyn Fn() -> bool,
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut call = out.debug_struct("Call");
        call.field("upstream", &self.upstream).field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// On whose behalf a call is made. No credential of a caller is among it.
#[derive(Debug, Clone, Copy)]
pub struct Context<'c> {
    /// The organisation.
    pub org_id: &'c str,
    /// The matter that the call belongs to.
    pub matter_id: Option<&'c str>,
    /// By which the server recognises a repeated call.
    pub idempotency_key: Option<&'c str>,
}

impl<'c> Context<'c> {
    /// What is known, each with its key in MCP's `_meta` and its HTTP header.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&'static str, &'static str, &'c str)> {
        [
            ("assay/org_id", "x-assay-org", Some(self.org_id)),
            ("assay/matter_id", "x-assay-matter", self.matter_id),
            ("assay/idempotency-key", "idempotency-key", self.idempotency_key),
        ]
        .into_iter()
        .filter_map(|(key, header, value)| Some((key, header, value?)))
    }
}

/// What a server says of one of its tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What it says that the tool does.
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The JSON Schema of the answer, where it promises one.
    pub output_schema: Option<Value>,
    /// Whether it says that a call changes nothing.
    pub is_read: bool,
    /// The lower-case hexadecimal BLAKE3 digest of the canonical object of its `description`,
    /// `input_schema`, `name` and `output_schema`, `null` standing for what it does not have.
    pub digest: String,
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The structured content; without one the first text, as the JSON object that it is or as
    /// `{"text": "…"}`; without either `{}`.
    pub result: Value,
    /// Whether the server gave structured content, as opposed to text.
    pub has_structure: bool,
    /// Whether the server says that the call failed.
    pub is_error: bool,
}

impl Answer {
    /// A failure about which the server said nothing that can be passed on.
    pub(crate) fn bare_failure() -> Self {
        Self { result: Value::Object(Map::new()), has_structure: false, is_error: true }
    }

    /// Whether the server answered with a text that is no JSON object.
    #[must_use]
    pub fn is_sentence(&self) -> bool {
        let alone = self.result.as_object().filter(|it| it.len() == 1);
        let is_text = alone.and_then(|it| it.get("text")).is_some_and(Value::is_string);
        is_text && !self.has_structure
    }

    /// The answer, unless it is larger than the caller takes.
    pub(crate) fn within(self, max_output_bytes: usize) -> Result<Self, CallError> {
        let bytes = canonical::to_bytes(|value| value.json(&self.result));
        if bytes.len() > max_output_bytes { Err(CallError::TooLarge) } else { Ok(self) }
    }
}

/// Why there is no answer. The texts are for operators and never hold a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// No route has this name.
    UnknownUpstream,
    /// Nothing reached the server: it could not be connected to, or the call could not be written.
    NotSent(String),
    /// The server is not taking calls, and did not take this one.
    Unavailable,
    /// The time was over.
    TimedOut {
        /// Whether the server may have got the call.
        sent: bool,
    },
    /// The call was sent, and what became of it cannot be told.
    Broken(String),
    /// The call was answered with more than the caller takes.
    TooLarge,
    /// The caller gave up.
    Cancelled {
        /// Whether the server may have got the call.
        sent: bool,
    },
}

impl fmt::Display for CallError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownUpstream => out.write_str("no upstream has this name"),
            Self::NotSent(reason) => write!(out, "the call was not sent: {reason}"),
            Self::Unavailable => out.write_str("the server is not taking calls"),
            Self::TimedOut { sent: false } => out.write_str("the time was over before it was sent"),
            Self::TimedOut { sent: true } => out.write_str("no answer came in time"),
            Self::Broken(reason) => write!(out, "what became of the call is unknown: {reason}"),
            Self::TooLarge => out.write_str("the answer is larger than is taken"),
            Self::Cancelled { sent: false } => out.write_str("given up before it was sent"),
            Self::Cancelled { sent: true } => out.write_str("given up before an answer came"),
        }
    }
}

impl error::Error for CallError {}

/// Whether the server may have got the call; set before the first byte can leave.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent(Arc<AtomicBool>);

impl Sent {
    pub(crate) fn mark(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
