//! What a person is told when a call does not go through.
//!
//! Calm, short, and honest about whether anything happened; no code, name of a tool or place in a
//! document. Whoever shows a sentence adds what the details hold.

use crate::gate::Code;

impl Code {
    /// The sentence for a person.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::RequestMalformed => "I could not read this request, so nothing was done.",
            Self::SessionInvalid => "Please sign in again; nothing was done.",
            Self::ToolUnknown | Self::SkillNotBound => {
                "This step is no part of the current work. Your administrator can add it."
            }
            Self::FacetDenied => "This workspace does not offer this kind of work.",
            Self::ToolSuspended => {
                "This step is switched off while our team examines it. Nothing was recorded."
            }
            Self::ToolDisabled => "This step is no longer in use. Nothing was recorded.",
            Self::VersionUnavailable => {
                "This step is not available in the form that was asked for. Nothing was recorded."
            }
            Self::PermissionDenied => {
                "Your role does not include this step. A colleague whose role does can help."
            }
            Self::RoleSessionRequired => {
                "This step needs a colleague of the right role who has just signed in."
            }
            Self::ScopeViolation => {
                "No such record was found in your workspace. Please look at the reference again."
            }
            Self::InputInvalid => "Some details are missing or do not fit. Nothing was recorded.",
            Self::PrerequisiteMissing => "Another step has to be finished before this one.",
            Self::PrerequisiteNotMet => {
                "An earlier step had a result that does not allow this one as it stands."
            }
            Self::ApprovalRequired => "This waits until enough colleagues have agreed to it.",
            Self::ApprovalInvalid => "One of the approvals does not count for this request.",
            Self::ConfirmationRequired => "Please look this over and confirm; until then it waits.",
            Self::ConfirmationDeclined => "As you wished, nothing was sent.",
            Self::ConfirmationUnavailable => {
                "You would have to confirm this on a screen, which is not possible here."
            }
            Self::RateLimited => "This step was used very often just now. Please wait a little.",
            Self::IdempotencyInFlight => "The same request is being worked on already.",
            Self::IdempotencyMismatch => {
                "The same request came before with other details. Please say which ones hold."
            }
            Self::IdempotencyUnknownOutcome | Self::OutcomeUnknown => {
                "Whether this was carried out is not known yet. Please do not repeat it."
            }
            Self::ToolUnavailable => "The service for this step cannot be reached at the moment.",
            Self::ToolTimeout => "The service for this step did not answer in time.",
            Self::ToolFailed => "The service for this step could not do what was asked.",
            Self::OutputInvalid => {
                "The answer was incomplete. If this was to change something, please have it checked."
            }
            Self::AuditUnavailable => {
                "This cannot be put on record at the moment, so it was not carried out."
            }
            Self::Internal => "Something failed on our side. Please have it checked.",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::gate::Code;

    /// Words that belong to machines.
    const BANNED: &[&str] =
        &["json", "schema", "exception", "null", "gateway", "upstream", "token", "tool", "error"];

    #[test]
    fn calm_and_plain() {
        for code in Code::ALL {
            let sentence = code.sentence();
            let words = sentence.to_lowercase();
            assert!(BANNED.iter().all(|it| !words.contains(it)), "{sentence}");
            let plain = |it: char| it.is_ascii_alphabetic() || " .,;".contains(it);
            assert!(sentence.chars().all(plain) && sentence.ends_with('.'), "{sentence}");
            assert!(sentence.split(". ").count() <= 3 && sentence.len() <= 120, "{sentence}");
        }
    }

    #[test]
    fn unknown_and_unlisted_sound_alike() {
        assert_eq!(Code::ToolUnknown.sentence(), Code::SkillNotBound.sentence());
    }

    /// Codes of calls that were perhaps sent: no sentence may say that nothing came of it.
    const PERHAPS_SENT: &[Code] = &[
        Code::ToolUnavailable,
        Code::ToolTimeout,
        Code::ToolFailed,
        Code::OutcomeUnknown,
        Code::OutputInvalid,
        Code::IdempotencyInFlight,
        Code::IdempotencyUnknownOutcome,
        Code::Internal,
    ];

    #[test]
    fn what_was_perhaps_sent_is_never_said_to_be_nothing() {
        for code in PERHAPS_SENT {
            let sentence = code.sentence().to_lowercase();
            for promise in ["nothing", "not carried out"] {
                assert!(!sentence.contains(promise), "{sentence}");
            }
        }
    }
}
