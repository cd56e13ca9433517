//! What is kept, under callers that write at once and under a file that does not serve.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]
#![expect(clippy::indexing_slicing, reason = "what a test cannot do without fails the test")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use assay_base::canonical::to_bytes;
use assay_core::{Cancel, Data, Door, OpenError, Service, Settings};
use rusqlite::Connection;
use serde_json::{Value, json};

const CALLERS: usize = 64;
/// How long one call waits for another process.
const PATIENCE: Duration = Duration::from_secs(5);

/// A folder of its own for one test, removed with its contents when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("assay-core-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn database(&self) -> PathBuf {
        self.0.join("assay.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open(path: &Path) -> Result<Arc<Service>, OpenError> {
    Service::open(Settings { data: Data::File(path.to_owned()), ..Settings::default() })
}

fn call(service: &Arc<Service>, tool: &str, arguments: &Value) -> Value {
    let text = String::from_utf8(to_bytes(|slot| slot.json(arguments))).unwrap();
    let caller = service.local(Door::Rest).unwrap();
    let reply = service.call(&caller, tool, &text, &Cancel::new());
    serde_json::from_slice(&reply.body).unwrap()
}

/// The answer of a call that succeeds.
fn answer(service: &Arc<Service>, tool: &str, arguments: &Value) -> Value {
    let payload = call(service, tool, arguments);
    assert_eq!(payload["ok"], true, "{tool}: {payload}");
    payload
}

/// Rules that differ with their number.
fn source(number: usize) -> String {
    format!("declare count as numeric;\n// A cap.\nassert cap {{ count <= {number} }};\n")
}

fn save(number: usize) -> Value {
    json!({"name": "caps", "source": source(number)})
}

#[expect(clippy::disallowed_methods, reason = "it measures how long callers wait")]
fn now() -> Instant {
    Instant::now()
}

fn hashes(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn callers_that_save_at_once_leave_one_line_of_revisions() {
    let folder = Folder::new("callers");
    // Two services stand for two processes: they share nothing but the file.
    let services = [open(&folder.database()).unwrap(), open(&folder.database()).unwrap()];
    let start = Barrier::new(CALLERS);
    let saved: Vec<Value> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|number| {
                let (service, start) = (&services[number % services.len()], &start);
                scope.spawn(move || {
                    start.wait();
                    answer(service, "dsail_save_ruleset", &save(number))
                })
            })
            .collect();
        callers.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let loaded = answer(&services[0], "dsail_load_ruleset", &json!({"name": "caps"}));
    let mut line = hashes(&loaded["revision_chain"]);
    line.reverse();
    assert_eq!(line.len(), CALLERS);
    // Each caller was told the place that its revision has: behind the one before it.
    let mut depths = BTreeSet::new();
    for answer in &saved {
        let depth = usize::try_from(answer["revision_depth"].as_u64().unwrap()).unwrap();
        assert!(depths.insert(depth), "two revisions have the depth {depth}");
        assert_eq!(answer["created"], true);
        assert_eq!(answer["ruleset_hash"], line[depth]);
        let before = depth.checked_sub(1).map(|it| line[it]);
        assert_eq!(answer["parent_hash"], json!(before), "at the depth {depth}");
    }
    assert_eq!(depths, (0..CALLERS).collect());
    for hash in line {
        // Nothing is lost: each of them is served from its hash alone.
        answer(&services[1], "dsail_get_prompt_pack", &json!({"ruleset_hash": hash}));
    }
}

