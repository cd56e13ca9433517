//! The process is killed while a call is under way: whatever the back end did, it does it once.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::firm::Firm;
use crate::office::{DESK, word};
use crate::server::Server;

const TOOL: &str = "create_deadline";
const PATH: &str = "/v1/tools/create_deadline";

/// How the back end is reached, where it waits, and whether it does the work in the end. One that
/// is a child of the killed process would do what it has begun, and is killed as well.
const CRASHES: [(Behind, &str, bool); 4] = [
    (Behind::Pipes, "before_ms", false),
    (Behind::Pipes, "after_ms", true),
    (Behind::Rest, "before_ms", true),
    (Behind::McpOverHttp, "after_ms", true),
];

#[test]
fn a_crash_never_makes_a_call_twice() {
    thread::scope(|scope| {
        for (behind, fault, is_done) in CRASHES {
            scope.spawn(move || crashed(behind, fault, is_done));
        }
    });
}

/// Of a call that did not leave nothing is kept, and of one that ended everything.
#[test]
fn a_crash_before_or_after_a_call_changes_nothing_of_it() {
    for (slow, state, word_of_it) in [("owner_of", None, "ok"), ("-", Some("done"), "replayed")] {
        let firm = Firm::new(&format!("crash-{slow}"), Behind::McpOverHttp);
        let office = &firm.office;
        let data = Connection::open(office.folder.join("assay.db")).unwrap();
        let deadline = json!({ "matter_id": "$matter", "title": "Reply", "due_on": "2027-02-01" });
        let deadline = office.fill(&deadline);
        office.faults(&json!({ slow: { "before_ms": 1_500 } }));
        let server = firm.serve(Some(DESK));
        let waiting = send(&server, &deadline);
        let now = || kept(&data).map(|it| it.0);
        match state {
            Some(state) => until(|| now().is_some_and(|it| it == state), slow),
            // The gate is asking whose the matter is.
            None => thread::sleep(Duration::from_millis(500)),
        }
        drop(server);
        drop(waiting);
        assert_eq!(now().as_deref(), state, "{slow}");
        office.faults(&json!({}));
        let server = firm.serve(Some(DESK));
        assert_eq!(word(&server.post(PATH, "", &deadline)), word_of_it, "{slow}");
        assert_eq!((office.carried(TOOL), firm.count("deadline")), (1, 1), "{slow}");
        let verified = firm.run(&["audit", "verify"]);
        assert_eq!(verified.exit, Some(0), "{slow}: {verified:?}");
    }
}

/// Waits until something is so.
fn until(what: impl Fn() -> bool, place: &str) {
    for _ in 0..500 {
        if what() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{place}");
}

/// The state and the reference of the call, where it left.
fn kept(data: &Connection) -> Option<(String, String)> {
    let row = data.query_row("SELECT state, reference FROM outcome", (), |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    row.ok()
}

/// Sends the call and leaves it alone.
fn send(server: &Server, arguments: &Value) -> TcpStream {
    let (mut stream, body) = (TcpStream::connect(&server.address).unwrap(), arguments.to_string());
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    stream
}

/// Kills the processes whose command names this folder.
fn kill_children(folder: &Path) {
    let folder = folder.to_str().unwrap();
    for process in fs::read_dir("/proc").unwrap() {
        let path = process.unwrap().path();
        let command = fs::read(path.join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&command).contains(folder) {
            let id = path.file_name().unwrap().to_str().unwrap();
            let killed = Command::new("sh").args(["-c", &format!("kill -9 {id}")]).status();
            assert!(killed.unwrap().success(), "{id}");
        }
    }
}

fn crashed(behind: Behind, fault: &str, is_done: bool) {
    let place = format!("{behind:?} {fault}");
    let firm = Firm::new(&format!("crash-{behind:?}-{fault}"), behind);
    let office = &firm.office;
    let data = Connection::open(office.folder.join("assay.db")).unwrap();
    let deadline = json!({ "matter_id": "$matter", "title": "Reply", "due_on": "2027-02-01" });
    let deadline = office.fill(&deadline);
    office.faults(&json!({ TOOL: { fault: 1_500 } }));
    let server = firm.serve(Some(DESK));
    let waiting = send(&server, &deadline);
    until(|| kept(&data).is_some_and(|it| it.0 == "in_flight"), &format!("{place}: it left"));
    match fault {
        "after_ms" => until(|| office.carried(TOOL) == 1, &format!("{place}: it was done")),
        // It is under way to the back end, which waits before it does anything.
        _ => thread::sleep(Duration::from_millis(400)),
    }
    // This is how the test ends a process: at once.
    drop(server);
    drop(waiting);
    if behind == Behind::Pipes {
        kill_children(&office.folder);
    }
    office.faults(&json!({}));

    let server = firm.serve(Some(DESK));
    let again = || word(&server.post(PATH, "", &deadline));
    let reference = kept(&data).unwrap().1;
    let settle = |arguments: &[&str]| {
        firm.run(&[&["tool", "reconcile", &reference, "--by", "ops-3"], arguments].concat()).exit
    };
    assert_eq!(again(), "IDEMPOTENCY_IN_FLIGHT", "{place}");
    assert_eq!(settle(&["--did-not-take-place"]), Some(2), "{place}: it may be under way");
    assert_eq!(data.execute("UPDATE outcome SET until = 1", ()).unwrap(), 1);
    let answer = server.post(PATH, "", &deadline);
    assert_eq!(word(&answer), "IDEMPOTENCY_UNKNOWN_OUTCOME", "{place}: {answer}");
    assert_eq!(answer["error"]["details"]["reference"], reference, "{place}: {answer}");
    assert_eq!(again(), "IDEMPOTENCY_UNKNOWN_OUTCOME", "{place}");
    until(|| office.carried(TOOL) == i64::from(is_done), &place);
    if is_done {
        let result = json!({
            "deadline_id": "dl", "matter_id": office.ids["matter"], "title": "Reply",
            "due_on": "2027-02-01", "created_at": "2026-12-02T10:00:00Z",
        });
        let file = office.folder.join("result.json");
        fs::write(&file, result.to_string()).unwrap();
        assert_eq!(settle(&["--took-place", file.to_str().unwrap()]), Some(0), "{place}");
        let answer = server.post(PATH, "", &deadline);
        assert_eq!((word(&answer), &answer["result"]), ("replayed".to_owned(), &result), "{place}");
    } else {
        assert_eq!(settle(&["--did-not-take-place"]), Some(0), "{place}");
        assert_eq!(again(), "ok", "{place}");
        assert_eq!(again(), "replayed", "{place}");
    }
    assert_eq!(settle(&["--did-not-take-place"]), Some(2), "{place}: it was settled before");
    assert_eq!((office.carried(TOOL), firm.count("deadline")), (1, 1), "{place}");
    let verified = firm.run(&["audit", "verify"]);
    assert_eq!(verified.exit, Some(0), "{place}: {verified:?}");
}
