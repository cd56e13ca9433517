//! From a JSON text and the schema that it has to follow to a value, or to every fault at once.

use assay_base::json::{self, Raw, Scalar, printable};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use crate::gate::Fault;

/// The value in `text`, held to `schema`. Faults are those of `file`.
///
/// # Errors
/// Every [`Fault`], also of keys that stand twice.
pub(crate) fn read(file: &str, text: &str, schema: &str) -> Result<Value, Vec<Fault>> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        vec![Fault::new(file, "", error.to_string(), "write it as one JSON object")]
    })?;
    let mut faults = Vec::new();
    if let Ok(raw) = serde_json::from_str::<Raw<'_>>(text) {
        repeated_keys(file, "", raw, &mut faults);
    }
    against_schema(file, &value, schema, &mut faults);
    if faults.is_empty() { Ok(value) } else { Err(faults) }
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

fn against_schema(file: &str, value: &Value, schema: &str, faults: &mut Vec<Fault>) {
    let validator = serde_json::from_str(schema)
        .map_err(|error| error.to_string())
        .and_then(|schema| jsonschema::draft202012::new(&schema).map_err(|it| it.to_string()));
    match validator {
        Ok(validator) => {
            for error in validator.iter_errors(value) {
                told(file, &error, faults);
            }
        }
        Err(error) => {
            faults.push(Fault::new(file, "", error, "restore the schema that ships"));
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
                let message = format!("`{}` is no field here", printable(name));
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
            say(
                place,
                "this is another kind of value".into(),
                "see the schema of this kind of file",
            );
        }
        Kind::PropertyNames { .. } => {
            say(
                place,
                "one of the names has another form".into(),
                "see the schema of this kind of file",
            );
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
        _ => say(place, "this is not allowed here".into(), "see the schema of this kind of file"),
    }
}
