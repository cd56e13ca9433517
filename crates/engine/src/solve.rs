//! The two questions of an assertion: can it hold, and can it fail?
//!
//! A linear question goes to the warm solver of its context first, which answers in a fraction of
//! the time that a fresh one takes to start. The solver is complete for linear questions, so what
//! it was asked before can change when it answers but not what. It gets a tenth of the steps; a
//! question that needs more, and every question that is not linear, is put to a fresh solver in a
//! fresh context with all the steps, so that when the steps run out does not depend on what was
//! asked before.

use z3::ast::Bool;
use z3::{Params, SatResult, Solver, Tactic};

use crate::encode::{Encoded, encode};
use crate::policy::Possible;
use crate::question::Question;

/// What the solver found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// At least one of the outcomes was shown to be impossible, or both to be possible.
    Possible(Possible),
    /// Neither can be the case, which no validated input allows.
    Contradiction,
    /// The steps ran out, or somebody interrupted: whoever did knows.
    Canceled,
    /// The solver gave up by itself.
    Incomplete,
}

/// The solvers that a context keeps for linear questions.
#[derive(Debug)]
pub(crate) struct Warm {
    /// For questions about real numbers alone, which it answers in two thirds of the time.
    real: Solver,
    /// For questions in which integers take part.
    mixed: Solver,
}

impl Warm {
    /// Solvers in the context of this thread, with a tenth of the steps.
    pub(crate) fn new(resource_limit: u32) -> Self {
        let mut params = limited(resource_limit.div_ceil(10));
        // Without these the solver hands hard questions to tactics that look at the clock.
        params.set_bool("ignore_solver1", true);
        params.set_u32("solver2_unknown", 0);
        let warm = Self {
            real: Solver::new_for_logic("QF_LRA").unwrap_or_default(),
            mixed: Solver::new(),
        };
        warm.real.set_params(&params);
        warm.mixed.set_params(&params);
        warm
    }

    /// The answer to a linear question, or `None` where the steps do not suffice.
    ///
    /// # Errors
    /// The question cannot be encoded.
    pub(crate) fn decide(&self, question: &Question) -> Result<Option<Answer>, String> {
        let solver = if question.real { &self.real } else { &self.mixed };
        match decide(solver, &encode(question)?) {
            Answer::Canceled | Answer::Incomplete => Ok(None),
            answer @ (Answer::Possible(_) | Answer::Contradiction) => Ok(Some(answer)),
        }
    }
}

/// The answer of a fresh solver in the context of this thread, which must be fresh too.
///
/// # Errors
/// The question cannot be encoded.
pub(crate) fn decide_afresh(question: &Question, resource_limit: u32) -> Result<Answer, String> {
    let encoded = encode(question)?;
    // The plain solver: the default one tries tactics that look at the clock.
    let solver = Tactic::new("smt").solver();
    solver.set_params(&limited(resource_limit));
    Ok(decide(&solver, &encoded))
}

fn limited(resource_limit: u32) -> Params {
    let mut params = Params::new();
    params.set_u32("rlimit", resource_limit);
    params.set_u32("random_seed", 0);
    params.set_u32("threads", 1);
    params
}

fn decide(solver: &Solver, encoded: &Encoded) -> Answer {
    let holds = ask(solver, &encoded.goal, &encoded.given);
    join(holds, ask(solver, &encoded.goal.not(), &encoded.given))
}

/// The solver's word on one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Yes,
    No,
    Canceled,
    Incomplete,
}

fn ask(solver: &Solver, statement: &Bool, given: &[Bool]) -> Reply {
    solver.push();
    for given in given {
        solver.assert(given);
    }
    solver.assert(statement);
    let reply = match solver.check() {
        SatResult::Sat => Reply::Yes,
        SatResult::Unsat => Reply::No,
        SatResult::Unknown => {
            let reason = solver.get_reason_unknown().unwrap_or_default();
            let canceled = ["canceled", "interrupted", "resource limit"];
            if canceled.iter().any(|it| reason.contains(it)) {
                Reply::Canceled
            } else {
                Reply::Incomplete
            }
        }
    };
    solver.pop(1);
    reply
}

/// What follows for the assertion from whether it can hold and whether it can fail. One refusal
/// suffices, since the given values are consistent.
fn join(holds: Reply, fails: Reply) -> Answer {
    match (holds, fails) {
        (Reply::No, Reply::No) => Answer::Contradiction,
        (Reply::No, _) => Answer::Possible(Possible::Only(false)),
        (_, Reply::No) => Answer::Possible(Possible::Only(true)),
        (Reply::Yes, Reply::Yes) => Answer::Possible(Possible::Both),
        (Reply::Canceled, _) | (_, Reply::Canceled) => Answer::Canceled,
        (Reply::Incomplete, _) | (_, Reply::Incomplete) => Answer::Incomplete,
    }
}
