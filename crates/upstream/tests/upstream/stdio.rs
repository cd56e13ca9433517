//! Children.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_upstream::{Call, CallError, Context, Route, StartError, State, Upstreams};
use serde_json::json;

use crate::support::*;

fn child<const N: usize>(environment: [(&str, &str); N]) -> Route {
    let environment = secrets(environment);
    Route::Stdio { command: server(), arguments: Vec::new(), environment }
}

#[test]
fn answers() {
    let upstreams = upstreams([("it", child([]))]);
    assert_answers(&upstreams);
    assert_definitions(&upstreams);
    assert_concurrent(&upstreams);
}

#[test]
fn given_up() {
    assert_given_up(&upstreams([("it", child([]))]));
}

#[test]
fn what_a_child_sees() {
    let upstreams = upstreams([("it", child([("TOKEN", SECRET)]))]);
    let arguments = json!({ "a": [1, 2.5, "ü"] });
    let context =
        Context { org_id: "org-1", matter_id: Some("m 2"), idempotency_key: Some("key-3") };
    let call = Call { arguments: &arguments, context, ..CALL };
    let seen = upstreams.call(&call).unwrap().result;
    assert_eq!(seen["arguments"], arguments);
    let mut meta = seen["meta"].clone();
    assert!(meta.as_object_mut().unwrap().remove("progressToken").is_some());
    let expected = json!({
        "assay/org_id": "org-1", "assay/matter_id": "m 2", "assay/idempotency-key": "key-3",
    });
    assert_eq!(meta, expected);
    let environment = result(&upstreams, "environment");
    let allowed = ["PATH", "HOME", "TMPDIR", "LANG", "TOKEN"];
    let strangers =
        environment.as_object().unwrap().keys().find(|it| !allowed.contains(&it.as_str()));
    assert_eq!(strangers, None);
    assert_eq!(environment["TOKEN"], SECRET);
    assert!(environment["PATH"].is_string());
}

#[test]
fn a_child_that_died_is_started_again_and_not_at_once() {
    let upstreams = upstreams([("it", child([]))]);
    assert_eq!(upstreams.states()["it"], State::Idle);
    let (first, offspring) = (pid(&upstreams, "pid"), pid(&upstreams, "offspring"));
    assert_eq!(upstreams.states()["it"], State::Connected);
    let broken = call(&upstreams, "exit", &json!({}));
    assert!(matches!(broken, Err(CallError::Broken(_))), "{broken:?}");
    let early = call(&upstreams, "pid", &json!({}));
    assert!(matches!(early, Err(CallError::NotSent(_))), "{early:?}");
    assert!(matches!(upstreams.states()["it"], State::Failed { .. }));
    assert!(eventually(|| !exists(first)), "a zombie");
    assert!(eventually(|| !runs(offspring)), "the child's own child is left");
    sleep(Duration::from_secs(1));
    assert_ne!(pid(&upstreams, "pid"), first);
    assert_eq!(upstreams.states()["it"], State::Connected);
}

/// Whether a process does anything still. One that is not ours is reaped by whoever adopts it.
fn runs(pid: u64) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[test]
fn nobody_is_left_behind() {
    for stubborn in [false, true] {
        let environment: &[(&str, &str)] = if stubborn { &[("STUBBORN", "1")] } else { &[] };
        let environment =
            environment.iter().map(|(name, it)| ((*name).to_owned(), (*it).to_owned().into()));
        let route = Route::Stdio {
            command: server(),
            arguments: Vec::new(),
            environment: environment.collect(),
        };
        let upstreams = upstreams([("it", route)]);
        let (child, offspring) = (pid(&upstreams, "pid"), pid(&upstreams, "offspring"));
        assert!(exists(child) && runs(offspring));
        let start = Instant::now();
        drop(upstreams);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert!(!exists(child), "stubborn: {stubborn}");
        assert!(eventually(|| !runs(offspring)), "stubborn: {stubborn}");
    }
}

#[test]
fn nobody_is_left_behind_in_the_middle_of_a_handshake() {
    // A time that no other process sleeps for.
    let time = 1_000_000 + std::process::id();
    let script = format!("sleep {time} & exec sleep {time}");
    let route = Route::Stdio {
        command: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script],
        environment: BTreeMap::new(),
    };
    let upstreams = upstreams([("it", route)]);
    let late = Call { within: Duration::from_millis(100), arguments: &json!({}), ..CALL };
    assert_eq!(upstreams.call(&late), Err(CallError::TimedOut { sent: false }));
    let line = format!("sleep\x00{time}\x00");
    assert!(eventually(|| commands().iter().filter(|it| **it == line).count() == 2));
    drop(upstreams);
    assert!(eventually(|| !commands().contains(&line)));
}

/// The command lines of every process that runs.
fn commands() -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.map(|it| std::fs::read_to_string(it.path().join("cmdline")));
    lines.map(Result::unwrap_or_default).collect()
}

