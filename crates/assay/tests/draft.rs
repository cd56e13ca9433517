//! A server of one's own comes behind the gate: its records are drafted, read, and called.
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "support/office.rs"]
mod office;
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;
use std::process::Stdio;

use office::practice;
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};
use support::{command, folder};

#[test]
fn a_server_of_ones_own_comes_behind_the_gate() {
    let place = folder("draft");
    let registry = place.join("registry");
    fs::create_dir(&registry).unwrap();
    let arguments = json!(["stdio", "--database", place.join("desk.db")]);
    let upstream = json!({ "kind": "mcp-stdio", "command": practice(), "arguments": arguments });
    let config = json!({ "upstreams": { "desk": upstream } });
    fs::write(registry.join("registry.json"), config.to_string()).unwrap();
    let run = |arguments: &[&str]| {
        let mut assay = command();
        assay.args(arguments).current_dir(&place).env("ASSAY_DATA", place.join("data"));
        let output = assay.output().unwrap();
        let texts = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        (output.status.code().unwrap(), texts.join(""))
    };
    let (code, text) = run(&["tool", "draft", "desk", "--registry", "registry", "--json"]);
    assert_eq!(code, 0, "{text}");
    let written: Value = serde_json::from_str(&text).unwrap();
    let all = written["written"].as_array().unwrap();
    assert!(all.contains(&json!("tools/desk.create-client.json")), "{text}");
    assert!(all.contains(&json!("profiles/desk.json")), "{text}");
    let (code, text) = run(&["tool", "check", "registry"]);
    assert!(code == 0 && text.contains("is sound"), "{text}");
    // What somebody wrote stays as it is.
    let file = registry.join("tools/desk.lookup-client.json");
    let mut record: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    (record["effect"], record["side_effects"]) = (json!("read"), json!([]));
    (record["permissions_required"], record["idempotency_key"]) = (json!([]), Value::Null);
    fs::write(&file, record.to_string()).unwrap();
    let (code, text) = run(&["tool", "draft", "desk", "--registry", "registry"]);
    assert!(code == 0 && text.contains("nothing is missing"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), record.to_string());
    let (code, text) = run(&["tool", "draft", "other", "--registry", "registry"]);
    assert!(code != 0 && text.contains("has no upstream `other`; it has `desk`"), "{text}");
    let called = |tool: &'static str, arguments: Value| {
        let mut stdio = command();
        stdio.args(["stdio", "--registry", "registry", "--profile", "registry/profiles/desk.json"]);
        stdio
            .args(["--skill", "desk@1.0"])
            .current_dir(&place)
            .env("ASSAY_DATA", place.join("data"));
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
    };
    let client = json!({ "full_name": "Bo Lind", "kind": "person" });
    assert_eq!(called("lookup_client", json!({ "name": "Bo" })), "ok");
    assert_eq!(called("create_client", client.clone()), "PERMISSION_DENIED");
    let (code, text) = run(&["role", "grant", "owner", "admin"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(called("create_client", client.clone()), "ok");
    assert_eq!(called("create_client", client), "replayed");
}
