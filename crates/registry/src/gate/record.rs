//! The record of a governed tool: seventeen fields that each one states, and extensions with safe
//! defaults.
//!
//! `data/gate/tool-record.schema.json` says which shape a record has. A record is held to it whole,
//! so that every fault is told at once, before it becomes the structure below.

mod id;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use assay_base::{CallHash, canonical};
use serde::Deserialize;
use serde_json::Value;

use crate::gate::version::Version;

pub use id::ToolId;
pub use read::{Loaded, read};

/// What one governed tool is, who may call it and under which conditions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The key in the registry.
    pub tool_id: ToolId,
    /// The name that a model reads, without the major version; see [`Record::wire_name`].
    pub name: String,
    /// What the model reads about the tool.
    pub description: String,
    /// The first segment of the id.
    pub category: String,
    /// The version of this definition; its major is that of the id.
    pub version: Version,
    /// Whether the tool is in use.
    pub enabled: bool,
    /// Whether the tool was stopped in an emergency, which wins over everything else.
    pub kill_switch: bool,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The JSON Schema of the answer; none for a text that is not checked.
    pub output_schema: Option<Value>,
    /// What a caller must be allowed, all of it.
    pub permissions_required: Vec<String>,
    /// Whether calls stay inside the caller's organisation.
    pub org_scoped: bool,
    /// How often the tool may be called; none for no limit of its own.
    pub rate_limit: Option<RateLimit>,
    /// The time that an answer should take.
    pub latency_slo_ms: u32,
    /// Which arguments make two calls the same.
    pub idempotency_key: Option<String>,
    /// What a call changes, in sentences for people.
    pub side_effects: Vec<String>,
    /// Whether a call can be undone.
    pub rollback_support: bool,
    /// What people who approve a call should know.
    pub legal_safety_notes: String,
    /// The kind of work; that of the category where none is stated.
    pub facet: Option<String>,
    /// What a call does to the world; inferred where none is stated, see [`Record::effect`].
    pub effect: Option<Effect>,
    /// What must have been done before.
    #[serde(default)]
    pub prerequisites: Vec<Prerequisite>,
    /// Who must agree to a call.
    pub approval: Option<Approval>,
    /// Whether a person must confirm each call.
    #[serde(default)]
    pub confirmation: Confirmation,
    /// What the caller's session must be.
    #[serde(default)]
    pub session_requirements: SessionRequirements,
    /// Which arguments name things that belong to somebody.
    #[serde(default)]
    pub scope_fields: Vec<ScopeField>,
    /// Which arguments name what a call is about.
    pub subject_key: Option<String>,
    /// Where the answer holds its finding.
    pub verdict: Option<Verdict>,
    /// How a call is carried out.
    #[serde(default)]
    pub execution: Execution,
    /// What of a call is written down.
    #[serde(default)]
    pub audit: Audit,
    /// Since when the tool should not be used, and what replaces it.
    pub deprecation: Option<Deprecation>,
    /// The content address of the definition that was reviewed.
    pub definition_hash: Option<String>,
}

impl Record {
    /// The name on the wire: majors above one carry theirs, as in `create_matter_v2`.
    #[must_use]
    pub fn wire_name(&self) -> String {
        match self.tool_id.major() {
            1 => self.name.clone(),
            major => format!("{}_v{major}", self.name),
        }
    }

    /// The address of the definition: of what callers read and rely on.
    #[must_use]
    pub fn address(&self) -> CallHash {
        CallHash::of(&canonical::to_bytes(|slot| {
            slot.object(|object| {
                object.key("description").string(&self.description);
                object.key("input_schema").json(&self.input_schema);
                object
                    .key("output_schema")
                    .json(self.output_schema.as_ref().unwrap_or(&Value::Null));
                object.key("tool_id").display(&self.tool_id);
                object.key("version").display(self.version);
            });
        }))
    }

    /// What a call does to the world: what the record states, else what it lets infer.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect.unwrap_or_else(|| self.inferred_effect())
    }

    fn inferred_effect(&self) -> Effect {
        if self.side_effects.is_empty() {
            return Effect::Read;
        }
        match (self.tool_id.verb(), self.tool_id.category()) {
            ("delete" | "purge", _) => Effect::Destructive,
            (_, "email" | "esign") => Effect::External,
            _ => Effect::Write,
        }
    }
}

/// What a call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes what the organisation keeps.
    Write,
    /// Leaves the organisation.
    External,
    /// Removes something.
    Destructive,
}

impl Effect {
    /// The word in a record.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::External => "external",
            Self::Destructive => "destructive",
        }
    }
}

