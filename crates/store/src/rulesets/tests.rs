use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::{Lineage, Stored};
use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::{FILE_NAME, Store};
use crate::testing::{Folder, OWN, hash};

fn put(store: &Store, source: &str, parent: Option<&str>) -> Result<Stored, StoreError> {
    store.put_source(OWN, hash(source), source, parent.map(hash))
}

fn open_briefly(path: &Path) -> Result<Store, StoreError> {
    Store::open_waiting(path, Duration::from_millis(50))
}

fn file() -> String {
    FILE_NAME.to_owned()
}

fn stored(created: bool, parent: Option<&str>, depth: u32) -> Stored {
    Stored { created, lineage: Lineage { parent: parent.map(hash), depth } }
}

#[test]
fn a_source_is_kept_once_with_its_first_parent() {
    let folder = Folder::new("lineage");
    for store in [Store::in_memory().unwrap(), Store::open(&folder.database()).unwrap()] {
        let mut outcomes = Vec::new();
        // Source, parent, and where it stands afterwards.
        for (source, parent, created, kept, depth) in [
            ("one\n", None, true, None, 0),
            ("one\n", None, false, None, 0),
            ("two\n", Some("one\n"), true, Some("one\n"), 1),
            ("three\n", Some("two\n"), true, Some("two\n"), 2),
            // The first parent stays.
            ("three\n", Some("one\n"), false, Some("two\n"), 2),
            ("three\n", None, false, Some("two\n"), 2),
            // No revision becomes its own ancestor.
            ("one\n", Some("three\n"), false, None, 0),
            ("one\n", Some("one\n"), false, None, 0),
            // A parent that comes later is linked, and what follows moves down.
            ("zero\n", None, true, None, 0),
            ("one\n", Some("zero\n"), false, Some("zero\n"), 1),
            ("three\n", None, false, Some("two\n"), 3),
            ("", Some("three\n"), true, Some("three\n"), 4),
            ("a\0ü \u{feff}\"'\n", Some("three\n"), true, Some("three\n"), 4),
        ] {
            let outcome = put(&store, source, parent).unwrap();
            assert_eq!(outcome, stored(created, kept, depth), "{source:?} after {parent:?}");
            assert_eq!(store.source(OWN, hash(source)).unwrap().as_deref(), Some(source));
            assert_eq!(store.lineage(OWN, hash(source)).unwrap(), Some(outcome.lineage));
            outcomes.push(outcome);
        }
        assert_eq!(store.source(OWN, hash("absent")), Ok(None));
        assert_eq!(store.lineage(OWN, hash("absent")), Ok(None));
    }
}

#[test]
fn wrong_links_and_addresses_write_nothing() {
    let store = Store::in_memory().unwrap();
    put(&store, "one", None).unwrap();
    put(&store, "two", Some("one")).unwrap();
    let unknown = StoreError::Refused(Refusal::UnknownParent { parent: hash("absent") });
    for source in ["one", "two", "new"] {
        assert_eq!(put(&store, source, Some("absent")), Err(unknown.clone()), "{source}");
    }
    let itself = StoreError::Refused(Refusal::UnknownParent { parent: hash("new") });
    assert_eq!(put(&store, "new", Some("new")), Err(itself));
    let wrong = StoreError::WrongAddress { given: hash("other"), actual: hash("new") };
    assert_eq!(store.put_source(OWN, hash("other"), "new", None), Err(wrong));
    assert_eq!(store.source(OWN, hash("new")), Ok(None));
    assert_eq!(store.source(OWN, hash("other")), Ok(None));
}

#[test]
fn the_file_is_its_owners_alone_and_survives_reopening() {
    let folder = Folder::new("rights");
    let path = folder.0.join("data/deeper").join(FILE_NAME);
    let store = Store::open(&path).unwrap();
    put(&store, "one", None).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(&path.with_file_name("assay.db-wal")), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    assert_eq!(mode(&folder.0.join("data")), 0o700);
    store.source(OWN, hash("one")).unwrap();
    drop(store);
    assert!(!path.with_file_name("assay.db-wal").exists(), "a closed store is one file");
    let store = Store::open(&path).unwrap();
    assert_eq!(store.source(OWN, hash("one")).unwrap().as_deref(), Some("one"));
    let setting = |name: &str| {
        store.write(|it| Ok(it.pragma_query_value(None, name, |row| row.get::<_, i64>(0))?))
    };
    assert_eq!(setting("synchronous"), Ok(2), "full");
    assert_eq!(setting("foreign_keys"), Ok(1));
    let journal = store.write(|it| Ok(it.pragma_query_value(None, "journal_mode", |r| r.get(0))?));
    assert_eq!(journal, Ok("wal".to_owned()));
}

