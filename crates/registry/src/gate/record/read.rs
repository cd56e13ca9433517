//! From the text of a file to a record, with every fault of it at once.

use serde_json::Value;

use crate::gate::record::Record;
use crate::gate::{Fault, shape};

const SCHEMA: &str = include_str!("../../../data/gate/tool-record.schema.json");

/// The longest name that every model's service accepts.
const LONGEST_NAME: usize = 64;

/// A record that may be used, and what its author should look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The record.
    pub record: Record,
    /// What does not stand in the way but should be mended.
    pub warnings: Vec<Fault>,
}

/// Reads the record in `text`, which is what `file` holds.
///
/// # Errors
/// Every [`Fault`] of the record.
pub fn read(file: &str, text: &str) -> Result<Loaded, Vec<Fault>> {
    let value = shape::read(file, text, SCHEMA);
    let mut faults = value.as_ref().err().cloned().unwrap_or_default();
    // What the schema refuses may still hold schemas that are none.
    let value = value.or_else(|_| serde_json::from_str(text)).unwrap_or(Value::Null);
    for field in ["input_schema", "output_schema"] {
        if let Some(schema @ Value::Object(_)) = value.get(field) {
            no_schema(file, field, schema, &mut faults);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let record: Record = serde_json::from_value(value).map_err(|error| {
        vec![Fault::new(file, "", error.to_string(), "write the record as its schema says")]
    })?;
    let faults = incoherent(file, &record);
    if !faults.is_empty() {
        return Err(faults);
    }
    let warnings = warnings(file, &record);
    Ok(Loaded { record, warnings })
}

/// A schema that a tool carries must itself be one, and must not need anything from outside.
fn no_schema(file: &str, field: &str, schema: &Value, faults: &mut Vec<Fault>) {
    if let Err(error) = jsonschema::draft202012::new(schema) {
        let pointer = format!("/{field}{}", error.instance_path());
        let mend = "write a JSON Schema that refers to nothing outside itself";
        faults.push(Fault::new(file, pointer, "this is no usable JSON Schema", mend));
    }
}

/// Fields that contradict each other.
fn incoherent(file: &str, record: &Record) -> Vec<Fault> {
    let id = &record.tool_id;
    let mut faults = Vec::new();
    if id.category() != record.category {
        let message = format!("the id begins with `{}`", id.category());
        faults.push(Fault::new(file, "/category", message, "let both name the same category"));
    }
    if id.major() != record.version.major {
        let message = format!("the id stands for major version {}", id.major());
        let mend = "let the version begin with it, or give the id another suffix";
        faults.push(Fault::new(file, "/version", message, mend));
    }
    let name = record.wire_name();
    if name.len() > LONGEST_NAME {
        let message = format!("with its major version the name has {} characters", name.len());
        faults.push(Fault::new(file, "/name", message, format!("at most {LONGEST_NAME}")));
    }
    faults
}

fn warnings(file: &str, record: &Record) -> Vec<Fault> {
    let missing = record.effect.is_none().then(|| {
        let word = record.effect().word();
        let message = format!("no effect is stated, so `{word}` is taken");
        Fault::new(file, "/effect", message, format!("state `\"effect\": \"{word}\"` or another"))
    });
    missing.into_iter().collect()
}
