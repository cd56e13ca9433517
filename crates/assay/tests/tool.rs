//! Governed tools as an operator meets them: checked, listed, shown, tried, stopped and restored,
//! with the records and the back end of `fixtures/practice`.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[expect(dead_code, reason = "governed tools know nothing of rulesets")]
mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assay_core::{Cancel, Credentials, Data, Door, Service, Settings};
use rusqlite::Connection;
use serde_json::{Value, json};
use support::{Run, command, folder, run, run_with};

const SKILL: &str = "practice-desk@1.0";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice")
}

fn backend() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_assay")).with_file_name("examples/practice");
    assert!(program.exists(), "run `cargo build -p assay --example practice` first");
    program
}

/// A folder with a copy of the registry, the data and the records of the back end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let place = Self(folder(&format!("tool-{name}")));
        for part in ["tools", "skills"] {
            let to = place.registry().join(part);
            fs::create_dir_all(&to).unwrap();
            for entry in fs::read_dir(fixtures().join("registry").join(part)).unwrap() {
                let from = entry.unwrap().path();
                fs::copy(&from, to.join(from.file_name().unwrap())).unwrap();
            }
        }
        let config = fixtures().join("registry/registry.json");
        fs::copy(config, place.registry().join("registry.json")).unwrap();
        place
    }

    fn registry(&self) -> PathBuf {
        self.0.join("registry")
    }

    fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    /// Changes the JSON in a file of the registry.
    fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let path = self.registry().join(file);
        let mut value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut value);
        fs::write(path, value.to_string()).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command
            .args(arguments)
            .env("ASSAY_DATA", self.data())
            .env("ASSAY_REGISTRY", self.registry())
            .env("ASSAY_SOLVER_THREADS", "1")
            .env("PRACTICE_COMMAND", backend())
            .env("PRACTICE_DATABASE", self.0.join("practice.db"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run_with(&mut self.command(arguments), b"")
    }

    /// What a command prints as JSON.
    fn json(&self, arguments: &[&str]) -> Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| json!({"stderr": run.stderr}))
    }

    /// The stages that a trial of the associate's desk gives, the last one with its code.
    fn tried(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let run = self.run(&[&["tool", "try", "--json"], arguments].concat());
        let answer: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
        let last = answer.pointer("/stages").and_then(Value::as_array).and_then(|it| it.last());
        let text = |key: &str| {
            let text = last.and_then(|it| it.get(key)).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        (run.exit, text("stage"), text("code"))
    }

    /// Fills the back end for the workspace of the owner and gives the ids in it.
    fn seed(&self) -> Value {
        let workspace = self.json(&["role", "grant", "associate"]);
        let workspace = workspace.get("workspace").unwrap().as_str().unwrap();
        let mut seed = Command::new(backend());
        seed.args(["seed", "--org", workspace, "--database"]).arg(self.0.join("practice.db"));
        serde_json::from_slice(&seed.output().unwrap().stdout).unwrap()
    }

    /// A new person, who came in by an invitation.
    fn person(&self, name: &str) -> String {
        let data = Data::File(self.data().join("assay.db"));
        let service = Service::open(Settings { data, ..Settings::default() }).unwrap();
        let owner = service.local(Door::CommandLine).unwrap();
        let call = |tool: &str, arguments: Value| -> Value {
            let reply = service.call(&owner, tool, &arguments.to_string(), &Cancel::new());
            serde_json::from_slice(&reply.body).unwrap()
        };
        let team = call("dsail_create_team", json!({"name": format!("Team of {name}")}));
        let email = format!("{name}@example.org");
        let invitation = json!({"team_id": team.get("team_id").unwrap(), "email": email});
        let link = call("dsail_invite_to_team", invitation);
        let link = link.as_object().unwrap().values().find_map(|it| {
            it.as_str().filter(|it| it.contains("assay_invitation_")).map(str::to_owned)
        });
        let body = json!({"invitation": link, "email": email, "name": name}).to_string();
        let reply = service.accept_invitation(Door::Rest, &Credentials::default(), &body);
        assert_eq!(reply.failure, None, "{}", String::from_utf8_lossy(&reply.body));
        let people = service.people().unwrap();
        people.into_iter().find(|it| it.name.as_deref() == Some(name)).unwrap().subject
    }

    /// An administrator with the token of a session.
    fn administrator(&self, subject: &str) -> String {
        assert_eq!(self.run(&["role", "grant", subject, "admin"]).exit, Some(0));
        let session = self.json(&["person", "session", subject]);
        session.get("session").unwrap().as_str().unwrap().to_owned()
    }

    fn restore(&self, target: &str, token: &str) -> Run {
        let arguments = ["tool", "restore", target, "--fix", "PR-12", "--reason", "mended"];
        run_with(self.command(&arguments).env("ASSAY_SESSION", token), b"")
    }

    /// Moves a stop back in time, so that no test has to wait.
    fn age(&self, target: &str) {
        let connection = Connection::open(self.data().join("assay.db")).unwrap();
        let changed = "UPDATE stop SET set_at = set_at - 61000 WHERE target = ?1";
        assert_eq!(connection.execute(changed, [target]).unwrap(), 1);
    }
}

