use crate::{Class, Classes, FieldKey, digest};

fn classes() -> Classes {
    [
        ("public", Class::Public),
        ("internal", Class::Internal),
        ("pii", Class::Pii),
        ("privileged", Class::Privileged),
        ("secret", Class::Secret),
    ]
    .into_iter()
    .collect()
}

/// Each input with what is left of it.
const TABLE: &[(&str, &str)] = &[
    ("{}", "{}"),
    (r#"{"unlisted":"x","public":"a"}"#, r#"{"public":"a"}"#),
    (r#"{"Public":"a"}"#, "{}"),
    (r#"{"public":"a\u0041é"}"#, r#"{"public":"aAé"}"#),
    (r#"{"public":null}"#, r#"{"public":null}"#),
    (r#"{"public":true}"#, r#"{"public":true}"#),
    (r#"{"public":12}"#, r#"{"public":12}"#),
    (r#"{"public":1.50}"#, r#"{"public":"1.50"}"#),
    (r#"{"public":{"secret":"x"}}"#, r#"{"public":"[object]"}"#),
    (r#"{"internal":["x"]}"#, r#"{"internal":"[array]"}"#),
    (r#"{"privileged":"four"}"#, r#"{"privileged":"[privileged len=4]"}"#),
    (r#"{"privileged":"é\n"}"#, r#"{"privileged":"[privileged len=2]"}"#),
    (r#"{"privileged":[1,2]}"#, r#"{"privileged":"[privileged len=5]"}"#),
    (r#"{"secret":"x"}"#, r#"{"secret":"[secret]"}"#),
    (r#"{"secret":null}"#, r#"{"secret":"[secret]"}"#),
    (r#"{"secret":{"public":1}}"#, r#"{"secret":"[secret]"}"#),
];

#[test]
fn what_is_left_of_fields() {
    let key = FieldKey::from_bytes([1; 32]);
    for (input, expected) in TABLE {
        let left = classes().sanitise(input, &key).unwrap();
        assert_eq!(std::str::from_utf8(left.as_bytes()).unwrap(), *expected, "{input}");
    }
    for refused in ["", "[]", "{", r#"{"public":1,"public":2}"#] {
        assert!(classes().sanitise(refused, &key).is_err(), "{refused}");
    }
}

#[test]
fn internal_texts_are_cut_by_characters() {
    let key = FieldKey::from_bytes([1; 32]);
    for (length, kept) in [(199, 199), (200, 200), (201, 200)] {
        let input = format!(r#"{{"internal":"{}"}}"#, "é".repeat(length));
        let left = classes().sanitise(&input, &key).unwrap();
        let expected = format!(r#"{{"internal":"{}"}}"#, "é".repeat(kept));
        assert_eq!(left.as_bytes(), expected.as_bytes());
    }
}

#[test]
fn personal_values_join_under_one_key_alone() {
    let (one, other) = (FieldKey::from_bytes([1; 32]), FieldKey::from_bytes([2; 32]));
    let left = |text: &str, key| classes().sanitise(text, key).unwrap();
    let written = left(r#"{"pii":"A. Nyman"}"#, &one);
    let expected = format!(r#"{{"pii":"{}"}}"#, digest(&one, b"A. Nyman"));
    assert_eq!(written.as_bytes(), expected.as_bytes());
    assert_eq!(written, left(r#"{"pii":"\u0041. Nyman"}"#, &one));
    assert_ne!(written, left(r#"{"pii":"A. Nyman"}"#, &other));
    assert_ne!(written, left(r#"{"pii":"B. Nyman"}"#, &one));
    let plain = blake3::hash(b"A. Nyman").to_hex();
    assert!(!expected.contains(plain.as_str()) && !expected.contains("Nyman"));
}

#[test]
fn keys_of_organisations_differ() {
    let key = |secret: u8, organisation: &str| FieldKey::derive(&[secret; 32], organisation);
    assert_eq!(key(1, "org_1"), key(1, "org_1"));
    for other in [key(1, "org_2"), key(2, "org_1"), key(1, ""), FieldKey::from_bytes([1; 32])] {
        assert_ne!(key(1, "org_1"), other);
    }
}
