//! Claim dictionaries as tables: what is bound, what is refused, and what is said about it.

use std::fmt::Write as _;

use super::{BindError, Bound, ClaimIndex, bind};
use crate::budget::{Budget, MAX_CLAIM_PAYLOAD_BYTES, MAX_VALUE_BYTES};
use crate::compile::{Options, compile};
use crate::fixture::written;
use crate::ir::{Ruleset, Value};
use crate::units::Library;

/// One claim of each kind.
const KINDS: &str = r#"
// @unit amount USD
// @range amount 0..1000000
declare amount as numeric;
// @range count 0..10.5
declare count as numeric;
declare flag as boolean;
declare word as enum {"a", "n/a", "Größe"};
declare state as enum ["known", "unknown"];
// @unit walk m
// @range walk 0..1000
declare walk as numeric;
// @unit heat degC
declare heat as numeric;
// @unit wait d
// @range wait 0..5
declare wait as numeric;
declare free as numeric;
declare local large as boolean;
let large = amount > 5 "USD";
assert reads {
  And(large, flag, word == "a", state == "known", walk < 5 "m", heat < 5 "degC", wait < 5 "d",
      count < 5, free < 5)
};
"#;

fn ruleset(source: &str) -> Ruleset {
    let options = Options { require_descriptions: false };
    let compilation = compile(source, Library::standard(), options).unwrap();
    compilation.ruleset.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics))
}

fn bound(ruleset: &Ruleset, claims: &str) -> Result<Bound, BindError> {
    bind(ruleset, &ClaimIndex::new(ruleset), Library::standard(), claims)
}

/// A dictionary in which every claim of [`KINDS`] but one is undetermined.
fn only(field: &str, value: &str) -> String {
    let names = ["amount", "count", "flag", "word", "state", "walk", "heat", "wait", "free"];
    let mut text = format!("{{\"{field}\": {value}");
    for name in names.iter().filter(|it| **it != field) {
        write!(text, ", \"{name}\": null").unwrap();
    }
    text + "}"
}