#[test]
fn a_registry_is_checked_without_a_server() {
    let place = Place::new("check");
    let registry = place.registry();
    let registry = registry.to_str().unwrap();
    let sound = run(&["tool", "check", registry]);
    assert_eq!((sound.exit, sound.stderr.as_str()), (Some(0), ""), "{}", sound.stdout);
    assert!(sound.stdout.contains("is sound: 17 tools, 2 skills\n"), "{}", sound.stdout);
    assert!(!place.data().exists(), "it needs no data");

    let before = Place::new("check-before");
    place.edit("tools/email.send.json", |it| it["rate_limit"]["requests_per_minute"] = json!(11));
    let before = ["--before", before.registry().to_str().unwrap()].map(str::to_owned);
    let looser = run(&["tool", "check", registry, &before[0], &before[1]]);
    let line = "warning: tools/email.send.json#/rate_limit/requests_per_minute: loosened: 11 instead \
                of 10, compared with version 1.0; ";
    assert_eq!(looser.exit, Some(0));
    assert!(looser.stdout.starts_with(line), "{}", looser.stdout);

    place.edit("tools/email.send.json", |it| it["effect"] = json!("maybe"));
    place.edit("tools/email.draft.json", |it| it["name"] = json!("dsail_check"));
    place.edit("registry.json", |it| it["withdrawn"] = json!(["email.send@9.9"]));
    let faulty = run(&["tool", "check", registry]);
    assert_eq!((faulty.exit, faulty.stderr.as_str()), (Some(1), ""), "{}", faulty.stdout);
    for start in ["tools/email.send.json#/effect: ", "registry.json#/withdrawn/0: "] {
        assert!(faulty.stdout.lines().any(|it| it.starts_with(start)), "{}", faulty.stdout);
    }
    let answer = place.json(&["tool", "check", registry]);
    assert_eq!(answer.get("ok"), Some(&json!(false)));
    let faults = answer.get("faults").and_then(Value::as_array).unwrap();
    assert_eq!(faults.len(), faulty.stdout.lines().count() - 1, "{}", faulty.stdout);
    for key in ["file", "mend", "message", "pointer"] {
        assert!(faults.iter().all(|it| it.get(key).is_some_and(Value::is_string)), "{key}");
    }

    let missing = run(&["tool", "check", &format!("{registry}/none")]);
    assert_eq!(missing.exit, Some(1));
    assert!(missing.stdout.contains("this is no folder with a registry"), "{}", missing.stdout);
    let unnamed = run(&["tool", "check"]);
    assert_eq!(unnamed.exit, Some(1));
    assert!(unnamed.stderr.contains("`--registry DIR` or `ASSAY_REGISTRY`"), "{}", unnamed.stderr);
}

