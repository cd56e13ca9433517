//! The head of the instructions, swapped while a server runs.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[path = "support/server.rs"]
mod server;
#[expect(dead_code, reason = "nothing runs to its end here, and no ruleset is written")]
mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;
use server::Server;
use support::{command, folder};

const SHIPPED: &str = include_str!("../../registry/data/instructions/head.md");

fn serve(data: &Path, head: &Path) -> Server {
    let mut command = command();
    command.env("ASSAY_INSTRUCTIONS_HEAD", head);
    Server::start(command.args(["serve", "--http", "127.0.0.1:0", "--data"]).arg(data))
}

/// The instructions that a client gets now, in both eras of the protocol.
fn instructions(server: &Server) -> String {
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discover = json!({
        "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta},
    });
    let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: server/discover\r\n";
    let [legacy, modern] =
        [server.post("/mcp", "", &initialize), server.post("/mcp", headers, &discover)]
            .map(|it| it.pointer("/result/instructions").unwrap().as_str().unwrap().to_owned());
    assert_eq!(legacy, modern, "both eras get the same text");
    legacy
}

/// What the file holds after each step, and what a refusal says.
enum Step {
    Taken(String),
    Refused(Vec<u8>, &'static str),
    Removed,
}

fn steps() -> Vec<Step> {
    use Step::{Refused, Removed, Taken};
    let own = |name: &str| format!("{name}.\n\n{SHIPPED}");
    vec![
        Taken(own("First")),
        Taken(own("Other")),
        Refused(b"Be nice to people.".to_vec(), "lack the tool name `dsail_review`"),
        Taken(own("First")),
        Removed,
        Taken(own("Other")),
        Refused(Vec::new(), "the first 512 characters lack the sentence"),
        Refused([SHIPPED.as_bytes(), b"\xff"].concat(), "it is not UTF-8"),
        Refused(own(&"x".repeat(600)).into_bytes(), "the first 512 characters lack"),
        Refused([own("Long").as_bytes(), &[b'x'; 70_000]].concat(), "larger than 65536 bytes"),
        Taken(format!("{}{}", own("Nearly full"), "y".repeat(40_000))),
        Taken(own("First")),
    ]
}

#[test]
fn a_head_holds_without_a_restart_and_a_faulty_one_never() {
    let folder = folder("head");
    let head = folder.join("head.md");
    fs::write(&head, SHIPPED).unwrap();
    let server = serve(&folder.join("data"), &head);
    let shipped = instructions(&server);
    let tail = shipped.strip_prefix(SHIPPED.trim()).unwrap().to_owned();
    assert!(tail.contains("## Authoring order") && tail.len() > 1000, "{tail}");
    let mut good = shipped;
    for (index, step) in steps().into_iter().enumerate() {
        let warning = match step {
            Step::Taken(text) => {
                fs::write(&head, &text).unwrap();
                good = format!("{}{tail}", text.trim());
                None
            }
            Step::Refused(bytes, warning) => {
                fs::write(&head, bytes).unwrap();
                Some(warning)
            }
            Step::Removed => {
                fs::remove_file(&head).unwrap();
                Some("it cannot be read: No such file")
            }
        };
        assert_eq!(instructions(&server), good, "step {index}");
        if let Some(warning) = warning {
            let line = server.line();
            assert!(line.contains(warning) && line.contains("head.md"), "step {index}: {line}");
        }
        assert_eq!(instructions(&server), good, "step {index}, again");
        assert_eq!(server.lines(), [""; 0], "step {index}: each change is told once at most");
    }
}

#[test]
fn a_server_without_a_usable_file_sends_the_head_that_ships() {
    let folder = folder("head_missing");
    symlink("/dev/zero", folder.join("endless")).unwrap();
    for name in ["missing.md", "endless", "."] {
        let server = serve(&folder.join("data"), &folder.join(name));
        assert!(instructions(&server).starts_with(SHIPPED.trim()), "{name}");
    }
    // The file may come later.
    let server = serve(&folder.join("data"), &folder.join("later.md"));
    fs::write(folder.join("later.md"), format!("Later.\n\n{SHIPPED}")).unwrap();
    assert!(instructions(&server).starts_with("Later.\n\n"));
}
