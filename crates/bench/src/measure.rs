//! Times of entrants that take turns, so that whatever else the machine does meets all alike.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// How long is measured.
#[derive(Debug, Clone)]
pub(crate) struct Effort {
    /// How often each entrant has its turn.
    pub(crate) rounds: usize,
    /// How long one turn takes.
    pub(crate) slice: Duration,
    /// How many names the store holds.
    pub(crate) names: u32,
    /// How many revisions each of them has.
    pub(crate) revisions: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Self { rounds: 15, slice: Duration::from_millis(40), names: 10_000, revisions: 100 }
    }
}

/// What one entrant took: over its rounds the median, the least and the most.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Round by round.
    rounds: Vec<f64>,
}

impl Figure {
    /// The figure of one entrant's rounds.
    pub(crate) fn new(name: &str, rounds: Vec<f64>) -> Self {
        let sorted = sorted(rounds.clone());
        let at = |place: usize| sorted.get(place).copied().unwrap_or(f64::NAN);
        let last = sorted.len().saturating_sub(1);
        let (least, median, most) = (at(0), at(last / 2), at(last));
        Self { name: name.to_owned(), median, least, most, rounds }
    }

    /// The same as operations in a second, of one that was found in nanoseconds.
    pub(crate) fn rate(&self) -> Self {
        Self::new(&self.name, self.rounds.iter().map(|it| 1e9 / it).collect())
    }

    /// By how much this is more than `other`, round by round.
    pub(crate) fn beyond(&self, name: &str, other: &Self) -> Self {
        let pairs = self.rounds.iter().zip(&other.rounds);
        Self::new(name, pairs.map(|(a, b)| a - b).collect())
    }

    /// How many times `other` this is: the median of the ratios of each round, whose turns lie
    /// close together, so that a busy stretch meets both.
    pub(crate) fn ratio_to(&self, other: &Self) -> f64 {
        let pairs = self.rounds.iter().zip(&other.rounds);
        let ratios = sorted(pairs.map(|(a, b)| a / b).collect());
        ratios.get(ratios.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
    }
}

fn sorted(mut samples: Vec<f64>) -> Vec<f64> {
    samples.sort_unstable_by(f64::total_cmp);
    samples
}

/// Runs an operation as often as it is told and gives the nanoseconds that one took.
type Round<'a> = Box<dyn FnMut(u64) -> f64 + 'a>;

/// One of those that are compared.
pub(crate) struct Entrant<'a> {
    name: String,
    round: Round<'a>,
}

impl fmt::Debug for Entrant<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Entrant").field(&self.name).finish()
    }
}

impl<'a> Entrant<'a> {
    /// An entrant whose rounds are judged by the mean of their operations.
    pub(crate) fn mean<T>(name: &str, mut operation: impl FnMut() -> T + 'a) -> Self {
        let round = move |count: u64| {
            let start = Instant::now();
            for _ in 0..count {
                black_box(operation());
            }
            nanoseconds(start.elapsed()) / as_float(count)
        };
        Self { name: name.to_owned(), round: Box::new(round) }
    }

    /// An entrant whose rounds are judged by the median of their operations.
    pub(crate) fn median<T>(name: &str, mut operation: impl FnMut() -> T + 'a) -> Self {
        let round = move |count: u64| {
            let samples = (0..count).map(|_| {
                let start = Instant::now();
                black_box(operation());
                nanoseconds(start.elapsed())
            });
            Figure::new("", samples.collect()).median
        };
        Self { name: name.to_owned(), round: Box::new(round) }
    }
}

/// Warms every entrant up, finds how many operations fill its turn, and lets them take turns. The
/// figures are in nanoseconds and in the order of the entrants.
pub(crate) fn contest(effort: &Effort, mut entrants: Vec<Entrant<'_>>) -> Vec<Figure> {
    let counts: Vec<u64> = entrants.iter_mut().map(|it| calibrate(it, effort.slice)).collect();
    let mut samples = vec![Vec::with_capacity(effort.rounds); entrants.len()];
    for _ in 0..effort.rounds {
        for ((entrant, count), samples) in entrants.iter_mut().zip(&counts).zip(&mut samples) {
            samples.push((entrant.round)(*count));
        }
    }
    entrants.iter().zip(samples).map(|(it, samples)| Figure::new(&it.name, samples)).collect()
}

