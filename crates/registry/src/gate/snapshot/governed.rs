//! One version of a governed tool, with everything that is derived from its record once.

use std::sync::Arc;

use assay_base::json::printable;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::facet::Facet;
use crate::gate::Fault;
use crate::gate::record::{Effect, Record};
use crate::gate::version::Stored;
use crate::tool::{Annotations, Hint, Tool};

/// One version of a governed tool.
#[derive(Debug)]
pub struct Governed {
    /// The file that holds the record.
    pub file: String,
    /// The record.
    pub record: Arc<Record>,
    /// What arguments must be.
    pub input: Validator,
    /// What an answer must be, where the record says so.
    pub output: Option<Validator>,
    /// The kind of work.
    pub facet: Facet,
    /// Whether it is stored and never chosen.
    pub withdrawn: bool,
    /// The tool as it is listed.
    pub tool: Tool,
}

impl Governed {
    /// # Errors
    /// The [`Fault`] of a facet that there is not, or of a schema that does not compile.
    pub(super) fn new(file: &str, record: Record) -> Result<Self, Fault> {
        let facet = facet(file, &record)?;
        let input = validator(file, "/input_schema", &record.input_schema)?;
        let output = record.output_schema.as_ref();
        let output = output.map(|it| validator(file, "/output_schema", it)).transpose()?;
        let tool = listed(record, facet);
        Ok(Self {
            file: file.to_owned(),
            withdrawn: false,
            record: Arc::clone(&tool.record),
            input,
            output,
            facet,
            tool,
        })
    }

    /// The version as one of those that are stored.
    #[must_use]
    pub fn stored(&self) -> Stored {
        Stored { withdrawn: self.withdrawn, ..Stored::from(&*self.record) }
    }

    /// The upstream that carries it out, and what the tool is called there.
    #[must_use]
    pub fn place(&self) -> Option<(&str, &str)> {
        let text = self.record.execution.upstream.as_deref()?;
        let (upstream, tool) = text.split_once('/').unwrap_or((text, &self.record.name));
        (!upstream.is_empty() && !tool.is_empty()).then_some((upstream, tool))
    }

    /// Whether a call changes nothing.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.record.effect() == Effect::Read
    }
}

fn facet(file: &str, record: &Record) -> Result<Facet, Fault> {
    match &record.facet {
        Some(word) => Facet::parse(word).ok_or_else(|| {
            let words: Vec<&str> = Facet::ALL.iter().map(|it| it.word()).collect();
            let mend = format!("use one of {}", words.join(", "));
            let message = format!("`{}` is no facet", printable(word));
            Fault::new(file, "/facet", message, mend)
        }),
        None => Ok(match record.effect() {
            Effect::Read => Facet::Reference,
            Effect::Write | Effect::Destructive => Facet::Editing,
            Effect::External => Facet::Execution,
        }),
    }
}

fn validator(file: &str, pointer: &str, schema: &Value) -> Result<Validator, Fault> {
    jsonschema::options().should_validate_formats(true).build(schema).map_err(|_| {
        let mend = "write a JSON Schema that refers to nothing outside itself";
        Fault::new(file, pointer, "this is no usable JSON Schema", mend)
    })
}

fn listed(record: Record, facet: Facet) -> Tool {
    let effect = record.effect();
    let notes = record.legal_safety_notes.trim();
    let gap = if notes.is_empty() { "" } else { "\n\n" };
    let description = format!("{}{gap}{notes}", record.description.trim());
    let answers = json!({
        "type": "object",
        "oneOf": [answer(record.output_schema.as_ref()), refusal()],
    });
    let hint = |value: bool, reason: &str| Hint { value, reason: reason.to_owned() };
    let annotations = Annotations {
        read_only: hint(effect == Effect::Read, "the effect that its record states"),
        idempotent: hint(
            effect == Effect::Read || record.idempotency_key.is_some(),
            "a call with the same key is answered with the first outcome",
        ),
        destructive: hint(effect == Effect::Destructive, "the effect that its record states"),
        open_world: hint(true, "another server carries it out"),
    };
    Tool { description, ..Tool::new(record, facet, annotations, Some(answers)) }
}

fn answer(result: Option<&Value>) -> Value {
    json!({
        "type": "object",
        "properties": {
            "ok": { "const": true },
            "notice": { "type": "string" },
            "replayed": { "type": "boolean" },
            "result": result.filter(|it| stands_alone(it)).cloned().unwrap_or(json!({})),
            "tool": {
                "type": "object",
                "properties": {
                    "tool_id": { "type": "string" },
                    "version": { "type": "string" },
                },
                "required": ["tool_id", "version"],
                "additionalProperties": false,
            },
            "versions": { "type": "object" },
        },
        "required": ["ok", "notice", "replayed", "result", "tool", "versions"],
        "additionalProperties": false,
    })
}

/// Whether a schema means the same inside another one. One that refers to parts of itself does not.
fn stands_alone(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            !members.contains_key("$ref") && members.values().all(stands_alone)
        }
        Value::Array(items) => items.iter().all(stands_alone),
        _ => true,
    }
}

fn refusal() -> Value {
    json!({
        "type": "object",
        "properties": {
            "ok": { "const": false },
            "error": {
                "type": "object",
                "properties": {
                    "code": { "type": "string" },
                    "details": { "type": "object" },
                    "docs": { "type": "string" },
                    "message": { "type": "string" },
                    "reference": { "type": "string" },
                    "retry_after_ms": { "type": "integer" },
                    "retryable": { "type": "boolean" },
                    "user_message": { "type": "string" },
                },
                "required": ["code", "docs", "message"],
            },
            "versions": { "type": "object" },
        },
        "required": ["ok", "error", "versions"],
        "additionalProperties": false,
    })
}
