//! The limits of calls: what counting one costs among ten thousand keys, and what is left of keys
//! that idled out.

use std::cell::Cell;
use std::fs;

use assay_core::Limits;
use assay_core::gate::record::{RateKey, RateLimit};

use crate::failure::Failure;
use crate::measure::{Effort, as_float, percentiles};
use crate::report::{Bar, Group, Report, Unit};

/// Keys of one generation.
const KEYS: u32 = 10_000;
/// Generations, each of which has idled out when the next one comes.
const GENERATIONS: u32 = 20;
/// How much more memory the last generation may take than the second one.
const MOST: f64 = 1.1;
const LIMIT: RateLimit = RateLimit { requests_per_minute: 60, burst: None, key: RateKey::Org };
/// When the first call is made, in milliseconds since 1970, and how far generations are apart.
const BEGIN: i64 = 1_796_094_332_000;
const APART: i64 = 120_000;

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let limits = Limits::default();
    let (empty, mut taken) = (resident()?, Vec::new());
    for generation in 0..GENERATIONS {
        for key in 0..KEYS {
            count(&limits, generation, key)?;
        }
        taken.push(resident()?);
    }
    let next = Cell::new(0);
    let figures = percentiles(
        effort,
        "a call, counted among 10,000 keys",
        || next.replace((next.get() + 1) % KEYS),
        |key| count(&limits, GENERATIONS - 1, key),
    )?;
    let mut report = Report::default();
    report.groups.push(Group::alone("limits", Unit::Time, figures.into()));
    if let (Some(second), Some(last)) = (taken.get(1), taken.last()) {
        let ratio = as_float(*last) / as_float(*second);
        report.bars.push(Bar {
            kind: "first bar",
            asked: format!("resident after {GENERATIONS} generations at most {MOST} of the second"),
            found: format!("{ratio:.3}"),
            met: ratio <= MOST,
        });
        let first = taken.first().copied().unwrap_or_default().saturating_sub(empty);
        report.notes.push(format!(
            "resident: {} KiB more with {KEYS} keys; {} KiB in all after the last generation",
            first / 1024,
            last / 1024
        ));
    }
    Ok(report)
}

fn count(limits: &Limits, generation: u32, key: u32) -> Result<(), Failure> {
    let now = BEGIN + APART * i64::from(generation);
    let key = format!("org_{generation}_{key}\nefirm.matter-db.create-matter");
    limits.take(&key, LIMIT, now).map_err(|it| Failure(it.code.word().to_owned()))
}

/// What this process takes of memory, in bytes.
fn resident() -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let number = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    number.map(|it| it * 1024).ok_or_else(|| "no memory of this process is told".into())
}
