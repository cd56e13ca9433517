//! From a call that may be made to the server behind its tool, and back.
//!
//! What is used up is used up in the one transaction before the call leaves, with the record that it
//! does; what became of it is kept in the one after it came back. Between the two, nobody knows.

use std::thread;
use std::time::Duration;

use assay_engine::Cancel;
use assay_registry::gate::record::{Effect, Retry};
use assay_registry::gate::snapshot::Governed;
use assay_upstream::{Answer, Call, CallError, Context};

use crate::gateway::received::Received;

/// What an attempt may take beyond the time that an answer should take, in milliseconds.
const GRACE_MS: u64 = 2_000;
/// How long a failed attempt is followed by nothing, in milliseconds.
const PAUSE_MS: u64 = 2_000;
/// How often somebody who waits looks around, in milliseconds.
const TICK_MS: u64 = 50;
/// What everything around the attempts may take, in milliseconds.
const MARGIN_MS: u64 = 30_000;
/// The most bytes of an answer, where the record states no other number.
const MAX_OUTPUT_BYTES: usize = 1024 * 1024;

/// What the server behind a tool made of a call.
#[derive(Debug)]
pub(crate) struct Carried {
    pub(crate) answer: Result<Answer, CallError>,
    /// How long it took with everything, in milliseconds.
    pub(crate) took: u64,
    pub(crate) attempts: u64,
}

/// How long one attempt may take, in milliseconds.
fn attempt_ms(tool: &Governed) -> u64 {
    let record = &tool.record;
    let stated = record.execution.attempt_timeout_ms.map(u64::from);
    stated.unwrap_or_else(|| u64::from(record.latency_slo_ms) + GRACE_MS)
}

/// How long a call may be under way before nobody waits for it any more, in milliseconds.
pub(crate) fn lease_ms(tool: &Governed) -> i64 {
    i64::try_from(2 * attempt_ms(tool) + PAUSE_MS + MARGIN_MS).unwrap_or(i64::MAX)
}

/// Asks the server behind the tool, a second time where that can do no harm.
pub(crate) fn carry(received: &Received<'_>, tool: &Governed, cancel: &Cancel) -> Carried {
    let clock = received.service.world.milliseconds;
    let began = clock();
    let took = || u64::try_from(clock().saturating_sub(began)).unwrap_or(0);
    let answer = attempt(received, tool, cancel);
    let again = match &answer {
        Ok(_) => false,
        Err(error) => may_repeat(tool, error) && wait(cancel) && !received.is_stopped_now(tool),
    };
    if !again {
        return Carried { answer, took: took(), attempts: 1 };
    }
    let second = attempt(received, tool, cancel);
    // A second attempt that reached nobody does not undo what the first one may have done.
    let answer = if may_be_done(&answer) && is_undone(&second) { answer } else { second };
    Carried { answer, took: took(), attempts: 2 }
}

/// Whether the server may have done what was asked.
const fn may_be_done(answer: &Result<Answer, CallError>) -> bool {
    matches!(answer, Err(CallError::TimedOut { sent: true } | CallError::Broken(_)))
}

/// Whether the server has not done what was asked.
const fn is_undone(answer: &Result<Answer, CallError>) -> bool {
    matches!(
        answer,
        Err(CallError::NotSent(_)
            | CallError::Unavailable
            | CallError::UnknownUpstream
            | CallError::TimedOut { sent: false }
            | CallError::Cancelled { sent: false })
    )
}

fn attempt(received: &Received<'_>, tool: &Governed, cancel: &Cancel) -> Result<Answer, CallError> {
    let (upstream, name) = tool.place().ok_or(CallError::UnknownUpstream)?;
    let limit = tool.record.execution.max_output_bytes.and_then(|it| usize::try_from(it).ok());
    // A call without a key of its own is known to the server by its record, in both attempts.
    let key = received.key(tool).map(|it| it.to_string());
    let key = key
        .or_else(|| tool.record.execution.upstream_idempotent.then(|| received.event().to_owned()));
    received.loaded.upstreams.call(&Call {
        upstream,
        tool: name,
        arguments: &received.arguments,
        context: Context {
            org_id: received.organisation(),
            matter_id: received.session.standing.matter.as_deref(),
            idempotency_key: key.as_deref(),
        },
        within: Duration::from_millis(attempt_ms(tool)),
        max_output_bytes: limit.unwrap_or(MAX_OUTPUT_BYTES),
        cancel: &|| cancel.is_cancelled(),
    })
}

/// Whether a second attempt can do no harm: nothing was sent, or the tool only reads, or the server
/// sees to it itself that a repeated call has no second effect. A server that is not taking calls
/// is not pressed.
fn may_repeat(tool: &Governed, error: &CallError) -> bool {
    let execution = &tool.record.execution;
    let harmless = tool.record.effect() == Effect::Read || execution.upstream_idempotent;
    let repeats = match error {
        CallError::NotSent(_) | CallError::TimedOut { sent: false } => true,
        CallError::TimedOut { sent: true } | CallError::Broken(_) => harmless,
        CallError::UnknownUpstream
        | CallError::Unavailable
        | CallError::TooLarge
        | CallError::Cancelled { .. } => false,
    };
    execution.retry == Retry::OnceIfSafe && repeats
}

/// Waits before a second attempt; `false` where the caller gave up meanwhile.
fn wait(cancel: &Cancel) -> bool {
    for _ in 0..PAUSE_MS / TICK_MS {
        if cancel.is_cancelled() {
            return false;
        }
        thread::sleep(Duration::from_millis(TICK_MS));
    }
    !cancel.is_cancelled()
}