#[test]
fn files_that_cannot_serve_are_refused() {
    let folder = Folder::new("refused");
    drop(Store::open(&folder.database()).unwrap());

    let other = folder.0.join("text").join(FILE_NAME);
    fs::create_dir(other.parent().unwrap()).unwrap();
    fs::write(
        &other,
        "this is a letter and no database, long enough for a header of its own\n".repeat(20),
    )
    .unwrap();
    assert_eq!(open_briefly(&other).unwrap_err(), StoreError::NotADatabase { file: file() });

    let foreign = folder.0.join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let not_ours = StoreError::NotADatabase { file: "foreign.db".to_owned() };
    assert_eq!(open_briefly(&foreign).unwrap_err(), not_ours);

    let newer = folder.0.join("newer.db");
    fs::copy(folder.database(), &newer).unwrap();
    let step =
        "INSERT INTO migration VALUES ((SELECT max(version) + 1 FROM migration), zeroblob(32))";
    Connection::open(&newer).unwrap().execute(step, []).unwrap();
    let known = u32::try_from(crate::schema::MIGRATIONS.len()).unwrap();
    assert_eq!(
        open_briefly(&newer).unwrap_err(),
        StoreError::NewerSchema { file: "newer.db".to_owned(), found: known + 1, known }
    );

    let changed = folder.0.join("changed.db");
    fs::copy(folder.database(), &changed).unwrap();
    let step = "UPDATE migration SET digest = zeroblob(32)";
    Connection::open(&changed).unwrap().execute(step, []).unwrap();
    assert_eq!(
        open_briefly(&changed).unwrap_err().to_string(),
        "`changed.db` is damaged: step 1 of its schema is not the released one"
    );

    let directory = folder.0.join("text");
    assert!(matches!(open_briefly(&directory), Err(StoreError::Io { .. })));
    assert!(matches!(open_briefly(&other.join("below")), Err(StoreError::Io { .. })));
}

#[test]
fn a_file_that_became_read_only_is_not_written() {
    let folder = Folder::new("read-only");
    let path = folder.database();
    let store = open_briefly(&path).unwrap();
    put(&store, "one", None).unwrap();
    drop(store);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    assert_eq!(open_briefly(&path).unwrap_err(), StoreError::ReadOnly { file: file() });

    // Losing the right while the store is open looks the same to a caller.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let store = open_briefly(&path).unwrap();
    store.write(|it| Ok(it.pragma_update(None, "query_only", true)?)).unwrap();
    assert_eq!(put(&store, "two", None), Err(StoreError::ReadOnly { file: file() }));
    assert_eq!(put(&store, "one", None), Ok(stored(false, None, 0)), "a repeat writes nothing");
    assert_eq!(store.source(OWN, hash("two")), Ok(None));
}

