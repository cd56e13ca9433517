//! What became of a call: what its caller is told, and what is kept of it.

use assay_registry::gate::snapshot::Governed;
use assay_registry::gate::{Code, Refusal, scope};
use assay_upstream::{Answer, CallError, REST_SECONDS};
use serde_json::{Value, json};

use crate::gateway::owners::Owners;
use crate::gateway::received::Received;

/// For how long an outcome is kept, where the record states no other time, in milliseconds.
const KEPT_MS: i64 = 86_400_000;

/// What became of a call.
#[derive(Debug)]
pub(crate) struct Ending {
    /// The answer, or what the caller is told instead.
    pub(crate) answer: Result<Value, Refusal>,
    /// What the next call with the same key meets.
    pub(crate) kept: Kept,
    /// Whether the call may have had an effect although it did not succeed.
    pub(crate) is_partial: bool,
}

/// What the next call with the same key meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Nothing: this one did not take place.
    Nothing,
    /// The same answer, for this many milliseconds.
    Answer(i64),
    /// That nobody knows what came of this one.
    Doubt,
}

impl Ending {
    /// The ending of a call that the server behind its tool answered, or did not.
    pub(crate) fn of(
        received: &Received<'_>,
        tool: &Governed,
        carried: &Result<Answer, CallError>,
    ) -> Self {
        match carried {
            Ok(answer) if answer.is_error => Self {
                answer: Err(Refusal::new(Code::ToolFailed, [])),
                // Whether it was done all the same, nobody knows: it is not sent again.
                kept: Kept::Answer(kept_ms(tool)),
                is_partial: !tool.is_read(),
            },
            Ok(answer) => match fault(received, tool, answer) {
                None => Self {
                    answer: Ok(answer.result.clone()),
                    kept: Kept::Answer(kept_ms(tool)),
                    is_partial: false,
                },
                Some(why) => Self::unusable(tool, why),
            },
            Err(CallError::TooLarge) => Self::unusable(tool, "size"),
            Err(CallError::UnknownUpstream | CallError::NotSent(_)) => {
                Self::undone(Refusal::new(Code::ToolUnavailable, []))
            }
            Err(CallError::Unavailable) => Self::undone(later(Code::ToolUnavailable)),
            Err(CallError::TimedOut { sent: false }) => Self::undone(later(Code::ToolTimeout)),
            Err(CallError::Cancelled { sent: false }) => {
                Self::undone(Refusal::new(Code::ToolUnavailable, []))
            }
            Err(CallError::TimedOut { sent: true }) => {
                Self::doubtful(received, tool, Code::ToolTimeout)
            }
            Err(CallError::Broken(_) | CallError::Cancelled { sent: true }) => {
                Self::doubtful(received, tool, Code::ToolUnavailable)
            }
        }
    }

    /// Nothing was sent.
    fn undone(refusal: Refusal) -> Self {
        Self { answer: Err(refusal), kept: Kept::Nothing, is_partial: false }
    }

    /// Something was sent, and no usable answer came.
    fn doubtful(received: &Received<'_>, tool: &Governed, read: Code) -> Self {
        if tool.is_read() {
            return Self::undone(later(read));
        }
        // What to look for at the server is what the call was to change.
        let details = [
            ("reference", json!(received.event())),
            ("side_effects", json!(tool.record.side_effects)),
        ];
        let answer = Err(Refusal::new(Code::OutcomeUnknown, details));
        Self { answer, kept: Kept::Doubt, is_partial: true }
    }

    /// An answer came that nobody is given.
    fn unusable(tool: &Governed, why: &str) -> Self {
        let is_partial = !tool.is_read();
        let details = [("effects_possible", json!(is_partial)), ("why", json!(why))];
        Self {
            answer: Err(Refusal::new(Code::OutputInvalid, details)),
            kept: Kept::Answer(kept_ms(tool)),
            is_partial,
        }
    }

    /// Why an answer that came is given to nobody.
    pub(crate) fn withheld(&self) -> Option<&str> {
        let refusal = self.answer.as_ref().err().filter(|it| it.code == Code::OutputInvalid)?;
        refusal.details.get("why")?.as_str()
    }

    /// What is kept for the next call with the same key.
    pub(crate) fn payload(&self, event: &str) -> Value {
        match &self.answer {
            Ok(result) => json!({ "event": event, "result": result }),
            Err(refusal) => json!({
                "event": event, "code": refusal.code.word(), "details": refusal.details,
            }),
        }
    }
}

/// Something that may go better once the server has had its rest.
fn later(code: Code) -> Refusal {
    Refusal::new(code, [("retry_after", json!(REST_SECONDS))])
}

/// What was kept of an earlier call: its record, and its answer or what its caller was told.
pub(crate) fn kept(payload: &Value) -> (String, Result<Value, Refusal>) {
    let text = |key: &str| payload.get(key).and_then(Value::as_str);
    let event = text("event").unwrap_or_default().to_owned();
    let code = text("code").map(|word| {
        let known = Code::ALL.iter().find(|it| it.word() == word);
        known.copied().unwrap_or(Code::Internal)
    });
    let answer = match code {
        None => Ok(payload.get("result").cloned().unwrap_or(Value::Null)),
        Some(code) => {
            let details = payload.get("details").and_then(Value::as_object);
            Err(Refusal { code, details: details.cloned().unwrap_or_default() })
        }
    };
    (event, answer)
}

fn kept_ms(tool: &Governed) -> i64 {
    let stated = tool.record.execution.idempotency_ttl_s;
    stated.map_or(KEPT_MS, |it| i64::from(it) * 1000)
}

/// Why an answer is given to nobody.
fn fault(received: &Received<'_>, tool: &Governed, answer: &Answer) -> Option<&'static str> {
    if tool.record.org_scoped {
        let (snapshot, owners) = (&received.loaded.snapshot, Owners::new(received));
        let is_foreign = |kind, id: &str| owners.is_foreign(kind, id);
        let kind = |name: &str| snapshot.kind_of(name);
        if scope::names_another(&answer.result, received.organisation(), &kind, &is_foreign) {
            return Some("organisation");
        }
        if received.owner_unknown.get() {
            return Some("owner");
        }
    }
    let schema = tool.output.as_ref()?;
    // A sentence is not what was promised, also where the promise asks for no member.
    (answer.is_sentence() || !schema.is_valid(&answer.result)).then_some("schema")
}
