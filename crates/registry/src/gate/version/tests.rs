use std::collections::BTreeSet;

use serde_json::Value;

use super::Kind::{
    Annotation, BoundNarrowed, BoundWidened, DefaultChanged, FormChanged, FormFreed, Optional,
    OthersFreed, OthersRefused, PropertyAdded, PropertyRemoved, Required, TypeNarrowed,
    TypeWidened, Undecided, WordAdded, WordRemoved, WordsFreed,
};
use super::{Kind, Range, Stored, Version, diff, resolve};

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

#[test]
fn texts() {
    for text in ["1.2", "0.0", "10.20", "1.2.3", "4294967295.0"] {
        assert_eq!(version(text).to_string(), text);
    }
    for text in ["", "1", "1.", ".1", "1.2.3.4", "1.2-beta", "01.2", "1.+2", "v1.2", "4294967296.0"]
    {
        assert_eq!(Version::parse(text), None, "{text}");
    }
    assert_eq!(version("1.2.0"), version("1.2"));
    assert!(version("1.10") > version("1.9") && version("2.0") > version("1.99"));
}

/// Stored versions (`-` disabled, `!` withdrawn), the major and range asked for, and the answer.
const RESOLVED: &[(&str, u32, &str, Option<&str>)] = &[
    ("1.9 1.10 1.2", 1, "", Some("1.10")),
    ("1.1 1.2 2.0", 1, "", Some("1.2")),
    ("1.1 1.2 2.0", 2, "", Some("2.0")),
    ("1.1 1.2 2.0", 3, "", None),
    ("1.1 1.2 2.0", 1, ">=2.0", None),
    ("1.1 1.2 1.3", 1, ">=1.1, <1.3", Some("1.2")),
    ("1.1 1.2 1.3", 1, ">=1.1, <2", Some("1.3")),
    ("1.1 1.2 1.3", 1, "=1.1", Some("1.1")),
    ("1.1 1.2.5 1.2.10", 1, "<=1.2.10", Some("1.2.10")),
    ("1.1 1.2", 1, ">1.2", None),
    ("1.1 -1.2", 1, "", Some("1.1")),
    ("1.1 !1.2", 1, "", Some("1.1")),
    ("-1.1 !1.2", 1, "", None),
    ("", 1, "", None),
];

#[test]
fn resolved() {
    for (stored, major, range, expected) in RESOLVED {
        let stored: Vec<Stored> = stored
            .split_ascii_whitespace()
            .map(|it| Stored {
                version: version(it.trim_start_matches(['-', '!'])),
                enabled: !it.starts_with('-'),
                withdrawn: it.starts_with('!'),
            })
            .collect();
        let range = if range.is_empty() { Range::default() } else { Range::parse(range).unwrap() };
        let found = resolve(*major, &stored, &range).map(|it| it.to_string());
        assert_eq!(found.as_deref(), *expected, "{stored:?} {range:?}");
    }
    for text in ["", "1.2", "^1.2", ">=", ">=1.2-beta", ">=1.1,,<2"] {
        assert_eq!(Range::parse(text), None, "{text}");
    }
}