#[test]
fn a_lock_of_another_process_is_named_and_leaves_nothing_half_written() {
    let folder = Folder::new("locked");
    let service = open(&folder.database()).unwrap();
    let first = answer(&service, "dsail_save_ruleset", &save(1));
    let other = Connection::open(folder.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = now();
    let refused: Vec<Value> = std::thread::scope(|scope| {
        let call = |number| call(&service, "dsail_save_ruleset", &save(number));
        let callers: Vec<_> = (2..10).map(|it| scope.spawn(move || call(it))).collect();
        callers.into_iter().map(|it| it.join().unwrap()).collect()
    });
    // They wait side by side and not one behind the other.
    let waited = start.elapsed();
    assert!(waited < 2 * PATIENCE, "{waited:?}");
    let text = "`assay.db` is locked by another process: end the other process that writes to the \
                file, or repeat the call";
    for refused in refused {
        // Nothing is changed that cannot be put on record, and both are kept in one file.
        assert_eq!(refused["error"]["code"], "AUDIT_UNAVAILABLE", "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().ends_with(text), "{refused}");
    }
    // What only reads goes on, and sees what there was before.
    let load = json!({"name": "caps"});
    let loaded = answer(&service, "dsail_load_ruleset", &load);
    assert_eq!(loaded["ruleset_hash"], first["ruleset_hash"]);
    assert_eq!(hashes(&loaded["revision_chain"]).len(), 1);
    let check = json!({"source": source(1), "claims": {"count": 1}});
    answer(&service, "dsail_check", &check);
    other.execute_batch("ROLLBACK").unwrap();
    let count = |table: &str| -> u32 {
        let sql = format!("SELECT count(*) FROM {table}");
        other.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(["source", "revision", "name", "binding"].map(count), [1, 1, 1, 1]);
    let second = answer(&service, "dsail_save_ruleset", &save(2));
    assert_eq!([&second["created"], &second["revision_depth"]], [&json!(true), &json!(1)]);
    assert_eq!(second["parent_hash"], first["ruleset_hash"]);
}

/// What one call writes, in the order in which it does.
const TABLES: [&str; 6] = ["source", "revision", "name", "binding", "label", "approval"];

/// Whichever write of a call fails, none of the others is there afterwards.
#[test]
fn a_call_that_fails_half_way_leaves_nothing() {
    let folder = Folder::new("half-way");
    let service = open(&folder.database()).unwrap();
    let first = answer(&service, "dsail_save_ruleset", &save(1));
    let other = Connection::open(folder.database()).unwrap();
    let counts = || {
        TABLES.map(|table| -> u32 {
            let sql = format!("SELECT count(*) FROM {table}");
            other.query_row(&sql, [], |row| row.get(0)).unwrap()
        })
    };
    let before = counts();
    let label = json!({"domain": "finance"});
    let saving = json!({"name": "new", "source": source(2), "label": label});
    let hash = &first["ruleset_hash"];
    let approving = json!({"ruleset_hash": hash, "approver": "Ada", "name": "new", "label": label});
    for (tool, arguments, written) in [
        ("dsail_save_ruleset", &saving, &TABLES[..5]),
        ("dsail_record_approval", &approving, &TABLES[2..]),
    ] {
        for table in written {
            let fault = format!(
                "CREATE TRIGGER fault BEFORE INSERT ON {table}
                 BEGIN SELECT RAISE(FAIL, 'no room for it'); END"
            );
            other.execute_batch(&fault).unwrap();
            let refused = call(&service, tool, arguments);
            assert_eq!(refused["error"]["code"], "STORE_UNAVAILABLE", "{tool} {table}: {refused}");
            other.execute_batch("DROP TRIGGER fault").unwrap();
            assert_eq!(counts(), before, "{tool} {table}");
        }
    }
    answer(&service, "dsail_save_ruleset", &saving);
    let approved = answer(&service, "dsail_record_approval", &approving);
    assert_eq!(approved["approvals"].as_array().unwrap().len(), 1);
    assert_eq!(counts(), [2, 2, 2, 3, 2, 1]);
}

#[test]
fn a_file_without_the_right_to_write_is_refused_at_the_start() {
    let folder = Folder::new("read-only");
    drop(answer(&open(&folder.database()).unwrap(), "dsail_save_ruleset", &save(1)));
    let allow = |mode| {
        fs::set_permissions(folder.database(), fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(0o400);
    let refused = open(&folder.database()).unwrap_err().to_string();
    let text = "`assay.db` may not be written: make the file and its folder writable for the user \
                that the server runs as";
    assert_eq!(refused, text);
    allow(0o600);
    let again = open(&folder.database()).unwrap();
    answer(&again, "dsail_load_ruleset", &json!({"name": "caps"}));
}