#[test]
fn tools_are_listed_with_their_state() {
    let place = Place::new("list");
    place.edit("registry.json", |it| it["withdrawn"] = json!(["email.draft@1.0"]));
    place.edit("tools/comms.notice.post.json", |it| it["enabled"] = json!(false));
    for file in ["efirm-matter-creation-flow", "practice-desk"] {
        place.edit(&format!("skills/{file}.json"), |it| {
            let tools = it["permitted_tools"].as_array_mut().unwrap();
            tools.retain(|it| *it != "email.draft" && *it != "comms.notice.post");
        });
    }
    assert_eq!(place.run(&["tool", "kill", "dms.*", "--reason", "looked at"]).exit, Some(0));
    let states = |arguments: &[&str]| -> Vec<(String, String)> {
        let answer = place.json(&[&["tool", "list"], arguments].concat());
        let tools = answer.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |it: &Value, key: &str| it.get(key).unwrap().as_str().unwrap().to_owned();
        tools.iter().map(|it| (text(it, "tool_id"), text(it, "state"))).collect()
    };
    let every = states(&[]);
    assert_eq!(every.len(), 20 + 17);
    for (id, expected) in [
        ("dsail.check", "enabled"),
        ("efirm.matter-db.create-matter", "enabled"),
        ("email.draft", "withdrawn"),
        ("comms.notice.post", "disabled"),
        ("dms.document.search", "stopped"),
    ] {
        let found = every.iter().find(|it| it.0 == id).map(|it| it.1.as_str());
        assert_eq!(found, Some(expected), "{id}");
    }
    let practice = states(&["--profile", "practice"]);
    assert_eq!(practice.len(), 17, "it reads no rulesets");
    let public = states(&["--profile", "public"]);
    assert_eq!(public, [("dsail.check".to_owned(), "enabled".to_owned())]);
    let bound = states(&["--profile", "practice", "--skill", "efirm-matter-creation-flow@1.0"]);
    assert_eq!(bound.len(), 7);

    let shown = place.run(&["tool", "list"]);
    assert_eq!(shown.exit, Some(0), "{}", shown.stderr);
    for text in ["efirm.matter-db.create-matter", "create_matter", "practice", "withdrawn"] {
        assert!(shown.stdout.contains(text), "{text}\n{}", shown.stdout);
    }
    assert!(shown.stdout.lines().all(|it| it.chars().count() <= 80), "{}", shown.stdout);
    let unknown = place.run(&["tool", "list", "--skill", "practice-desk@9.0"]);
    assert_eq!(unknown.exit, Some(1));
    assert!(unknown.stderr.contains("`practice-desk@1.0`"), "{}", unknown.stderr);
}

#[test]
fn a_record_is_shown_with_what_follows_from_it() {
    let place = Place::new("show");
    let shown = place.run(&["tool", "show", "create_matter"]);
    assert_eq!(shown.exit, Some(0), "{}", shown.stderr);
    for text in [
        "efirm.matter-db.create-matter",
        "associate, with the approval of one partner",
        "10 calls of an organisation in any minute",
        "matter_type: corporate | dispute",
        "creates database record",
        "efirm.conflict-check.run with CLEAN",
        "once somebody of the role partner",
        "practice-desk@1.0",
    ] {
        assert!(shown.stdout.contains(text), "{text}\n{}", shown.stdout);
    }
    assert!(shown.stdout.lines().all(|it| it.chars().count() <= 80), "{}", shown.stdout);
    let record = place.json(&["tool", "show", "efirm.matter-db.create-matter@1.2"]);
    let file = place.registry().join("tools/efirm.matter-db.create-matter.json");
    assert_eq!(record, serde_json::from_slice::<Value>(&fs::read(file).unwrap()).unwrap());

    // One of the product's own has the same fields, and needs no registry.
    let mut own = place.command(&["tool", "show", "dsail.save-ruleset", "--json"]);
    let own = run_with(own.env_remove("ASSAY_REGISTRY"), b"");
    let own: Value = serde_json::from_str(&own.stdout).unwrap();
    let fields: Vec<&String> = record.as_object().unwrap().keys().collect();
    let required = ["tool_id", "latency_slo_ms", "idempotency_key", "legal_safety_notes"];
    assert!(required.iter().all(|it| fields.iter().any(|name| name == it)), "{fields:?}");
    assert!(required.iter().all(|it| own.get(it).is_some()), "{own}");
    for (field, value) in [
        ("tool_id", json!("dsail.save-ruleset")),
        ("version", json!("1.0")),
        ("latency_slo_ms", json!(250)),
        ("permissions_required", json!(["scope:write"])),
        ("side_effects", json!(["It stores a source and moves a name."])),
        ("facet", json!("editing")),
        ("effect", json!("write")),
    ] {
        assert_eq!(own.get(field), Some(&value), "{field}");
    }
    for unknown in ["nothing", "efirm.matter-db.create-matter@7.0"] {
        let run = place.run(&["tool", "show", unknown]);
        assert_eq!(run.exit, Some(1), "{unknown}");
        assert!(run.stderr.contains("there is no tool"), "{}", run.stderr);
    }
}

