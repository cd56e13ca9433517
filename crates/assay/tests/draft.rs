//! A server of one's own comes behind the gate: its records are drafted, read, and called.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "support/office.rs"]
mod office;
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use office::practice;
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};
use support::{command, folder};

/// A folder with a registry, and a server that has no records yet.
struct Place(PathBuf);

impl Place {
    /// What somebody wrote into `registry.json` is returned as well.
    fn new(name: &str) -> (Self, String) {
        let place = Self(folder(name));
        fs::create_dir(place.registry("")).unwrap();
        let arguments = json!(["stdio", "--database", place.0.join("desk.db")]);
        let upstream =
            json!({ "kind": "mcp-stdio", "command": practice(), "arguments": arguments });
        let written = format!("{:#}\n", json!({ "upstreams": { "desk": upstream } }));
        fs::write(place.registry("registry.json"), &written).unwrap();
        (place, written)
    }

    fn registry(&self, file: &str) -> PathBuf {
        self.0.join("registry").join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.registry(file)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut assay = command();
        assay.args(arguments).current_dir(&self.0).env("ASSAY_DATA", self.0.join("data"));
        assay
    }

    /// What a command says, where it ends as it should.
    fn run(&self, ends_well: bool, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let texts = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        let text = texts.join("");
        assert_eq!(output.status.success(), ends_well, "{text}");
        text
    }

    /// The word that a call ends with, over a door of its own.
    fn called(&self, tool: &'static str, arguments: &Value) -> String {
        let stdio = self.command(&[
            "stdio",
            "--registry",
            "registry",
            "--profile",
            "registry/profiles/desk.json",
            "--skill",
            "desk@1.0",
        ]);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let mut stdio = tokio::process::Command::from(stdio);
            let stdio = stdio.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
            let mut child = stdio.spawn().unwrap();
            let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            let client = ().serve(pipes).await.unwrap();
            let call = CallToolRequestParams::new(tool)
                .with_arguments(arguments.as_object().unwrap().clone());
            office::word(&client.call_tool(call).await.unwrap().structured_content.unwrap())
        })
    }
}

#[test]
fn a_server_of_ones_own_comes_behind_the_gate() {
    let (place, _) = Place::new("draft");
    let text = place.run(true, &["tool", "draft", "desk", "--registry", "registry", "--json"]);
    let written: Value = serde_json::from_str(&text).unwrap();
    let all = written["written"].as_array().unwrap();
    assert!(all.contains(&json!("tools/desk.create-client.json")), "{text}");
    assert!(all.contains(&json!("profiles/desk.json")), "{text}");
    let text = place.run(true, &["tool", "check", "registry"]);
    assert!(text.contains("is sound"), "{text}");
    // What somebody wrote stays as it is.
    let file = "tools/desk.lookup-client.json";
    let mut record: Value = serde_json::from_str(&place.read(file)).unwrap();
    (record["effect"], record["side_effects"]) = (json!("read"), json!([]));
    (record["permissions_required"], record["idempotency_key"]) = (json!([]), Value::Null);
    fs::write(place.registry(file), record.to_string()).unwrap();
    let text = place.run(true, &["tool", "draft", "desk", "--registry", "registry"]);
    assert!(text.contains("nothing is missing"), "{text}");
    assert_eq!(place.read(file), record.to_string());
    let text = place.run(false, &["tool", "draft", "other", "--registry", "registry"]);
    assert!(text.contains("has no upstream `other`; it has `desk`"), "{text}");
    let client = json!({ "full_name": "Bo Lind", "kind": "person" });
    assert_eq!(place.called("lookup_client", &json!({ "name": "Bo" })), "ok");
    assert_eq!(place.called("create_client", &client), "PERMISSION_DENIED");
    for role in ["admin", "associate"] {
        place.run(true, &["role", "grant", "owner", role]);
    }
    assert_eq!(place.called("create_client", &client), "PERMISSION_DENIED");
    place.run(true, &["role", "grant", "owner", "partner"]);
    assert_eq!(place.called("create_client", &client), "ok");
    assert_eq!(place.called("create_client", &client), "replayed");
}

/// Who holds what the records need is added, and the rest of the file stays as it is.
#[test]
fn drafts_say_who_holds_what_they_need() {
    let (place, by_hand) = Place::new("draft-grants");
    let text = place.run(true, &["tool", "draft", "desk", "--registry", "registry", "--json"]);
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(written["granted"], json!(["desk:write to partner"]));
    assert_eq!(written["written"][0], "registry.json");
    let text = place.read("registry.json");
    assert!(text.ends_with(by_hand.strip_prefix('{').unwrap()), "{text}");
    let config: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(config["grants"], json!({ "desk:write": { "partner": "held" } }));
    let text = place.run(true, &["tool", "show", "create_client", "--registry", "registry"]);
    let callers = text.lines().find(|it| it.contains("may be called by")).unwrap_or_default();
    assert!(callers.ends_with(" partner"), "{text}");
    // What the operator says of it afterwards is not said again.
    let config =
        place.read("registry.json").replace("\"partner\":\"held\"", "\"finance\":\"held\"");
    fs::write(place.registry("registry.json"), &config).unwrap();
    fs::remove_file(place.registry("tools/desk.create-client.json")).unwrap();
    fs::remove_file(place.registry("skills/desk.json")).unwrap();
    place.run(true, &["tool", "draft", "desk", "--registry", "registry"]);
    assert_eq!(place.read("registry.json"), config);
    let text = place.run(true, &["tool", "show", "create_client", "--registry", "registry"]);
    assert!(text.contains("finance"), "{text}");
}