/// How many operations fill a turn, found by doubling, which is the warm-up too.
fn calibrate(entrant: &mut Entrant<'_>, slice: Duration) -> u64 {
    let mut count = 1_u64;
    loop {
        let start = Instant::now();
        (entrant.round)(count);
        let elapsed = start.elapsed();
        if elapsed * 2 >= slice || count >= 1 << 40 {
            let fitting = u128::from(count) * slice.as_nanos() / elapsed.as_nanos().max(1);
            return u64::try_from(fitting).unwrap_or(u64::MAX).max(1);
        }
        count *= 2;
    }
}

/// Operations of a round whose percentiles are taken.
const SAMPLES: usize = 100;

/// Times an operation that may wait for a disk: of each round the median and the 99th percentile.
/// What it is done with is made outside of the time.
pub(crate) fn percentiles<T>(
    effort: &Effort,
    name: &str,
    next: impl Fn() -> T,
    mut operation: impl FnMut(T) -> Result<(), Failure>,
) -> Result<[Figure; 2], Failure> {
    let mut percentiles = [Vec::new(), Vec::new()];
    for _ in 0..effort.rounds {
        let mut samples = Vec::with_capacity(SAMPLES);
        for _ in 0..SAMPLES {
            let given = next();
            let start = Instant::now();
            operation(given)?;
            samples.push(nanoseconds(start.elapsed()));
        }
        for (found, place) in percentiles.iter_mut().zip(places(samples, [50, 99])) {
            found.push(place);
        }
    }
    let [half, most] = percentiles;
    Ok([Figure::new(&format!("{name}, p50"), half), Figure::new(&format!("{name}, p99"), most)])
}

/// The samples at these percentages of their order.
pub(crate) fn places<const N: usize>(samples: Vec<f64>, percent: [usize; N]) -> [f64; N] {
    let samples = sorted(samples);
    let at = |percent: usize| (samples.len() * percent / 100).saturating_sub(1);
    percent.map(|it| samples.get(at(it)).copied().unwrap_or(f64::NAN))
}

pub(crate) fn nanoseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

/// Counts stay far below what a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::{Effort, Entrant, Figure, contest, percentiles};
    use std::time::Duration;

    #[test]
    fn figures_are_ordered() {
        let figure = Figure::new("x", vec![5.0, 1.0, 3.0]);
        assert_eq!((figure.least, figure.median, figure.most), (1.0, 3.0, 5.0));
        let other = Figure::new("y", vec![10.0, 4.0, 3.0]);
        assert_eq!((figure.ratio_to(&other), other.ratio_to(&figure)), (0.5, 2.0));
        let beyond = other.beyond("z", &figure);
        assert_eq!((beyond.name.as_str(), beyond.median), ("z", 3.0));
        assert_eq!(Figure::new("x", vec![1e9, 1e6]).rate().most, 1e3);
    }

    #[test]
    fn the_slower_entrant_is_slower() {
        let effort = Effort { rounds: 3, slice: Duration::from_millis(2), ..Effort::default() };
        let wait = |micros| move || std::thread::sleep(Duration::from_micros(micros));
        let figures = contest(
            &effort,
            vec![Entrant::mean("short", wait(100)), Entrant::median("long", wait(1_500))],
        );
        let [short, long] = figures.as_slice() else { panic!("{figures:?}") };
        assert!(short.median > 100_000.0 && long.median > 1_500_000.0, "{figures:?}");
        assert!(short.median < long.median, "{figures:?}");
    }

    #[test]
    fn percentiles_are_those_of_each_round() {
        let effort = Effort { rounds: 2, ..Effort::default() };
        let count = std::cell::Cell::new(0);
        let next = || count.replace(count.get() + 1);
        // Two of a hundred are slow, so the 99th percentile is, and the median is not.
        let wait = |number: u32| {
            let slow = number % 100 < 2;
            std::thread::sleep(Duration::from_millis(if slow { 20 } else { 0 }));
            Ok(())
        };
        let [half, most] = percentiles(&effort, "x", next, wait).unwrap();
        assert_eq!((count.get(), most.name.as_str()), (200, "x, p99"));
        assert!(half.most < 10e6 && most.least >= 20e6, "{half:?} {most:?}");
    }
}
