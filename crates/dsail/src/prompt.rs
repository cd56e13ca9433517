//! The prompt pack: one extraction prompt for each claim, to be run on the caller's own model.
//!
//! The rule that unknown is an answer stands inside every prompt, since a prompt may travel
//! without the pack around it.

use assay_base::canonical::{Object, Slot};

use crate::answer::{
    data_type, number, unknown_is_member, vocabulary, write_range, write_undetermined,
};
use crate::claim_schema::write_claim_schema;
use crate::contract::write_contract;
use crate::grammar::INTEGRITY_RULE;
use crate::ir::{Claim, Ruleset, Sort, Vocabulary};
use crate::question::question;

/// Most members that an answer format spells out; longer vocabularies stand beside it.
const SPELLED_OUT: usize = 20;

/// How the answers become one claim dictionary.
pub const ASSEMBLY_NOTES: [&str; 3] = [
    "Put the answers into one JSON object: one member for each prompt, keyed by `claim`, and no \
     other members. None is left out, whatever its answer was.",
    "Keep the types: true and false without quotes; a number as a JSON number, or as a string with \
     one space before its unit, such as \"120 USD\", when the evidence gives another unit than the \
     prompt; a vocabulary word as a string, spelled as in `vocabulary`.",
    "Where the answer was that the evidence does not say, put the prompt's `undetermined_value` \
     there as it is. Never fill it from another claim, a default or a likely value.",
];

/// Writes the members `{assembly_notes, claim_schema, integrity_rule, prompts, ruleset_hash,
/// validation_contract}` into the object of an answer.
pub fn write_prompt_pack(object: &mut Object<'_>, ruleset: &Ruleset) {
    object.key("assembly_notes").strings(ASSEMBLY_NOTES);
    write_claim_schema(object.key("claim_schema"), ruleset);
    object.key("integrity_rule").string(INTEGRITY_RULE);
    write_prompts(object.key("prompts"), ruleset);
    object.key("ruleset_hash").display(ruleset.hash);
    write_contract(object.key("validation_contract"), ruleset);
}

/// Writes one prompt for each claim, in the order of declaration.
pub fn write_prompts(slot: Slot<'_>, ruleset: &Ruleset) {
    slot.array(|prompts| {
        for claim in &ruleset.claims {
            prompts.item().object(|object| write_prompt(object, ruleset, claim));
        }
    });
}

fn write_prompt(object: &mut Object<'_>, ruleset: &Ruleset, claim: &Claim) {
    object.key("answer_format").string(&answer_format(ruleset, claim));
    object.key("claim").string(&claim.name);
    if let Some(context) = &claim.context {
        object.key("context").string(context);
    }
    object.key("data_type").string(data_type(claim.sort));
    let vocabulary = vocabulary(ruleset, claim);
    if let Some(vocabulary) = vocabulary {
        object.key("ordered_vocabulary").boolean(vocabulary.ordered);
    }
    object.key("question").string(&question(ruleset, claim));
    if let Some(range) = &claim.range {
        write_range(object.key("range"), range);
    }
    write_undetermined(object.key("undetermined_value"), ruleset, claim);
    if let Some(unit) = &claim.unit {
        object.key("unit").string(unit.symbol());
    }
    object.key("unknown_rule").string(&unknown_rule(ruleset, claim));
    if let Some(vocabulary) = vocabulary {
        object.key("vocabulary").strings(&vocabulary.members);
    }
}

fn answer_format(ruleset: &Ruleset, claim: &Claim) -> String {
    let word = undetermined_word(ruleset, claim);
    match claim.sort {
        Sort::Boolean => format!("the word true or the word false, or {word}"),
        Sort::Number => format!("{}, digits only and nothing around it, or {word}", number(claim)),
        Sort::Member(id) => format!("{}, or {word}", one_of(ruleset.vocabulary(id))),
    }
}

fn one_of(vocabulary: &Vocabulary) -> String {
    let members = &vocabulary.members;
    if members.len() > SPELLED_OUT {
        return format!("exactly one of the {} words of the vocabulary", members.len());
    }
    let quoted: Vec<String> = members.iter().map(|it| format!("\"{it}\"")).collect();
    format!("exactly one of {}", quoted.join(", "))
}

