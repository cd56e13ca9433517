//! One tool as it is listed.

use std::sync::Arc;

use assay_base::canonical::Fragment;
use serde_json::Value;

use crate::facet::Facet;
use crate::gate::permission;
use crate::gate::record::{Effect, Record};
use crate::gate::switch::{self, Target};
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
    /// The record that the gate decides by. Its input schema is the one that is listed: each
    /// parameter of an own tool is described there, and no other is accepted.
    pub record: Arc<Record>,
    /// The JSON Schema of its answers, where they carry more than the record promises.
    pub(crate) answers: Option<Value>,
    /// The input schema in canonical bytes.
    pub input_bytes: Fragment,
    /// The output schema in canonical bytes.
    pub output_bytes: Fragment,
    /// What a client may assume about a call.
    pub annotations: Annotations,
    /// What would stop it in an emergency.
    pub targets: Vec<Target>,
    /// The address of its definition, by which the log names it.
    pub definition_hash: String,
}

impl Tool {
    /// The tool of a record, which says most of what is listed. `answers` stands for the output
    /// schema of the record where answers carry more than it promises.
    pub(crate) fn new(
        record: Record,
        facet: Facet,
        annotations: Annotations,
        answers: Option<Value>,
    ) -> Self {
        let output = answers.as_ref().or(record.output_schema.as_ref());
        Self {
            name: record.wire_name(),
            title: title(&record.name),
            facet,
            scope: permission::scope(&record),
            ui: None,
            package: None,
            description: record.description.clone(),
            input_bytes: Fragment::new(|slot| slot.json(&record.input_schema)),
            output_bytes: Fragment::new(|slot| slot.json(output.unwrap_or(&Value::Null))),
            annotations,
            targets: switch::targets(&record),
            definition_hash: record.address().to_string(),
            answers,
            record: Arc::new(record),
        }
    }

    /// The JSON Schema of its parameters.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.record.input_schema
    }

    /// The JSON Schema of its answers: an object that is either a success or a failure.
    #[must_use]
    pub fn output_schema(&self) -> &Value {
        self.answers.as_ref().or(self.record.output_schema.as_ref()).unwrap_or(&Value::Null)
    }
}

/// `create_matter` as people write it.
fn title(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
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
    /// What a call does to the world, as far as the hints tell.
    pub(crate) const fn effect(&self) -> Effect {
        if self.read_only.value {
            Effect::Read
        } else if self.destructive.value {
            Effect::Destructive
        } else {
            Effect::Write
        }
    }

    /// What a call changes, in a sentence for people; none where it changes nothing.
    pub(crate) fn changes(&self) -> Vec<&str> {
        let changes = (!self.read_only.value).then_some(self.read_only.reason.as_str());
        changes.into_iter().collect()
    }

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