#[test]
fn a_lock_of_another_process_stops_writes_and_no_reads() {
    let folder = Folder::new("locked");
    let store = open_briefly(&folder.database()).unwrap();
    put(&store, "one", None).unwrap();
    let other = Connection::open(folder.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(put(&store, "two", None), Err(StoreError::Locked { file: file() }));
    assert_eq!(put(&store, "one", None), Ok(stored(false, None, 0)), "a repeat takes no lock");
    assert_eq!(store.source(OWN, hash("one")).unwrap().as_deref(), Some("one"));
    assert!(open_briefly(&folder.database()).is_ok(), "a current schema is only read");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(put(&store, "two", None), Ok(stored(true, None, 0)));
}

#[test]
fn a_full_disk_refuses_and_the_store_goes_on() {
    let folder = Folder::new("full");
    let store = open_briefly(&folder.database()).unwrap();
    let pages = |count: i64| {
        store.write(move |it| {
            Ok(it.pragma_update_and_check(None, "max_page_count", count, |row| {
                row.get::<_, i64>(0)
            })?)
        })
    };
    let used = pages(1).unwrap();
    let long = "x".repeat(100_000);
    assert_eq!(put(&store, &long, None), Err(StoreError::Full { file: file() }));
    assert_eq!(store.source(OWN, hash(&long)), Ok(None));
    assert!(pages(used + 100).unwrap() > used);
    assert_eq!(put(&store, &long, None), Ok(stored(true, None, 0)));
}

#[test]
fn damage_is_found_when_it_is_read() {
    let folder = Folder::new("damage");
    let path = folder.database();
    let store = open_briefly(&path).unwrap();
    put(&store, "amount <= 100", None).unwrap();
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.windows(13).position(|it| it == b"amount <= 100").unwrap();
    bytes[place + 10] = b'9';
    fs::write(&path, bytes).unwrap();
    let store = open_briefly(&path).unwrap();
    let damaged = store.source(OWN, hash("amount <= 100")).unwrap_err();
    let text =
        format!("`assay.db` is damaged: the source under `{}` has changed", hash("amount <= 100"));
    assert_eq!(damaged.to_string(), text);
    drop(store);

    // A page that is no page any more.
    let mut bytes = fs::read(&path).unwrap();
    for byte in &mut bytes[4096..] {
        *byte = 0xff;
    }
    fs::write(&path, bytes).unwrap();
    let outcome = open_briefly(&path).and_then(|it| it.source(OWN, hash("amount <= 100")));
    assert!(matches!(outcome, Err(StoreError::Damaged { .. })), "{outcome:?}");
}

#[test]
fn a_killed_writer_loses_nothing_that_it_acknowledged() {
    let folder = Folder::new("killed");
    let store = Store::open(&folder.database()).unwrap();
    let sources: Vec<String> = (0..20).map(|it| format!("source {it}\n")).collect();
    for source in &sources {
        put(&store, source, None).unwrap();
    }
    // What a process leaves that never closed its connections: the file and the journal.
    let wal = fs::read(folder.0.join("assay.db-wal")).unwrap();
    let left = |name: &str, wal: &[u8]| {
        let path = folder.0.join(name).join(FILE_NAME);
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::copy(folder.database(), &path).unwrap();
        fs::write(path.with_file_name("assay.db-wal"), wal).unwrap();
        let store = Store::open(&path).unwrap();
        sources.iter().filter(|it| store.source(OWN, hash(it)).unwrap().is_some()).count()
    };
    assert_eq!(left("whole", &wal), sources.len());
    // A write that was torn by the kill was never acknowledged, and nothing else goes with it.
    assert_eq!(left("torn", &wal[..wal.len() - 1]), sources.len() - 1);
}

#[test]
fn racing_writers_agree_on_who_created_what() {
    let folder = Folder::new("race");
    let path = folder.database();
    // Each thread opens the file on its own, as a process would, the first of them a new one.
    let created: Vec<usize> = std::thread::scope(|scope| {
        let work = || {
            let store = Store::open(&path).unwrap();
            let put = |it| put(&store, &format!("source {it}\n"), None).unwrap();
            (0..50).map(put).filter(|it| it.created).count()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(created.iter().sum::<usize>(), 50, "{created:?}");
}

#[test]
fn one_store_serves_many_threads() {
    let folder = Folder::new("threads");
    let store = Store::open(&folder.database()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..12 {
            let store = &store;
            scope.spawn(move || {
                for it in 0..20 {
                    let source = format!("source {}\n", (it + thread) % 24);
                    put(store, &source, None).unwrap();
                    assert_eq!(store.source(OWN, hash(&source)).unwrap(), Some(source));
                }
            });
        }
    });
}

#[test]
fn ten_thousand_revisions_of_one_ruleset() {
    let store = Store::in_memory().unwrap();
    let mut parent = None;
    for depth in 0..10_000 {
        let source = format!("revision {depth}\n");
        let outcome = store.put_source(OWN, hash(&source), &source, parent).unwrap();
        assert_eq!(outcome, Stored { created: true, lineage: Lineage { parent, depth } });
        parent = Some(hash(&source));
    }
    // Linking the root of a long line renews the whole line.
    put(&store, "root", None).unwrap();
    put(&store, "revision 0\n", Some("root")).unwrap();
    let last = store.lineage(OWN, hash("revision 9999\n")).unwrap().unwrap();
    assert_eq!(last.depth, 10_000);
}

#[test]
fn rulesets_of_an_older_file_belong_to_the_owner() {
    let folder = Folder::new("older");
    let path = folder.database();
    let connection = Connection::open(&path).unwrap();
    let step = crate::schema::MIGRATIONS[0];
    let digest = *hash(step).as_bytes();
    connection.pragma_update(None, "application_id", 0x4153_5359).unwrap();
    connection.execute_batch(crate::schema::LEDGER).unwrap();
    connection.execute_batch(step).unwrap();
    connection.execute("INSERT INTO migration VALUES (1, ?1)", (digest,)).unwrap();
    let insert = "INSERT INTO ruleset (hash, source, parent, depth) VALUES (?1, ?2, ?3, ?4)";
    let (one, two) = (hash("one"), hash("two"));
    connection.execute(insert, (one.as_bytes(), "one", None::<[u8; 32]>, 0)).unwrap();
    connection.execute(insert, (two.as_bytes(), "two", one.as_bytes(), 1)).unwrap();
    drop(connection);
    let store = open_briefly(&path).unwrap();
    assert_eq!(store.source(OWN, two), Ok(Some("two".to_owned())));
    assert_eq!(store.lineage(OWN, two), Ok(Some(Lineage { parent: Some(one), depth: 1 })));
}
