//! The product's own tools stand behind the same gate as those of other servers.

use serde_json::{Value, json};

use crate::back_end::Behind;
use crate::client::{Client, Door};
use crate::firm::Firm;
use crate::office::{DESK, word};

/// How often a caller may be refused within a minute before it is refused unheard.
const MAX_REFUSALS: usize = 60;

/// A firm whose desk may list rulesets beside what it does for the practice.
fn firm(test: &str) -> Firm {
    let mut firm = Firm::new(test, Behind::Pipes);
    firm.profile = "all";
    firm.office.edit("skills/practice-desk.json", |it| {
        it["permitted_tools"].as_array_mut().unwrap().push("dsail.list-rulesets".into());
    });
    firm
}

/// The secret of a new key.
fn key(firm: &Firm, arguments: &[&str]) -> String {
    let issued = firm.json(&[&["key", "issue", "--json"], arguments].concat());
    issued["credential"].as_str().unwrap().to_owned()
}

#[test]
fn a_skill_may_call_what_it_lists_and_no_own_tool_beside_it() {
    let firm = firm("own-skill");
    let (bound, free) = (key(&firm, &["--skill", DESK]), key(&firm, &[]));
    let paula = firm.office.tokens.get("paula").cloned();
    let save = json!({ "name": "x", "source": "declare a as boolean;\nassert b { a };\n" });
    let open = firm.serve(None);
    let desk = firm.serve(Some(DESK));
    for (token, skill, server, all_own) in [
        // A key is bound by its own skill, and by the operator's where it has none.
        (Some(&bound), None, &open, false),
        (Some(&free), None, &open, true),
        (Some(&free), Some(DESK), &desk, false),
        // Whoever is at the machine works as the operator says; people who signed in are themselves.
        (None, None, &open, true),
        (None, Some(DESK), &desk, false),
        (paula.as_ref(), Some(DESK), &desk, true),
    ] {
        let mut answers: Vec<Value> = Vec::new();
        for door in Door::ALL {
            let token = token.map(String::as_str);
            let client = Client::enter(door, &firm, server, (skill, token));
            let place = format!("{door:?} {token:?} {skill:?}");
            let own = client.listed().into_iter().filter(|it| it.starts_with("dsail_")).count();
            assert!(if all_own { own > 10 } else { own == 1 }, "{place}: {own}");
            assert_eq!(word(&client.call("dsail_list_rulesets", &json!({}))), "ok", "{place}");
            let saved = client.call("dsail_save_ruleset", &save);
            let expected = if all_own { "ok" } else { "UNKNOWN_TOOL" };
            assert_eq!(word(&saved), expected, "{place}: {saved}");
            if !all_own {
                let there_is_none = client.call("dsail_save_rulesets", &save)["error"].to_string();
                let hidden = saved["error"].to_string();
                assert_eq!(hidden, there_is_none.replace("rulesets", "ruleset"), "{place}");
                answers.push(saved["error"].clone());
            }
        }
        assert!(answers.windows(2).all(|it| it[0] == it[1]), "{answers:?}");
    }
}

/// Whoever is refused too often is heard no longer, for any tool, until a minute is over.
#[test]
fn whoever_probes_own_tools_is_heard_no_longer() {
    let firm = firm("own-probes");
    let server = firm.serve(None);
    let (prober, other) = (key(&firm, &["--skill", DESK]), key(&firm, &["--skill", DESK]));
    for door in [Door::Http, Door::Rest] {
        let client = Client::enter(door, &firm, &server, (None, Some(&prober)));
        let probe =
            |number: usize| word(&client.call(&format!("dsail_guess_{number}"), &json!({})));
        let heard = (0..=MAX_REFUSALS).take_while(|it| probe(*it) == "UNKNOWN_TOOL").count();
        // What was refused over one door counts at the other.
        assert_eq!(heard, if door == Door::Http { MAX_REFUSALS } else { 0 });
        let refused = client.call("dsail_list_rulesets", &json!({}));
        assert_eq!(word(&refused), "RATE_LIMITED", "{refused}");
        let after = refused["error"]["details"]["retry_after"].as_u64().unwrap();
        assert!((1..=60).contains(&after), "{refused}");
        assert_eq!(word(&client.call("check_sanctions", &json!({}))), "RATE_LIMITED");
        let other = Client::enter(door, &firm, &server, (None, Some(&other)));
        assert_eq!(word(&other.call("dsail_list_rulesets", &json!({}))), "ok");
    }
}
