//! The log on a real file: what the schema refuses, and what verifying says of a file that was
//! changed behind the product's back.

use std::path::Path;

use assay_audit::{
    Action, Checkpoint, Entry, Event, Frontier, Head, Outcome, Record, Report, SigningKey, Stored,
    Verifier,
};
use assay_base::{EntryHash, Moment, Timestamp};
use rusqlite::Connection;

use crate::audit::{AuditCheckpoint, AuditHead, AuditRow, AuditSought, MAX_AUDIT_ROWS};
use crate::store::Store;
use crate::testing::Folder;

const CHAIN: &str = "org_1";

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn record(name: &str) -> Record {
    let result = Outcome::Success;
    let at = Moment::from_milliseconds(1_796_094_332_000);
    Record {
        action: Action { name: "invoke".to_owned(), result, error_code: None },
        ..Record::plain(name.to_owned(), Event::ToolInvoked, at, result)
    }
}

/// `count` rows behind `last`, whose records carry `mark`.
fn rows(last: Option<AuditHead>, count: u64, mark: &str) -> Vec<AuditRow> {
    let mut head = Head::new(CHAIN, last);
    let mut rows = Vec::new();
    for number in 0..count {
        let Entry { sequence, hash, bytes } =
            head.seal(&record(&format!("{mark}_{number}"))).unwrap();
        rows.push(AuditRow { sequence, hash, record: String::from_utf8(bytes).unwrap() });
    }
    rows
}

/// Every entry, read in ranges of `step`.
fn all(store: &Store, step: usize) -> Vec<AuditRow> {
    let mut rows: Vec<AuditRow> = Vec::new();
    loop {
        let from = rows.last().map_or(1, |it| it.sequence + 1);
        let more = store.audit_entries(CHAIN, from, step).unwrap();
        if more.is_empty() {
            return rows;
        }
        rows.extend(more);
    }
}

fn sign(store: &Store) {
    let mut frontier = Frontier::default();
    all(store, 100).iter().for_each(|it| frontier.push(&it.hash));
    let (size, last_hash) = store.audit_head(CHAIN).unwrap().unwrap();
    let (chain, at) = (CHAIN.to_owned(), Timestamp::from_seconds(0));
    let checkpoint = Checkpoint { chain, size, root: frontier.root(), last_hash, at };
    store.add_audit_checkpoint(CHAIN, size, &checkpoint.sign(&key())).unwrap();
}

fn verify(store: &Store) -> Report {
    let lines = store.audit_checkpoints(CHAIN).unwrap();
    let mut verifier =
        Verifier::new(CHAIN, &key().verifying_key(), lines.iter().map(String::as_str));
    for AuditRow { sequence, hash, record } in all(store, MAX_AUDIT_ROWS) {
        verifier.entry(Stored { sequence, hash, bytes: record.as_bytes() });
    }
    verifier.finish()
}

/// Eight entries in three batches, signed behind the third and the sixth.
fn filled(path: &Path) -> Store {
    let store = Store::open(path).unwrap();
    for (count, signed) in [(3, true), (3, true), (2, false)] {
        store.append_audit(CHAIN, |head| rows(head, count, "evt")).unwrap();
        if signed {
            sign(&store);
        }
    }
    store
}

/// Statements that the schema refuses, with its words.
const REFUSED: &[(&str, &str)] = &[
    ("UPDATE audit_entry SET record = '{}' WHERE sequence = 2", "never edited"),
    ("UPDATE audit_entry SET sequence = 99 WHERE sequence = 8", "never edited"),
    ("DELETE FROM audit_entry", "never removed"),
    ("DELETE FROM audit_entry WHERE sequence = 8", "never removed"),
    ("REPLACE INTO audit_entry SELECT * FROM audit_entry WHERE sequence = 8", "behind the last"),
    ("INSERT INTO audit_entry SELECT chain, 10, hash, record FROM audit_entry", "behind the last"),
    ("INSERT INTO audit_entry SELECT 'new', 2, hash, record FROM audit_entry", "behind the last"),
    ("UPDATE audit_checkpoint SET line = ''", "never edited"),
    ("DELETE FROM audit_checkpoint", "never removed"),
    ("REPLACE INTO audit_checkpoint VALUES ('org_1', 6, '')", "covers more"),
    ("INSERT INTO audit_checkpoint VALUES ('org_1', 5, '')", "covers more"),
];

