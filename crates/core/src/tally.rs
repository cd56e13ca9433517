//! The record of calls of the product's own tools.
//!
//! Calls that change nothing which people keep are counted where they end, and once a second the
//! counts of each session become entries of the log: one for each tool and each way of ending. So a
//! call that takes a microsecond stays one, and none is left out. Calls that change something are
//! recorded one by one, before they run and after.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use assay_audit::{Action, Actor, Event, Outcome, Own, Record, Resource, Sanitised, Scope};
use assay_base::Code;
use assay_registry::gate::switch::own_id;
use assay_registry::{Catalog, Tool};

use crate::caller::By;
use crate::gateway::named;
use crate::ledger::Ledger;
use crate::world::{World, hexadecimal};

/// For how long calls are counted before they are written down.
const EVERY: Duration = Duration::from_secs(1);
/// Most names of tools that there are not that are told apart within one count.
const MAX_STRANGE: usize = 64;
/// After so many sessions the ended ones are let go.
const MANY: usize = 256;

/// The calls of one session that are not written down yet.
pub(crate) struct Counts {
    organisation: String,
    session: String,
    subject: String,
    /// Calls that went well, by the place of the tool in the catalogue.
    done: Vec<AtomicU64>,
    failed: Mutex<BTreeMap<(String, Code), u64>>,
    shared: Arc<Shared>,
}

impl Counts {
    /// Counts a call of the tool at this place of the catalogue that went well.
    pub(crate) fn done(&self, place: usize) {
        if let Some(count) = self.done.get(place) {
            count.fetch_add(1, Ordering::Relaxed);
            self.shared.wake();
        }
    }

    /// Counts a call that failed.
    pub(crate) fn failed(&self, tool: &str, code: Code) {
        let mut failed = lock(&self.failed);
        let known = failed.len() < MAX_STRANGE || failed.contains_key(&(tool.to_owned(), code));
        let tool = if known { tool } else { "others" };
        *failed.entry((tool.to_owned(), code)).or_default() += 1;
        drop(failed);
        self.shared.wake();
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Counts").field("session", &self.session).finish_non_exhaustive()
    }
}

struct Shared {
    sessions: Mutex<Vec<Arc<Counts>>>,
    /// Whether something was counted since the last writing.
    is_pending: AtomicBool,
    is_closed: Mutex<bool>,
    changed: Condvar,
}

impl Shared {
    fn wake(&self) {
        // One call of many wakes the writer; the others find it awake.
        if !self.is_pending.load(Ordering::Relaxed) && !self.is_pending.swap(true, Ordering::AcqRel)
        {
            let _closed = lock(&self.is_closed);
            self.changed.notify_one();
        }
    }
}

/// Writes counts down. When it is dropped it writes what is left.
pub(crate) struct Tally {
    shared: Arc<Shared>,
    tools: usize,
    writer: Option<JoinHandle<()>>,
}

impl Tally {
    /// Starts the writer.
    pub(crate) fn start(ledger: Arc<Ledger>, catalog: Arc<Catalog>, world: World) -> Self {
        let shared = Arc::new(Shared {
            sessions: Mutex::default(),
            is_pending: AtomicBool::new(false),
            is_closed: Mutex::new(false),
            changed: Condvar::new(),
        });
        let places = catalog.tools().len();
        let writing = Arc::clone(&shared);
        let run = move || write_until_closed(&writing, &ledger, &catalog, world);
        let writer = thread::Builder::new().name("assay-tally".to_owned()).spawn(run).ok();
        Self { shared, tools: places, writer }
    }

    /// Where the calls of a session are counted.
    pub(crate) fn counts(&self, organisation: &str, session: &str, subject: &str) -> Arc<Counts> {
        let counts = Arc::new(Counts {
            organisation: organisation.to_owned(),
            session: session.to_owned(),
            subject: subject.to_owned(),
            done: (0..self.tools).map(|_| AtomicU64::new(0)).collect(),
            failed: Mutex::default(),
            shared: Arc::clone(&self.shared),
        });
        let kept = {
            let mut sessions = lock(&self.shared.sessions);
            sessions.push(Arc::clone(&counts));
            sessions.len()
        };
        if kept % MANY == 0 {
            // Ended ones are let go with the next writing, also where nothing was counted.
            self.shared.is_pending.store(true, Ordering::Release);
            self.shared.changed.notify_all();
        }
        counts
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        *lock(&self.shared.is_closed) = true;
        self.shared.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            // A writer that failed has said so; nothing is left to do here.
            let _ = writer.join();
        }
        // Counts point back to what is shared; without them both can go.
        lock(&self.shared.sessions).clear();
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tally").finish_non_exhaustive()
    }
}

