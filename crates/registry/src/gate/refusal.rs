//! Why a call does not go through.

use serde_json::{Map, Value};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $word:literal,)*) => {
        /// The reason as programs read it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word on the wire.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

codes! {
    /// The request cannot be read.
    RequestMalformed "REQUEST_MALFORMED",
    /// Nobody stands behind the request.
    SessionInvalid "SESSION_INVALID",
    /// There is no such tool.
    ToolUnknown "TOOL_UNKNOWN",
    /// The profile does not offer this kind of work.
    FacetDenied "FACET_DENIED",
    /// The tool was stopped in an emergency.
    ToolSuspended "TOOL_SUSPENDED",
    /// The tool is not in use.
    ToolDisabled "TOOL_DISABLED",
    /// No version in use lies in the range asked for.
    VersionUnavailable "VERSION_UNAVAILABLE",
    /// The skill does not list the tool.
    SkillNotBound "SKILL_NOT_BOUND",
    /// A permission is missing.
    PermissionDenied "PERMISSION_DENIED",
    /// The session is not of the kind that the tool needs.
    RoleSessionRequired "ROLE_SESSION_REQUIRED",
    /// Something that the call names is not the caller's, or is not there.
    ScopeViolation "SCOPE_VIOLATION",
    /// The arguments are not what the tool takes.
    InputInvalid "INPUT_INVALID",
    /// A step before this one is missing.
    PrerequisiteMissing "PREREQUISITE_MISSING",
    /// A step before this one had another outcome.
    PrerequisiteNotMet "PREREQUISITE_NOT_MET",
    /// More persons must agree.
    ApprovalRequired "APPROVAL_REQUIRED",
    /// An agreement does not count.
    ApprovalInvalid "APPROVAL_INVALID",
    /// A person must confirm.
    ConfirmationRequired "CONFIRMATION_REQUIRED",
    /// A person did not confirm.
    ConfirmationDeclined "CONFIRMATION_DECLINED",
    /// No person can be asked here.
    ConfirmationUnavailable "CONFIRMATION_UNAVAILABLE",
    /// Too many calls.
    RateLimited "RATE_LIMITED",
    /// The same call is under way.
    IdempotencyInFlight "IDEMPOTENCY_IN_FLIGHT",
    /// The same key came with other arguments.
    IdempotencyMismatch "IDEMPOTENCY_MISMATCH",
    /// The same call was sent before, and nobody knows what came of it.
    IdempotencyUnknownOutcome "IDEMPOTENCY_UNKNOWN_OUTCOME",
    /// The service behind the tool cannot be reached.
    ToolUnavailable "TOOL_UNAVAILABLE",
    /// The service behind the tool took too long.
    ToolTimeout "TOOL_TIMEOUT",
    /// The service behind the tool failed.
    ToolFailed "TOOL_FAILED",
    /// The call was sent, and nobody knows what came of it.
    OutcomeUnknown "OUTCOME_UNKNOWN",
    /// The answer is not what the tool promises.
    OutputInvalid "OUTPUT_INVALID",
    /// The call cannot be written down.
    AuditUnavailable "AUDIT_UNAVAILABLE",
    /// The fault is ours.
    Internal "INTERNAL",
}

/// Why a call does not go through, and what helps.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The reason.
    pub code: Code,
    /// What a program needs to go on, by name.
    pub details: Map<String, Value>,
}

impl Refusal {
    /// A refusal with these details.
    #[must_use]
    pub fn new<const N: usize>(code: Code, details: [(&str, Value); N]) -> Self {
        let details = details.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Self { code, details }
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn words_are_the_names() {
        for code in Code::ALL {
            let name = format!("{code:?}").to_uppercase();
            assert_eq!(code.word().replace('_', ""), name);
        }
        assert_eq!(Code::ALL.len(), 30);
    }
}