#[test]
fn a_trial_tells_which_stage_refuses() {
    let place = Place::new("try");
    let arguments = place.0.join("arguments.json");
    fs::write(&arguments, r#"{"name": "Ada"}"#).unwrap();
    let arguments = arguments.to_str().unwrap();
    let look_up = |more: &[&str]| place.tried(&[&["lookup_client", arguments], more].concat());
    let at = |exit: i32, stage: &str, code: &str| (Some(exit), stage.to_owned(), code.to_owned());
    let skill: &[&str] = &["--skill", SKILL];
    assert_eq!(look_up(&[]), at(1, "binding", "SKILL_NOT_BOUND"));
    assert_eq!(look_up(skill), at(1, "permission", "PERMISSION_DENIED"), "nobody has a role");
    let rules = [skill, &["--profile", "rules"]].concat();
    assert_eq!(look_up(&rules), at(1, "tool", "TOOL_UNKNOWN"));

    let ids = place.seed();
    assert_eq!(look_up(skill), at(0, "rate", ""), "an associate may");
    let id = [&["efirm.client-db.lookup-client", arguments], skill].concat();
    assert_eq!(place.tried(&id), at(0, "rate", ""), "ids name tools, too");
    let bo = place.person("bo");
    let as_bo = [skill, &["--as", &bo]].concat();
    assert_eq!(look_up(&as_bo), at(1, "permission", "PERMISSION_DENIED"));
    assert_eq!(place.run(&["role", "grant", &bo, "partner"]).exit, Some(0));
    assert_eq!(look_up(&as_bo), at(0, "rate", ""));

    let matter = place.0.join("matter.json");
    let matter_of = |client: &Value| {
        let call = json!({"client_id": client, "matter_type": "dispute",
            "responsible_partner_id": "usr_1", "fee_structure": "hourly"});
        fs::write(&matter, call.to_string()).unwrap();
        place.tried(&[&["create_matter", matter.to_str().unwrap()], skill].concat())
    };
    let client = ids.get("client").unwrap();
    assert_eq!(matter_of(client), at(1, "prerequisite", "PREREQUISITE_MISSING"));
    assert_eq!(matter_of(&json!("nowhere")), at(1, "scope", "SCOPE_VIOLATION"));

    let key = ["key", "issue", "--skill", SKILL, "--matter", "mat_1"];
    let key = place.json(&key);
    assert_eq!([key.get("skill"), key.get("matter")], [Some(&json!(SKILL)), Some(&json!("mat_1"))]);
    let secret = key.get("credential").unwrap().as_str().unwrap();
    for (credential, exit, text) in
        [(secret, 0, "rate"), ("nobody-knows-this", 2, "CREDENTIAL_INVALID")]
    {
        let mut command = place.command(&["tool", "try", "lookup_client", arguments]);
        let run = run_with(command.env("ASSAY_TRY_CREDENTIAL", credential), b"");
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.exit, Some(exit), "{said}");
        assert!(said.contains(text), "{said}");
    }
}