#[test]
fn a_call_with_little_time_does_not_break_off_a_slow_start() {
    let upstreams = upstreams([("it", child([("DELAY_MS", "400")]))]);
    let late = Call { within: Duration::from_millis(100), arguments: &json!({}), ..CALL };
    assert_eq!(upstreams.call(&late), Err(CallError::TimedOut { sent: false }));
    // A child started anew would be refused within the first second.
    assert!(call(&upstreams, "echo", &json!({})).is_ok());
}

#[test]
fn first_calls_share_one_child() {
    let upstreams = upstreams([("it", child([("DELAY_MS", "100")]))]);
    let first = || pid(&upstreams, "pid");
    let pids = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..5).map(|_| scope.spawn(first)).collect();
        calls.into_iter().map(|it| it.join().unwrap()).collect::<BTreeSet<_>>()
    });
    assert_eq!(pids.len(), 1, "{pids:?}");
}

#[test]
fn a_thread_of_another_runtime_may_call_and_let_go() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let child = runtime.block_on(async {
        let upstreams = upstreams([("it", child([]))]);
        pid(&upstreams, "pid")
    });
    assert!(!exists(child));
}

#[test]
fn servers_that_cannot_be_reached_are_left_alone() {
    for (command, reason) in [("/no/such/program", "not found"), ("true", "")] {
        let environment = secrets([("TOKEN", SECRET)]);
        let route =
            Route::Stdio { command: command.to_owned(), arguments: Vec::new(), environment };
        let upstreams = upstreams([("it", route)]);
        let first = call(&upstreams, "echo", &json!({})).unwrap_err();
        assert!(matches!(&first, CallError::NotSent(it) if it.contains(reason)), "{first:?}");
        for _ in 1..5 {
            let next = call(&upstreams, "echo", &json!({}));
            assert!(matches!(next, Err(CallError::NotSent(_))), "{next:?}");
        }
        assert_eq!(call(&upstreams, "echo", &json!({})), Err(CallError::Unavailable));
        let State::Open { retry_in } = upstreams.states()["it"] else { panic!("not open") };
        assert!(retry_in > Duration::from_secs(28));
    }
}

#[test]
fn calls_that_cannot_be_made_do_not_open_the_circuit() {
    let upstreams = upstreams([("it", child([]))]);
    let unknown = Call { upstream: "another", arguments: &json!({}), ..CALL };
    assert_eq!(upstreams.call(&unknown), Err(CallError::UnknownUpstream));
    let list = upstreams.definitions("another", Duration::from_secs(1));
    assert_eq!(list, Err(CallError::UnknownUpstream));
    for _ in 0..6 {
        let not_sent = call(&upstreams, "echo", &json!(null));
        assert!(matches!(not_sent, Err(CallError::NotSent(_))), "{not_sent:?}");
    }
    assert!(call(&upstreams, "echo", &json!({})).is_ok());
}

#[test]
fn routes_that_cannot_be_followed_name_their_upstream() {
    let stdio = |command: &str, name: &str| Route::Stdio {
        command: command.to_owned(),
        arguments: Vec::new(),
        environment: secrets([(name, SECRET)]),
    };
    let http = |url: &str, name: &str, value: &str| Route::Http {
        url: url.to_owned(),
        headers: secrets([(name, value)]),
    };
    let rest = |url: &str, path: &str| Route::Rest {
        url: url.to_owned(),
        headers: secrets([("authorization", SECRET)]),
        tools: BTreeMap::from([("t".to_owned(), (assay_upstream::Method::Get, path.to_owned()))]),
    };
    let table = [
        (stdio("", "A"), "the command is empty"),
        (stdio("a\0b", "A"), "zero byte"),
        (stdio("a", "A=B"), "the environment cannot hold `A=B`"),
        (http("not a url secret-b91d", "a", "b"), "the URL cannot be read"),
        (http("ftp://host/", "a", "b"), "must begin with"),
        (http("http://user:secret-b91d@host/", "a", "b"), "give a header instead"),
        (http("http://host/", "a b", "b"), "the header `a b` has no valid name"),
        (http("http://host/", "a", "secret-b91d\n"), "the header `a` has a value"),
        (http("http://host/", "X-Assay-Org", "b"), "leave it out"),
        (http("http://host/", "mcp-session-id", "b"), "leave it out"),
        (rest("http://host/?key=secret-b91d", "a"), "more than a path"),
        (rest("http://host/", "{a"), "tool `t`: the path `{a`"),
    ];
    for (route, part) in table {
        let error = Upstreams::new(BTreeMap::from([("broken".to_owned(), route)])).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, StartError::Route { .. }), "{text}");
        assert!(text.starts_with("upstream `broken`: ") && text.contains(part), "{text}");
        assert!(!text.contains(SECRET), "{text}");
    }
}
