//! Evaluation alone: rules and facts are ready in whatever form each entrant likes best.

use crate::failure::{Failure, same};
use crate::measure::{Effort, Entrant, contest};
use crate::ours::{Case, verdicts};
use crate::peers::{Cedar, Cel, Rego, RegoMachine, Zen};
use crate::policy::Policy;
use crate::report::{Bar, Group, Report, Unit};

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let few = group(effort, 50)?;
    let many = group(effort, 500)?;
    let growth = format!("growth, rules x10: {}", few.growth(&many));
    let bars = vec![
        Bar::lead("first bar", &few, few.figure(Zen::NAME), 1.0),
        Bar::lead("goal", &few, few.best_peer(), 2.0),
    ];
    Ok(Report {
        bars,
        groups: vec![few, many],
        notes: vec![
            growth,
            "ours gives an outcome for each rule in exact arithmetic; of the peers only zen is exact (decimal), and each merely counts the rules that hold".to_owned(),
        ],
    })
}

fn group(effort: &Effort, count: usize) -> Result<Group, Failure> {
    let policy = Policy::new(count);
    let facts = policy.facts();
    let right = policy.right(facts);
    let holding = right.iter().filter(|it| **it == Some(true)).count();

    let case = Case::new(&policy.dsail(), &facts.to_json())?;
    same("assay", &verdicts(&case.quick()?), &right)?;
    let mut zen = Zen::new(&policy, facts)?;
    same(Zen::NAME, &zen.holding()?, &holding)?;
    let cel = Cel::new(&policy, facts)?;
    same(Cel::NAME, &cel.holding()?, &holding)?;
    let cedar = Cedar::new(&policy, facts)?;
    same(Cedar::NAME, &cedar.holding(), &holding)?;
    let rego = Rego::new(&policy, facts)?;
    same(Rego::NAME, &rego.holding()?, &holding)?;
    let mut machine = RegoMachine::new(&policy, facts)?;
    same(RegoMachine::NAME, &machine.holding()?, &holding)?;

    let entrants = vec![
        Entrant::mean("assay", || case.plan.quick(&case.bound)),
        Entrant::mean(Zen::NAME, || zen.holding()),
        Entrant::mean(Cel::NAME, || cel.holding()),
        Entrant::mean(Cedar::NAME, || cedar.holding()),
        Entrant::mean(Rego::NAME, || rego.holding()),
        Entrant::mean(RegoMachine::NAME, || machine.holding()),
    ];
    Ok(Group::new(&format!("{count} rules"), Unit::Time, contest(effort, entrants)))
}
