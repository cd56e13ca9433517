//! The back end in its three forms: a child that is spoken to over its pipes, and a server that
//! speaks MCP or REST.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use serde_json::{Value, json};

use crate::office::{Office, practice};

/// How the gate reaches the back end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behind {
    Pipes,
    McpOverHttp,
    Rest,
}

impl Behind {
    pub(crate) const ALL: [Self; 3] = [Self::Pipes, Self::McpOverHttp, Self::Rest];
}

/// The back end as a server, ended with the test.
pub(crate) struct BackEnd(Child);

impl BackEnd {
    /// Puts the back end of the firm behind the gate; one that is a server is started.
    pub(crate) fn put(office: &Office, behind: Behind) -> Option<Self> {
        if behind == Behind::Pipes {
            office.write_registry(&office.stdio());
            return None;
        }
        let port_file = office.folder.join("port");
        let mut serve = Command::new(practice());
        serve.args(["http", "--listen", "127.0.0.1:0", "--port-file"]).arg(&port_file);
        serve.arg("--database").arg(office.folder.join("practice.db"));
        serve.arg("--faults").arg(office.folder.join("faults"));
        let child = serve.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = Self(child);
        let port = (0..5_000).find_map(|_| {
            thread::sleep(Duration::from_millis(2));
            fs::read_to_string(&port_file).ok().filter(|it| !it.is_empty())
        });
        let address = format!("http://127.0.0.1:{}", port.unwrap().trim());
        office.write_registry(&match behind {
            Behind::Rest => {
                json!({ "kind": "rest", "url": format!("{address}/rest"), "tools": routes() })
            }
            _ => json!({ "kind": "mcp-http", "url": format!("{address}/mcp") }),
        });
        Some(started)
    }
}

impl Drop for BackEnd {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Where the tools are found over REST, as the README of the back end has it.
fn routes() -> Value {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let block = readme.split_once("```json\n").unwrap().1.split_once("```").unwrap().0;
    serde_json::from_str(block).unwrap()
}
