//! From the bytes of the claims to the bytes of the answer.

use std::sync::Arc;

use assay_base::canonical::to_bytes;
use assay_core::Started;
use assay_dsail::bind::{ClaimIndex, bind};
use assay_dsail::ir::Ruleset;
use assay_dsail::units::Library;
use assay_engine::{Outcome, Plan};
use serde_json::Value;

use crate::failure::{Failure, same};
use crate::measure::{Effort, Entrant, contest};
use crate::ours::{caller, check_arguments, compiled, service, store, text, words};
use crate::peers::{Cedar, Cel, Rego, RegoMachine, Zen};
use crate::policy::Policy;
use crate::report::{Bar, Group, Report, Unit};

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let policy = Policy::new(4);
    let facts = policy.facts();
    let json = facts.to_json();
    let right = policy.right(facts);

    let service = service()?;
    let arguments = check_arguments(store(&service, &policy.dsail())?, &json);
    let check = || match service.start(&caller(&service)?, "dsail_check", &arguments) {
        Started::Done(reply) => Ok(reply.body),
        Started::Work(_) => Err(Failure("the check was handed back as work".to_owned())),
    };
    let ours = check()?;
    same("assay", &words(&ours)?, &right)?;
    let mut zen = Zen::new(&policy, facts)?;
    let cel = Cel::new(&policy, facts)?;
    let cedar = Cedar::new(&policy, facts)?;
    let rego = Rego::new(&policy, facts)?;
    let mut machine = RegoMachine::new(&policy, facts)?;
    let answers = [
        (Zen::NAME, zen.answer(&json)?),
        (Cel::NAME, cel.answer(&json)?),
        (Cedar::NAME, cedar.answer(&json)?),
        (Rego::NAME, rego.answer(&json)?),
        (RegoMachine::NAME, machine.answer(&json)?),
    ];
    agree(&answers, &policy)?;
    let library = Library::standard();
    let ruleset = Arc::new(compiled(&policy.dsail())?);
    let (index, plan) = (ClaimIndex::new(&ruleset), Plan::new(Arc::clone(&ruleset), library));
    let entrants = vec![
        Entrant::mean("assay", check),
        Entrant::mean(Zen::NAME, || zen.answer(&json)),
        Entrant::mean(Cel::NAME, || cel.answer(&json)),
        Entrant::mean(Cedar::NAME, || cedar.answer(&json)),
        Entrant::mean(Rego::NAME, || rego.answer(&json)),
        Entrant::mean(RegoMachine::NAME, || machine.answer(&json)),
        Entrant::mean("reference: assay without service, verdicts alone", || {
            let bound = bind(&ruleset, &index, library, &json).ok()?;
            Some(write_verdicts(&ruleset, &plan.quick(&bound)))
        }),
        Entrant::mean("reference: serde_json reads the claims", || {
            serde_json::from_str::<Value>(&json)
        }),
        Entrant::mean("reference: serde_json reads our request", || {
            serde_json::from_str::<Value>(&arguments)
        }),
    ];
    let group = Group::new("4 rules", Unit::Time, contest(effort, entrants));
    let bars = vec![
        Bar::lead("first bar", &group, group.figure(Cedar::NAME), 2.0),
        Bar::lead("goal", &group, group.best_peer(), 4.0),
    ];
    let note = format!(
        "ours reads {} bytes and writes {} with the rules, units and versions; each peer reads {} and writes the verdicts alone ({} for zen)",
        arguments.len(),
        ours.len(),
        json.len(),
        answers.first().map_or(0, |(_, answer)| answer.len())
    );
    Ok(Report { groups: vec![group], bars, notes: vec![note] })
}

/// The verdicts as an object, as the peers give them.
fn write_verdicts(ruleset: &Ruleset, outcomes: &[Option<Outcome>]) -> Vec<u8> {
    to_bytes(|value| {
        value.object(|object| {
            for (assertion, outcome) in ruleset.assertions.iter().zip(outcomes) {
                let word = outcome.as_ref().map(|it| it.word.word());
                object.key(&assertion.name).optional_string(word);
            }
        });
    })
}

/// Holds where each peer answers the rules that hold.
fn agree(answers: &[(&str, Vec<u8>)], policy: &Policy) -> Result<(), Failure> {
    let right = policy.right(policy.facts());
    let held = policy.rules.iter().zip(right).filter(|(_, holds)| *holds == Some(true));
    let held: Vec<String> = held.map(|(rule, _)| rule.name.clone()).collect();
    answers.iter().try_for_each(|(name, answer)| same(name, &names(answer)?, &held))
}

/// The rules that hold by a peer's answer: an object of verdicts, or a list of names.
fn names(answer: &[u8]) -> Result<Vec<String>, Failure> {
    let mut names: Vec<String> = match serde_json::from_slice(answer)? {
        Value::Object(verdicts) => {
            let held = verdicts.into_iter().filter(|(_, it)| *it == Value::Bool(true));
            held.map(|(name, _)| name).collect()
        }
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return Err(Failure(text(answer.to_vec())?)),
    };
    names.sort_unstable();
    Ok(names)
}
