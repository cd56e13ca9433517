//! `dsail_check`: claim values to one of four words for every assertion.

use std::sync::Arc;

use assay_base::canonical::{Fragment, Object, Slot, to_bytes_with_capacity};
use assay_dsail::bind::{Bound, bind};
use assay_dsail::ir::{Assertion, Ruleset};
use assay_engine::{Cancel, Outcome, Word};

use super::Which;
use crate::caller::Session;
use crate::failure::{Failure, write_hash};
use crate::input::{Input, missing};
use crate::label;
use crate::meter::Charged;
use crate::rulesets::Prepared;
use crate::service::Service;
use crate::table::{Call, Context, Step};

/// Bytes of an answer for each assertion, and for the rest of it, roughly.
const BYTES_PER_RULE: usize = 256;

/// Answers one call. Where the ruleset is ready and no solver is needed, the answer is complete
/// here.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["ruleset_hash", "source", "claims", "label"])?;
    let which = Which::read(&input)?;
    let claims = input.object_text("claims")?.ok_or_else(|| missing("claims"))?;
    let label = label::read(call, &input)?;
    let (service, session) = (call.service, &call.caller.session);
    // What is charged or kept waits for the disk, so it cannot be answered here.
    let is_pure = service.allowance.is_none() && label.is_none();
    let prepared = which.ready(service, session);
    if let (Some(prepared), true) = (&prepared, is_pure) {
        let bound = bind(&prepared.ruleset, &prepared.index, &session.library, &claims)?;
        let quick: Option<Vec<Outcome>> = prepared.plan.quick(&bound).into_iter().collect();
        if let Some(outcomes) = quick {
            return Ok(Step::Done(payload(service, session, prepared, (&bound, &outcomes))));
        }
        let (prepared, bound) = (Arc::clone(prepared), Arc::new(bound));
        return Ok(call.work(move |context, cancel| solve(context, &prepared, &bound, cancel)));
    }
    let claims = claims.into_owned();
    Ok(call.work(move |context, cancel| {
        let (service, session) = (&context.service, &context.session);
        let prepared = which.load(service, session)?;
        let bound = bind(&prepared.ruleset, &prepared.index, &session.library, &claims)?;
        let charged = Charged::charge(service, session, &prepared, &bound)?;
        let answered = solve(context, &prepared, &Arc::new(bound), cancel);
        if answered.is_err() {
            charged.refund(service)?;
        } else if label.is_some() {
            context.label(prepared.ruleset.hash, label)?;
        }
        answered
    }))
}

fn solve(
    context: &Context,
    prepared: &Prepared,
    bound: &Arc<Bound>,
    cancel: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let outcomes = context.service.engine.check(&prepared.plan, bound, cancel)?;
    payload(&context.service, &context.session, prepared, (bound, &outcomes))
}

/// The answer. Every assertion that the manifest announces has its outcome, or there is none.
fn payload(
    service: &Service,
    session: &Session,
    prepared: &Prepared,
    (bound, outcomes): (&Bound, &[Outcome]),
) -> Result<Vec<u8>, Failure> {
    let ruleset = &prepared.ruleset;
    if outcomes.len() != ruleset.assertions.len() {
        let message = format!(
            "{} assertions are announced and {} were answered",
            ruleset.assertions.len(),
            outcomes.len()
        );
        return Err(Failure::Other { code: assay_base::Code::EngineError, message });
    }
    let capacity = BYTES_PER_RULE * (outcomes.len() + 2);
    Ok(to_bytes_with_capacity(capacity, |value| {
        value.object(|object| {
            bound.write_claims(object.key("claims"), ruleset);
            object.key("ok").boolean(true);
            object.key("rules").array(|rules| {
                let answers = ruleset.assertions.iter().zip(&prepared.plain).zip(outcomes);
                for ((assertion, plain), outcome) in answers {
                    match (outcome.word, outcome.unbridged.is_empty()) {
                        (Word::True, true) => rules.item().fragment(&plain.holds),
                        (Word::False, true) => rules.item().fragment(&plain.fails),
                        _ => write_rule(rules.item(), ruleset, assertion, outcome),
                    }
                }
            });
            object.key("ruleset_hash").fragment(&prepared.hash);
            write_hash(object.key("unit_library_hash"), session.library.hash());
            object.key("versions").fragment(service.versions());
        });
    }))
}

/// The answer of an assertion whose word is one of two and needs no explanation.
pub(crate) fn plain_answer(ruleset: &Ruleset, assertion: &Assertion, word: Word) -> Fragment {
    let outcome = Outcome { word, reason: None, unbridged: Vec::new() };
    Fragment::new(|value| write_rule(value, ruleset, assertion, &outcome))
}

fn write_rule(slot: Slot<'_>, ruleset: &Ruleset, assertion: &Assertion, outcome: &Outcome) {
    slot.object(|rule| {
        rule.key("assertions").array(|assertions| {
            let item = assertions.item();
            item.object(|object| write_assertion(object, ruleset, assertion, outcome));
        });
        rule.key("name").string(&assertion.name);
        rule.key("rule").string(&assertion.name);
    });
}

fn write_assertion(
    object: &mut Object<'_>,
    ruleset: &Ruleset,
    assertion: &Assertion,
    outcome: &Outcome,
) {
    object.key("check").string(outcome.word.word());
    object.key("name").string(&assertion.name);
    if let Some(reason) = &outcome.reason {
        object.key("reason_unknown").string(&reason.text(ruleset));
    }
    object.key("source").string(ruleset.source.slice(assertion.body));
    if !outcome.unbridged.is_empty() {
        write_unbridged(object, outcome);
    }
    object.key("unknown_policy").string(assertion.policy.word());
}

fn write_unbridged(object: &mut Object<'_>, outcome: &Outcome) {
    object.key("unbridged_units").array(|pairs| {
        for (from, to) in &outcome.unbridged {
            pairs.item().object(|pair| {
                pair.key("from").string(from.symbol());
                pair.key("to").string(to.symbol());
            });
        }
    });
}