/// Claim, its JSON text, and the value that it stands for; `-` is undetermined.
const ACCEPTED: &[(&str, &str, &str)] = &[
    ("amount", "120", "120"),
    ("amount", "\"120\"", "120"),
    ("amount", "\"120 USD\"", "120"),
    ("amount", "0", "0"),
    ("amount", "-0", "0"),
    ("amount", "1000000", "1000000"),
    ("amount", "1e6", "1000000"),
    ("amount", "\"5e3\"", "5000"),
    (
        "amount",
        "0.1000000000000000000000000000000000000001",
        "0.1000000000000000000000000000000000000001",
    ),
    ("amount", "\"unknown\"", "-"),
    ("amount", "null", "-"),
    ("amount", r#""\u0031""#, "1"),
    ("amount", r#""\u0075nknown""#, "-"),
    ("count", "10.5", "10.5"),
    ("count", "\"10.50\"", "10.5"),
    ("free", "12345678901234567890.123", "12345678901234567890.123"),
    ("free", "\"12345678901234567890.123\"", "12345678901234567890.123"),
    ("free", "9007199254740993", "9007199254740993"),
    ("free", "\"-18446744073709551617\"", "-18446744073709551617"),
    ("free", "\"007\"", "7"),
    ("flag", "true", "true"),
    ("flag", "false", "false"),
    ("flag", "\"unknown\"", "-"),
    ("flag", "null", "-"),
    ("word", "\"a\"", "member 0"),
    ("word", "\"n/a\"", "member 1"),
    ("word", "\"Größe\"", "member 2"),
    ("word", r#""Gr\u00f6\u00dfe""#, "member 2"),
    ("word", "\"unknown\"", "-"),
    ("word", "null", "-"),
    ("state", "\"unknown\"", "member 1"),
    ("state", "null", "-"),
    ("walk", "\"1 km\"", "1000"),
    ("walk", "\"0.5 kilometres\"", "500"),
    ("walk", "\"1 ft\"", "0.3048"),
    ("walk", "\"12 metres\"", "12"),
    ("heat", "\"32 degF\"", "0"),
    ("heat", "\"-40 degF\"", "-40"),
    ("heat", "-40", "-40"),
    ("wait", "\"120 h\"", "5"),
];

#[test]
fn accepted_values() {
    let ruleset = ruleset(KINDS);
    for &(field, value, expected) in ACCEPTED {
        let bound = bound(&ruleset, &only(field, value)).unwrap_or_else(|error| {
            panic!("{field} {value}: {error:?}");
        });
        let place = ruleset.claims.iter().position(|it| it.name == field).unwrap();
        let shown = match &bound.values[place] {
            None => "-".to_owned(),
            Some(Value::Boolean(value)) => value.to_string(),
            Some(Value::Number(value)) => value.to_string(),
            Some(Value::Member(place)) => format!("member {place}"),
        };
        assert_eq!(shown, expected, "{field} {value}");
        assert_eq!(bound.values.len(), ruleset.variable_count());
        let others = bound.values.iter().enumerate().filter(|(it, _)| *it != place);
        assert!(others.into_iter().all(|(_, it)| it.is_none()), "{field} {value}");
    }
}

const FLAG: &str = "true or false, or \"unknown\" or null";
const AMOUNT: &str = "a number in USD from 0 to 1000000, or \"unknown\" or null";
const COUNT: &str = "a number from 0 to 10.5, or \"unknown\" or null";
const WORD: &str = "one of \"a\", \"n/a\", \"Größe\", or \"unknown\" or null";
const STATE: &str = "one of \"known\", \"unknown\", or null";
const WALK: &str = "a number in m from 0 to 1000, or \"unknown\" or null";
const WAIT: &str = "a number in d from 0 to 5, or \"unknown\" or null";
const DIGIT: &str = "a number starts with an ASCII digit";
const FOLLOW: &str = "only one space and a unit may follow the number";
const QUOTES: &str = "a truth value stands without quotes";

/// Claim, its JSON text, what is accepted there, and the mend.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("flag", "\"true\"", FLAG, QUOTES),
    ("flag", "\"yes\"", FLAG, QUOTES),
    ("flag", "\"\"", FLAG, QUOTES),
    ("flag", "\"Unknown\"", FLAG, QUOTES),
    ("flag", "1", FLAG, ""),
    ("flag", "[true]", FLAG, ""),
    ("flag", "{}", FLAG, ""),
    ("amount", "true", AMOUNT, ""),
    ("amount", "[1]", AMOUNT, ""),
    ("amount", "\"٥٠٠٠\"", AMOUNT, DIGIT),
    ("amount", "\"NaN\"", AMOUNT, DIGIT),
    ("amount", "\"Infinity\"", AMOUNT, DIGIT),
    ("amount", "\"+5\"", AMOUNT, DIGIT),
    ("amount", "\".5\"", AMOUNT, DIGIT),
    ("amount", "\"\"", AMOUNT, DIGIT),
    ("amount", "\"UNKNOWN\"", AMOUNT, DIGIT),
    ("amount", "\"5.\"", AMOUNT, "a decimal point needs a digit behind it"),
    ("amount", "\"1_000\"", AMOUNT, FOLLOW),
    ("amount", "\"12x34\"", AMOUNT, FOLLOW),
    ("amount", "\"340USD\"", AMOUNT, FOLLOW),
    (
        "amount",
        "\"500 000\"",
        AMOUNT,
        "a unit does not begin with a digit, and digits are not grouped",
    ),
    (
        "amount",
        r#""5 USD\" }; assert x { True }; //""#,
        AMOUNT,
        "a value holds no quotes and no backslashes",
    ),
    ("amount", r#""5 \\""#, AMOUNT, "a value holds no quotes and no backslashes"),
    ("amount", "\"5 m\"", AMOUNT, "nothing converts m to USD"),
    ("amount", "\"5 UZD\"", AMOUNT, "no unit library knows `UZD`, did you mean"),
    ("amount", "-1", AMOUNT, "the value lies outside"),
    ("amount", "1000000.0000000000000000000001", AMOUNT, "the value lies outside"),
    ("amount", "1e1001", AMOUNT, "an exponent lies between -1000 and 1000"),
    ("count", "\"5 USD\"", COUNT, "the claim takes a number without a unit"),
    ("count", "11", COUNT, "the value lies outside"),
    ("walk", "\"1.001 km\"", WALK, "the value is 1001 in m"),
    ("walk", "\"5 parsnips\"", WALK, "no unit library knows `parsnips`"),
    ("wait", "\"121 h\"", WAIT, "the value is 121/24 in d"),
    ("word", "\"A\"", WORD, "did you mean `a`?"),
    ("word", "\" a\"", WORD, ""),
    ("word", "1", WORD, "a member stands in quotes"),
    ("word", "false", WORD, "a member stands in quotes"),
    ("word", r#""a\"""#, WORD, ""),
    ("state", "\"Unknown\"", STATE, "did you mean `unknown`?"),
    ("state", "[]", STATE, ""),
];

#[test]
fn refused_values() {
    let ruleset = ruleset(KINDS);
    for &(field, value, expected, mend) in REFUSED {
        let rejected = match bound(&ruleset, &only(field, value)) {
            Err(BindError::Rejected(rejection)) => rejection,
            other => panic!("{field} {value}: {other:?}"),
        };
        assert_eq!(rejected.total, 1, "{field} {value}: {rejected:?}");
        let failure = &rejected.failures[0];
        assert_eq!(failure.field, field);
        let received = match value.as_bytes()[0] {
            b'[' => "an array",
            b'{' => "an object",
            _ => value,
        };
        assert_eq!(failure.received, received, "{field} {value}");
        let (type_wanted, said) =
            failure.expected.split_once("; ").unwrap_or((&failure.expected, ""));
        assert_eq!(type_wanted, expected, "{field} {value}");
        match mend {
            "" => assert!(said.is_empty() || said.starts_with("did you mean"), "{value}: {said}"),
            mend => assert!(said.starts_with(mend), "{field} {value}: {said}"),
        }
    }
}

#[test]
fn every_refusal_is_reported_at_once() {
    let ruleset = ruleset(
        "declare amount as numeric; declare flag as boolean; declare tier as enum [\"low\", \"high\"]; declare local hidden as boolean; let hidden = flag; assert x { Or(hidden, tier == \"low\", amount > 1) };",
    );
    let text =
        r#"{"ammount": 5, "flag": "yes", "flag": true, "hidden": true, "zzz\u202e": {"a": [1]}}"#;
    let Err(BindError::Rejected(rejection)) = bound(&ruleset, text) else { panic!() };
    let written = written(|slot| rejection.write_failures(slot));
    let expected = concat!(
        r#"[{"expected":"no such field; did you mean `amount`?","field":"ammount","received":"5"},"#,
        r#"{"expected":"true or false, or \"unknown\" or null; a truth value stands without quotes","field":"flag","received":"\"yes\""},"#,
        r#"{"expected":"one value, and the field stands more than once","field":"flag","received":"true"},"#,
        r#"{"expected":"no such field, since a local name is never submitted","field":"hidden","received":"true"},"#,
        r#"{"expected":"no such field, since the ruleset declares no such claim","field":"zzz\\u{202e}","received":"an object"},"#,
        r#"{"expected":"a value, since every declared claim must be present","field":"amount","received":"nothing"},"#,
        r#"{"expected":"a value, since every declared claim must be present","field":"tier","received":"nothing"}]"#,
    );
    assert_eq!(written, expected);
    assert_eq!(rejection.total, 7);
}

#[test]
fn ten_thousand_bad_fields_are_counted() {
    let ruleset = ruleset("declare flag as boolean; assert x { flag };");
    let fields: Vec<String> = (0..10_000).map(|it| format!("\"flog{it}\":1")).collect();
    let text = format!("{{{}}}", fields.join(","));
    let Err(BindError::Rejected(rejection)) = bound(&ruleset, &text) else { panic!() };
    assert_eq!((rejection.failures.len(), rejection.total), (50, 10_001));
    assert_eq!(rejection.failures[49].field, "flog49");
    let same: Vec<&str> = vec!["\"flag\":1"; 10_000];
    let Err(BindError::Rejected(rejection)) = bound(&ruleset, &format!("{{{}}}", same.join(",")))
    else {
        panic!()
    };
    assert_eq!((rejection.failures.len(), rejection.total), (50, 10_000));
}

#[test]
fn a_rejection_stays_small() {
    let members: Vec<String> = (0..400).map(|it| format!("\"{}{it}\"", "m".repeat(60))).collect();
    let members = members.join(",");
    let mut source = String::new();
    for claim in 0..9 {
        write!(source, "declare c{claim} as enum {{{members}}};").unwrap();
    }
    source.push_str("assert x { c0 == c1 };");
    let ruleset = ruleset(&source);
    let value = format!("\"{}\"", "\\u0001".repeat(600));
    let fields: Vec<String> = (0..9).map(|it| format!("\"c{it}\":{value}")).collect();
    let Err(BindError::Rejected(rejection)) = bound(&ruleset, &format!("{{{}}}", fields.join(",")))
    else {
        panic!()
    };
    assert_eq!(rejection.total, 9);
    assert!(written(|slot| rejection.write_failures(slot)).len() < 9 * 700);
}

#[test]
fn limits_stop_the_reading() {
    let ruleset = ruleset("declare word as enum {\"a\"}; assert x { word == \"a\" };");
    let of = |length: usize| format!("{{\"word\":\"{}\"}}", "a".repeat(length - 2));
    assert!(matches!(bound(&ruleset, &of(MAX_VALUE_BYTES)), Err(BindError::Rejected(_))));
    let exceeded = Budget::VALUE_BYTES.check(MAX_VALUE_BYTES + 1).unwrap_err();
    assert_eq!(bound(&ruleset, &of(MAX_VALUE_BYTES + 1)).unwrap_err(), BindError::Budget(exceeded));
    let padded = |length: usize| format!("{{\"word\":\"a\"}}{}", " ".repeat(length - 12));
    assert!(bound(&ruleset, &padded(MAX_CLAIM_PAYLOAD_BYTES)).is_ok());
    let exceeded = Budget::CLAIM_PAYLOAD_BYTES.check(MAX_CLAIM_PAYLOAD_BYTES + 1).unwrap_err();
    let too_long = bound(&ruleset, &padded(MAX_CLAIM_PAYLOAD_BYTES + 1));
    assert_eq!(too_long.unwrap_err(), BindError::Budget(exceeded));
}

#[test]
fn what_is_no_object_is_malformed() {
    let ruleset = ruleset("declare flag as boolean; assert x { flag };");
    for (text, message) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("[]", "expected an object, found an array at line 1 column 1"),
        ("{\"flag\": NaN}", "expected value at line 1 column 10"),
        ("{\"flag\": tru}", "expected ident at line 1 column 13"),
        ("{\"flag\": true} {}", "trailing characters at line 1 column 16"),
        ("{\"flag\": true,}", "trailing comma at line 1 column 15"),
        ("{\"flag\": 01}", "invalid number at line 1 column 11"),
        ("{flag: true}", "key must be a string at line 1 column 2"),
    ] {
        match bound(&ruleset, text) {
            Err(BindError::Malformed(error)) => assert_eq!(error.to_string(), message, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn quantities_say_what_a_number_was_worth() {
    let ruleset = ruleset(concat!(
        "// @unit price USD\n// @range price 0..10\ndeclare price as numeric;\n",
        "// @unit walk mi\ndeclare walk as numeric;\n",
        "// @unit heat degC\ndeclare heat as numeric;\n",
        "// @unit wait d\n// @range wait 0..5\ndeclare wait as numeric;\n",
        "declare count as numeric;\ndeclare flag as boolean;\n",
        "assert x { And(price < 5 \"USD\", walk < 5 \"mi\", heat < 5 \"degC\", wait < 5 \"d\", count < 5, flag) };\n",
    ));
    let claims = r#"{"flag": "unknown", "count": 5e0, "wait": "300 months", "heat": "212 degF",
        "walk": "1.609344 km", "price": "6000 EUR"}"#;
    let bound = bound(&ruleset, claims).unwrap();
    let expected = concat!(
        r#"{"bound":["price","walk","heat","wait","count"],"quantities":["#,
        r#"{"bound":"6000 \"EUR\"","claim":"price","conversion":{"by":"engine","from":"EUR","status":"no_path","to":"USD"},"measured_in":"USD","submitted":"6000 EUR"},"#,
        r#"{"bound":"1.609344 \"km\"","claim":"walk","conversion":{"by":"engine","factor":"15625/25146","from":"km","status":"convertible","to":"mi"},"measured_in":"mi","submitted":"1.609344 km"},"#,
        r#"{"bound":"212 \"degF\"","claim":"heat","conversion":{"by":"engine","factor":"5/9","from":"degF","offset":"-160/9","status":"convertible","to":"degC"},"measured_in":"degC","submitted":"212 degF"},"#,
        r#"{"bound":"300 \"mo\"","claim":"wait","conversion":{"by":"engine","from":"mo","status":"ambiguous","to":"d"},"measured_in":"d","submitted":"300 months"},"#,
        r#"{"bound":"5e0","claim":"count","measured_in":null,"submitted":"5e0"}],"#,
        r#""unbound":["flag"]}"#,
    );
    assert_eq!(written(|slot| bound.write_claims(slot, &ruleset)), expected);
    let numbers: Vec<_> = bound.values.iter().map(|it| format!("{it:?}")).collect();
    assert_eq!(
        numbers,
        ["None", "Some(Number(1))", "Some(Number(100))", "None", "Some(Number(5))", "None"]
    );
    let unbridged: Vec<_> = bound
        .unbridged
        .iter()
        .map(|it| (it.variable.index(), it.from.symbol(), it.to.symbol()))
        .collect();
    assert_eq!(unbridged, [(0, "EUR", "USD"), (3, "mo", "d")]);
    assert_eq!(bound.characters, "5e0300 months212 degF1.609344 km6000 EUR".len());
}

#[test]
fn order_and_white_space_change_nothing() {
    let ruleset = ruleset(
        "declare a as boolean; declare b as numeric; declare c as boolean; assert x { And(a, b > 1, c) };",
    );
    let texts = [
        r#"{"a":true,"b":2,"c":null}"#,
        "{ \"c\" : null,\n\"b\" :2 , \"a\":true }",
        r#"{"b":2,"\u0063":null,"a":true}"#,
    ];
    let seen = texts.map(|text| {
        let bound = bound(&ruleset, text).unwrap();
        written(|slot| bound.write_claims(slot, &ruleset)) + &format!("{:?}", bound.values)
    });
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn characters_are_those_of_determined_values() {
    let ruleset = ruleset(
        "declare a as boolean; declare w as enum {\"Größe\", \"x\"}; declare n as numeric; assert x { And(a, w == \"x\", n > 1) };",
    );
    for (text, characters) in [
        (r#"{"a":null,"w":"unknown","n":"unknown"}"#, 0),
        (r#"{"a":true,"w":"Größe","n":"12.50"}"#, 4 + 5 + 5),
        (r#"{"a":false,"w":"Gr\u00f6\u00dfe","n":1e3}"#, 5 + 5 + 3),
    ] {
        assert_eq!(bound(&ruleset, text).unwrap().characters, characters, "{text}");
    }
}
