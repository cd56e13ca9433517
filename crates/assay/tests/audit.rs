//! The audit log as an operator meets it: listed, shown, verified after somebody changed the file,
//! and handed over with proofs.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[expect(dead_code, reason = "the log knows nothing of rulesets")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_audit::{
    Action, Actor, Checkpoint, Context, Decision, Event, Head, Latency, Outcome, Record, Resource,
    Sanitised, Scope, Stage, Tool, verify_inclusion,
};
use assay_base::{EntryHash, Moment, TreeHash};
use assay_core::{AuditLog, AuditSettings, Ledger, World};
use assay_store::{FILE_NAME, Store};
use rusqlite::Connection;
use serde_json::{Value, json};
use support::{Run, command, folder, run, run_with};

/// Entries of the chain `org_1`.
const SIZE: u64 = 70;

fn record(number: u64) -> Record {
    let denied = number % 10 == 3;
    Record {
        event_id: format!("evt_{number}"),
        event: if denied { Event::ToolDenied } else { Event::ToolInvoked },
        at: Moment::from_milliseconds(1_796_094_332_500 + 1_000 * i64::try_from(number).unwrap()),
        actor: Actor { user_id: Some("usr_1".to_owned()), ..Actor::default() },
        resource: Resource::default(),
        action: Action {
            name: "invoke".to_owned(),
            result: if denied { Outcome::Failure } else { Outcome::Success },
            error_code: denied.then(|| "PERMISSION_DENIED".to_owned()),
        },
        tool: Some(Tool { tool_id: Some(format!("tool_{}", number % 2)), ..Tool::default() }),
        input: Sanitised::empty(),
        input_digest: None,
        output: Sanitised::empty(),
        decision: Decision {
            stages: vec![Stage {
                name: "permission".to_owned(),
                word: "pass".to_owned(),
                evidence: vec!["evt_0".to_owned()],
            }],
            ..Decision::default()
        },
        latency: Latency::default(),
        context: Context::default(),
        scope: Scope { org_id: Some("org_1".to_owned()), ..Scope::default() },
    }
}

/// An installation: the folder of its data, and one for copies of checkpoints.
struct Place {
    data: PathBuf,
    copies: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        Self { data: folder.join("data"), copies: folder.join("copies") }
    }

    fn file(&self) -> PathBuf {
        self.data.join(FILE_NAME)
    }

    /// Writes `count` records from `from` on, and signs at the end.
    fn write(&self, chain: &str, from: u64, count: u64) {
        let settings = AuditSettings {
            key_file: Some(self.data.join("audit.key")),
            checkpoints: Some(self.copies.clone()),
            environment: "test".to_owned(),
        };
        let store = Arc::new(Store::open(&self.file()).unwrap());
        let ledger = Ledger::start(store, settings, World::default()).unwrap();
        (from..from + count).for_each(|it| ledger.note(chain, record(it)).unwrap());
    }

    /// The chain `org_1`, of which 40 entries are signed, and then all.
    fn filled(name: &str) -> Self {
        let place = Self::new(name);
        place.write("org_1", 1, 40);
        place.write("org_1", 41, SIZE - 40);
        place
    }

    /// The same, in another folder.
    fn copy(&self, name: &str) -> Self {
        let place = Self::new(name);
        for (from, to) in [(&self.data, &place.data), (&self.copies, &place.copies)] {
            fs::create_dir_all(to).unwrap();
            for entry in fs::read_dir(from).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
        place
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(&[&["audit", "--data", self.data.to_str().unwrap()][..], arguments].concat())
    }

    fn verify(&self, arguments: &[&str]) -> Run {
        let copies = self.copies.to_str().unwrap();
        self.run(&[&["verify", "--checkpoints", copies][..], arguments].concat())
    }
}

