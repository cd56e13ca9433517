//! What a success holds, as tables.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Members that every success has, which the page says once.
const EVERYWHERE: [&str; 2] = ["ok", "versions"];

/// The members of a success; where it has several forms, of each.
pub(super) fn tables(schema: &Value) -> String {
    let mut out = String::new();
    match schema["oneOf"].as_array() {
        Some(forms) => {
            for form in forms {
                let _ = write!(out, "{}\n\n", form["description"].as_str().unwrap_or("One form."));
                out.push_str(&table(&[schema, form]));
            }
        }
        None => out.push_str(&table(&[schema])),
    }
    out
}

/// One row for each member; a later schema says more of a member than an earlier one.
fn table(schemas: &[&Value]) -> String {
    let mut members = Map::new();
    let mut required = Vec::new();
    for schema in schemas {
        members.extend(properties(schema).map(|(name, it)| (name.clone(), it.clone())));
        required.extend(schema["required"].as_array().into_iter().flatten());
    }
    let mut out = "| member | holds |\n|---|---|\n".to_owned();
    for (name, schema) in members.iter().filter(|it| !EVERYWHERE.contains(&it.0.as_str())) {
        let always = required.iter().any(|it| it.as_str() == Some(name));
        let sometimes = if always { "" } else { ", not always there" };
        let _ = writeln!(out, "| `{name}` | {}{sometimes} |", holds(schema));
    }
    out.push('\n');
    out
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flat_map(Map::iter)
}

/// What a value is, with the members of an object and of the items of a list.
fn holds(schema: &Value) -> String {
    if let Some(members) = schema["enum"].as_array() {
        let members: Vec<String> = members.iter().map(|it| format!("`{}`", plain(it))).collect();
        return members.join(" or ");
    }
    if let Some(constant) = schema.get("const") {
        return format!("`{}`", plain(constant));
    }
    for forms in ["oneOf", "anyOf"] {
        if let Some(forms) = schema[forms].as_array() {
            return forms.iter().map(holds).collect::<Vec<_>>().join(" or ");
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any value"],
    };
    let types = types.into_iter().map(|it| match it {
        "object" => with_members("an object", schema),
        "array" => list(&schema["items"]),
        "null" => "null".to_owned(),
        "boolean" => "true or false".to_owned(),
        "integer" => "a whole number".to_owned(),
        "number" => "a number".to_owned(),
        "string" => "a string".to_owned(),
        other => other.to_owned(),
    });
    types.collect::<Vec<_>>().join(" or ")
}

fn list(items: &Value) -> String {
    match items["type"].as_str() {
        Some("object") => with_members("a list of objects", items),
        Some("string") => "a list of strings".to_owned(),
        _ => "a list".to_owned(),
    }
}

fn with_members(words: &str, schema: &Value) -> String {
    let names: Vec<String> = properties(schema).map(|(name, _)| format!("`{name}`")).collect();
    if names.is_empty() { words.to_owned() } else { format!("{words} with {}", names.join(", ")) }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{holds, tables};

    #[test]
    fn values_are_described() {
        for (schema, words) in [
            (json!({"type": ["string", "null"]}), "a string or null"),
            (json!({"enum": ["a", null]}), "`a` or `null`"),
            (
                json!({"type": "array", "items": {"type": "object", "properties": {"a": {}}}}),
                "a list of objects with `a`",
            ),
            (
                json!({"type": ["object", "null"], "properties": {"b": {}, "a": {}}}),
                "an object with `a`, `b` or null",
            ),
            (json!({"const": true}), "`true`"),
            (json!({"type": "object"}), "an object"),
            (json!({}), "any value"),
        ] {
            assert_eq!(holds(&schema), words, "{schema}");
        }
    }

    #[test]
    fn each_form_has_its_table() {
        let schema = json!({
            "properties": {"ok": {"const": true}, "note": {"type": ["string", "null"]}},
            "required": ["ok", "note"],
            "oneOf": [
                {"description": "First.", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"description": "Second.", "properties": {"note": {"type": "string"}}},
            ],
        });
        let head = "| member | holds |\n|---|---|\n";
        assert_eq!(
            tables(&schema),
            format!(
                "First.\n\n{head}| `a` | a string |\n| `note` | a string or null |\n\n\
                 Second.\n\n{head}| `note` | a string |\n\n"
            )
        );
    }
}
