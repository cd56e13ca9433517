//! What a check may cost, and the only clock of the product.
//!
//! The resource limit counts the solver's own steps and comes first: it stops the same question
//! at the same step on every machine. The wall clock comes second, for the stretches in which the
//! solver does not count, and what it stops is an error that nobody may keep. What is done without
//! the solver counts its own work, see [`EVALUATION_LIMIT`].

use std::time::{Duration, Instant};

/// The name of the resource limit, as messages give it.
pub const RESOURCE_LIMIT: &str = "solver_resource_limit";

/// The name of [`EVALUATION_LIMIT`], as messages give it.
pub const EVALUATION_BUDGET: &str = "evaluation_limit";

/// What one check may spend without the solver, about in nanoseconds: some seventy milliseconds.
///
/// It is counted from the lengths of numbers and the sizes of expressions, so the same check meets
/// it at the same place on every machine. All assertions of a check share it, in their order,
/// because they may share their parts: two thousand assertions that each read one large definition
/// would otherwise cost two thousand times what one may. An assertion that cannot be paid for is
/// left unanswered and takes nothing from those behind it.
///
/// Sums of 64-bit integers are free. Adding two decimals of a thousand digits takes a hundred
/// thousand, multiplying them two hundred thousand; integers of that length take a few hundred
/// and a few thousand.
pub const EVALUATION_LIMIT: u64 = 1 << 26;

/// The part of [`EVALUATION_LIMIT`] that may be spent on the caller's thread: about a millisecond.
pub(crate) const QUICK_LIMIT: u64 = 1 << 20;

/// The name of [`NUMERAL_LIMIT`] and [`PRODUCT_NUMERAL_LIMIT`], as messages give it.
pub const NUMERAL_BUDGET: &str = "solver_numeral_limit";

/// Most 64-bit limbs of all numbers in one question to the solver that do not fit 64 bits, some
/// twenty thousand digits. The solver counts its steps but not the digits that it computes with in
/// each, and looks between steps whether it was told to stop.
///
/// What grows only while it is solved, such as many inequalities of many unknowns with unlike
/// fractions, is not seen here. It may keep a solver thread for a few seconds after its check was
/// stopped; the caller does not wait for that.
pub const NUMERAL_LIMIT: u64 = 1_024;

/// As [`NUMERAL_LIMIT`], where undetermined numbers are multiplied, divided or taken modulo each
/// other: some two thousand digits. There one step of the solver may raise them to high powers.
pub const PRODUCT_NUMERAL_LIMIT: u64 = 128;

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
