//! The benchmarks, whose peers the product never builds.

use crate::failure::Outcome;
use crate::setup;
use crate::step::Step;

/// Measures the named rows, or all of them.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    setup::ensure()?;
    Step::cargo("run --release --package assay-bench --").and(arguments.iter().copied()).run()
}
