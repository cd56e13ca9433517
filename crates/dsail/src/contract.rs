//! The validation contract: exactly what a check refuses before anything is decided.

use assay_base::canonical::{Object, Slot};
use assay_base::numeral::{MAX_DIGITS, MAX_EXPONENT};

use crate::answer::{
    NUMERAL_PATTERN, data_type, expected, unknown_is_member, vocabulary, write_range,
    write_undetermined,
};
use crate::budget::{Budget, MAX_FAILURES_REPORTED};
use crate::ir::{Claim, Ruleset, Sort};

const DICTIONARY: &str = "one JSON object that holds every declared claim exactly once";
const MISSING: &str = "refused: a claim that could not be determined is sent as its undetermined \
                       value and never left out";
const UNDECLARED: &str = "refused: a field that names no declared claim, local names included";
const DUPLICATE: &str = "refused: a field that stands more than once";
const REPORTING: &str = "every refused field is reported in one answer as field, expected and \
                         received; beyond the limit they are counted only, and nothing is decided";
const UNDETERMINED: &str = "null always says undetermined; so does the string unknown, except \
                            where it is a member of the claim's own vocabulary";
const NUMERAL: &str = "ASCII digits with an optional leading minus, an optional fraction and an \
                       optional exponent; no leading plus, no digits left out around the point, \
                       no grouping, no other digits, no NaN and no infinity; read exactly";
const UNIT: &str = "a number without a unit is in the claim's unit; another unit follows the \
                    number behind exactly one space, must be known and must measure the same \
                    thing or be converted by the project; it does not begin with a digit";
const NO_UNIT: &str = "a number alone: the claim has no unit, so an answer with one is refused";
const RANGE: &str = "both bounds are included and are in the claim's unit; an answer in another \
                     unit is converted before it is compared, and one that nothing converts \
                     exactly is not compared";
const BOOLEAN: &str =
    "the JSON values true and false; strings, numbers and other words are refused";
const MEMBER: &str = "a string that is a member letter for letter, letter case included";
const STRING: &str = "quotes and backslashes are refused in numbers and units";

/// Writes `{budgets, claims[], dictionary, fields, numeral, reporting, strings, undetermined}`.
pub fn write_contract(slot: Slot<'_>, ruleset: &Ruleset) {
    slot.object(|object| {
        write_budgets(object.key("budgets"));
        object.key("claims").array(|claims| {
            for claim in &ruleset.claims {
                claims.item().object(|object| write_claim(object, ruleset, claim));
            }
        });
        object.key("dictionary").string(DICTIONARY);
        object.key("fields").object(|object| {
            object.key("duplicate").string(DUPLICATE);
            object.key("missing").string(MISSING);
            object.key("undeclared").string(UNDECLARED);
        });
        object.key("numeral").object(|object| {
            object.key("format").string(NUMERAL);
            object.key("max_digits").integer(MAX_DIGITS as u64);
            object.key("max_exponent").integer(MAX_EXPONENT);
            object.key("pattern").string(&format!("^{NUMERAL_PATTERN}$"));
        });
        object.key("reporting").object(|object| {
            object.key("limit").integer(MAX_FAILURES_REPORTED as u64);
            object.key("rule").string(REPORTING);
        });
        object.key("strings").string(STRING);
        object.key("undetermined").string(UNDETERMINED);
    });
}

/// Writes every limit by its name.
pub fn write_budgets(slot: Slot<'_>) {
    slot.object(|object| {
        for budget in Budget::ALL {
            object.key(budget.name).integer(budget.limit as u64);
        }
    });
}

fn write_claim(object: &mut Object<'_>, ruleset: &Ruleset, claim: &Claim) {
    object.key("accepts").string(&expected(ruleset, claim));
    object.key("claim").string(&claim.name);
    object.key("data_type").string(data_type(claim.sort));
    if let Some(range) = &claim.range {
        write_range(object.key("range"), range);
    }
    object.key("rules").strings(rules(ruleset, claim));
    write_undetermined(object.key("undetermined_value"), ruleset, claim);
    if let Some(unit) = &claim.unit {
        object.key("unit").string(unit.symbol());
    }
    if let Some(vocabulary) = vocabulary(ruleset, claim) {
        object.key("vocabulary").strings(&vocabulary.members);
    }
}

/// What a check holds a value of the claim to, a sentence each.
fn rules(ruleset: &Ruleset, claim: &Claim) -> Vec<&'static str> {
    let mut rules = match claim.sort {
        Sort::Boolean => vec![BOOLEAN],
        Sort::Number if claim.unit.is_some() => vec![NUMERAL, UNIT],
        Sort::Number => vec![NUMERAL, NO_UNIT],
        Sort::Member(_) => vec![MEMBER],
    };
    if claim.range.is_some() {
        rules.push(RANGE);
    }
    if unknown_is_member(ruleset, claim) {
        rules.push("the string unknown is a member here; undetermined is null");
    }
    rules
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::write_contract;
    use crate::fixture::{expenses, written};

    #[test]
    fn the_contract_names_every_limit_and_every_claim() {
        let ruleset = expenses();
        let text = written(|slot| write_contract(slot, &ruleset));
        let contract: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            contract["budgets"],
            json!({
                "assertions": 2000, "claim_payload_bytes": 262_144, "claims": 500,
                "expression_nodes": 20_000, "failures_reported": 50, "identifier_bytes": 128,
                "max_approval_chars": 512, "nesting": 128, "source_bytes": 262_144,
                "string_bytes": 256, "unrolled_elements": 4096, "value_bytes": 4096
            })
        );
        let claims = contract["claims"].as_array().unwrap();
        let shown: Vec<_> = claims
            .iter()
            .map(|it| (it["claim"].as_str().unwrap(), &it["undetermined_value"]))
            .collect();
        let unknown = json!("unknown");
        assert_eq!(
            shown,
            [
                ("amount", &unknown),
                ("has_receipt", &unknown),
                ("category", &unknown),
                ("tier", &Value::Null)
            ]
        );
        assert_eq!(claims[0]["range"], json!({"min": 0, "max": 1_000_000}));
        assert_eq!(claims[0]["unit"], "USD");
        assert_eq!(claims[0]["rules"].as_array().unwrap().len(), 3);
        assert_eq!(claims[3]["vocabulary"], json!(["low", "unknown", "high"]));
        assert_eq!(contract["numeral"]["max_digits"], 1000);
        for rule in ["missing", "undeclared", "duplicate"] {
            assert!(contract["fields"][rule].as_str().unwrap().starts_with("refused"), "{rule}");
        }
    }
}