fn write_until_closed(shared: &Shared, ledger: &Ledger, catalog: &Catalog, world: World) {
    loop {
        let mut closed = lock(&shared.is_closed);
        while !*closed && !shared.is_pending.load(Ordering::Acquire) {
            closed = shared.changed.wait(closed).unwrap_or_else(PoisonError::into_inner);
        }
        if !*closed {
            let waited = shared.changed.wait_timeout_while(closed, EVERY, |closed| !*closed);
            closed = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let is_last = *closed;
        drop(closed);
        shared.is_pending.store(false, Ordering::Release);
        write(shared, ledger, catalog, world);
        if is_last {
            return;
        }
    }
}

fn write(shared: &Shared, ledger: &Ledger, catalog: &Catalog, world: World) {
    let mut sessions = lock(&shared.sessions);
    // A session that nobody holds any more counts nothing further.
    let ended: Vec<bool> = sessions.iter().map(|it| Arc::strong_count(it) == 1).collect();
    let every: Vec<Arc<Counts>> = sessions.iter().map(Arc::clone).collect();
    let mut ended = ended.into_iter();
    sessions.retain(|_| !ended.next().unwrap_or_default());
    drop(sessions);
    for counts in every {
        for (count, tool) in counts.done.iter().zip(catalog.tools()) {
            let count = count.swap(0, Ordering::Relaxed);
            if count > 0 {
                note(ledger, &counts, (Called::Own(tool), None), count, world);
            }
        }
        for ((tool, code), count) in std::mem::take(&mut *lock(&counts.failed)) {
            note(ledger, &counts, (Called::of(catalog, &tool), Some(code)), count, world);
        }
    }
}

fn note(
    ledger: &Ledger,
    counts: &Counts,
    (tool, code): (Called<'_>, Option<Code>),
    count: u64,
    world: World,
) {
    let actor = Actor {
        session_id: Some(counts.session.clone()),
        user_id: Some(counts.subject.clone()),
        ..Actor::default()
    };
    let scope = Scope { org_id: Some(counts.organisation.clone()), ..Scope::default() };
    let event = if code.is_some_and(is_denial) { Event::ToolDenied } else { Event::ToolInvoked };
    // So many calls came from here and there, each as a request of its own.
    let by = By { actor, scope, ..By::default() };
    if let Some(record) = record(by, (event, tool, code), count, world) {
        // The queue of the log keeps it, and blocks this thread alone while it is full.
        let _ = ledger.note(&counts.organisation, record);
    }
}

/// What was called: one of the product's own tools, or a name that is none of theirs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Called<'t> {
    /// A tool.
    Own(&'t Tool),
    /// A name.
    Strange(&'t str),
}

impl<'t> Called<'t> {
    /// What was called by this name.
    pub(crate) fn of(catalog: &'t Catalog, name: &'t str) -> Self {
        catalog.tool(name).map_or(Self::Strange(name), Self::Own)
    }

    fn name(self) -> &'t str {
        match self {
            Self::Own(tool) => &tool.name,
            Self::Strange(name) => name,
        }
    }

    fn record(self) -> Option<assay_audit::Tool> {
        match self {
            Self::Own(tool) => Some(named(tool)),
            Self::Strange(_) => None,
        }
    }
}

/// The record of so many calls of one of the product's own tools that ended alike.
pub(crate) fn record(
    By { actor, context, scope }: By,
    (event, tool, code): (Event, Called<'_>, Option<Code>),
    count: u64,
    world: World,
) -> Option<Record> {
    let mut chance = [0; 32];
    if !(world.random)(&mut chance) {
        return None;
    }
    let id: String = hexadecimal(chance).chars().take(20).collect();
    let result = if code.is_none() { Outcome::Success } else { Outcome::Failure };
    Some(Record {
        actor,
        context,
        resource: Resource {
            id: Some(own_id(tool.name())),
            kind: Some("tool".to_owned()),
            name: Some(tool.name().to_owned()),
        },
        tool: tool.record(),
        action: Action {
            name: "invoke".to_owned(),
            result,
            error_code: code.map(|it| it.word().to_owned()),
        },
        output: Sanitised::own(&[("calls", Own::Count(count))]),
        scope,
        ..Record::plain(format!("evt_{id}"), event, world.moment(), result)
    })
}

/// Whether a call that ended so was never let through.
const fn is_denial(code: Code) -> bool {
    matches!(
        code,
        Code::UnknownTool
            | Code::RateLimited
            | Code::FacetDenied
            | Code::ToolSuspended
            | Code::CredentialInvalid
            | Code::CredentialRequired
            | Code::CredentialScope
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