fn unknown_rule(ruleset: &Ruleset, claim: &Claim) -> String {
    let word = undetermined_word(ruleset, claim);
    let mut rule = format!(
        "Answer {word} when the evidence does not settle the question. That is a full answer and \
         not a failure: the rules are decided with the value left open. Do not guess, do not \
         assume a usual value, and do not work it out from what is merely likely."
    );
    if unknown_is_member(ruleset, claim) {
        rule.push_str(
            " The vocabulary has a word \"unknown\" of its own: use that word only where the \
             evidence itself says so.",
        );
    }
    rule
}

fn undetermined_word(ruleset: &Ruleset, claim: &Claim) -> &'static str {
    if unknown_is_member(ruleset, claim) { "null" } else { "unknown" }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::write_prompt_pack;
    use crate::fixture::{Rules, expenses, number, written};
    use crate::ir::{Range, Ruleset};

    fn pack(ruleset: &Ruleset) -> Value {
        let text = written(|slot| slot.object(|object| write_prompt_pack(object, ruleset)));
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_pack_holds_all_that_an_extraction_needs() {
        let ruleset = expenses();
        let pack = pack(&ruleset);
        let members: Vec<&String> = pack.as_object().unwrap().keys().collect();
        let expected = [
            "assembly_notes",
            "claim_schema",
            "integrity_rule",
            "prompts",
            "ruleset_hash",
            "validation_contract",
        ];
        assert_eq!(members, expected);
        assert_eq!(pack["assembly_notes"].as_array().unwrap().len(), 3);
        assert_eq!(pack["ruleset_hash"], ruleset.hash.to_string());
        assert_eq!(pack["prompts"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn prompts_stand_alone() {
        let pack = pack(&expenses());
        let mut amount = pack["prompts"][0].clone();
        let rule = amount["unknown_rule"].take();
        assert_eq!(
            amount,
            json!({
                "answer_format": "a number in USD from 0 to 1000000, digits only and nothing \
                                  around it, or unknown",
                "claim": "amount",
                "context": "Tips count.",
                "data_type": "numeric",
                "question": "What is the total of the expense, in USD?",
                "range": {"min": 0, "max": 1_000_000},
                "undetermined_value": "unknown",
                "unit": "USD",
                "unknown_rule": null
            })
        );
        assert!(rule.as_str().unwrap().starts_with("Answer unknown when the evidence"));
        let formats: Vec<_> =
            pack["prompts"].as_array().unwrap().iter().map(|it| &it["answer_format"]).collect();
        assert_eq!(formats[1], "the word true or the word false, or unknown");
        assert_eq!(formats[2], "exactly one of \"travel\", \"meals\", \"other\", or unknown");
        assert_eq!(formats[3], "exactly one of \"low\", \"unknown\", \"high\", or null");
        assert_eq!(pack["prompts"][2]["ordered_vocabulary"], false);
        assert_eq!(pack["prompts"][3]["ordered_vocabulary"], true);
    }

    #[test]
    fn a_member_called_unknown_leaves_null_to_say_undetermined() {
        let pack = pack(&expenses());
        let tier = &pack["prompts"][3];
        assert_eq!(tier["undetermined_value"], Value::Null);
        let rule = tier["unknown_rule"].as_str().unwrap();
        assert!(rule.starts_with("Answer null") && rule.contains("a word \"unknown\" of its own"));
        for prompt in pack["prompts"].as_array().unwrap() {
            assert!(prompt["unknown_rule"].as_str().unwrap().contains("Do not guess"));
        }
    }

    #[test]
    fn bounds_are_exact_and_integers_stay_integers() {
        let mut rules = Rules::new();
        for (name, low, high) in
            [("a", "0.0", "1e6"), ("b", "-0.5", "2.50"), ("c", "1", "12345678901234567890.123")]
        {
            rules.number(name).range = Some(Range { low: number(low), high: number(high) });
        }
        let text = written(|slot| super::write_prompts(slot, &rules.build()));
        for bounds in [
            "\"range\":{\"max\":1000000,\"min\":0}",
            "\"range\":{\"max\":2.5,\"min\":-0.5}",
            "\"range\":{\"max\":12345678901234567890.123,\"min\":1}",
            "a number from 0 to 1000000, digits",
            "a number from -0.5 to 2.5, digits",
        ] {
            assert!(text.contains(bounds), "{bounds}");
        }
    }
}
