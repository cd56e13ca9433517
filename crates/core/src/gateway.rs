//! The gateway: from a call of a governed tool to its answer, through the one gate.

mod carry;
mod crossing;
mod draft;
mod drift;
mod entry;
mod known;
mod limits;
mod live;
mod outcome;
mod owners;
mod passing;
mod prompt;
mod received;
mod refused;
mod waiting;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_audit::Event;
use assay_base::json::printable;
use assay_engine::Cancel;
use assay_registry::gate::decide::{self, Facts, Passed, STAGES};
use assay_registry::gate::snapshot::SkillName;
use assay_registry::gate::{self, Refusal};
use assay_registry::{Catalog, Family, Tool};

use crate::caller::{Caller, Session};
use crate::failure::Failure;
use crate::gateway::known::Known;
use crate::gateway::live::{Live, Looked};
use crate::gateway::passing::Passing;
use crate::gateway::received::{Progress, Received};
use crate::service::Service;
use crate::table::Blocking;

pub use draft::{Drafts, draft};
pub(crate) use entry::tool as named;
pub use limits::Limits;
pub(crate) use live::Loaded;
pub use live::{RegistrySource, read_registry};
pub use prompt::{Prompt, Prompted};
pub(crate) use received::{MAX_INPUT_BYTES, object};
pub(crate) use refused::Refused;
pub(crate) use waiting::{Finding, Waiting, person};

/// By how much a finding may lie ahead of the clock and count as found just now, in milliseconds.
const SAME_MOMENT_MS: i64 = 1_000;

/// The governed tools of one process.
#[derive(Debug)]
pub(crate) struct Gateway {
    live: Live,
    definitions: Mutex<drift::Definitions>,
    /// When the last finding of this process was finished, in milliseconds since 1970. A call that
    /// arrives after that is later, also within the same millisecond.
    finished_at: AtomicI64,
    /// How many answers were given to nobody.
    withheld: AtomicU64,
    /// What was found to be an organisation's own a moment ago.
    owned: owners::Owned,
}

impl Gateway {
    /// Loads the registry.
    ///
    /// # Errors
    /// Each fault as one line.
    pub(crate) fn open(source: RegistrySource, own: Arc<Catalog>) -> Result<Self, Vec<String>> {
        let live = Live::open(source, own)?;
        Ok(Self {
            live,
            definitions: Mutex::default(),
            finished_at: AtomicI64::new(0),
            owned: owners::nothing_owned(),
            withheld: AtomicU64::new(0),
        })
    }

    /// Why the folder of the registry is not in force as it is now; empty where it is.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.live.faults()
    }

    /// How many answers of servers were given to nobody since the process began.
    pub(crate) fn withheld(&self) -> u64 {
        self.withheld.load(Ordering::Relaxed)
    }

    /// Whether the registry has a skill that the operator names.
    ///
    /// # Errors
    /// One line with the skills that it has.
    pub(crate) fn has_skill(&self, skill: &SkillName) -> Result<(), String> {
        let loaded = self.live.current();
        if loaded.snapshot.skill(skill).is_some() {
            return Ok(());
        }
        let known: Vec<String> = loaded.snapshot.skills().map(|it| it.0.to_string()).collect();
        let skill = printable(&skill.to_string());
        Err(format!("the registry has no skill `{skill}`; it has `{}`", known.join("`, `")))
    }

    /// When a call arrives that arrives now. A clock that was set back leaves findings in the
    /// future, which no call waits for.
    fn arrival(&self, now: i64) -> i64 {
        let next = self.finished_at.load(Ordering::Acquire) + 1;
        if next - now <= SAME_MOMENT_MS { now.max(next) } else { now }
    }

    /// Notes a finding that whoever waited for it is about to hear of.
    fn finished(&self, at: i64) {
        self.finished_at.fetch_max(at, Ordering::AcqRel);
    }

    /// The registry in force, after a look at its folder where it is time for one.
    pub(crate) fn registry(&self, service: &Service) -> Arc<live::Loaded> {
        let looked = self.live.look((service.world.milliseconds)());
        let loaded = self.live.current();
        match looked {
            Looked::Same => {}
            Looked::Loaded => service.tell_of_registry(Event::SnapshotLoaded, loaded.snapshot.id()),
            Looked::Refused => {
                service.tell_of_registry(Event::SnapshotRefused, loaded.snapshot.id());
            }
        }
        loaded
    }
}

impl Service {
    /// What is left of a call of a governed tool; `None` where this process has none.
    pub(crate) fn governed(
        self: &Arc<Self>,
        caller: &Caller,
        name: &str,
        arguments: &str,
    ) -> Option<Blocking> {
        self.gateway.as_ref().filter(|_| Family::of(name) == Family::Upstream)?;
        let (service, caller) = (Arc::clone(self), caller.clone());
        let (name, arguments) = (name.to_owned(), arguments.to_owned());
        Some(Box::new(move |cancel| run((&service, &caller), &name, &arguments, cancel)))
    }

