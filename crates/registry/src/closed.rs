//! Schemas that admit no member which they do not describe.
//!
//! The published ones stay open, so that a client that keeps a copy of a list accepts what a later
//! release adds. Tests close them, so that nothing is sent that no schema describes.

use serde_json::{Value, json};

/// The schema with every object that it describes closed to other members.
#[must_use]
pub fn closed(schema: &Value) -> Value {
    let mut closed = schema.clone();
    close(&mut closed, false);
    closed
}

fn close(schema: &mut Value, is_part: bool) {
    let Value::Object(members) = schema else { return };
    let describes = members.contains_key("properties");
    for (key, value) in members.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                properties.values_mut().for_each(|it| close(it, false));
            }
            ("items", items) => close(items, false),
            // Branches beside members describe the same object, which is closed once.
            ("oneOf", Value::Array(branches)) => {
                branches.iter_mut().for_each(|it| close(it, describes));
            }
            _ => {}
        }
    }
    if describes && !is_part {
        members.insert("unevaluatedProperties".to_owned(), json!(false));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::closed;

    #[test]
    fn described_objects_are_closed_and_others_are_not() {
        let leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let schema = json!({"oneOf": [
            {"properties": {"list": {"items": leaf}, "free": {"type": "object"}}},
            {"properties": {"b": {}}, "oneOf": [
                {"properties": {"c": {}}, "required": ["c"]},
                {"required": ["b"]},
            ]},
        ]});
        let validator = jsonschema::draft202012::new(&closed(&schema)).unwrap();
        for (value, valid) in [
            (json!({"list": [{"a": "x"}], "free": {"y": 1}}), true),
            (json!({"list": [{"a": "x", "z": 1}]}), false),
            (json!({"list": [], "z": 1}), false),
            (json!({"b": 1}), true),
            (json!({"c": 1}), true),
            (json!({"b": 1, "z": 1}), false),
        ] {
            assert_eq!(validator.is_valid(&value), valid, "{value}");
        }
    }
}