#[test]
fn rows_are_only_ever_added() {
    let folder = Folder::new("audit-append-only");
    let store = filled(&folder.database());
    let connection = Connection::open(folder.database()).unwrap();
    for (statement, expected) in REFUSED {
        let error = connection.execute_batch(statement).unwrap_err().to_string();
        assert!(error.contains(expected), "{statement}: {error}");
    }
    assert_eq!(all(&store, 3).len(), 8);
    assert_eq!(store.audit_checkpoints(CHAIN).unwrap().len(), 2);
}

#[test]
fn a_batch_is_kept_whole_or_not_at_all() {
    let folder = Folder::new("audit-batch");
    let store = filled(&folder.database());
    let head = store.audit_head(CHAIN).unwrap();
    let gap = |head| {
        let mut rows = rows(head, 3, "gap");
        rows.remove(1);
        rows
    };
    assert!(store.append_audit(CHAIN, gap).is_err());
    assert_eq!(store.audit_head(CHAIN).unwrap(), head);
    assert_eq!(store.append_audit(CHAIN, |_| Vec::new()).unwrap(), head);
    assert_eq!(store.audit_head("org_2").unwrap(), None);
    assert!(store.audit_entries("org_2", 1, 10).unwrap().is_empty());
    let some = store.audit_entries(CHAIN, 4, 2).unwrap();
    assert_eq!(some.iter().map(|it| it.sequence).collect::<Vec<_>>(), [4, 5]);
    assert!(store.audit_entries(CHAIN, u64::MAX, 2).unwrap().is_empty());
    drop(store);
    let again = Store::open(&folder.database()).unwrap();
    assert_eq!(again.audit_head(CHAIN).unwrap(), head);
}

