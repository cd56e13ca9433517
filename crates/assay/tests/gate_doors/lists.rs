//! The tools that are listed are those that a caller may call, also while tools are stopped.

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::client::{Client, Door};
use crate::firm::Firm;
use crate::office::{DESK, FLOW, word};
use crate::server::Server;
use crate::wire::{MODERN, Pipes};

/// Codes of the stages that look at the caller alone.
const ABOUT_THE_CALLER: [&str; 7] = [
    "UNKNOWN_TOOL",
    "FACET_DENIED",
    "TOOL_SUSPENDED",
    "TOOL_DISABLED",
    "VERSION_UNAVAILABLE",
    "PERMISSION_DENIED",
    "ROLE_SESSION_REQUIRED",
];

/// The names of every tool in the registry.
fn names(firm: &Firm) -> Vec<String> {
    let files = fs::read_dir(firm.office.registry().join("tools")).unwrap();
    let texts = files.map(|it| fs::read_to_string(it.unwrap().path()).unwrap());
    let records = texts.map(|it| serde_json::from_str::<Value>(&it).unwrap());
    records.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// Takes the role of a partner from Pia.
fn dismiss(firm: &Firm) {
    let people = firm.json(&["person", "list", "--json"]);
    let people = people["people"].as_array().unwrap();
    let pia = people.iter().find(|it| it["name"] == "pia").unwrap();
    let pia = pia["subject"].as_str().unwrap();
    let revoked = firm.run(&["role", "revoke", pia, "partner"]);
    assert_eq!(revoked.exit, Some(0), "{revoked:?}");
}

#[test]
fn what_is_listed_is_what_may_be_called() {
    let mut firm = Firm::new("lists", Behind::Pipes);
    let key = firm.json(&["key", "issue", "--scope", "read", "--json"]);
    firm.office.tokens.insert("reader", key["credential"].as_str().unwrap().to_owned());
    dismiss(&firm);
    firm.office.change("comms.notice.post", |it| {
        it["enabled"] = false.into();
        it["deprecation"] = json!({ "since": "2026-01-01" });
    });
    let kill = ["tool", "kill", "email.draft", "--reason", "looked at"];
    assert_eq!(firm.run(&kill).exit, Some(0));
    let (firm, names) = (&firm, &names(&firm));
    let counts: Vec<usize> = thread::scope(|scope| {
        let skills = [Some(FLOW), Some(DESK), None];
        let asked = skills.map(|skill| scope.spawn(move || agreed(firm, skill, names)));
        asked.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    // In the order of the callers: what each of them sees with the narrow skill, the broad one and
    // with none.
    let [flow, desk, none] = [0, 7, 14].map(|from| &counts[from..from + 7]);
    assert_eq!(none, [0; 7]);
    assert!(flow.iter().zip(desk).all(|(flow, desk)| flow <= desk), "{counts:?}");
    // An associate, a partner, finance, the administrator and somebody without a role.
    let [_, ana, paula, fin, ada, pia, reader] = desk else { panic!("{desk:?}") };
    assert!(paula > ana && ana > fin && *fin > 0, "{counts:?}");
    assert!(reader < ana && *reader > 0, "{counts:?}");
    assert_eq!((*ada, *pia), (0, 0), "{counts:?}");
}

/// How many tools each caller sees, over every door the same and just those that may be called.
fn agreed(firm: &Firm, skill: Option<&str>, names: &[String]) -> Vec<usize> {
    let server = firm.serve(skill);
    let callers = ["me", "ana", "paula", "fin", "ada", "pia", "reader"];
    let seen = callers.map(|name| {
        let token = firm.office.tokens.get(name).map(String::as_str);
        let rest = Client::enter(Door::Rest, firm, &server, (skill, token));
        let callable = |tool: &&String| {
            let word = word(&rest.call(tool, &json!({})));
            assert_ne!(word, "RATE_LIMITED", "{tool}");
            !ABOUT_THE_CALLER.contains(&word.as_str())
        };
        let callable: BTreeSet<String> = names.iter().filter(callable).cloned().collect();
        for door in Door::ALL {
            let client = Client::enter(door, firm, &server, (skill, token));
            let listed = client.listed();
            let set: BTreeSet<String> = listed.iter().cloned().collect();
            assert_eq!(set.len(), listed.len(), "{door:?} {name} {skill:?}");
            assert_eq!(set, callable, "{door:?} {name} {skill:?}");
        }
        callable.len()
    });
    seen.to_vec()
}

/// How long it takes until a tool is gone from the lists of a running server.
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn until_gone(client: &Client<'_>, tool: &str) -> Duration {
    let began = Instant::now();
    while client.listed().iter().any(|it| it == tool) {
        assert!(began.elapsed() < Duration::from_secs(5), "{tool} is still listed");
    }
    began.elapsed()
}

/// A client that is connected over pipes hears that its list is old, once for each change.
#[test]
fn who_is_connected_hears_of_changed_lists() {
    let firm = Firm::new("told", Behind::Pipes);
    let stops = firm.office.folder.join("stops");
    fs::write(&stops, "").unwrap();
    let connected = |version| {
        let mut stdio = firm.command(&["stdio", "--profile", "practice", "--skill", DESK]);
        Pipes::start(stdio.arg("--stop-file").arg(&stops), version)
    };
    let (mut session, mut modern) = (connected("2025-11-25"), connected(MODERN));
    let changes: [&dyn Fn(); 3] = [
        &|| fs::write(&stops, "screening.*\n").unwrap(),
        &|| fs::write(&stops, "").unwrap(),
        &|| firm.office.change("email.draft", |it| it["latency_slo_ms"] = 7_000.into()),
    ];
    for (number, change) in changes.iter().enumerate() {
        assert_eq!(session.heard.len(), number, "{:?}", session.heard);
        change();
        for _ in 0..50 {
            thread::sleep(Duration::from_millis(100));
            session.ask("tools/list", "{}");
            if session.heard.len() > number {
                break;
            }
        }
    }
    session.ask("tools/list", "{}");
    assert_eq!(session.heard, ["notifications/tools/list_changed"; 3]);
    // The era without connections is told with each list not to keep it.
    modern.ask("tools/list", "{}");
    assert_eq!(modern.heard, [""; 0]);
}

#[test]
fn what_is_stopped_is_gone_within_a_second() {
    let firm = Firm::new("stopped", Behind::Pipes);
    let stops = firm.office.folder.join("stops");
    fs::write(&stops, "").unwrap();
    let mut serve = firm.command(&["serve", "--http", "127.0.0.1:0", "--profile", "practice"]);
    let server = Server::start(serve.args(["--skill", DESK, "--stop-file"]).arg(&stops));
    let stopped = |tool: &str, stop: &dyn Fn()| {
        for door in [Door::Http, Door::Rest] {
            let client = Client::enter(door, &firm, &server, (Some(DESK), None));
            if door == Door::Http {
                assert!(client.listed().iter().any(|it| it == tool), "{tool}");
                stop();
            }
            let took = until_gone(&client, tool);
            assert!(took < Duration::from_secs(1), "{tool}, {door:?}: {took:?}");
            assert_eq!(word(&client.call(tool, &json!({}))), "TOOL_SUSPENDED", "{tool}");
        }
    };
    stopped("lookup_client", &|| {
        let kill = ["tool", "kill", "efirm.client-db.lookup-client", "--reason", "looked at"];
        assert_eq!(firm.run(&kill).exit, Some(0));
    });
    stopped("search_documents", &|| fs::write(&stops, "dms.document.search\n").unwrap());
    stopped("check_sanctions", &|| fs::write(&stops, "screening.*\n").unwrap());
    stopped("read_wip", &|| {
        let kill = ["tool", "kill", "upstream:practice", "--reason", "looked at"];
        assert_eq!(firm.run(&kill).exit, Some(0));
    });
    let client = Client::enter(Door::Rest, &firm, &server, (Some(DESK), None));
    assert!(client.listed().is_empty());
}
