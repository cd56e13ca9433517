//! The audit log: what a durable record costs with one writer and with many, and what it costs to
//! leave one behind and go on.
//!
//! A write is on the disk when it returns. Many writers share commits, so that the time of each
//! grows more slowly than their number.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use assay_audit::{
    Action, Actor, Context, Decision, Event, Latency, Outcome, Record, Resource, Sanitised, Scope,
    Stage, Tool,
};
use assay_base::Moment;
use assay_core::{AuditSettings, Ledger, World};
use assay_store::Store;

use super::store::synced_pages;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::measure::{Effort, Figure, as_float, nanoseconds, percentiles, places};
use crate::report::{Bar, Group, Report, Unit};

/// How many write at once.
const WRITERS: [u32; 3] = [1, 8, 64];
/// Writes of a round, shared among its writers.
const WRITES: u32 = 640;
/// The time that a durable record may take at the ninety-ninth percentile, in nanoseconds.
const MOST: f64 = 5e6;
/// Chains that the writers belong to.
const CHAINS: u32 = 4;

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let folder = Folder::new()?;
    let store = Arc::new(Store::open(&folder.0.join("assay.db"))?);
    let ledger = Ledger::start(store, AuditSettings::default(), World::default())?;
    let mut report = Report::default();
    let mut figures = Vec::from(synced_pages(effort, &folder)?);
    for writers in WRITERS {
        let before = ledger.status();
        let [half, most] = written(effort, &ledger, writers)?;
        let asked = format!("a durable record of {writers} writers, p99");
        report.bars.push(Bar::at_most("first bar", &asked, most.median, MOST));
        figures.extend([half, most]);
        let after = ledger.status();
        let records = as_float(after.durable - before.durable);
        let together = records / as_float((after.groups - before.groups).max(1));
        report.notes.push(format!("{writers} writers: {together:.1} records for each commit"));
    }
    figures.extend(percentiles(
        effort,
        "note",
        record,
        |record| Ok(ledger.note("org_0", record)?),
    )?);
    ledger.flush();
    report.groups.push(Group::alone("one record", Unit::Time, figures));
    Ok(report)
}

/// The times of single writes, by round.
fn written(effort: &Effort, ledger: &Ledger, writers: u32) -> Result<[Figure; 2], Failure> {
    let (mut half, mut most) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        let samples = Mutex::new(Vec::new());
        let failed: Mutex<Option<String>> = Mutex::default();
        std::thread::scope(|scope| {
            for writer in 0..writers {
                let (samples, failed) = (&samples, &failed);
                scope.spawn(move || {
                    let chain = format!("org_{}", writer % CHAINS);
                    for _ in 0..WRITES / writers {
                        let record = record();
                        let start = Instant::now();
                        let outcome = ledger.write(&chain, record);
                        let took = nanoseconds(start.elapsed());
                        if let Ok(mut samples) = samples.lock() {
                            samples.push(took);
                        }
                        if let (Err(error), Ok(mut failed)) = (outcome, failed.lock()) {
                            *failed = Some(error.to_string());
                        }
                    }
                });
            }
        });
        if let Ok(Some(error)) = failed.into_inner() {
            return Err(Failure(error));
        }
        let [middle, late] = places(samples.into_inner().unwrap_or_default(), [50, 99]);
        half.push(middle);
        most.push(late);
    }
    let named = |percentile: u32, rounds| {
        Figure::new(&format!("durable, {writers} writers, p{percentile}"), rounds)
    };
    Ok([named(50, half), named(99, most)])
}

/// A record of about the length that a governed call leaves.
fn record() -> Record {
    let text = |text: &str| Some(text.to_owned());
    Record {
        event_id: "evt_0a1b2c3d4e5f60718293a4b5c6d7e8f9".to_owned(),
        event: Event::ToolInvoked,
        at: Moment::from_milliseconds(1_796_094_332_000),
        actor: Actor {
            user_id: text("usr_1"),
            role: text("associate"),
            session_id: text("ses_9"),
            ..Actor::default()
        },
        resource: Resource { id: text("mat_1"), kind: text("matter"), name: None },
        action: Action { name: "invoke".to_owned(), result: Outcome::Success, error_code: None },
        tool: Some(Tool {
            category: text("efirm"),
            effect: text("write"),
            tool_id: text("efirm.matter-db.create-matter"),
            tool_version: text("1.2"),
            definition_hash: None,
        }),
        input: Sanitised::empty(),
        input_digest: None,
        output: Sanitised::empty(),
        decision: Decision {
            stages: ["registry", "kill", "permission", "schema", "prerequisite", "rate"]
                .map(|name| Stage {
                    name: name.to_owned(),
                    word: "pass".to_owned(),
                    evidence: Vec::new(),
                })
                .into(),
            ..Decision::default()
        },
        latency: Latency { total: Some(812), gateway: Some(3), ..Latency::default() },
        context: Context { request_id: text("req_1"), ..Context::default() },
        scope: Scope { org_id: text("org_1"), ..Scope::default() },
    }
}
