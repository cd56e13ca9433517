//! The benchmarks, whose peers the product never builds.

use crate::failure::Outcome;
use crate::setup;
use crate::step::Step;

/// Measures the named rows, or all of them.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    setup::ensure()?;
    let mut rows = arguments.iter().filter(|it| it.starts_with(|it: char| it.is_ascii_lowercase()));
    if rows.clone().next().is_none() || rows.any(|it| *it == "gateway") {
        // The row `gateway` calls it, and cargo does not build what a benchmark only runs.
        Step::cargo("build --release --package assay --example practice").run()?;
    }
    Step::cargo("run --release --package assay-bench --").and(arguments.iter().copied()).run()
}
