//! The JSON Schema (2020-12) of the claim dictionary.
//!
//! It accepts what [`crate::bind`] accepts as far as a schema can say it. A schema cannot say
//! these, and a check refuses them all the same:
//! - bounds of a number that is submitted as a string;
//! - whether a unit exists and converts to the declared one;
//! - a number with more digits or a larger exponent than the numeral reader takes;
//! - a field that stands twice, and the byte limits of a value and of the dictionary.
//!
//! Validators that read numbers as floats may round a number before they compare it with a bound;
//! a check never does.

use assay_base::canonical::{Object, Slot};

use crate::answer::{NUMERAL_PATTERN, UNIT_PATTERN, UNKNOWN, unknown_is_member, vocabulary};
use crate::ir::{Claim, Ruleset, Sort};
use crate::question::question;

/// Writes the schema.
pub fn write_claim_schema(slot: Slot<'_>, ruleset: &Ruleset) {
    slot.object(|object| {
        object.key("$schema").string("https://json-schema.org/draft/2020-12/schema");
        object.key("additionalProperties").boolean(false);
        object.key("properties").object(|properties| {
            for claim in &ruleset.claims {
                properties.key(&claim.name).object(|object| write_claim(object, ruleset, claim));
            }
        });
        object.key("required").strings(ruleset.claims.iter().map(|it| &it.name));
        object.key("type").string("object");
    });
}

fn write_claim(object: &mut Object<'_>, ruleset: &Ruleset, claim: &Claim) {
    if claim.sort == Sort::Number {
        object.key("anyOf").array(|branches| {
            branches.item().object(|object| write_number(object, claim));
            branches.item().object(|object| write_numeral(object, claim));
            branches.item().object(|object| {
                object.key("enum").array(|values| {
                    values.item().string(UNKNOWN);
                    values.item().null();
                });
            });
        });
    }
    object.key("description").string(&question(ruleset, claim));
    if claim.sort == Sort::Number {
        return;
    }
    object.key("enum").array(|values| {
        if claim.sort == Sort::Boolean {
            values.item().boolean(true);
            values.item().boolean(false);
        }
        for member in vocabulary(ruleset, claim).into_iter().flat_map(|it| &it.members) {
            values.item().string(member);
        }
        if !unknown_is_member(ruleset, claim) {
            values.item().string(UNKNOWN);
        }
        values.item().null();
    });
}

fn write_number(object: &mut Object<'_>, claim: &Claim) {
    if let Some(range) = &claim.range {
        object.key("maximum").number(&range.high);
        object.key("minimum").number(&range.low);
    }
    object.key("type").string("number");
}

fn write_numeral(object: &mut Object<'_>, claim: &Claim) {
    let unit = match &claim.unit {
        Some(_) => format!("({UNIT_PATTERN})?"),
        None => String::new(),
    };
    object.key("pattern").string(&format!("^{NUMERAL_PATTERN}{unit}$"));
    object.key("type").string("string");
}

#[cfg(test)]
mod tests;