fn value(run: &Run) -> Value {
    assert!(run.stdout.starts_with('{'), "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn entries_are_listed_and_shown() {
    let place = Place::filled("audit-list");
    place.write("org_2", 500, 2);
    let listed = |arguments: &[&str]| {
        let run = place.run(&[&["list", "--json"][..], arguments].concat());
        let entries = value(&run)["entries"].as_array().unwrap().clone();
        let name = |it: &Value| format!("{}/{}", it["chain"].as_str().unwrap(), it["sequence"]);
        entries.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["--limit", "3"]), ["org_2/2", "org_2/1", "org_1/70"]);
    assert_eq!(listed(&["--org", "org_1", "--limit", "1"]), ["org_1/70"]);
    assert_eq!(listed(&["--denied", "--limit", "2"]), ["org_1/63", "org_1/53"]);
    assert_eq!(listed(&["--event", "tool.denied", "--limit", "1"]), ["org_1/63"]);
    assert_eq!(listed(&["--tool", "tool_1", "--limit", "2"]), ["org_2/2", "org_1/69"]);
    assert_eq!(listed(&["--since", "2026-12-01T03:13:00Z"]), ["org_2/2", "org_2/1"]);
    // Half a second after the full one is in it.
    assert_eq!(listed(&["--since", "2026-12-01T03:13:53Z"]), ["org_2/2"]);
    assert_eq!(listed(&["--since", "2026-12-02"]), [""; 0]);
    assert_eq!(listed(&[]).len(), 50);

    let page = place.run(&["list", "--denied", "--limit", "1"]);
    let shown =
        ["2026-12-01T03:06:35.500Z", "org_1/63", "tool.denied", "evt_63", "tool_1", "usr_1"];
    for text in shown.iter().chain(&["failure", "PERMISSION_DENIED"]) {
        assert!(page.stdout.contains(text), "{text}\n{}", page.stdout);
    }
    assert!(page.stdout.lines().all(|it| it.chars().count() <= 80), "{}", page.stdout);
    let coloured = run_with(
        command().args(["audit", "list", "--data"]).arg(&place.data).env("CLICOLOR_FORCE", "1"),
        b"",
    );
    assert!(coloured.stdout.contains("\u{1b}[32msuccess"), "{}", coloured.stdout);
    assert_eq!(place.run(&["list", "--event", "nothing"]).exit, Some(1));

    for name in ["org_1/63", "evt_63"] {
        let shown = place.run(&["show", name]);
        assert_eq!(shown.exit, Some(0), "{}", shown.stderr);
        for text in
            ["org_1/63", "action.error_code", "PERMISSION_DENIED", "permission: pass (evt_0)"]
        {
            assert!(shown.stdout.contains(text), "{text}\n{}", shown.stdout);
        }
        let raw = place.run(&["show", name, "--json"]).stdout;
        let kept = Store::open(&place.file()).unwrap().audit_entry("org_1", 63).unwrap().unwrap();
        assert_eq!(raw, kept.record);
    }
    for unknown in ["org_1/71", "org_3/1", "evt_71"] {
        assert_eq!(place.run(&["show", unknown]).exit, Some(2), "{unknown}");
    }
}

#[test]
fn a_log_that_nobody_touched_is_sound() {
    let place = Place::filled("audit-sound");
    let verified = place.verify(&[]);
    assert_eq!(verified.exit, Some(0), "{}{}", verified.stdout, verified.stderr);
    for text in ["org_1", "70", "70 entries, ", "OK"] {
        assert!(verified.stdout.contains(text), "{text}\n{}", verified.stdout);
    }
    assert_eq!(verified.stderr, "", "no progress where nobody looks on");
    let told = value(&place.verify(&["--json"]));
    assert_eq!(told["ok"], true);
    assert_eq!(told["chains"][0]["findings"], json!([]));
    assert_eq!(told["chains"][0]["last_checkpoint"]["size"], 70);
    // Without copies, and with the public half of the key alone.
    let public = place.data.join("audit.key.pub");
    assert_eq!(place.run(&["verify", "--key", public.to_str().unwrap()]).exit, Some(0));
    let wrong = place.data.join("other.pub");
    fs::write(&wrong, format!("assay audit public {}\n", "ee".repeat(32))).unwrap();
    let stranger = place.run(&["verify", "--key", wrong.to_str().unwrap()]);
    assert_eq!(stranger.exit, Some(1), "{}", stranger.stderr);
}

/// What somebody does who may write the data file.
enum Hand {
    Sql(&'static str),
    /// Writes his own history behind the first so many entries, with hashes that fit.
    Rewrite(u64),
}

const FLIPPED: &str = "UPDATE audit_entry SET record = CAST(CAST(substr(record, 1, 20) || 'X' ||
    substr(record, 22) AS BLOB) AS TEXT) WHERE sequence = 9";
const SWAPPED: &str = "
    UPDATE audit_entry SET sequence = -5 WHERE sequence = 5;
    UPDATE audit_entry SET sequence = 5 WHERE sequence = 6;
    UPDATE audit_entry SET sequence = 6 WHERE sequence = -5";
