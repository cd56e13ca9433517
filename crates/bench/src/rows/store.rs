//! What is kept: saving, loading, approving and listing by name, through the service and on a disk.
//!
//! A save and an approval are on the disk when they are answered. The file is filled beforehand by
//! SQLite alone, in large transactions, with as many names and revisions as were asked for, and
//! once more with a tenth of the names, which shows how the times grow.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use assay_base::RulesetHash;
use assay_base::canonical::to_bytes;
use assay_core::{Cancel, Data, Service, Settings};
use rusqlite::Connection;
use serde_json::Value;

use crate::failure::{Failure, same};
use crate::folder::Folder;
use crate::measure::{Effort, Figure, nanoseconds, percentiles};
use crate::ours::{caller, text};
use crate::policy::Policy;
use crate::report::{Group, Report, Unit, time};

/// Most revisions of a line that a load tells.
const TOLD: u32 = 1_000;

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let mut report = Report::default();
    for names in [(effort.names / 10).max(1), effort.names] {
        let kept = Kept::seed(names, effort.revisions)?;
        report.notes.push(kept.note.clone());
        kept.verify()?;
        let figures = kept.figures(effort, &mut report.notes)?;
        let title = format!("{names} names, {} revisions each", effort.revisions);
        report.groups.push(Group::alone(&title, Unit::Time, figures));
    }
    if let [few, many] = report.groups.as_slice() {
        report.notes.push(format!("growth, names x10: {}", few.growth(many)));
    }
    Ok(report)
}

/// What the disk itself takes for a page that is on it afterwards.
pub(super) fn synced_pages(effort: &Effort, folder: &Folder) -> Result<[Figure; 2], Failure> {
    let mut file = OpenOptions::new().create(true).append(true).open(folder.0.join("reference"))?;
    let page = [0x61; 4096];
    percentiles(
        effort,
        "reference: 4 KiB, synced",
        || (),
        |()| {
            file.write_all(&page)?;
            Ok(file.sync_data()?)
        },
    )
}

/// A service over a file that was filled.
struct Kept {
    // The service closes its file before the folder goes.
    service: Arc<Service>,
    folder: Folder,
    sources: Sources,
    names: u32,
    revisions: u32,
    note: String,
    /// How much was asked for so far, so that nothing is asked for twice.
    count: Cell<u32>,
}

/// Sources that differ in their first line alone.
struct Sources(String);

impl Sources {
    fn of(&self, name: u32, revision: u32) -> String {
        format!("// {}, revision {revision}\n{}", called(name), self.0)
    }
}

fn called(name: u32) -> String {
    format!("policy-{name:06}")
}

impl Kept {
    fn seed(names: u32, revisions: u32) -> Result<Self, Failure> {
        let (folder, sources) = (Folder::new()?, Sources(Policy::new(4).dsail()));
        let path = folder.0.join("assay.db");
        let settings = || Settings { data: Data::File(path.clone()), ..Settings::default() };
        // The tables are the product's own.
        drop(Service::open(settings())?);
        let start = Instant::now();
        fill(&path, &sources, names, revisions)?;
        let took = time(nanoseconds(start.elapsed()));
        let bytes = fs::metadata(&path)?.len();
        let note = format!(
            "{names} names: the file was filled in {took} and has {} MiB",
            bytes / (1024 * 1024)
        );
        let (service, count) = (Service::open(settings())?, Cell::new(0));
        Ok(Self { service, folder, sources, names, revisions, note, count })
    }

    /// Holds that the service takes what was filled in for its own.
    fn verify(&self) -> Result<(), Failure> {
        let body: Value = serde_json::from_slice(&self.call("dsail_load_ruleset", &self.load(0))?)?;
        let line = body.get("revision_chain").and_then(Value::as_array).map(Vec::len);
        same("the service", &line, &Some(usize::try_from(self.revisions.min(TOLD))?))?;
        let depth = body.pointer("/stored/revision_depth").and_then(Value::as_u64);
        same("the service", &depth, &Some(u64::from(self.revisions - 1)))
    }

    fn figures(&self, effort: &Effort, notes: &mut Vec<String>) -> Result<Vec<Figure>, Failure> {
        // The list comes first: what follows adds names to it.
        let mut figures = vec![self.list(effort, notes)?];
        figures.extend(synced_pages(effort, &self.folder)?);
        let mut add = |name: &str, tool: &str, next: &dyn Fn() -> String| {
            let found = percentiles(effort, name, next, |arguments| {
                self.call(tool, &arguments).map(|_| ())
            })?;
            figures.extend(found);
            Ok::<_, Failure>(())
        };
        let of_any = |arguments: fn(&Self, u32) -> String| move || arguments(self, self.any());
        add("save, one more revision", "dsail_save_ruleset", &of_any(Self::save_over))?;
        add("save, a new name", "dsail_save_ruleset", &|| self.save_new())?;
        add("approve", "dsail_record_approval", &of_any(Self::approve))?;
        add("load, any name", "dsail_load_ruleset", &of_any(Self::load))?;
        add("load, the same name", "dsail_load_ruleset", &|| self.load(0))?;
        Ok(figures)
    }