/// Where the store cannot be read nobody knows what is stopped, so nothing is served: not what was
/// stopped, and nothing else either.
#[test]
fn nothing_is_served_where_stops_cannot_be_read() {
    let place = Place::new("unreadable");
    assert_eq!(place.run(&["tool", "kill", "dsail.check", "--reason", "x"]).exit, Some(0));
    let file = place.data().join("assay.db");
    let sound = fs::read(&file).unwrap();
    fs::write(&file, vec![b'x'; sound.len()]).unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "dsail_list_rulesets", "arguments": {}}});
    let mut stdio = place.command(&["stdio"]);
    let run = run_with(&mut stdio, format!("{call}\n").as_bytes());
    assert_eq!((run.exit, run.stdout.as_str()), (Some(3), ""), "{}", run.stderr);
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(place.data().join(format!("assay.db{suffix}")));
    }
    fs::write(&file, sound).unwrap();
    let states = place.json(&["tool", "list"]);
    let tools = states.get("tools").and_then(Value::as_array).unwrap();
    let check = tools.iter().find(|it| it.get("name") == Some(&json!("dsail_check"))).unwrap();
    assert_eq!(check.get("state"), Some(&json!("stopped")), "{check}");
}

/// The product's own tools pass the same stages, with a registry and without one.
#[test]
fn own_tools_are_tried_like_others() {
    let place = Place::new("own");
    place.edit("skills/practice-desk.json", |it| {
        it["permitted_tools"].as_array_mut().unwrap().push(json!("dsail.list-rulesets"));
    });
    let at = |exit: i32, stage: &str, code: &str| (Some(exit), stage.to_owned(), code.to_owned());
    let bound: &[&str] = &["--profile", "all", "--skill", SKILL];
    for (tool, arguments, more, expected) in [
        ("dsail_list_rulesets", "{}", &[][..], at(0, "rate", "")),
        ("dsail.list-rulesets", "{}", bound, at(0, "rate", "")),
        ("dsail_save_ruleset", "{}", bound, at(1, "binding", "SKILL_NOT_BOUND")),
        ("dsail_save_ruleset", "{}", &[], at(1, "input", "INPUT_INVALID")),
        ("dsail_check", "{}", &["--profile", "practice"], at(1, "tool", "TOOL_UNKNOWN")),
        ("dsail_compile", "{}", &["--profile", "public"], at(1, "facet", "FACET_DENIED")),
    ] {
        assert_eq!(place.tried(&[&[tool, arguments], more].concat()), expected, "{tool} {more:?}");
    }
    let key = place.json(&["key", "issue", "--scope", "read"]);
    let secret = key.get("credential").unwrap().as_str().unwrap();
    let mut command = place.command(&["tool", "try", "dsail.save-ruleset"]);
    let run =
        run_with(command.env("ASSAY_TRY_CREDENTIAL", secret).env_remove("ASSAY_REGISTRY"), b"");
    assert!(run.stdout.contains("permission  refuses: PERMISSION_DENIED"), "{}", run.stdout);
    assert!(run.stdout.contains("scope:write"), "{}", run.stdout);
    assert_eq!(place.run(&["tool", "kill", "dsail.check@1.0", "--reason", "x"]).exit, Some(0));
    assert_eq!(place.tried(&["dsail_check"]), at(1, "switch", "TOOL_SUSPENDED"));
}

