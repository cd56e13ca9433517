//! Why a call was not answered, and the envelope that says so.

use assay_base::canonical::Fragment;
use assay_base::canonical::{Object, Slot, to_bytes};
use assay_base::json::JsonError;
use assay_base::{Code, Diagnostic, RulesetHash, Source};
use assay_dsail::bind::{BindError, Rejection};
use assay_dsail::budget::BudgetExceeded;
use assay_dsail::grammar;
use assay_engine::CheckError;
use assay_registry::{Refusal, gate};
use assay_store::{Refusal as Rule, StoreError};

use crate::gateway::Refused;
use crate::problem::write_problems;
use crate::reply::Reply;

/// What the allowance of this kind of installation is called.
pub(crate) const TIER: &str = "self-hosted";

/// Why a call was not answered.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The claim dictionary was refused.
    Rejected(Rejection),
    /// The source has errors.
    CompileFailed { source: Source, diagnostics: Vec<Diagnostic> },
    /// A limit was exceeded.
    Budget(BudgetExceeded),
    /// Nothing is stored under the hash.
    RulesetNotFound { hash: RulesetHash },
    /// The request has the wrong shape.
    BadRequest { message: String },
    /// The check was not decided.
    Check(CheckError),
    /// The store did not answer.
    Store(StoreError),
    /// The call was not admitted; with the reference of its record, where it has one.
    Refused(Refusal, Option<String>),
    /// A call of a governed tool did not go through.
    Governed(Box<Refused>),
    /// The allowance of the workspace does not reach.
    Entitlement { units: u64, used: u64, limit: u64, period: String },
    /// A fault that a door or the service itself found.
    Other { code: Code, message: String },
}

impl Failure {
    /// A request with the wrong shape.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::BadRequest { message: message.into() }
    }

    /// A failure that its code and one sentence say all about.
    pub(crate) fn other(code: Code, message: impl Into<String>) -> Self {
        Self::Other { code, message: message.into() }
    }

    /// A call that the gate refuses, with the reference of its record.
    pub(crate) fn governed(refusal: gate::Refusal, reference: Option<&str>) -> Self {
        Self::Governed(Box::new(Refused::new(refusal, reference)))
    }

    /// A rule of the store that the call would have broken.
    pub(crate) const fn rule(rule: Rule) -> Self {
        Self::Store(StoreError::Refused(rule))
    }

    /// Arguments that are no JSON object.
    pub(crate) fn not_an_object(what: &str, error: &JsonError) -> Self {
        Self::bad_request(format!("{what} cannot be read: {error}"))
    }

    pub(crate) fn code(&self) -> Code {
        match self {
            Self::Rejected(_) => Code::ValidationRejected,
            Self::CompileFailed { .. } => Code::CompileFailed,
            Self::Budget(_) => Code::BudgetExceeded,
            Self::RulesetNotFound { .. } => Code::RulesetNotFound,
            Self::BadRequest { .. } => Code::BadRequest,
            Self::Check(CheckError::Busy { .. }) => Code::EngineBusy,
            Self::Check(CheckError::Inconclusive { .. }) => Code::EngineInconclusive,
            Self::Check(CheckError::Cancelled) => Code::CallCancelled,
            Self::Check(CheckError::Fault { .. }) => Code::EngineError,
            Self::Store(StoreError::Refused(rule)) => rule_code(rule),
            Self::Store(_) => Code::StoreUnavailable,
            Self::Refused(refusal, _) => refusal.code(),
            Self::Governed(refused) => refused.code,
            Self::Entitlement { .. } => Code::EntitlementExceeded,
            Self::Other { code, .. } => *code,
        }
    }

    pub(crate) fn message(&self) -> String {
        match self {
            Self::Rejected(rejection) => {
                let fields = counted(rejection.total, "field");
                let verb = if rejection.total == 1 { "is" } else { "are" };
                let shown = rejection.failures.len();
                let rest = if shown < rejection.total {
                    format!(", of which {shown} are listed")
                } else {
                    String::new()
                };
                format!("{fields} of the claim dictionary {verb} refused{rest}")
            }
            Self::CompileFailed { diagnostics, .. } => {
                let errors = diagnostics
                    .iter()
                    .filter(|it| it.severity() == assay_base::Severity::Error)
                    .count();
                format!("the source has {}", counted(errors, "error"))
            }
            Self::Budget(exceeded) => exceeded.to_string(),
            Self::RulesetNotFound { hash } => format!("no ruleset is stored under `{hash}`"),
            Self::BadRequest { message } | Self::Other { message, .. } => message.clone(),
            Self::Check(error) => error.to_string(),
            Self::Store(error) => format!("{error}: {}", error.help()),
            Self::Refused(refusal, _) => refusal.to_string(),
            Self::Governed(refused) => refused.message(),
            Self::Entitlement { units, used, limit, period } => format!(
                "this check takes {units} units, and {used} of the {limit} that the workspace has \
                 for {period} are spent"
            ),
        }
    }

    fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::Check(CheckError::Busy { retry_after_ms }) => Some(*retry_after_ms),
            Self::Governed(refused) => refused.retry_after_ms(),
            _ => None,
        }
    }

    /// The envelope in canonical bytes.
    pub(crate) fn reply(&self, versions: &Fragment) -> Reply {
        let body = to_bytes(|value| {
            value.object(|object| {
                object.key("error").object(|error| self.write(error));
                object.key("ok").boolean(false);
                object.key("versions").fragment(versions);
            });
        });
        Reply { body, failure: Some(self.code()), retry_after_ms: self.retry_after_ms() }
    }

    fn write(&self, error: &mut Object<'_>) {
        error.key("code").string(self.code().word());
        error.key("docs").string(self.code().page());
        error.key("message").string(&self.message());
        match self {
            Self::Rejected(rejection) => {
                error.key("failure_count").integer(rejection.total as u64);
                rejection.write_failures(error.key("failures"));
            }
            Self::CompileFailed { source, diagnostics } => {
                error.key("diagnostic_count").integer(diagnostics.len() as u64);
                write_problems(error.key("diagnostics"), source, diagnostics);
                error.key("hint").string(grammar::GUIDE);
            }
            Self::Budget(exceeded) => write_budget(error, exceeded),
            Self::Check(CheckError::Busy { retry_after_ms }) => {
                error.key("retry_after_ms").integer(*retry_after_ms);
            }
            Self::Refused(refusal, reference) => {
                if let Some(reference) = reference {
                    error.key("reference").string(reference);
                }
                error.key("user_message").string(refusal.sentence());
            }
            Self::Governed(refused) => refused.write(error),
            Self::Entitlement { used, limit, period, .. } => {
                error.key("limit_value").integer(*limit);
                error.key("period").string(period);
                error.key("tier").string(TIER);
                error.key("used").integer(*used);
            }
            Self::RulesetNotFound { .. }
            | Self::BadRequest { .. }
            | Self::Check(_)
            | Self::Store(_)
            | Self::Other { .. } => {}
        }
    }
}