    fn list(&self, effort: &Effort, notes: &mut Vec<String>) -> Result<Figure, Failure> {
        let start = Instant::now();
        let list = self.call("dsail_list_rulesets", "{}")?;
        let first = time(nanoseconds(start.elapsed()));
        notes.push(format!(
            "{} names: the first list takes {first}, since it compiles every head, and has {} bytes",
            self.names,
            list.len()
        ));
        let rounds = (0..effort.rounds).map(|_| {
            let start = Instant::now();
            self.call("dsail_list_rulesets", "{}")?;
            Ok(nanoseconds(start.elapsed()))
        });
        Ok(Figure::new("list, again", rounds.collect::<Result<_, Failure>>()?))
    }

    fn call(&self, tool: &str, arguments: &str) -> Result<Vec<u8>, Failure> {
        let reply = self.service.call(&caller(&self.service)?, tool, arguments, &Cancel::new());
        match reply.failure {
            None => Ok(reply.body),
            Some(_) => Err(Failure(text(reply.body)?)),
        }
    }

    fn next(&self) -> u32 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    /// A name far from the one before, so that nothing lies ready by chance.
    fn any(&self) -> u32 {
        self.next().wrapping_mul(2_654_435_769) % self.names
    }

    fn save(&self, name: u32, revision: u32) -> String {
        let source = to_bytes(|it| it.string(&self.sources.of(name, revision)));
        let source = String::from_utf8_lossy(&source);
        format!("{{\"name\": \"{}\", \"source\": {source}}}", called(name))
    }

    fn save_over(&self, name: u32) -> String {
        self.save(name, self.revisions + self.count.get())
    }

    fn save_new(&self) -> String {
        self.save(self.names + self.next(), 0)
    }

    fn load(&self, name: u32) -> String {
        format!("{{\"name\": \"{}\"}}", called(name))
    }

    /// An approval of what the name pointed to when the file was filled.
    fn approve(&self, name: u32) -> String {
        let hash = RulesetHash::of(self.sources.of(name, self.revisions - 1).as_bytes());
        format!("{{\"ruleset_hash\": \"{hash}\", \"approver\": \"Ada\"}}")
    }
}

/// Names whose rows share one transaction.
const TOGETHER: usize = 1_000;

/// Fills the tables of the owner's workspace. What is lost by a crash here is only filled in again.
fn fill(path: &Path, sources: &Sources, names: u32, revisions: u32) -> Result<(), Failure> {
    let mut file = Connection::open(path)?;
    file.execute_batch(
        "PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA foreign_keys = off;
         PRAGMA cache_size = -1000000;",
    )?;
    let names: Vec<u32> = (0..names).collect();
    for names in names.chunks(TOGETHER) {
        let transaction = file.transaction()?;
        for &name in names {
            let mut parent: Option<RulesetHash> = None;
            for revision in 0..revisions {
                let source = sources.of(name, revision);
                let hash = RulesetHash::of(source.as_bytes());
                let bytes = hash.as_bytes();
                transaction.prepare_cached(SOURCE)?.execute((bytes, source))?;
                let parent_bytes = parent.as_ref().map(RulesetHash::as_bytes);
                transaction.prepare_cached(REVISION)?.execute((bytes, parent_bytes, revision))?;
                let binding = (called(name), revision + 1, bytes);
                transaction.prepare_cached(BINDING)?.execute(binding)?;
                parent = Some(hash);
            }
            if let Some(head) = parent {
                let row = (called(name), head.as_bytes(), revisions);
                transaction.prepare_cached(NAME)?.execute(row)?;
            }
        }
        transaction.commit()?;
    }
    Ok(())
}

const SOURCE: &str = "INSERT INTO source (hash, text) VALUES (?1, ?2)";
const REVISION: &str =
    "INSERT INTO revision (workspace, hash, parent, depth) VALUES (1, ?1, ?2, ?3)";
const BINDING: &str =
    "INSERT INTO binding (workspace, name, sequence, hash, bound_at) VALUES (1, ?1, ?2, ?3, 0)";
const NAME: &str =
    "INSERT INTO name (workspace, name, hash, bound_at, bindings) VALUES (1, ?1, ?2, 0, ?3)";
