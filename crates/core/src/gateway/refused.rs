//! What a caller is told of a governed call that did not go through.

use assay_base::Code;
use assay_base::canonical::Object;
use assay_registry::gate::{self, Refusal};
use serde_json::{Map, Value};

/// Why a governed call did not go through, and what helps.
#[derive(Debug, Clone)]
pub(crate) struct Refused {
    pub(crate) code: Code,
    sentence: String,
    is_retryable: bool,
    details: Map<String, Value>,
    /// By which people find what was recorded of the call.
    reference: Option<String>,
}

impl Refused {
    pub(crate) fn new(refusal: Refusal, reference: Option<&str>) -> Self {
        Self {
            code: code(refusal.code),
            sentence: refusal.sentence(),
            is_retryable: is_retryable(refusal.code),
            details: refusal.details,
            reference: reference.map(str::to_owned),
        }
    }

    pub(crate) fn message(&self) -> String {
        let title = self.code.title();
        let mut letters = title.chars();
        let first = letters.next().map(|it| it.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }

    /// After how many milliseconds the call may be repeated, where that is known.
    pub(crate) fn retry_after_ms(&self) -> Option<u64> {
        self.details.get("retry_after").and_then(Value::as_u64).map(|it| it.saturating_mul(1000))
    }

    pub(crate) fn write(&self, error: &mut Object<'_>) {
        if !self.details.is_empty() {
            error.key("details").json(&Value::Object(self.details.clone()));
        }
        if let Some(reference) = &self.reference {
            error.key("reference").string(reference);
        }
        if let Some(retry_after_ms) = self.retry_after_ms() {
            error.key("retry_after_ms").integer(retry_after_ms);
        }
        error.key("retryable").boolean(self.is_retryable);
        error.key("user_message").string(&self.sentence);
    }
}

/// The code on the wire. Four reasons have a code that other calls have too.
pub(crate) const fn code(code: gate::Code) -> Code {
    match code {
        gate::Code::RequestMalformed => Code::BadRequest,
        gate::Code::SessionInvalid => Code::CredentialInvalid,
        // Alike, so that nobody learns which tools other skills have.
        gate::Code::ToolUnknown | gate::Code::SkillNotBound => Code::UnknownTool,
        gate::Code::FacetDenied => Code::FacetDenied,
        gate::Code::ToolSuspended => Code::ToolSuspended,
        gate::Code::ToolDisabled => Code::ToolDisabled,
        gate::Code::VersionUnavailable => Code::VersionUnavailable,
        gate::Code::PermissionDenied => Code::PermissionDenied,
        gate::Code::RoleSessionRequired => Code::RoleSessionRequired,
        gate::Code::ScopeViolation => Code::ScopeViolation,
        gate::Code::InputInvalid => Code::InputInvalid,
        gate::Code::PrerequisiteMissing => Code::PrerequisiteMissing,
        gate::Code::PrerequisiteNotMet => Code::PrerequisiteNotMet,
        gate::Code::ApprovalRequired => Code::ApprovalRequired,
        gate::Code::ApprovalInvalid => Code::ApprovalInvalid,
        gate::Code::ConfirmationRequired => Code::ConfirmationRequired,
        gate::Code::ConfirmationDeclined => Code::ConfirmationDeclined,
        gate::Code::ConfirmationUnavailable => Code::ConfirmationUnavailable,
        gate::Code::RateLimited => Code::RateLimited,
        gate::Code::IdempotencyInFlight => Code::IdempotencyInFlight,
        gate::Code::IdempotencyMismatch => Code::IdempotencyMismatch,
        gate::Code::IdempotencyUnknownOutcome => Code::IdempotencyUnknownOutcome,
        gate::Code::ToolUnavailable => Code::ToolUnavailable,
        gate::Code::ToolTimeout => Code::ToolTimeout,
        gate::Code::ToolFailed => Code::ToolFailed,
        gate::Code::OutcomeUnknown => Code::OutcomeUnknown,
        gate::Code::OutputInvalid => Code::OutputInvalid,
        gate::Code::AuditUnavailable => Code::AuditUnavailable,
        gate::Code::Internal => Code::Internal,
    }
}

/// Whether the same call may go through later without anything else being done.
const fn is_retryable(code: gate::Code) -> bool {
    matches!(
        code,
        gate::Code::ToolSuspended
            | gate::Code::RateLimited
            | gate::Code::IdempotencyInFlight
            | gate::Code::ToolUnavailable
            | gate::Code::ToolTimeout
            | gate::Code::AuditUnavailable
    )
}

#[cfg(test)]
mod tests {
    use assay_registry::gate::Code;

    use super::code;

    /// Each reason has the word on the wire that it has in the gate, but for those that other calls
    /// have too.
    #[test]
    fn words_are_the_same_in_the_gate_and_on_the_wire() {
        let other: Vec<(&str, &str)> = Code::ALL
            .iter()
            .map(|it| (it.word(), code(*it).word()))
            .filter(|(gate, wire)| gate != wire)
            .collect();
        let expected = [
            ("REQUEST_MALFORMED", "BAD_REQUEST"),
            ("SESSION_INVALID", "CREDENTIAL_INVALID"),
            ("TOOL_UNKNOWN", "UNKNOWN_TOOL"),
            ("SKILL_NOT_BOUND", "UNKNOWN_TOOL"),
        ];
        assert_eq!(other, expected);
    }
}
