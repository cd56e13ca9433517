//! What every test needs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_upstream::{Answer, Call, CallError, Context, Route, Secret, Upstreams};
use serde_json::{Value, json};

/// A secret that every route holds.
pub(crate) const SECRET: &str = "secret-b91d";

pub(crate) fn secrets<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, Secret> {
    pairs.into_iter().map(|(name, it)| (name.to_owned(), Secret::from(it.to_owned()))).collect()
}

pub(crate) fn upstreams<const N: usize>(routes: [(&str, Route); N]) -> Upstreams {
    Upstreams::new(routes.into_iter().map(|(name, it)| (name.to_owned(), it)).collect()).unwrap()
}

/// The server of this crate's examples.
pub(crate) fn server() -> String {
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples/server");
    path.to_str().unwrap().to_owned()
}

/// A call with everything that has a usual value.
pub(crate) const CALL: Call<'static> = Call {
    upstream: "it",
    tool: "echo",
    arguments: &Value::Null,
    context: Context { org_id: "org-1", matter_id: None, idempotency_key: None },
    within: Duration::from_secs(5),
    max_output_bytes: 64 * 1024,
    cancel: &|| false,
};

pub(crate) fn call(
    upstreams: &Upstreams,
    tool: &str,
    arguments: &Value,
) -> Result<Answer, CallError> {
    upstreams.call(&Call { tool, arguments, ..CALL })
}

/// What a tool answers that does not fail.
pub(crate) fn result(upstreams: &Upstreams, tool: &str) -> Value {
    call(upstreams, tool, &json!({})).unwrap().result
}

pub(crate) fn pid(upstreams: &Upstreams, tool: &str) -> u64 {
    result(upstreams, tool)["pid"].as_u64().unwrap()
}

/// Whether there is a process, be it a zombie.
pub(crate) fn exists(pid: u64) -> bool {
    PathBuf::from(format!("/proc/{pid}")).exists()
}

/// Asks until it is so, for at most three seconds.
pub(crate) fn eventually(it_is: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        if it_is() {
            return true;
        }
        sleep(Duration::from_millis(10));
    }
    false
}

/// Ten calls of 200 ms each on one connection.
pub(crate) fn assert_concurrent(upstreams: &Upstreams) {
    result(upstreams, "pid");
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| call(upstreams, "sleep", &json!({ "ms": 200 })).unwrap());
        }
    });
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// Calls that are given up end at once, and the server hears of it.
pub(crate) fn assert_given_up(upstreams: &Upstreams) {
    result(upstreams, "pid");
    let arguments = json!({ "ms": 4000 });
    let slow = Call { tool: "sleep", arguments: &arguments, ..CALL };
    let start = Instant::now();
    let late = Call { within: Duration::from_millis(100), ..slow };
    assert_eq!(upstreams.call(&late), Err(CallError::TimedOut { sent: true }));
    let cancel = || start.elapsed() > Duration::from_millis(250);
    let cancelled = Call { cancel: &cancel, ..slow };
    assert_eq!(upstreams.call(&cancelled), Err(CallError::Cancelled { sent: true }));
    let never = Call { cancel: &|| true, ..slow };
    assert_eq!(upstreams.call(&never), Err(CallError::Cancelled { sent: false }));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(eventually(|| result(upstreams, "cancelled") == json!({ "calls": 2 })));
}

/// Digests hold still until a definition changes.
pub(crate) fn assert_definitions(upstreams: &Upstreams) {
    let list = || upstreams.definitions("it", Duration::from_secs(5)).unwrap();
    let first = list();
    assert_eq!(first.keys().collect::<Vec<_>>(), ["echo", "text"]);
    let canonical = r#"{"description":"Says what it was told.","input_schema":{"type":"object"},"name":"echo","output_schema":null}"#;
    assert_eq!(first["echo"].digest, blake3::hash(canonical.as_bytes()).to_hex().as_str());
    assert_eq!(list(), first);
    call(upstreams, "describe", &json!({ "text": "Another one." })).unwrap();
    let second = list();
    assert_eq!(second["echo"], first["echo"]);
    assert_ne!(second["text"], first["text"]);
}

/// What tools answer, the same over every transport.
pub(crate) fn assert_answers(upstreams: &Upstreams) {
    let table = [
        ("text", json!({ "text": "a word" }), json!({ "text": "a word" }), false, false),
        ("text", json!({ "text": "{\"a\": 1.50}" }), json!({ "a": 1.5 }), false, false),
        ("text", json!({ "text": "[1]" }), json!({ "text": "[1]" }), false, false),
        ("sleep", json!({ "ms": 1 }), json!({ "slept": 1 }), true, false),
        ("nothing", json!({}), json!({}), false, false),
        ("fail", json!({}), json!({ "text": "no such matter" }), false, true),
        ("no such tool", json!({}), json!({}), false, true),
    ];
    for (tool, arguments, result, has_structure, is_error) in table {
        let expected = Answer { result, has_structure, is_error };
        assert_eq!(call(upstreams, tool, &arguments), Ok(expected), "{tool} {arguments}");
    }
    let not_sent = call(upstreams, "text", &json!([1]));
    assert!(matches!(not_sent, Err(CallError::NotSent(_))), "{not_sent:?}");
    for (bytes, fits) in [(1000, true), (70_000, false), (900_000, false)] {
        let found = call(upstreams, "huge", &json!({ "bytes": bytes }));
        assert_eq!(found.is_ok(), fits, "{bytes}");
        assert!(fits || found == Err(CallError::TooLarge), "{bytes} {found:?}");
    }
}