/// What somebody does who may write the file, once the triggers are out of the way.
enum Hand {
    /// Runs these statements.
    Sql(&'static str),
    /// Puts a history of his own behind the first so many entries.
    Rewrite(u64),
    /// Puts one entry, which is sound in itself, in the place of that with this number.
    Exchange(u64),
}

const UNSIGNED: &str = "unsigned region at 7";

const OTHER_OUTCOME: &str =
    "UPDATE audit_entry SET record = replace(record, 'success', 'failure') WHERE sequence = 4";
const OTHER_HASH: &str = "UPDATE audit_entry SET hash = zeroblob(32) WHERE sequence = 2";
const ONE_SPACE: &str = "UPDATE audit_entry SET record = record || ' ' WHERE sequence = 8";
const MIDDLE_GONE: &str = "DELETE FROM audit_entry WHERE sequence IN (4, 5)";
const FIRST_GONE: &str = "DELETE FROM audit_entry WHERE sequence = 1";
const MOVED_UP: &str = "
    DELETE FROM audit_entry WHERE sequence = 4;
    UPDATE audit_entry SET sequence = 4 WHERE sequence = 5";
const LARGER_CHECKPOINT: &str = r#"
    UPDATE audit_checkpoint SET line = replace(line, '"size":6', '"size":8') WHERE size = 6"#;

const TAMPERING: &[(Hand, &[&str])] = &[
    (Hand::Sql(""), &[UNSIGNED]),
    (Hand::Sql(OTHER_OUTCOME), &["altered at 4", UNSIGNED]),
    (Hand::Sql(OTHER_HASH), &["altered at 2", UNSIGNED]),
    (Hand::Sql(ONE_SPACE), &[UNSIGNED, "altered at 8"]),
    (Hand::Exchange(4), &["altered at 4", UNSIGNED]),
    (Hand::Sql(MIDDLE_GONE), &["missing middle at 4", UNSIGNED]),
    (Hand::Sql(FIRST_GONE), &["missing middle at 1", UNSIGNED]),
    (Hand::Sql(MOVED_UP), &["altered at 4", "missing middle at 5", UNSIGNED]),
    (Hand::Sql("DELETE FROM audit_entry WHERE sequence > 4"), &["missing tail at 5"]),
    (Hand::Sql("DELETE FROM audit_entry"), &["missing tail at 1"]),
    (Hand::Rewrite(3), &["fork at 4", UNSIGNED]),
    (Hand::Rewrite(5), &["fork at 4", UNSIGNED]),
    (Hand::Rewrite(0), &["rewritten from start at 1", UNSIGNED]),
    (Hand::Sql("DELETE FROM audit_checkpoint"), &["unsigned region at 1"]),
    (Hand::Sql("DELETE FROM audit_checkpoint WHERE size = 6"), &["unsigned region at 4"]),
    (Hand::Sql(LARGER_CHECKPOINT), &["bad checkpoint at 2", "unsigned region at 4"]),
];

fn tamper(path: &Path, store: &Store, hand: &Hand) {
    let connection = Connection::open(path).unwrap();
    let triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'audit%'";
    let mut statement = connection.prepare(triggers).unwrap();
    let names: Vec<String> =
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(names.len(), 6);
    drop(statement);
    for name in names {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    let kept = |sequence: u64| -> Option<(u64, EntryHash)> {
        let rows = all(store, 100);
        rows.iter().find(|it| it.sequence == sequence).map(|it| (it.sequence, it.hash))
    };
    let own = match hand {
        Hand::Sql(statement) => return connection.execute_batch(statement).unwrap(),
        Hand::Rewrite(after) => rows(kept(*after), 8 - after, "own"),
        Hand::Exchange(sequence) => rows(kept(sequence - 1), 1, "own"),
    };
    for AuditRow { sequence, hash, record } in own {
        let row = (CHAIN, i64::try_from(sequence).unwrap(), hash.as_bytes(), record);
        connection.execute("REPLACE INTO audit_entry VALUES (?1, ?2, ?3, ?4)", row).unwrap();
    }
}

#[test]
fn a_file_that_was_tampered_with() {
    let sound = Folder::new("audit-sound");
    drop(filled(&sound.database()));
    for (number, (hand, expected)) in TAMPERING.iter().enumerate() {
        let folder = Folder::new(&format!("audit-tampered-{number}"));
        std::fs::copy(sound.database(), folder.database()).unwrap();
        let store = Store::open(&folder.database()).unwrap();
        tamper(&folder.database(), &store, hand);
        let report = verify(&store);
        let found: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        assert_eq!(found, *expected, "{number}");
    }
}

#[test]
fn ten_thousand_entries() {
    let folder = Folder::new("audit-many");
    let store = Store::open(&folder.database()).unwrap();
    for _ in 0..40 {
        store.append_audit(CHAIN, |head| rows(head, 250, "evt")).unwrap();
    }
    sign(&store);
    let report = verify(&store);
    assert_eq!((report.findings, report.entries, report.signed), (Vec::new(), 10_000, 10_000));
}

#[test]
fn writers_beside_each_other_do_not_fork() {
    let folder = Folder::new("audit-writers");
    let stores = [0, 1].map(|_| Store::open(&folder.database()).unwrap());
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(move || {
                for _ in 0..10 {
                    store.append_audit(CHAIN, |head| rows(head, 3, "evt")).unwrap();
                }
            });
        }
    });
    sign(&stores[0]);
    let report = verify(&stores[1]);
    assert_eq!((report.findings, report.entries), (Vec::new(), 60));
}

