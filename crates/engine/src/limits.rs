//! What a check may cost, and the only clock of the product.
//!
//! The resource limit counts the solver's own steps and comes first: it stops the same question
//! at the same step on every machine. The wall clock comes second, for the stretches in which the
//! solver does not count, and what it stops is an error that nobody may keep.

use std::time::{Duration, Instant};

/// The name of the resource limit, as messages give it.
pub const RESOURCE_LIMIT: &str = "solver_resource_limit";

/// What the engine may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Solver threads, at least one.
    pub workers: usize,
    /// Checks that may wait for a solver thread, at least one.
    pub queue: usize,
    /// Solver steps for each of the two questions of an assertion. Three million take about a
    /// third of a second.
    pub resource_limit: u32,
    /// The longest time that one check may keep a solver thread.
    pub wall_clock: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            workers: cores.min(4),
            queue: 64,
            resource_limit: 3_000_000,
            wall_clock: Duration::from_secs(10),
        }
    }
}

/// Time since a moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "the watchdog's clock; what it stops is never part of a payload"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn has_passed(self, limit: Duration) -> bool {
        self.0.elapsed() >= limit
    }
}