/// The code of a rule of the store that a call would have broken. What is foreign and what is
/// absent have one code, so that nothing tells them apart.
fn rule_code(rule: &Rule) -> Code {
    match rule {
        Rule::UnknownParent { .. } | Rule::UnknownRevision { .. } | Rule::UnknownName { .. } => {
            Code::RulesetNotFound
        }
        Rule::UnknownWorkspace { .. }
        | Rule::UnknownTeam { .. }
        | Rule::UnknownMember { .. }
        | Rule::UnknownPerson { .. }
        | Rule::UnknownCredential
        | Rule::UnknownStop
        | Rule::UnknownRequest
        | Rule::UnknownEvidence
        | Rule::UnknownInvitation => Code::NotFound,
        Rule::NameTaken { .. }
        | Rule::AmbiguousWorkspace { .. }
        | Rule::LastAdmin
        | Rule::InvitationUsed
        | Rule::InvitationExpired
        | Rule::InvitationForAnother
        | Rule::StopTooYoung { .. } => Code::BadRequest,
        Rule::NotAdmin | Rule::SamePerson | Rule::TooManyKeys { .. } => Code::CredentialScope,
        Rule::TooMany { .. } => Code::BudgetExceeded,
    }
}

fn write_budget(error: &mut Object<'_>, exceeded: &BudgetExceeded) {
    if let Some(actual) = exceeded.actual {
        error.key("actual").integer(actual);
    }
    error.key("budget").string(exceeded.budget);
    error.key("limit").integer(exceeded.limit);
}

/// `one field`, `2 fields`.
fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("one {noun}") } else { format!("{count} {noun}s") }
}

impl From<BudgetExceeded> for Failure {
    fn from(exceeded: BudgetExceeded) -> Self {
        Self::Budget(exceeded)
    }
}

impl From<BindError> for Failure {
    fn from(error: BindError) -> Self {
        match error {
            BindError::Malformed(error) => Self::not_an_object("the claim dictionary", &error),
            BindError::Budget(exceeded) => Self::Budget(exceeded),
            BindError::Rejected(rejection) => Self::Rejected(rejection),
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        Self::Check(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Fills a slot with `null` or the hash.
pub(crate) fn write_hash(slot: Slot<'_>, hash: Option<impl std::fmt::Display>) {
    match hash {
        Some(hash) => slot.display(hash),
        None => slot.null(),
    }
}