#[test]
fn several_chains_in_one_transaction() {
    let folder = Folder::new("audit-several");
    let store = Store::open(&folder.database()).unwrap();
    let sealed = |chain: &str, head| {
        let mut head = Head::new(chain, head);
        let Entry { sequence, hash, bytes } = head.seal(&record(&format!("{chain}_evt"))).unwrap();
        vec![AuditRow { sequence, hash, record: String::from_utf8(bytes).unwrap() }]
    };
    let line = |chain: &str, size: u64| AuditCheckpoint {
        chain: chain.to_owned(),
        size,
        line: format!("{chain} {size}"),
    };
    store.append_audit_batch(["b", "a"], sealed, &[line("c", 7)]).unwrap();
    let found: Vec<_> =
        store.audit_chains().unwrap().into_iter().map(|it| (it.name, it.size)).collect();
    assert_eq!(found, [("a".to_owned(), 1), ("b".to_owned(), 1), ("c".to_owned(), 0)]);
    // A checkpoint that covers no more is left out, and the rest of the batch is kept.
    store.append_audit_batch(["a"], sealed, &[line("c", 7), line("c", 6), line("a", 1)]).unwrap();
    assert_eq!(store.audit_checkpoints("c").unwrap(), ["c 7"]);
    assert_eq!(store.last_audit_checkpoint("a").unwrap().as_deref(), Some("a 1"));
    assert_eq!(store.last_audit_checkpoint("b").unwrap(), None);
    // One chain that does not follow takes the others with it.
    let gap = |chain: &str, head| {
        let mut rows = sealed(chain, head);
        if chain == "b" {
            rows[0].sequence += 1;
        }
        rows
    };
    assert!(store.append_audit_batch(["a", "b"], gap, &[line("a", 2)]).is_err());
    assert_eq!(store.audit_head("a").unwrap().map(|it| it.0), Some(2));
    assert_eq!(store.last_audit_checkpoint("a").unwrap().as_deref(), Some("a 1"));
    let hashes = store.audit_hashes("a", 2, 10).unwrap();
    assert_eq!(hashes, [store.audit_head("a").unwrap().unwrap()]);
}

#[test]
fn entries_are_found_by_what_they_tell() {
    let folder = Folder::new("audit-found");
    let store = filled(&folder.database());
    let other = |_: &str, last| {
        let mut head = Head::new("org_2", last);
        let later =
            Record { at: Moment::from_milliseconds(1_796_094_400_000), ..record("evt_late") };
        let Entry { sequence, hash, bytes } = head.seal(&later).unwrap();
        vec![AuditRow { sequence, hash, record: String::from_utf8(bytes).unwrap() }]
    };
    store.append_audit_batch(["org_2"], other, &[]).unwrap();
    let find = |sought: AuditSought<'_>, limit| {
        let found = store.find_audit(sought, limit).unwrap();
        found.into_iter().map(|it| (it.chain, it.row.sequence)).collect::<Vec<_>>()
    };
    let all = AuditSought::default();
    let of = |chain: &str, numbers: &[u64]| -> Vec<(String, u64)> {
        numbers.iter().map(|it| (chain.to_owned(), *it)).collect()
    };
    assert_eq!(find(all, 3), [of("org_2", &[1]), of(CHAIN, &[8, 7])].concat());
    assert_eq!(find(AuditSought { chain: Some(CHAIN), ..all }, 2), of(CHAIN, &[8, 7]));
    let since = AuditSought { since: Some("2026-12-01T03:06:00Z"), ..all };
    assert_eq!(find(since, 100), of("org_2", &[1]));
    assert_eq!(find(AuditSought { event_id: Some("evt_late"), ..all }, 9), of("org_2", &[1]));
    assert_eq!(find(AuditSought { event_id: Some("evt_0"), ..all }, 9), of(CHAIN, &[7, 4, 1]));
    assert_eq!(find(AuditSought { event_type: Some("tool.denied"), ..all }, 9), []);
    assert_eq!(find(AuditSought { event_type: Some("tool.invoked"), ..all }, 99).len(), 9);
    assert_eq!(find(AuditSought { tool: Some("none"), ..all }, 9), []);
    // The list is walked along its index, so that its length does not matter.
    let connection = Connection::open(folder.database()).unwrap();
    let plan: String = connection
        .query_row(
            "EXPLAIN QUERY PLAN SELECT chain FROM audit_entry WHERE CASE WHEN json_valid(record)
             THEN json_extract(record, '$.event_id') END = 'evt_0'",
            [],
            |row| row.get(3),
        )
        .unwrap();
    assert!(plan.contains("audit_entry_event"), "{plan}");
    assert_eq!(store.audit_entry(CHAIN, 8).unwrap().unwrap().sequence, 8);
    assert_eq!(store.audit_entry(CHAIN, 9).unwrap(), None);
}