const MIDDLE: &str = "DELETE FROM audit_entry WHERE sequence IN (12, 13)";
const TAIL: &str = "DELETE FROM audit_entry WHERE sequence > 50";
const ALL: &str = "DELETE FROM audit_entry";
/// With the checkpoints over it, so that the file by itself says nothing.
const TAIL_UNSIGNED: &str = "
    DELETE FROM audit_entry WHERE sequence > 40; DELETE FROM audit_checkpoint WHERE size > 40";
const EVERYTHING: &str = "DELETE FROM audit_entry; DELETE FROM audit_checkpoint";

/// What is done, what verifying then finds with the copies, and whether the file alone tells it.
const TAMPERING: &[(&str, Hand, &[&str], bool)] = &[
    ("a byte", Hand::Sql(FLIPPED), &["altered at 9"], true),
    ("swapped", Hand::Sql(SWAPPED), &["altered at 5", "altered at 6"], true),
    ("middle", Hand::Sql(MIDDLE), &["missing middle at 12"], true),
    ("tail", Hand::Sql(TAIL), &["missing tail at 51"], true),
    ("all", Hand::Sql(ALL), &["missing tail at 1"], true),
    ("tail and checkpoint", Hand::Sql(TAIL_UNSIGNED), &["missing tail at 41"], false),
    ("everything", Hand::Sql(EVERYTHING), &["missing tail at 1"], false),
    ("another end", Hand::Rewrite(50), &["fork at 41"], false),
    ("another history", Hand::Rewrite(0), &["rewritten from start at 1"], false),
];

/// Changes the file behind the product's back.
fn tamper(path: &Path, hand: &Hand) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA ignore_check_constraints = ON").unwrap();
    for table in ["audit_entry", "audit_checkpoint"] {
        for trigger in ["follows", "stays", "remains"] {
            connection.execute_batch(&format!("DROP TRIGGER {table}_{trigger}")).unwrap();
        }
    }
    let kept = match hand {
        Hand::Sql(statements) => return connection.execute_batch(statements).unwrap(),
        Hand::Rewrite(kept) => *kept,
    };
    let last = (kept > 0).then(|| {
        let hash: [u8; 32] = connection
            .query_row(
                "SELECT hash FROM audit_entry WHERE sequence = ?1",
                [i64::try_from(kept).unwrap()],
                |row| row.get(0),
            )
            .unwrap();
        (kept, EntryHash::from_bytes(hash))
    });
    let mut head = Head::new("org_1", last);
    for number in kept + 1..=SIZE {
        let entry = head.seal(&record(1_000 + number)).unwrap();
        let record = String::from_utf8(entry.bytes).unwrap();
        let row = ("org_1", i64::try_from(number).unwrap(), entry.hash.as_bytes(), record);
        connection.execute("REPLACE INTO audit_entry VALUES (?1, ?2, ?3, ?4)", row).unwrap();
    }
    // He cannot sign, so he takes the signatures away that he can reach.
    connection.execute_batch("DELETE FROM audit_checkpoint WHERE size > 0").unwrap();
}

#[test]
fn every_tampering_is_found_and_named() {
    let sound = Place::filled("audit-untouched");
    for (number, (name, hand, expected, alone)) in TAMPERING.iter().enumerate() {
        let place = sound.copy(&format!("audit-tampered-{number}"));
        tamper(&place.file(), hand);
        let shown = place.verify(&[]);
        assert_eq!(shown.exit, Some(1), "{name}: {}{}", shown.stdout, shown.stderr);
        assert!(!shown.stdout.contains("OK"), "{name}: {}", shown.stdout);
        let told = value(&place.verify(&["--json", "--org", "org_1"]));
        assert_eq!(told["ok"], false, "{name}");
        let found = told["chains"][0]["findings"].as_array().unwrap();
        let faults = found.iter().filter(|it| it["fault"] == true);
        let faults: Vec<String> = faults
            .map(|it| format!("{} at {}", it["kind"].as_str().unwrap(), it["sequence"]))
            .collect();
        assert_eq!(faults, *expected, "{name}");
        for fault in *expected {
            assert!(shown.stdout.contains(fault), "{name}: {}", shown.stdout);
        }
        let without = place.run(&["verify"]);
        assert_eq!(without.exit, Some(i32::from(*alone)), "{name}: {}", without.stdout);
    }
}

