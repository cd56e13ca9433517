//! An assertion that the solver has to decide: two undetermined numbers in a linear statement.

use assay_core::{Cancel, EngineSettings};
use assay_engine::Engine;

use crate::failure::{Failure, same};
use crate::measure::{Effort, Entrant, contest};
use crate::ours::{Case, verdicts};
use crate::peers::{Arrangement, Query, Window};
use crate::report::{Bar, Group, Report, Unit};

const WINDOW: Window = Window { sum: 10, difference: 3, floor: 4 };

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let Window { sum, difference, floor } = WINDOW;
    let source = format!(
        "declare a as numeric;\ndeclare b as numeric;\ndeclare floor as numeric;\n\
         assert window {{ And(a + b <= {sum}, a - b >= {difference}, a >= floor) }};\n"
    );
    let claims = format!("{{\"a\": null, \"b\": null, \"floor\": {floor}}}");
    let case = Case::new(&source, &claims)?;
    let engine = Engine::start(EngineSettings::default())?;
    let cancel = Cancel::new();
    let check = || engine.check(&case.plan, &case.bound, &cancel);
    let checked = check().map_err(|it| Failure(format!("{it:?}")))?;
    same("assay", &verdicts(&checked), &vec![None])?;
    if case.quick().is_ok() {
        return Err(Failure("the assertion was decided without the solver".to_owned()));
    }
    let direct = Query::new(WINDOW, Arrangement::PushPop)?;
    let kept = Query::new(WINDOW, Arrangement::KeptTerms)?;
    let linear = Query::new(WINDOW, Arrangement::KeptTermsLinear)?;
    let named = Query::new(WINDOW, Arrangement::Named)?;
    for query in [&direct, &kept, &linear, &named] {
        same("z3", &query.decide()?, &None)?;
    }

    let entrants = vec![
        Entrant::median("assay", check),
        Entrant::median("z3 5.3.2, push and pop, terms made anew", || direct.decide()),
        Entrant::median("z3 5.3.2, push and pop, terms kept", || kept.decide()),
        Entrant::median("z3 5.3.2, push and pop, terms kept, QF_LRA", || linear.decide()),
        Entrant::median("z3 5.3.2, statement named, QF_LRA", || named.decide()),
    ];
    let group = Group::new("p50 of one check", Unit::Time, contest(effort, entrants));
    let direct = group.figure("z3 5.3.2, push and pop, terms made anew");
    let bars = vec![
        Bar::within("first bar", &group, direct, 1.5),
        Bar::within("goal", &group, direct, 1.1),
    ];
    let fastest = group.best_peer().map_or(f64::NAN, |it| group.lead(it).recip());
    let note = format!(
        "ours includes the way to a solver thread and back, and is {fastest:.2} times the fastest arrangement"
    );
    Ok(Report { groups: vec![group], bars, notes: vec![note] })
}
