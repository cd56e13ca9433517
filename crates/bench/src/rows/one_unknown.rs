//! One claim that nobody determined.

use crate::failure::{Failure, same};
use crate::measure::{Effort, Entrant, contest};
use crate::ours::{Case, verdicts};
use crate::peers::Direct;
use crate::policy::{Facts, Policy};
use crate::report::{Bar, Group, Report, Unit};

const EQUATION: &str = "z3 5.3.2, value as an equation";
const SUBSTITUTION: &str = "z3 5.3.2, value substituted first";

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let few = group(effort, 50)?;
    let many = group(effort, 500)?;
    let bars = vec![
        Bar::lead("first bar", &few, few.best_peer(), 1.0),
        Bar::lead("goal", &few, few.best_peer(), 5.0),
    ];
    let growth = format!("growth, rules x10: {}", few.growth(&many));
    Ok(Report { bars, groups: vec![few, many], notes: vec![growth] })
}

fn group(effort: &Effort, count: usize) -> Result<Group, Failure> {
    let policy = Policy::new(count);
    let facts = Facts { has_receipt: None, ..policy.facts() };
    let right = policy.right(facts);

    let case = Case::new(&policy.dsail(), &facts.to_json())?;
    same("assay", &verdicts(&case.quick()?), &right)?;
    let direct = Direct::new(&policy);
    same(EQUATION, &direct.by_equation(facts.amount)?, &right)?;
    same(SUBSTITUTION, &direct.by_substitution(facts.amount)?, &right)?;

    let entrants = vec![
        Entrant::mean("assay", || case.plan.quick(&case.bound)),
        Entrant::mean(EQUATION, || direct.by_equation(facts.amount)),
        Entrant::mean(SUBSTITUTION, || direct.by_substitution(facts.amount)),
    ];
    let title = format!("{count} rules, the receipt unknown");
    Ok(Group::new(&title, Unit::Time, contest(effort, entrants)))
}