#[test]
fn an_old_copy_finds_another_history() {
    let place = Place::filled("audit-old-copy");
    let copy = place.copies.join("org_1.checkpoints");
    let first = fs::read_to_string(&copy).unwrap().lines().next().unwrap().to_owned();
    assert!(first.contains(r#""size":40"#), "{first}");
    fs::write(&copy, format!("{first}\n")).unwrap();
    tamper(&place.file(), &Hand::Rewrite(0));
    let shown = place.verify(&[]);
    assert_eq!(shown.exit, Some(1));
    assert!(shown.stdout.contains("rewritten from start at 1"), "{}", shown.stdout);
}

#[test]
fn exported_lines_verify() {
    let place = Place::filled("audit-export");
    let exported = |arguments: &[&str]| {
        let run = place.run(&[&["export"][..], arguments].concat());
        assert_eq!(run.exit, Some(0), "{}", run.stderr);
        let lines = run.stdout.lines().map(|it| serde_json::from_str(it).unwrap());
        lines.collect::<Vec<Value>>()
    };
    let key = AuditLog::key(&place.data.join("audit.key.pub")).unwrap();
    let lines = exported(&["--org", "org_1", "--proof"]);
    assert_eq!(lines.len(), 70);
    for (number, line) in (1_u64..).zip(&lines) {
        let text = |pointer: &str| line.pointer(pointer).unwrap().as_str().unwrap();
        let bytes = ["assay audit entry 1\n", text("/record")].concat();
        let hash = EntryHash::of(bytes.as_bytes());
        assert_eq!(hash.to_string(), text("/hash"));
        assert_eq!(line["sequence"], number);
        let checkpoint = Checkpoint::read(text("/proof/checkpoint"), &key).unwrap();
        let path = line["proof"]["path"].as_array().unwrap().iter();
        let path: Vec<TreeHash> =
            path.map(|it| TreeHash::parse(it.as_str().unwrap()).unwrap()).collect();
        let place = (number - 1, checkpoint.size);
        assert!(verify_inclusion(&hash, place, &path, &checkpoint.root), "{number}");
        assert!(!verify_inclusion(&hash, (place.0 ^ 1, 70), &path, &checkpoint.root), "{number}");
    }
    let some = exported(&["--from", "12", "--to", "14"]);
    let numbers: Vec<_> = some.iter().map(|it| it["sequence"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [12, 13, 14]);
    assert_eq!(some[0].get("proof"), None);
    // What no checkpoint covers has no proof.
    let connection = Connection::open(place.file()).unwrap();
    connection
        .execute_batch(
            "DROP TRIGGER audit_checkpoint_remains; DELETE FROM audit_checkpoint WHERE size > 40",
        )
        .unwrap();
    let lines = exported(&["--proof"]);
    assert!(lines[39]["proof"].is_object() && lines[40]["proof"].is_null());
}

#[test]
fn what_is_not_there_is_said() {
    let place = Place::filled("audit-absent");
    let data = place.data.to_str().unwrap();
    for (arguments, exit, text) in [
        (vec!["audit", "list", "--data", "/nowhere/at/all"], 3, "there is no data file"),
        (vec!["audit", "verify", "--data", data, "--org", "none"], 2, "there is no chain `none`"),
        (vec!["audit", "export", "--data", data, "--org", "none"], 2, "there is no chain `none`"),
        (vec!["audit", "verify", "--data", data, "--key", "/none"], 1, "the key file `/none`"),
        (vec!["audit", "verify", "--data", data, "--checkpoints", "/none"], 1, "`/none`"),
        (vec!["audit", "list", "--data", data, "--since", "soon"], 1, "give a day"),
        (vec!["audit", "list", "--data", data, "--limit", "0"], 1, "1..=1000"),
    ] {
        let run = run(&arguments);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(exit), ""), "{arguments:?} {run:?}");
        assert!(run.stderr.contains(text), "{arguments:?}\n{}", run.stderr);
    }
    assert!(!Path::new("/nowhere").exists());
    let empty = Place::new("audit-empty");
    drop(Store::open(&empty.file()).unwrap());
    fs::copy(place.data.join("audit.key"), empty.data.join("audit.key")).unwrap();
    assert_eq!(empty.run(&["verify"]).stdout, "the log is empty\n");
    assert_eq!(empty.run(&["list"]).stdout, "there is no such entry\n");
}
