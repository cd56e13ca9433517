//! The manifest: which claims a ruleset asks for and which rules it answers.

use assay_base::canonical::{Object, Slot};

use crate::answer::{data_type, unknown_is_member, vocabulary, write_range};
use crate::ir::{Assertion, Claim, Ruleset};
use crate::question::question;

/// Writes `{claims[], rules[], ruleset_hash}`.
///
/// A rule is one assertion and carries its name twice, as `rule` and as `name`, because readers
/// of either exist.
pub fn write_manifest(slot: Slot<'_>, ruleset: &Ruleset) {
    slot.object(|object| {
        object.key("claims").array(|claims| {
            for claim in &ruleset.claims {
                claims.item().object(|object| write_claim(object, ruleset, claim));
            }
        });
        object.key("rules").array(|rules| {
            for assertion in &ruleset.assertions {
                rules.item().object(|object| write_rule(object, ruleset, assertion));
            }
        });
        object.key("ruleset_hash").display(ruleset.hash);
    });
}

fn write_claim(object: &mut Object<'_>, ruleset: &Ruleset, claim: &Claim) {
    object.key("claim").string(&claim.name);
    if let Some(context) = &claim.context {
        object.key("context").string(context);
    }
    object.key("data_type").string(data_type(claim.sort));
    let vocabulary = vocabulary(ruleset, claim);
    if let Some(vocabulary) = vocabulary {
        object.key("ordered").boolean(vocabulary.ordered);
    }
    object.key("question").string(&question(ruleset, claim));
    if let Some(range) = &claim.range {
        write_range(object.key("range"), range);
    }
    object.key("required").boolean(true);
    if let Some(unit) = &claim.unit {
        object.key("unit").string(unit.symbol());
    }
    object.key("unknown_allowed").boolean(true);
    if unknown_is_member(ruleset, claim) {
        object.key("unknown_sentinel").string("null");
    }
    if let Some(vocabulary) = vocabulary {
        object.key("vocabulary").strings(&vocabulary.members);
    }
}

fn write_rule(object: &mut Object<'_>, ruleset: &Ruleset, assertion: &Assertion) {
    object.key("assertions").array(|assertions| {
        assertions.item().object(|object| {
            if let Some(description) = &assertion.description {
                object.key("description").string(description);
            }
            object.key("line").integer(ruleset.source.line(assertion.span.start));
            object.key("name").string(&assertion.name);
            let claims = assertion.reads.iter().filter_map(|it| ruleset.claim(*it));
            object.key("reads").strings(claims.map(|it| &it.name));
            object.key("source").string(ruleset.source.slice(assertion.body));
            object.key("unknown_policy").string(assertion.policy.word());
        });
    });
    object.key("name").string(&assertion.name);
    object.key("rule").string(&assertion.name);
}

#[cfg(test)]
mod tests {
    use super::write_manifest;
    use crate::fixture::{expenses, written};

    #[test]
    fn the_manifest_says_what_is_asked_and_what_is_answered() {
        let ruleset = expenses();
        let expected = format!(
            concat!(
                r#"{{"claims":["#,
                r#"{{"claim":"amount","context":"Tips count.","data_type":"numeric","#,
                r#""question":"What is the total of the expense, in USD?","#,
                r#""range":{{"max":1000000,"min":0}},"required":true,"unit":"USD","#,
                r#""unknown_allowed":true}},"#,
                r#"{{"claim":"has_receipt","data_type":"boolean","#,
                r#""question":"Is this true: has receipt?","required":true,"#,
                r#""unknown_allowed":true}},"#,
                r#"{{"claim":"category","data_type":"enum","ordered":false,"#,
                r#""question":"What is the category: travel, meals or other?","#,
                r#""required":true,"unknown_allowed":true,"#,
                r#""vocabulary":["travel","meals","other"]}},"#,
                r#"{{"claim":"tier","data_type":"enum","ordered":true,"#,
                r#""question":"What is the tier: low, unknown or high?","#,
                r#""required":true,"unknown_allowed":true,"unknown_sentinel":"null","#,
                r#""vocabulary":["low","unknown","high"]}}],"#,
                r#""rules":["#,
                r#"{{"assertions":[{{"description":"No expense is above the cap.","line":1,"#,
                r#""name":"within_cap","reads":["amount"],"source":"amount <= 25000 \"USD\"","#,
                r#""unknown_policy":"neutral"}}],"name":"within_cap","rule":"within_cap"}},"#,
                r#"{{"assertions":[{{"line":2,"name":"receipt_over_75","#,
                r#""reads":["amount","has_receipt"],"#,
                r#""source":"Implies(amount > 75 \"USD\", has_receipt)","#,
                r#""unknown_policy":"pessimistic"}}],"#,
                r#""name":"receipt_over_75","rule":"receipt_over_75"}}],"#,
                r#""ruleset_hash":"{hash}"}}"#,
            ),
            hash = ruleset.hash
        );
        assert_eq!(written(|slot| write_manifest(slot, &ruleset)), expected);
    }
}
