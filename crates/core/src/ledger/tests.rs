//! The ledger over real files: durable, in order, signed, and back after its sink failed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assay_audit::{Action, Checkpoint, Event, Outcome, Record, SigningKey};
use assay_base::Moment;
use assay_store::Store;
use rusqlite::Connection;

use super::queue::ROOM;
use super::{AuditSettings, INSTALLATION, Ledger, OnFailure};
use crate::audit::AuditLog;
use crate::world::World;

/// A folder of its own for one test, removed with its contents when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-ledger-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn database(&self) -> PathBuf {
        self.0.join("assay.db")
    }

    fn key(&self) -> PathBuf {
        self.0.join("audit.key")
    }

    fn copies(&self) -> PathBuf {
        self.0.join("copies")
    }

    fn ledger(&self) -> Ledger {
        let settings = AuditSettings {
            key_file: Some(self.key()),
            checkpoints: Some(self.copies()),
            environment: "test".to_owned(),
        };
        let store = Arc::new(Store::open(&self.database()).unwrap());
        Ledger::start(store, settings, World::default()).unwrap()
    }

    /// What verifying a chain finds, its size, and how much of it is signed.
    fn verified(&self, chain: &str) -> (Vec<String>, u64, u64) {
        let log = AuditLog::open(&self.database()).unwrap();
        let (key, copies) =
            (AuditLog::key(&self.key()).unwrap(), AuditLog::copies(&self.copies()).unwrap());
        let report = log.verify(chain, &key, &copies, |_| {}).unwrap().report;
        let findings = report.findings.iter().map(ToString::to_string).collect();
        (findings, report.entries, report.signed)
    }

    /// The identifiers of a chain's records, in its order.
    fn told(&self, chain: &str) -> Vec<String> {
        let store = Store::open(&self.database()).unwrap();
        let mut told = Vec::new();
        loop {
            let rows = store.audit_entries(chain, told.len() as u64 + 1, 1_000).unwrap();
            if rows.is_empty() {
                return told;
            }
            told.extend(rows.iter().map(|it| {
                let record: serde_json::Value = serde_json::from_str(&it.record).unwrap();
                assert_eq!(record["scope"]["environment"], "test");
                record["event_id"].as_str().unwrap().to_owned()
            }));
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn record(id: impl std::fmt::Display) -> Record {
    let result = Outcome::Success;
    let at = Moment::from_milliseconds(1_796_094_332_000);
    Record {
        action: Action { name: "invoke".to_owned(), result, error_code: None },
        ..Record::plain(format!("{id}"), Event::ToolInvoked, at, result)
    }
}

/// Waits until `done`, which takes a few seconds at most.
#[track_caller]
fn until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{what}");
}

#[test]
fn writers_of_many_chains_share_their_commits() {
    let folder = Folder::new("many");
    let ledger = folder.ledger();
    std::thread::scope(|scope| {
        for writer in 0..16 {
            let ledger = &ledger;
            scope.spawn(move || {
                let chain = format!("org_{}", writer % 3);
                let mut last = 0;
                for number in 0..20 {
                    let id = format!("{writer}-{number}");
                    if number % 2 == 0 {
                        ledger.note(&chain, record(id)).unwrap();
                    } else {
                        let next = ledger.write(&chain, record(id)).unwrap();
                        assert!(next > last, "{next} {last}");
                        last = next;
                    }
                }
            });
        }
    });
    ledger.flush();
    let status = ledger.status();
    assert_eq!((status.durable, status.queued, status.failing), (320, 0, None));
    drop(ledger);
    let mut sizes = 0;
    for chain in ["org_0", "org_1", "org_2"] {
        let (findings, size, signed) = folder.verified(chain);
        assert_eq!((findings, signed), (Vec::new(), size), "{chain}: signed to its end");
        let told = folder.told(chain);
        for writer in 0..16 {
            let own = told.iter().filter_map(|it| it.strip_prefix(&format!("{writer}-")));
            let own: Vec<u32> = own.map(|it| it.parse().unwrap()).collect();
            assert!(own.is_sorted(), "{chain} {writer}: {own:?}");
        }
        sizes += size;
    }
    assert_eq!(sizes, 320);
}

#[test]
fn checkpoints_come_after_records_and_after_a_second() {
    let folder = Folder::new("checkpoints");
    let ledger = folder.ledger();
    let lines = || fs::read_to_string(folder.copies().join("org.checkpoints")).unwrap_or_default();
    for number in 0..64 {
        ledger.note("org", record(number)).unwrap();
    }
    ledger.flush();
    until("64 records are signed", || lines().contains(r#""size":64"#));
    ledger.write("org", record(64)).unwrap();
    assert_eq!(lines().lines().count(), 1);
    until("one record is signed in time", || lines().contains(r#""size":65"#));
    until("the status tells", || ledger.status().checkpoint.is_some_and(|it| it.size == 65));
    let kept = Store::open(&folder.database()).unwrap().audit_checkpoints("org").unwrap();
    assert_eq!(kept, lines().lines().collect::<Vec<_>>());
    // A record of somebody else's transaction is signed as well.
    let store = Store::open(&folder.database()).unwrap();
    let sealer = ledger.sealer();
    store.append_audit("org", |head| sealer.rows("org", head, [record(65)]).unwrap()).unwrap();
    until("another's record is signed", || lines().contains(r#""size":66"#));
    drop(ledger);
    assert_eq!(folder.verified("org"), (Vec::new(), 66, 66));
    assert_eq!(lines().lines().count(), 3, "nothing is signed twice");
}

#[test]
fn two_processes_write_to_one_chain() {
    let folder = Folder::new("two");
    let ledgers = [folder.ledger(), folder.ledger()];
    std::thread::scope(|scope| {
        for ledger in &ledgers {
            scope.spawn(move || {
                for number in 0..40 {
                    ledger.write("org", record(number)).unwrap();
                }
            });
        }
    });
    drop(ledgers);
    assert_eq!(folder.verified("org"), (Vec::new(), 80, 80));
    // One that never saw the chain signs all of it after its first record.
    folder.ledger().write("org", record("late")).unwrap();
    assert_eq!(folder.verified("org"), (Vec::new(), 81, 81));
}

#[test]
fn what_contradicts_itself_is_not_taken() {
    let folder = Folder::new("contradiction");
    let ledger = folder.ledger();
    let denied = Record { event: Event::ToolDenied, ..record("x") };
    for outcome in [ledger.write("org", denied.clone()).map(drop), ledger.note("org", denied)] {
        let text = outcome.unwrap_err().to_string();
        assert!(text.contains("cannot be recorded as other than a failure"), "{text}");
    }
    assert_eq!(ledger.write("org", record("y")), Ok(1));
}

/// Keeps the database from growing while `broken` runs.
fn while_locked(path: &Path, broken: impl FnOnce()) {
    let other = Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    broken();
    other.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn a_failing_sink_stops_who_waits_and_loses_nothing() {
    let folder = Folder::new("failing");
    // The store waits five seconds for others; so the sink fails at once by a trigger instead.
    let ledger = folder.ledger();
    ledger.write("org", record("before")).unwrap();
    let other = Connection::open(folder.database()).unwrap();
    let breaks = "CREATE TRIGGER broken BEFORE INSERT ON audit_entry
        BEGIN SELECT RAISE(ABORT, 'broken'); END;";
    other.execute_batch(breaks).unwrap();
    ledger.note("org", record(0)).unwrap();
    let error = ledger.write("org", record("lost")).unwrap_err().to_string();
    assert!(error.contains("takes no record") && error.contains("broken"), "{error}");
    until("the status tells", || ledger.status().failing.is_some());
    for number in 1..ROOM {
        ledger.note("org", record(number)).unwrap();
    }
    // The thread may be trying those that wait; there is no room when it gives up.
    until("the room is used up", || ledger.status().queued == ROOM);
    let refused = AtomicUsize::new(0);
    until("one more is refused", || {
        // A group that is being tried leaves room for a moment.
        let outcome = ledger.record("spare", record("spare"), OnFailure::Buffer);
        refused.fetch_add(usize::from(outcome.is_err()), Ordering::Relaxed);
        outcome.is_err()
    });
    assert!(ledger.record("org", record("lost"), OnFailure::FailClosed).is_err());
    other.execute_batch("DROP TRIGGER broken").unwrap();
    ledger.flush();
    let status = ledger.status();
    assert_eq!((status.queued, status.failing), (0, None));
    drop(ledger);
    let expected: Vec<String> =
        std::iter::once("before".to_owned()).chain((0..ROOM).map(|it| it.to_string())).collect();
    assert_eq!(folder.told("org"), expected);
    let size = expected.len() as u64;
    assert_eq!(folder.verified("org"), (Vec::new(), size, size));
}

#[test]
fn a_lock_of_another_process_is_waited_out() {
    let folder = Folder::new("locked");
    let ledger = folder.ledger();
    ledger.write("org", record("before")).unwrap();
    while_locked(&folder.database(), || {
        ledger.note("org", record("noted")).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(ledger.status().durable, 1);
    });
    ledger.flush();
    drop(ledger);
    assert_eq!(folder.told("org"), ["before", "noted"]);
}

#[test]
fn copies_that_cannot_be_made_are_made_later() {
    let folder = Folder::new("copies");
    let ledger = folder.ledger();
    // A folder in the place of the file cannot be appended to, whoever runs the test.
    let file = folder.copies().join("org.checkpoints");
    fs::create_dir(&file).unwrap();
    ledger.write("org", record(0)).unwrap();
    until("the status tells", || {
        ledger.status().unsigned.is_some_and(|it| it.contains("org.checkpoints"))
    });
    fs::remove_dir(&file).unwrap();
    until("the copy is made", || file.exists() && ledger.status().unsigned.is_none());
    assert!(fs::read_to_string(file).unwrap().contains(r#""size":1"#));
}

#[test]
fn keys_are_made_once_and_stay() {
    let folder = Folder::new("keys");
    let keys = |ledger: &Ledger| (ledger.field_key("org_1"), ledger.field_key("org_2"));
    let first = keys(&folder.ledger());
    assert_ne!(first.0, first.1);
    assert_eq!(keys(&folder.ledger()), first);
    let mode = fs::metadata(folder.key()).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    let public = folder.0.join("audit.key.pub");
    assert_eq!(AuditLog::key(&public), AuditLog::key(&folder.key()));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 4, "nothing else is left lying about");
    fs::write(folder.key(), "secret").unwrap();
    let store = Arc::new(Store::open(&folder.database()).unwrap());
    let settings = AuditSettings { key_file: Some(folder.key()), ..AuditSettings::default() };
    let error = Ledger::start(Arc::clone(&store), settings, World::default()).unwrap_err();
    assert!(error.contains("holds no key of an audit log"), "{error}");
    let memory = || Ledger::start(Arc::clone(&store), AuditSettings::default(), World::default());
    assert_ne!(memory().unwrap().field_key("x"), memory().unwrap().field_key("x"));
}

/// Runs statements that the schema refuses.
fn tamper(folder: &Folder, statements: &str) {
    let connection = Connection::open(folder.database()).unwrap();
    for table in ["audit_entry", "audit_checkpoint"] {
        for trigger in ["follows", "stays", "remains"] {
            let drop = format!("DROP TRIGGER IF EXISTS {table}_{trigger}");
            connection.execute_batch(&drop).unwrap();
        }
    }
    connection.execute_batch(statements).unwrap();
}

#[test]
fn what_is_removed_beneath_a_running_ledger_is_told() {
    let folder = Folder::new("beneath");
    let ledger = folder.ledger();
    (0..70).for_each(|it| ledger.note("org", record(it)).unwrap());
    ledger.flush();
    until("all are signed", || ledger.status().checkpoint.is_some_and(|it| it.size == 70));
    tamper(&folder, "DELETE FROM audit_entry WHERE sequence > 60");
    assert_eq!(ledger.write("org", record("again")), Ok(61));
    until("a missing tail is told", || ledger.status().faults == ["org: missing tail at 61"]);
    drop(ledger);
    assert_eq!(folder.verified("org").0, ["missing tail at 62"], "the signed end is not forgotten");
    // The end is sound for one that starts now, but not what its tree is made of.
    tamper(&folder, "DELETE FROM audit_checkpoint; DELETE FROM audit_entry WHERE sequence = 7");
    let ledger = folder.ledger();
    assert_eq!(ledger.status().faults, ["org: missing middle at 7"]);
    ledger.write("org", record("late")).unwrap();
    until("a gap is told", || ledger.status().faults.len() == 2);
    drop(ledger);
    let lines = Store::open(&folder.database()).unwrap().audit_checkpoints("org").unwrap();
    assert_eq!(lines, [""; 0], "a gap is not signed");
}

type Damage = (&'static str, &'static str, &'static str);

/// What is done to a chain of seventy, of which 64 and 70 are signed, and what is told of it.
const DAMAGE: &[Damage] = &[
    ("nothing", "", ""),
    ("the tail", "DELETE FROM audit_entry WHERE sequence > 66", "org: missing tail at 67"),
    ("everything", "DELETE FROM audit_entry", "org: missing tail at 1"),
    (
        "the last hash",
        "UPDATE audit_entry SET hash = zeroblob(32) WHERE sequence = 70",
        "org: altered at 70",
    ),
    ("the line", "UPDATE audit_checkpoint SET line = '{}'", "org: bad checkpoint at 1"),
    (
        "unsigned entries",
        "DELETE FROM audit_checkpoint WHERE size = 70;
         UPDATE audit_entry SET record = replace(record, 'success', 'failure') WHERE sequence = 67",
        "org: altered at 67",
    ),
];

#[test]
fn a_faulty_tail_is_told_and_recorded() {
    let sound = Folder::new("sound");
    let ledger = sound.ledger();
    for number in 0..70 {
        ledger.note("org", record(number)).unwrap();
        if number == 63 {
            ledger.flush();
            until("64 are signed", || ledger.status().checkpoint.is_some());
        }
    }
    drop(ledger);
    for (number, (name, statements, expected)) in DAMAGE.iter().enumerate() {
        let folder = Folder::new(&format!("damaged-{number}"));
        fs::copy(sound.database(), folder.database()).unwrap();
        fs::copy(sound.key(), folder.key()).unwrap();
        tamper(&folder, statements);
        let ledger = folder.ledger();
        let faults = ledger.status().faults;
        assert_eq!(faults.join(", "), *expected, "{name}");
        drop(ledger);
        let log = AuditLog::open(&folder.database()).unwrap();
        let recorded = log.entry(INSTALLATION, 1).unwrap().map(|it| it.row.record);
        let (chain, finding) = expected.split_once(": ").unwrap_or_default();
        assert_eq!(recorded.is_some(), !chain.is_empty(), "{name}");
        if let Some(recorded) = recorded {
            let says = |text: &str| recorded.contains(text);
            assert!(says("audit.checkpoint") && says(finding) && says(r#""id":"org""#), "{name}");
        }
    }
}

#[test]
fn lines_are_signed_by_the_key_of_the_file() {
    let folder = Folder::new("signed");
    folder.ledger().write("org", record(0)).unwrap();
    let text = fs::read_to_string(folder.copies().join("org.checkpoints")).unwrap();
    let key = AuditLog::key(&folder.key()).unwrap();
    assert_eq!(Checkpoint::read(text.trim_end(), &key).unwrap().size, 1);
    let stranger = SigningKey::from_bytes(&[7; 32]).verifying_key();
    assert!(Checkpoint::read(text.trim_end(), &stranger).is_err());
}