#[test]
fn a_trial_is_told_to_a_person() {
    let place = Place::new("told");
    let piped = |arguments: &[&str]| {
        let arguments = [&["tool", "try"], arguments].concat();
        run_with(&mut place.command(&arguments), br#"{"name": "Ada"}"#)
    };
    let run = piped(&["lookup_client", "-", "--skill", SKILL]);
    assert_eq!(run.exit, Some(1), "{}", run.stderr);
    for text in [
        "session     passes\n",
        "permission  refuses: PERMISSION_DENIED\n",
        "Your role does not include this step.",
        "client:read",
        "associate\n",
    ] {
        assert!(run.stdout.contains(text), "{text}\n{}", run.stdout);
    }
    let unbound = piped(&["lookup_client", "-"]);
    assert!(unbound.stdout.contains("efirm-matter-creation-flow@1.0"), "{}", unbound.stdout);
    let own = piped(&["dsail_check", "-", "--skill", SKILL]);
    assert_eq!(own.exit, Some(1));
    for text in ["binding  refuses: SKILL_NOT_BOUND\n", "name a skill that binds the tool"] {
        assert!(own.stdout.contains(text), "{text}\n{}", own.stdout);
    }
}

#[test]
fn roles_are_given_and_taken() {
    let place = Place::new("role");
    let bo = place.person("bo");
    let check = |arguments: &[&str], exit: i32, text: &str| {
        let run = place.run(&[&["role"], arguments].concat());
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.exit, Some(exit), "{arguments:?} {said}");
        assert!(said.contains(text), "{arguments:?} lacks `{text}`\n{said}");
    };
    check(&["list"], 0, "nobody has a role");
    check(&["grant", "partner"], 0, "owner has the role partner");
    check(&["grant", &bo, "associate", "--workspace", "Team of bo"], 0, "has the role associate");
    check(&["grant", &bo, "king"], 1, "invalid value 'king'");
    check(&["grant", "nobody", "partner"], 2, "nobody");
    check(&["list"], 0, &bo);
    check(&["revoke", "partner"], 0, "owner no longer has the role partner");
    check(&["revoke", "partner"], 0, "owner did not have the role partner");
    let roles = place.json(&["role", "list"]);
    let roles = roles.get("roles").and_then(Value::as_array).unwrap();
    assert_eq!(roles.len(), 1);
    let [role] = roles.as_slice() else { return };
    assert_eq!(
        [role.get("person"), role.get("role")],
        [Some(&json!(bo)), Some(&json!("associate"))]
    );
    let here = role.get("workspace").unwrap().as_str().unwrap();
    check(&["list", "--workspace", here], 0, "associate");
    check(&["list", "--workspace", "elsewhere"], 0, "nobody has a role");
}

#[test]
fn it_takes_two_to_lift_a_stop() {
    let place = Place::new("restore");
    let kill = ["tool", "kill", "email.send", "--reason", "wrong recipients", "--by", "ops"];
    assert_eq!(place.run(&kill).stdout, "email.send is stopped\n");
    let [first, second] =
        ["owner".to_owned(), place.person("bo")].map(|it| place.administrator(&it));
    let check = |token: &str, exit: i32, text: &str| {
        let run = place.restore("email.send", token);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.exit, Some(exit), "{said}");
        assert!(said.contains(text), "lacks `{text}`\n{said}");
        said
    };
    let young = check(&first, 2, " s before it is lifted");
    let seconds: Vec<u32> = young.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    assert!(seconds.iter().any(|it| (1..=60).contains(it)), "{young}");
    check("", 1, "ASSAY_SESSION");
    check("nobody-knows-this", 2, "CREDENTIAL_INVALID");
    let key = place.json(&["key", "issue"]);
    check(key.get("credential").unwrap().as_str().unwrap(), 2, "only a person who signed in");
    place.age("email.send");
    check(&first, 0, "asked: another administrator has to do the same for email.send");
    check(&first, 2, "the same person asked for this before");
    let status = place.run(&["tool", "status"]).stdout;
    for text in ["email.send", "ops", "wrong recipients", "one of two asked", "PR-12"] {
        assert!(status.contains(text), "{text}\n{status}");
    }
    check(&second, 0, "lifted: email.send is no longer stopped");
    assert_eq!(place.run(&["tool", "status"]).stdout, "nothing is stopped\n");
    check(&second, 2, "nothing of this name is stopped");
    let told = |event: &str| {
        let listed = place.json(&["audit", "list", "--event", event]);
        listed.pointer("/entries/0/record").unwrap().clone()
    };
    let (set, cleared) = (told("registry.kill.set"), told("registry.kill.cleared"));
    for (record, reason, states) in [
        (set, "wrong recipients", json!({ "after": "stopped", "before": "running" })),
        (cleared, "PR-12: mended", json!({ "after": "running", "before": "stopped" })),
    ] {
        let at = |pointer: &str| record.pointer(pointer).unwrap();
        assert_eq!(at("/resource/id"), "email.send");
        assert_eq!(at("/resource/name"), reason);
        assert_eq!(at("/output"), &states);
        assert!(at("/actor/user_id").is_string());
    }

    // A file may hold the token, and a person without the role is heard as little as a program.
    assert_eq!(place.run(&["role", "revoke", "owner", "admin"]).exit, Some(0));
    let file = place.0.join("session");
    fs::write(&file, format!("{first}\n")).unwrap();
    let arguments = ["tool", "restore", "email.send", "--fix", "a", "--reason", "b"];
    let mut restore = place.command(&arguments);
    let run = run_with(restore.arg("--session-file").arg(&file), b"");
    assert_eq!(run.exit, Some(2));
    assert!(run.stderr.contains("only an administrator of the practice"), "{}", run.stderr);
}

