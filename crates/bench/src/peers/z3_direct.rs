//! Z3 without Assay: warm contexts whose solvers are kept.

use z3::ast::{Ast, Bool, Real};
use z3::{Params, SatResult, Solver};

use crate::failure::Failure;
use crate::policy::{Form, Policy};

/// The rules as terms that are made once. The amount is given with each case, the receipt is not.
pub(crate) struct Direct {
    solver: Solver,
    amount: Real,
    rules: Vec<Bool>,
}

impl Direct {
    pub(crate) fn new(policy: &Policy) -> Self {
        let amount = Real::new_const("amount");
        let has_receipt = Bool::new_const("has_receipt");
        let rules = policy.rules.iter().map(|rule| {
            let below = amount.le(number(rule.limit));
            match rule.form {
                Form::Cap => below,
                Form::Receipt => Bool::or(&[&below, &has_receipt]),
            }
        });
        Self { rules: rules.collect(), solver: Solver::new(), amount: amount.clone() }
    }

    /// Two questions for each rule, the amount beside them as an equation.
    pub(crate) fn by_equation(&self, amount: i64) -> Result<Vec<Option<bool>>, Failure> {
        self.solver.push();
        self.solver.assert(self.amount.eq(number(amount)));
        let verdicts = self.rules.iter().map(|it| decide(&self.solver, it)).collect();
        self.solver.pop(1);
        verdicts
    }

    /// The amount put into each rule first, so that questions remain only where the receipt counts.
    pub(crate) fn by_substitution(&self, amount: i64) -> Result<Vec<Option<bool>>, Failure> {
        let value = number(amount);
        let verdict = |rule: &Bool| {
            let rest = rule.substitute(&[(&self.amount, &value)]).simplify();
            match rest.as_bool() {
                Some(verdict) => Ok(Some(verdict)),
                None => decide(&self.solver, &rest),
            }
        };
        self.rules.iter().map(verdict).collect()
    }
}

/// The query of the row `solver`: limits of a sum and of a difference, and one of its terms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) sum: i64,
    pub(crate) difference: i64,
    pub(crate) floor: i64,
}

impl Window {
    fn term(self) -> Bool {
        let (a, b) = (Real::new_const("v0"), Real::new_const("v1"));
        Bool::and(&[
            Real::add(&[a.clone(), b.clone()]).le(number(self.sum)),
            number(self.difference).le(Real::sub(&[a.clone(), b])),
            number(self.floor).le(a),
        ])
    }
}

/// How a query meets the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Terms made anew, both questions by push and pop, under a resource limit.
    PushPop,
    /// Terms made once, both questions by push and pop, the solver as it comes.
    KeptTerms,
    /// Terms made once, both questions by push and pop, a solver for linear arithmetic alone.
    KeptTermsLinear,
    /// Terms made anew, the statement asserted once under a name that both questions assume, a
    /// solver for linear arithmetic alone under a resource limit.
    Named,
}

/// A warm solver and the query.
pub(crate) struct Query {
    solver: Solver,
    window: Window,
    arrangement: Arrangement,
    kept: Bool,
}

impl Query {
    pub(crate) fn new(window: Window, arrangement: Arrangement) -> Result<Self, Failure> {
        let linear = || Solver::new_for_logic("QF_LRA").ok_or("there is no solver for QF_LRA");
        let solver = match arrangement {
            Arrangement::PushPop => limited(Solver::new()),
            Arrangement::KeptTerms => Solver::new(),
            Arrangement::KeptTermsLinear => linear()?,
            Arrangement::Named => limited(linear()?),
        };
        Ok(Self { solver, window, arrangement, kept: window.term() })
    }

    pub(crate) fn decide(&self) -> Result<Option<bool>, Failure> {
        match self.arrangement {
            Arrangement::PushPop => decide(&self.solver, &self.window.term()),
            Arrangement::KeptTerms | Arrangement::KeptTermsLinear => {
                decide(&self.solver, &self.kept)
            }
            Arrangement::Named => {
                let name = Bool::new_const("statement");
                self.solver.push();
                self.solver.assert(name.eq(self.window.term()));
                let holds = self.solver.check_assumptions(std::slice::from_ref(&name));
                let fails = self.solver.check_assumptions(&[name.not()]);
                self.solver.pop(1);
                verdict(holds, fails)
            }
        }
    }
}

/// The parameters that the engine sets.
fn limited(solver: Solver) -> Solver {
    let mut params = Params::new();
    params.set_u32("rlimit", 300_000);
    params.set_u32("random_seed", 0);
    params.set_u32("threads", 1);
    params.set_bool("ignore_solver1", true);
    params.set_u32("solver2_unknown", 0);
    solver.set_params(&params);
    solver
}

/// Whether a statement holds, from whether it can and whether its negation can.
fn decide(solver: &Solver, statement: &Bool) -> Result<Option<bool>, Failure> {
    verdict(ask(solver, statement), ask(solver, &statement.not()))
}

fn verdict(holds: SatResult, fails: SatResult) -> Result<Option<bool>, Failure> {
    match (holds, fails) {
        (SatResult::Sat, SatResult::Sat) => Ok(None),
        (SatResult::Sat, SatResult::Unsat) => Ok(Some(true)),
        (SatResult::Unsat, SatResult::Sat) => Ok(Some(false)),
        other => Err(Failure(format!("the solver answers {other:?}"))),
    }
}

fn ask(solver: &Solver, statement: &Bool) -> SatResult {
    solver.push();
    solver.assert(statement);
    let result = solver.check();
    solver.pop(1);
    result
}

fn number(value: i64) -> Real {
    Real::from_rational(value, 1)
}