/// Two schemas and what changed from the first to the second.
const CHANGES: &[(&str, &str, &[Kind])] = &[
    (r#"{}"#, r#"{}"#, &[]),
    (r#"{"required": ["a"]}"#, r#"{"required": ["a", "b"]}"#, &[Required]),
    (r#"{}"#, r#"{"required": ["a"]}"#, &[Required]),
    (r#"{"required": ["a", "b"]}"#, r#"{"required": ["b"]}"#, &[Optional]),
    (r#"{"required": ["a"]}"#, r#"{"required": ["b"]}"#, &[Required, Optional]),
    (r#"{"required": ["a", "b"]}"#, r#"{"required": ["b", "a"]}"#, &[Annotation]),
    (r#"{}"#, r#"{"properties": {"a": {}}}"#, &[PropertyAdded]),
    (r#"{"properties": {"a": {}}}"#, r#"{"properties": {}}"#, &[PropertyRemoved]),
    (
        r#"{"properties": {"a": {}}}"#,
        r#"{"properties": {"b": {}}}"#,
        &[PropertyRemoved, PropertyAdded],
    ),
    (r#"{"type": "integer"}"#, r#"{"type": "number"}"#, &[TypeWidened]),
    (r#"{"type": "number"}"#, r#"{"type": "integer"}"#, &[TypeNarrowed]),
    (r#"{"type": "string"}"#, r#"{"type": ["string", "null"]}"#, &[TypeWidened]),
    (r#"{"type": ["string", "null"]}"#, r#"{"type": "string"}"#, &[TypeNarrowed]),
    (r#"{"type": "string"}"#, r#"{"type": "boolean"}"#, &[TypeNarrowed]),
    (r#"{"type": "string"}"#, r#"{"type": ["string"]}"#, &[Annotation]),
    (r#"{"type": "string"}"#, r#"{}"#, &[TypeWidened]),
    (r#"{}"#, r#"{"type": "string"}"#, &[TypeNarrowed]),
    (r#"{"enum": ["a"]}"#, r#"{"enum": ["a", "b"]}"#, &[WordAdded]),
    (r#"{"enum": ["a", "b"]}"#, r#"{"enum": ["a"]}"#, &[WordRemoved]),
    (r#"{"enum": ["a", 1]}"#, r#"{"enum": ["a", 2]}"#, &[WordAdded, WordRemoved]),
    (r#"{"enum": ["a", "b"]}"#, r#"{"enum": ["b", "a"]}"#, &[Annotation]),
    (r#"{"enum": ["a"]}"#, r#"{}"#, &[WordsFreed]),
    (r#"{}"#, r#"{"enum": ["a"]}"#, &[WordRemoved]),
    (r#"{"minimum": 1}"#, r#"{"minimum": 0.5}"#, &[BoundWidened]),
    (r#"{"minimum": 1}"#, r#"{"minimum": 2}"#, &[BoundNarrowed]),
    (r#"{"minimum": 1}"#, r#"{"minimum": 1.0}"#, &[Annotation]),
    (r#"{"minimum": 1}"#, r#"{"minimum": "1"}"#, &[Undecided]),
    (r#"{"maxLength": 500}"#, r#"{"maxLength": 1000}"#, &[BoundWidened]),
    (r#"{"maxLength": 500}"#, r#"{"maxLength": 90}"#, &[BoundNarrowed]),
    (r#"{}"#, r#"{"maxItems": 9}"#, &[BoundNarrowed]),
    (r#"{"exclusiveMaximum": 9}"#, r#"{}"#, &[BoundWidened]),
    (r#"{}"#, r#"{"uniqueItems": true}"#, &[BoundNarrowed]),
    (r#"{"uniqueItems": true}"#, r#"{"uniqueItems": false}"#, &[BoundWidened]),
    (r#"{"pattern": "^a"}"#, r#"{}"#, &[FormFreed]),
    (r#"{"pattern": "^a"}"#, r#"{"pattern": "^b"}"#, &[FormChanged]),
    (r#"{}"#, r#"{"format": "date"}"#, &[FormChanged]),
    (r#"{}"#, r#"{"additionalProperties": false}"#, &[OthersRefused]),
    (r#"{"additionalProperties": false}"#, r#"{}"#, &[OthersFreed]),
    (r#"{"additionalProperties": {}}"#, r#"{"additionalProperties": false}"#, &[OthersRefused]),
    (r#"{}"#, r#"{"additionalProperties": true}"#, &[Annotation]),
    (
        r#"{"additionalProperties": {"type": "integer"}}"#,
        r#"{"additionalProperties": {"type": "number"}}"#,
        &[TypeWidened],
    ),
    (r#"{}"#, r#"{"default": 1}"#, &[DefaultChanged]),
    (r#"{"description": "A."}"#, r#"{"description": "B."}"#, &[Annotation]),
    (r#"{"items": {"maximum": 1}}"#, r#"{"items": {"maximum": 2}}"#, &[BoundWidened]),
    (r#"{}"#, r#"{"items": {}}"#, &[TypeNarrowed]),
    (r#"{"items": {}}"#, r#"{}"#, &[TypeWidened]),
    (r#"{}"#, r#"{"oneOf": []}"#, &[Undecided]),
    (r##"{"$ref": "#/$defs/a"}"##, r##"{"$ref": "#/$defs/b"}"##, &[Undecided]),
    (r#"{"$defs": {"a": {}}}"#, r#"{"$defs": {"a": {"minimum": 1}}}"#, &[Undecided]),
    (r#"{"const": 1}"#, r#"{}"#, &[Undecided]),
];

#[test]
fn changes() {
    let mut seen = BTreeSet::new();
    for (before, after, kinds) in CHANGES {
        let [old, new]: [Value; 2] = [before, after].map(|it| serde_json::from_str(it).unwrap());
        let found: Vec<Kind> = diff(&old, &new).into_iter().map(|it| it.kind).collect();
        assert_eq!(found, *kinds, "{before} {after}");
        seen.extend(found);
        // The same change inside a field is told with the field's place.
        let inside = |it: &Value| serde_json::json!({ "properties": { "a/b": it } });
        let nested = diff(&inside(&old), &inside(&new));
        assert_eq!(nested.len(), kinds.len());
        assert!(nested.iter().all(|it| it.pointer.starts_with("/properties/a~1b/")), "{nested:?}");
    }
    assert!(seen.iter().eq(Kind::ALL), "kinds without a row: {seen:?}");
}

#[test]
fn compatible_kinds() {
    let compatible: Vec<Kind> = Kind::ALL.iter().copied().filter(|it| it.is_compatible()).collect();
    assert_eq!(
        compatible,
        [
            Optional,
            PropertyAdded,
            TypeWidened,
            WordAdded,
            WordsFreed,
            BoundWidened,
            FormFreed,
            OthersFreed,
            Annotation,
        ]
    );
}
