//! MCP over standard input and output.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its setting fails")]

mod support;

use serde_json::{Value, json};
use support::{EXPENSES, Run, command, file, folder, run, run_with};

const CLAIMS: &str = r#"{"amount": "30000 USD", "has_receipt": "unknown", "category": "meals"}"#;

/// A whole conversation: the handshake, the list of tools, one check.
fn conversation() -> String {
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}});
    let claims: Value = serde_json::from_str(CLAIMS).unwrap();
    let check = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "dsail_check",
        "arguments": {"source": EXPENSES, "claims": claims},
    }});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    [initialize, ready, list, check].map(|it| format!("{it}\n")).concat()
}

/// The answer to the request with `id`.
fn answer(run: &Run, id: u64) -> Value {
    let mut lines = run.stdout.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
    lines.find(|it| it["id"] == id).unwrap_or_else(|| panic!("no answer to {id}: {run:?}"))
}

#[test]
fn a_conversation_gives_the_bytes_of_the_command_line() {
    let folder = folder("stdio");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let data = folder.join("data");
    let run_stdio =
        run_with(command().arg("stdio").arg("--data").arg(&data), conversation().as_bytes());
    assert_eq!(run_stdio.exit, Some(0), "{}", run_stdio.stderr);
    assert_eq!(answer(&run_stdio, 1)["result"]["protocolVersion"], "2025-11-25");
    let tools = answer(&run_stdio, 2);
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert!(names.contains(&"dsail_check"), "{names:?}");
    let text = answer(&run_stdio, 3)["result"]["content"][0]["text"].clone();
    let printed = run(&["check", &source, "--claims", CLAIMS, "--json"]);
    assert_eq!(text, printed.stdout);
    assert!(data.join("assay.db").exists());
}

#[test]
fn a_bad_line_is_answered_and_the_conversation_goes_on() {
    let data = folder("stdio_bad");
    let input = format!("{{\n{}", conversation());
    let run = run_with(command().arg("stdio").env("ASSAY_DATA", &data), input.as_bytes());
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("-32700"), "{}", run.stdout);
    assert_eq!(answer(&run, 3)["result"]["isError"], false);
}
