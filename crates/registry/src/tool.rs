//! One tool as it is listed.

use assay_base::canonical::Fragment;
use serde_json::Value;

use crate::facet::Facet;
use crate::gate::switch::Target;
use crate::scope::Scope;

/// One tool as it is listed, complete and held to the rules of the catalogue.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The name on the wire.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What kind of work it does.
    pub facet: Facet,
    /// What a caller needs to be let do.
    pub scope: Scope,
    /// The address of the interface that hosts open for an answer, where there is one.
    pub ui: Option<String>,
    /// The package that the profile has to read for the tool to be there at all.
    pub package: Option<String>,
    /// The problem that it solves, a blank line, and the facts about it.
    pub description: String,
    /// The JSON Schema of its parameters, each described; no other parameter is accepted.
    pub input_schema: Value,
    /// The JSON Schema of its answers: an object that is either a success or a failure.
    pub output_schema: Value,
    /// The input schema in canonical bytes.
    pub input_bytes: Fragment,
    /// The output schema in canonical bytes.
    pub output_bytes: Fragment,
    /// What a client may assume about a call.
    pub annotations: Annotations,
    /// What would stop it in an emergency.
    pub targets: Vec<Target>,
}

/// What a client may assume about a call, each with the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotations {
    /// `readOnlyHint`: a call changes nothing.
    pub read_only: Hint,
    /// `idempotentHint`: repeating a call adds no effect.
    pub idempotent: Hint,
    /// `destructiveHint`: a call may replace or remove something.
    pub destructive: Hint,
    /// `openWorldHint`: a call reaches beyond this server.
    pub open_world: Hint,
}

impl Annotations {
    /// Each hint with its name on the wire, in the order of the names.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &Hint); 4] {
        [
            ("destructiveHint", &self.destructive),
            ("idempotentHint", &self.idempotent),
            ("openWorldHint", &self.open_world),
            ("readOnlyHint", &self.read_only),
        ]
    }
}

/// One hint and why it has its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// What is claimed.
    pub value: bool,
    /// Why that is true.
    pub reason: String,
}
