//! From the text of a file to a record, with every fault of it at once.

use assay_base::json::{self, Raw, Scalar, printable};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use crate::gate::Fault;
use crate::gate::record::Record;

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
    let value: Value = serde_json::from_str(text).map_err(|error| {
        vec![Fault::new(file, "", error.to_string(), "write the record as one JSON object")]
    })?;
    let mut faults = Vec::new();
    if let Ok(raw) = serde_json::from_str::<Raw<'_>>(text) {
        repeated_keys(file, "", raw, &mut faults);
    }
    against_schema(file, &value, &mut faults);
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

/// Keys that stand twice in one object, at any depth: a reader would silently keep one of them.
fn repeated_keys(file: &str, pointer: &str, raw: Raw<'_>, faults: &mut Vec<Fault>) {
    match json::scalar(raw) {
        Scalar::Object => {
            let mut keys = std::collections::BTreeSet::new();
            let _ = json::each_member(raw.get(), |key, value| {
                let place = format!("{pointer}/{}", escaped(&key));
                repeated_keys(file, &place, value, faults);
                if !keys.insert(key.into_owned()) {
                    let mend = "keep one of the two";
                    faults.push(Fault::new(file, place, "this key stands twice", mend));
                }
                Ok(())
            });
        }
        Scalar::Array => {
            let items: Vec<Raw<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
            for (index, item) in items.into_iter().enumerate() {
                repeated_keys(file, &format!("{pointer}/{index}"), item, faults);
            }
        }
        Scalar::Null | Scalar::Boolean(_) | Scalar::Number(_) | Scalar::String(_) => {}
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn against_schema(file: &str, value: &Value, faults: &mut Vec<Fault>) {
    let validator = serde_json::from_str(SCHEMA)
        .map_err(|error| error.to_string())
        .and_then(|schema| jsonschema::draft202012::new(&schema).map_err(|it| it.to_string()));
    match validator {
        Ok(validator) => {
            for error in validator.iter_errors(value) {
                told(file, &error, faults);
            }
        }
        Err(error) => {
            faults.push(Fault::new(file, "", error, "restore the schema of tool records"));
        }
    }
}

/// One error of the validator in our words; none of them quotes more of the record than a name.
fn told(file: &str, error: &ValidationError<'_>, faults: &mut Vec<Fault>) {
    let place = error.instance_path().to_string();
    let mut say = |pointer: String, message: String, mend: &str| {
        faults.push(Fault::new(file, pointer, message, mend));
    };
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let pointer = format!("{place}/{}", escaped(name));
            say(pointer, format!("`{name}` is missing"), "state it");
        }
        Kind::AdditionalProperties { unexpected } => {
            for name in unexpected {
                let pointer = format!("{place}/{}", escaped(name));
                let message = format!("`{}` is no field of a record", printable(name));
                say(pointer, message, "remove it, or correct its spelling");
            }
        }
        Kind::Enum { options } => {
            say(place, "this word is not known here".into(), &format!("use one of {options}"));
        }
        Kind::Constant { expected_value } => {
            let mend = format!("write {expected_value}");
            say(place, "another value must stand here".into(), &mend);
        }
        Kind::Type { .. } => {
            say(place, "this is another kind of value".into(), "see the schema of tool records");
        }
        Kind::Pattern { pattern } => {
            let mend = format!("write it so that it matches `{pattern}`");
            say(place, "this text has another form".into(), &mend);
        }
        Kind::Minimum { limit } => say(place, "too small".into(), &format!("at least {limit}")),
        Kind::Maximum { limit } => say(place, "too large".into(), &format!("at most {limit}")),
        Kind::MinLength { limit } => {
            say(place, "too short".into(), &format!("at least {limit} characters"));
        }
        Kind::MaxLength { limit } => {
            say(place, "too long".into(), &format!("at most {limit} characters"));
        }
        Kind::MinItems { limit } => say(place, "too few".into(), &format!("at least {limit}")),
        Kind::UniqueItems => say(place, "one item stands twice".into(), "keep one of the two"),
        _ => say(place, "this is not allowed here".into(), "see the schema of tool records"),
    }
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