    /// The governed tools of a registry that a caller may call, in the order of their names.
    pub(crate) fn governed_tools(&self, session: &Session, loaded: &Arc<Loaded>) -> Vec<Tool> {
        let names = loaded.snapshot.tools().filter_map(|(_, versions)| versions.last());
        let mut names: Vec<String> = names.map(|it| it.record.wire_name()).collect();
        names.sort();
        let visible = |name: String| {
            let progress = Progress::default();
            let received = Received::new(self, session, loaded, &name, &progress);
            let shown = Known::default().facts(&received, |facts| decide::visible(facts).is_ok());
            received.tool.filter(|_| shown).map(|it| it.tool.clone())
        };
        names.into_iter().filter_map(visible).collect()
    }

    /// The stages of the gate for one call, each with what it says, up to the first that refuses.
    /// Nothing is recorded, used up or sent.
    pub(crate) fn stages(
        &self,
        session: &Session,
        name: &str,
        arguments: &str,
    ) -> Result<Vec<StageRefusal>, Failure> {
        let Some(gateway) = self.gateway.as_ref().filter(|_| Family::of(name) == Family::Upstream)
        else {
            return Ok(self.own_stages(session, name, arguments));
        };
        let loaded = gateway.registry(self);
        let progress = Progress::default();
        let mut received = Received::new(self, session, &loaded, name, &progress);
        if let Err(refusal) = received.read(arguments) {
            return Ok(vec![("session", Some(refusal))]);
        }
        let known = Known::fetch(&received)?;
        Ok(known.facts(&received, stages))
    }
}

/// A stage, and why it refuses.
pub(crate) type StageRefusal = (&'static str, Option<Refusal>);

/// What each stage says, up to the first that refuses.
pub(crate) fn stages(facts: &Facts<'_>) -> Vec<StageRefusal> {
    let refused = decide::decide(facts).err();
    let last = refused.as_ref().map_or("", |(stage, _)| *stage);
    let passed = STAGES.iter().map(|(name, _)| *name).take_while(|it| *it != last);
    let passed = passed.map(|it| (it, None));
    passed.chain(refused.map(|(stage, refusal)| (stage, Some(refusal)))).collect()
}

/// One call, from its arrival to its answer. A fault of this program on the way is contained, and
/// the call ends on record all the same.
fn run(
    (service, caller): (&Service, &Caller),
    name: &str,
    arguments: &str,
    cancel: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let session = &*caller.session;
    let unknown = || assay_registry::Refusal::UnknownTool { name: name.to_owned() };
    let gateway = service.gateway.as_ref().ok_or_else(|| Failure::Refused(unknown(), None))?;
    // Without chance there is no call, and its record is named by the time.
    let chance = contained(|| service.chance(20).ok()).flatten();
    let has_chance = chance.is_some();
    let id = chance.unwrap_or_else(|| format!("{:020x}", (service.world.milliseconds)()));
    let (event, origin) = (format!("evt_{id}"), Arc::clone(&caller.origin));
    let progress = Progress { event, origin, ..Progress::default() };
    if !has_chance {
        return Err(broken(service, session, name, &progress));
    }
    let ran = contained(|| {
        let loaded = gateway.registry(service);
        let mut received = Received::new(service, session, &loaded, name, &progress);
        contained(|| pass(gateway, &mut received, arguments, cancel))
            .unwrap_or_else(|| Err(Passing { gateway, received: &received }.broken()))
    });
    ran.unwrap_or_else(|| Err(broken(service, session, name, &progress)))
}

/// From a call that was received to its answer.
fn pass(
    gateway: &Gateway,
    received: &mut Received<'_>,
    arguments: &str,
    cancel: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let (service, session) = (received.service, received.session);
    if let Err(refusal) = service.limits.hears(&session.standing, received.at) {
        return Err(Passing { gateway, received }.deny(("session", refusal), None));
    }
    if let Err(refusal) = received.read(arguments) {
        return Err(Passing { gateway, received }.deny(("session", refusal), None));
    }
    let passing = Passing { gateway, received };
    let known = Known::fetch(received).map_err(|it| passing.lost(it.into()))?;
    let decided = known.facts(received, |facts| {
        decide::decide(facts).map(|passed| match passed {
            Passed::Execute => None,
            Passed::Replay(payload) => Some(payload.clone()),
        })
    });
    match (decided, received.tool) {
        (Ok(Some(payload)), Some(tool)) => passing.replay(tool, &payload),
        (Ok(None), Some(tool)) => passing.leave(tool, &known, cancel),
        (Err(refused), _) => Err(passing.deny(refused, Some(&known))),
        (Ok(_), None) => {
            let name = received.name.to_owned();
            let unknown = assay_registry::Refusal::UnknownTool { name };
            Err(passing.lost(Failure::Refused(unknown, Some(received.event().to_owned()))))
        }
    }
}

/// Ends a call of which nothing is known but who made it and what they called, or whose record
/// could not be made.
fn broken(service: &Service, session: &Session, name: &str, progress: &Progress) -> Failure {
    let left = progress.left.get();
    if !progress.recorded.get() {
        // It ended either way.
        let _ = contained(|| {
            let record = entry::unheard(service, session, (name, progress));
            service.ledger.note(&session.workspace.address, record)
        });
    }
    let code = if left { gate::Code::OutcomeUnknown } else { gate::Code::Internal };
    Failure::governed(Refusal::new(code, []), Some(&progress.event))
}

/// Runs a part of a call; `None` where it panicked. Nothing that calls share is left half-changed:
/// the store rolls back, and whatever else is shared takes whole values.
fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
