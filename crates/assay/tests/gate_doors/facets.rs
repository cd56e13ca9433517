//! What the profile denies, and what there is not, in every version of the protocol.

use std::fs;

use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::firm::{Firm, send};
use crate::office::DESK;
use crate::server::Server;
use crate::wire::{Pipes, VERSIONS, call, over_http};

const REASON: &str = "nothing is carried out from here";

/// The method, the tool where it is a call, and the number of the error.
const ASKED: [(&str, Option<&str>, i64); 4] = [
    ("tools/call", Some("check_sanctions"), -32002),
    ("tools/call", Some("check_everything"), -32602),
    // Another instance has it.
    ("tools/call", Some("dsail_check"), -32602),
    ("tools/nothing", None, -32601),
];

/// The profile of the practice but for one facet, in a file.
fn narrow(firm: &Firm) -> String {
    let shipped = include_str!("../../../../profiles/practice.json");
    let mut profile: Value = serde_json::from_str(shipped).unwrap();
    profile["facets"]["allow"] = json!(["reference", "editing"]);
    profile["facets"]["deny"]["execution"] = REASON.into();
    let file = firm.office.folder.join("narrow.json");
    fs::write(&file, profile.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn assert_answer(answer: &Value, number: i64, place: &str) {
    assert_eq!(answer["error"]["code"], number, "{place}: {answer}");
    if number == -32002 {
        let error = &answer["error"];
        assert!(error["message"].as_str().unwrap().contains(REASON), "{place}: {answer}");
        assert_eq!(error["data"]["code"], "FACET_DENIED", "{place}: {answer}");
    }
}

#[test]
fn errors_of_the_protocol_have_their_numbers_in_every_version() {
    let firm = Firm::new("facets", Behind::Pipes);
    let profile = narrow(&firm);
    let record: Value = serde_json::from_str(
        &fs::read_to_string(firm.office.registry().join("tools/screening.sanctions.check.json"))
            .unwrap(),
    )
    .unwrap();
    assert_eq!(record["facet"], "execution");
    let narrow = ["--profile", &profile, "--skill", DESK];
    let mut serve = firm.command(&["serve", "--http", "127.0.0.1:0"]);
    let server = Server::start(serve.args(narrow));
    for version in VERSIONS {
        let mut pipes = Pipes::start(firm.command(&["stdio"]).args(narrow), version);
        for (method, tool, number) in ASKED {
            let arguments = r#"{"full_name":"Bo Lind"}"#;
            let params = tool.map_or("{}".to_owned(), |it| call(it, arguments));
            let place = format!("{version} {method} {tool:?}");
            assert_answer(&pipes.ask(method, &params), number, &format!("stdio {place}"));
            let answer = over_http(&server, "", version, (method, &params));
            assert_answer(&answer, number, &format!("HTTP {place}"));
        }
        let listed = pipes.ask("tools/list", "{}")["result"]["tools"].to_string();
        assert!(listed.contains("lookup_client") && !listed.contains("check_sanctions"));
        assert!(!listed.contains("facet"), "{listed}");
    }
    let (status, body) = send(&server, "POST /v1/tools/check_sanctions", "", "{}");
    assert_eq!(status, 403, "{body}");
    assert!(body.contains("FACET_DENIED") && body.contains(REASON), "{body}");
    let (status, _) = send(&server, "POST /v1/tools/check_everything", "", "{}");
    assert_eq!(status, 404);
    assert_eq!(firm.office.carried("check_sanctions"), 0);
}
