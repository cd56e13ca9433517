//! The solver: a bound ruleset to one of four words per assertion.
//!
//! A [`Plan`] is a ruleset with its conversions resolved. [`Plan::quick`] decides what needs no
//! solver; [`Engine::check`] decides all. Four rungs, the first that can decide does, and each
//! agrees with the solver: exact evaluation (`evaluate`), evaluation that tolerates what is
//! unknown (`evaluate`), trying every completion (`enumerate`, `points`), and Z3 (`encode`,
//! `solve`). There is no JSON here, no clock but the watchdog's, and no word for a whole ruleset.

mod cancel;
mod check;
mod encode;
mod enumerate;
mod error;
mod evaluate;
mod job;
mod ladder;
mod limits;
mod meter;
mod outcome;
mod plan;
mod points;
mod policy;
mod program;
mod question;
mod rewrite;
mod solve;
#[cfg(test)]
mod tests;
mod verify;
mod warmup;
mod worker;

pub use cancel::Cancel;
pub use check::Engine;
pub use error::{CheckError, StartError, VerifyFault};
pub use limits::{
    EVALUATION_BUDGET, EVALUATION_LIMIT, NUMERAL_BUDGET, NUMERAL_LIMIT, PRODUCT_NUMERAL_LIMIT,
    RESOURCE_LIMIT, Settings,
};
pub use outcome::{Outcome, Reason, Word};
pub use plan::Plan;
