//! What is stopped in an emergency, gathered from the store and from a file.
//!
//! A stop works within a moment, whoever set it and whatever else is wrong: it needs no registry,
//! and the file needs no store that can be written.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use assay_base::Timestamp;
use assay_registry::gate::switch::{Stopped, Target};
use assay_store::Stop;

use crate::failure::Failure;
use crate::service::Service;

/// How long a change of the file may go unseen, in milliseconds.
const LOOK_EVERY: i64 = 200;
/// The most of the file that is read.
const MAX_BYTES: u64 = 64 * 1024;

/// The switches of one process.
#[derive(Debug)]
pub(crate) struct Switches {
    file: Option<PathBuf>,
    /// When a look at the file is due.
    due: AtomicI64,
    seen: Mutex<Seen>,
    /// What is stopped in which generation of the store.
    kept: Mutex<Option<(u64, Arc<Stops>)>>,
}

/// What is stopped.
#[derive(Debug, Default)]
pub(crate) struct Stops {
    pub(crate) stopped: Stopped,
    /// The number of the last change of it.
    pub(crate) epoch: u64,
}

/// What was last seen of the file.
#[derive(Debug, Default)]
struct Seen {
    stamp: Option<(u64, Option<SystemTime>)>,
    /// Whether two looks in a row saw this stamp.
    is_settled: bool,
    targets: Vec<Target>,
}

/// By what a look at the file differs from the one before.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Turned {
    /// What it stops that it did not stop before.
    pub(crate) set: Vec<Target>,
    /// What it stopped before.
    pub(crate) cleared: Vec<Target>,
}

impl Switches {
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        let switches = Self {
            file,
            due: AtomicI64::new(i64::MIN),
            seen: Mutex::default(),
            kept: Mutex::default(),
        };
        switches.look(|| i64::MIN);
        switches
    }

    /// Looks at the file, where it is time; returns by what it differs from before.
    pub(crate) fn look(&self, now: impl FnOnce() -> i64) -> Turned {
        let same = Turned::default();
        let Some(file) = &self.file else { return same };
        let now = now();
        // A clock that steps back must not put a look off.
        let due = self.due.load(Ordering::Relaxed);
        if now < due && due - now <= LOOK_EVERY {
            return same;
        }
        self.due.store(now.saturating_add(LOOK_EVERY), Ordering::Relaxed);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = match fs::metadata(file) {
            Ok(it) => Some((it.len(), it.modified().ok())),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            // Of a file that is there and says nothing, what it said last holds.
            Err(_) if seen.stamp.is_some() => return same,
            Err(_) => Some((0, None)),
        };
        if seen.stamp == stamp && seen.is_settled {
            return same;
        }
        let mut targets = match stamp {
            None => Vec::new(),
            Some((length, _)) if length > MAX_BYTES => vec![Target::Everything],
            Some(_) => read(&fs::read_to_string(file).unwrap_or_else(|_| "?".to_owned())),
        };
        let is_settled = seen.stamp == stamp;
        if !is_settled {
            // A file that is being written is empty for a moment: what it said before holds as
            // well, until two looks agree.
            targets.extend(seen.targets.iter().cloned());
            targets.sort();
            targets.dedup();
        }
        let beyond = |these: &[Target], those: &[Target]| -> Vec<Target> {
            these.iter().filter(|it| !those.contains(it)).cloned().collect()
        };
        let set = beyond(&targets, &seen.targets);
        let cleared = beyond(&seen.targets, &targets);
        *seen = Seen { stamp, is_settled, targets };
        Turned { set, cleared }
    }

    /// What the file stops.
    pub(crate) fn of_file(&self) -> Vec<Target> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).targets.clone()
    }
}

/// The targets of a file: one a line, with `#` before what is for people. A line that cannot be
/// read stops everything, since nobody knows what it was to stop.
fn read(text: &str) -> Vec<Target> {
    let lines = text.lines().map(|it| it.split('#').next().unwrap_or_default().trim());
    let lines = lines.filter(|it| !it.is_empty());
    lines.map(|it| Target::parse(it).unwrap_or(Target::Everything)).collect()
}

impl Service {
    /// Looks at the stop file, where it is time.
    pub(crate) fn look_at_stop_file(&self) {
        let turned = self.switches.look(self.world.milliseconds);
        if turned != Turned::default() {
            // It holds from now on, whether or not it can be counted.
            let _ = self.store.stops_changed();
            self.tell_of_stop_file(&turned);
        }
    }

    /// What is stopped now.
    pub(crate) fn stopped_now(&self) -> Result<Arc<Stops>, Failure> {
        self.look_at_stop_file();
        self.stops_at(self.store.generation())
    }

    /// Since when one of `targets` is stopped; none where only the file stops it, which knows no time.
    pub(crate) fn stopped_since(&self, targets: &[Target]) -> Option<Timestamp> {
        let stops = self.store.stops().unwrap_or_default();
        let holds = |it: &&Stop| Target::parse(&it.target).is_some_and(|it| targets.contains(&it));
        let set_at = stops.iter().filter(holds).map(|it| it.set_at).min()?;
        Some(Timestamp::from_seconds(set_at.div_euclid(1000)))
    }

    /// What is stopped, as of this generation of the store.
    pub(crate) fn stops_at(&self, generation: u64) -> Result<Arc<Stops>, Failure> {
        let lock = || self.switches.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((kept, stopped)) = lock().as_ref()
            && *kept == generation
        {
            return Ok(Arc::clone(stopped));
        }
        // What a later release knows and this one does not stops everything.
        let known = |it: &str| Target::parse(it).unwrap_or(Target::Everything);
        // Counted before it is read: what is read may be newer, and is never older.
        let epoch = self.store.stop_changes()?;
        let stored = self.store.stops()?;
        let stored = stored.iter().map(|it| known(&it.target));
        let stopped = stored.chain(self.switches.of_file()).collect();
        let stops = Arc::new(Stops { stopped, epoch });
        *lock() = Some((generation, Arc::clone(&stops)));
        Ok(stops)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Switches, read};

    #[test]
    fn a_line_that_nobody_understands_stops_everything() {
        let texts =
            |text: &str| -> Vec<String> { read(text).iter().map(ToString::to_string).collect() };
        assert_eq!(texts("# none\n\n"), [""; 0]);
        assert_eq!(texts("email.* # for now\n efirm.a.b\n"), ["email.*", "efirm.a.b"]);
        assert_eq!(texts("email.send\nE-Mail!\n"), ["email.send", "everything"]);
    }

    #[test]
    fn a_file_that_is_written_anew_loses_nothing_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stops");
        fs::write(&file, "email.*\n").unwrap();
        let switches = Switches::new(Some(file.clone()));
        let mut now = 0;
        let mut look = || {
            now += 1_000;
            let before = switches.of_file();
            let turned = switches.look(|| now);
            let after = switches.of_file();
            assert!(turned.set.iter().all(|it| after.contains(it) && !before.contains(it)));
            assert!(turned.cleared.iter().all(|it| before.contains(it) && !after.contains(it)));
            assert_eq!(before.len() + turned.set.len(), after.len() + turned.cleared.len());
            let targets = switches.of_file();
            targets.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(look(), ["email.*"]);
        fs::write(&file, "").unwrap();
        assert_eq!(look(), ["email.*"]);
        fs::write(&file, "efirm.*\n").unwrap();
        assert_eq!(look(), ["efirm.*", "email.*"]);
        assert_eq!(look(), ["efirm.*"]);
        fs::remove_file(&file).unwrap();
        assert_eq!(look(), ["efirm.*"]);
        assert_eq!(look(), [""; 0]);
    }
}