/// How often a tool may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    /// At most this many calls in any sixty seconds; zero lets none through.
    pub requests_per_minute: u32,
    /// How many of them may come at once.
    pub burst: Option<u32>,
    /// Whose calls are counted together.
    #[serde(default)]
    pub key: RateKey,
}

/// Whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateKey {
    /// Those of the organisation.
    #[default]
    Org,
    /// Those of one user.
    OrgUser,
    /// Those of one session.
    OrgSession,
}

/// Something that must have been done before.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prerequisite {
    /// The tool that must have been called.
    pub tool: String,
    /// The findings that count; any finding where none is listed.
    #[serde(default)]
    pub verdict_in: Vec<String>,
    /// Whether it must have been about the same subject.
    #[serde(default = "yes")]
    pub same_subject: bool,
    /// Where it must have been done.
    #[serde(default)]
    pub scope: EvidenceScope,
    /// For how long it counts.
    pub within_s: u32,
    /// A finding that counts once somebody of a role has decided on it.
    pub or_decision: Option<Decision>,
    /// What the user is told to do.
    pub user_action: Option<String>,
}

const fn yes() -> bool {
    true
}

/// Where evidence must come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceScope {
    /// The same session.
    Session,
    /// The same matter.
    Matter,
    /// The same organisation.
    #[default]
    Org,
}

/// A finding that counts once somebody has decided on it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The finding.
    pub verdict: String,
    /// Who may decide.
    pub role: String,
}

/// Who must agree to a call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// How many persons.
    pub count: u32,
    /// The roles of which each person must hold one.
    pub roles_any: Vec<String>,
    /// Whether the person who asks does not count.
    #[serde(default)]
    pub exclude_requester: bool,
    /// Roles whose holders need no approval.
    #[serde(default)]
    pub unless_requester_role: Vec<String>,
    /// For how long an approval counts.
    pub ttl_s: u32,
}

/// Whether a person must confirm each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confirmation {
    /// Nobody need confirm.
    #[default]
    None,
    /// A person must, outside the model's reach.
    Human,
}

/// What the caller's session must be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRequirements {
    /// Who may stand behind it.
    #[serde(default)]
    pub principal: Principal,
    /// The roles of which the session must hold one; any where none is listed.
    #[serde(default)]
    pub roles_any: Vec<String>,
    /// How long ago the person may have signed in.
    pub max_auth_age_s: Option<u32>,
}

/// Who may stand behind a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Principal {
    /// A person or a service.
    #[default]
    Any,
    /// A person.
    User,
}

/// An argument that names something that belongs to somebody.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeField {
    /// Where it stands in the arguments.
    pub pointer: String,
    /// What it names.
    pub kind: ScopeKind,
}

/// What an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeKind {
    /// An organisation.
    Org,
    /// A client of it.
    Client,
    /// A matter.
    Matter,
    /// A document.
    Document,
    /// A user.
    User,
}

/// Where an answer holds its finding.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Where it stands in the answer.
    pub pointer: String,
    /// Every word that may stand there.
    pub values: Vec<String>,
}

/// How a call is carried out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// The service that is asked.
    pub upstream: Option<String>,
    /// How long one attempt may take.
    pub attempt_timeout_ms: Option<u32>,
    /// Whether a failed attempt is repeated.
    #[serde(default)]
    pub retry: Retry,
    /// Whether the service itself sees to it that a repeated call has no second effect.
    #[serde(default)]
    pub upstream_idempotent: bool,
    /// For how long an outcome is kept.
    pub idempotency_ttl_s: Option<u32>,
    /// The largest arguments.
    pub max_input_bytes: Option<u32>,
    /// The largest answer.
    pub max_output_bytes: Option<u32>,
}

/// Whether a failed attempt is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// It is not.
    Never,
    /// Once, where a repetition cannot do harm.
    #[default]
    OnceIfSafe,
}

/// What of a call is written down.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// How each argument is written down; one without a class is left out.
    #[serde(default)]
    pub fields: BTreeMap<String, FieldClass>,
    /// The fields of the answer that are written down.
    #[serde(default)]
    pub output_summary: Vec<String>,
    /// What happens while nothing can be written down.
    pub on_sink_failure: Option<SinkFailure>,
}

/// How an argument is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldClass {
    /// As it is.
    Public,
    /// Its beginning.
    Internal,
    /// As a keyed digest.
    Pii,
    /// By its length.
    Privileged,
    /// As a fixed mark.
    Secret,
}

/// What happens while nothing can be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SinkFailure {
    /// Calls are refused.
    FailClosed,
    /// What is to be written waits in a buffer.
    Buffer,
}

/// Since when a tool should not be used.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deprecation {
    /// The day.
    pub since: String,
    /// The id of the tool to use instead.
    pub successor: Option<String>,
    /// Why.
    pub note: Option<String>,
}