#[test]
fn a_stop_holds_whatever_is_wrong_with_the_registry() {
    let place = Place::new("kill");
    place.seed();
    let arguments = place.0.join("arguments.json");
    fs::write(&arguments, r#"{"name": "Ada"}"#).unwrap();
    let look_up = ["lookup_client", arguments.to_str().unwrap(), "--skill", SKILL];
    assert_eq!(place.tried(&look_up).0, Some(0));
    let config = fs::read(place.registry().join("registry.json")).unwrap();
    fs::write(place.registry().join("registry.json"), "{").unwrap();
    assert_eq!(place.tried(&look_up), (Some(1), String::new(), String::new()));
    let kill = place.run(&["tool", "kill", "efirm.*", "--reason", "broken"]);
    assert_eq!((kill.exit, kill.stdout.as_str()), (Some(0), "efirm.* is stopped\n"));
    let status = place.json(&["tool", "status"]);
    assert_eq!(status.pointer("/stops/0/target"), Some(&json!("efirm.*")));
    let token = place.administrator("owner");
    place.age("efirm.*");
    assert_eq!(place.restore("efirm.*", &token).exit, Some(0));

    fs::write(place.registry().join("registry.json"), config).unwrap();
    let suspended = (Some(1), "switch".to_owned(), "TOOL_SUSPENDED".to_owned());
    assert_eq!(place.tried(&look_up), suspended, "one word lifts nothing");
    for (target, text) in [("E-Mail", "write the id of a tool"), ("email", "upstream:name")] {
        let run = place.run(&["tool", "kill", target, "--reason", "x"]);
        assert_eq!(run.exit, Some(1), "{target}");
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }
}

#[test]
fn a_file_stops_tools_while_it_names_them() {
    let place = Place::new("file");
    place.seed();
    let [arguments, stops] = ["arguments.json", "stops"].map(|it| place.0.join(it));
    fs::write(&arguments, r#"{"name": "Ada"}"#).unwrap();
    let stops_text = stops.to_str().unwrap();
    let look_up = ["lookup_client", arguments.to_str().unwrap(), "--skill", SKILL];
    let look_up = [&look_up[..], &["--stop-file", stops_text]].concat();
    let suspended = (Some(1), "switch".to_owned(), "TOOL_SUSPENDED".to_owned());
    for (text, passes) in [
        ("", true),
        ("efirm.client-db.lookup-client\n", false),
        ("email.*\n", true),
        ("?\n", false),
    ] {
        fs::write(&stops, text).unwrap();
        let tried = place.tried(&look_up);
        assert_eq!(tried != suspended, passes, "{text:?}");
        assert_eq!(tried.0, Some(i32::from(!passes)), "{text:?}");
    }
    let status = place.run(&["tool", "status", "--stop-file", stops_text]).stdout;
    assert!(status.contains("everything") && status.contains("the file of stops"), "{status}");
}

#[test]
fn what_is_served_has_to_be_there() {
    let place = Place::new("serve");
    let serving = ["--http", "127.0.0.1:0", "--profile"];
    for door in [&["serve", "--http", "127.0.0.1:0"][..], &["stdio"]] {
        let mut bare = place.command(&[door, &["--profile", "practice"]].concat());
        let run = run_with(bare.env_remove("ASSAY_REGISTRY"), b"");
        assert_eq!(run.exit, Some(1), "{door:?}");
        assert!(run.stderr.contains("by `--registry DIR` or `ASSAY_REGISTRY`"), "{}", run.stderr);
    }
    let mut unread = place.command(&["stdio", "--profile", "rules"]);
    let unread = run_with(&mut unread, b"");
    assert_eq!(unread.exit, Some(0), "{}", unread.stderr);
    assert!(unread.stderr.contains("reads no tools of other servers"), "{}", unread.stderr);

    let mut serve = place.command(&["serve", "--stop-file", "stops", "--skill", SKILL]);
    serve.args(serving).arg("practice").current_dir(&place.0);
    let checked = place.json(&["tool", "check"]);
    let snapshot = checked.get("snapshot").unwrap().as_str().unwrap();
    let mut child = serve.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains(&format!(", the registry {snapshot} with 17 tools and ")), "{line}");

    place.edit("registry.json", |it| it["upstreams"]["practice"]["kind"] = json!("pigeon"));
    place.edit("tools/email.send.json", |it| it["effect"] = json!("maybe"));
    let mut serve = place.command(&["serve"]);
    let run = run_with(serve.args(serving).arg("practice"), b"");
    assert_eq!(run.exit, Some(1));
    for text in ["tools/email.send.json#/effect: ", "registry.json#/upstreams/practice"] {
        let lines = run.stderr.lines().filter(|it| it.contains(text)).count();
        assert!(lines > 0, "{text}\n{}", run.stderr);
    }
}

#[test]
fn pins_are_compared_with_what_servers_offer() {
    let place = Place::new("pin");
    place.seed();
    let definitions = |ids: &[&str]| {
        let run = place.run(&[&["tool", "pin", "--json"], ids].concat());
        let answer: Value = serde_json::from_str(&run.stdout).unwrap();
        (run.exit, answer.get("definitions").and_then(Value::as_array).unwrap().clone())
    };
    let (exit, every) = definitions(&[]);
    assert_eq!((exit, every.len()), (Some(0), 17));
    assert!(every.iter().all(|it| it.get("found") == Some(&json!("not pinned"))), "{every:?}");
    let (_, email) = definitions(&["email.send"]);
    let live = email.first().unwrap().get("live").unwrap().clone();
    for (pinned, found, exit) in [(live, "matches", 0), (json!("0".repeat(64)), "differs", 1)] {
        place.edit("tools/email.send.json", |it| it["definition_hash"] = pinned);
        let (ended, email) = definitions(&["email.send"]);
        assert_eq!(ended, Some(exit), "{found}");
        assert_eq!(email.first().unwrap().get("found"), Some(&json!(found)));
    }
    assert_eq!(place.run(&["tool", "pin", "email.fetch"]).exit, Some(1));
}

#[test]
fn only_a_call_that_waits_is_settled() {
    let place = Place::new("reconcile");
    let answer = place.0.join("answer.json");
    fs::write(&answer, "{}").unwrap();
    let answer = answer.to_str().unwrap();
    for (arguments, exit, text) in [
        (&["evt_1", "--did-not-take-place"][..], 2, "no call waits to be settled under `evt_1`"),
        (&["evt_1", "--took-place", answer], 2, "no call waits to be settled under `evt_1`"),
        (&["evt_1"], 1, "required"),
        (&["evt_1", "--took-place", answer, "--did-not-take-place"], 1, "cannot be used with"),
        (&["evt_1", "--did-not-take-place", "--by", "two\nlines"], 2, "`by`"),
    ] {
        let by: &[&str] = if arguments.contains(&"--by") { &[] } else { &["--by", "ops-3"] };
        let run = place.run(&[&["tool", "reconcile"], arguments, by].concat());
        assert_eq!(run.exit, Some(exit), "{arguments:?}");
        assert!(run.stderr.contains(text), "{arguments:?} {}", run.stderr);
    }
    let nobody = place.run(&["tool", "reconcile", "evt_1", "--did-not-take-place"]);
    assert!(nobody.exit == Some(1) && nobody.stderr.contains("--by"), "{}", nobody.stderr);
}
