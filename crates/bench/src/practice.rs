//! The practice of `fixtures/practice`: its registry, and its back end behind a gate of ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use assay_core::{
    AuditSettings, Data, Profile, RegistrySource, Service, Settings, SkillName, World,
    read_registry,
};
use assay_upstream::{Route, Upstreams};
use serde_json::{Value, json};

use crate::failure::Failure;

/// The most calls of a minute that a record can allow.
const CALLS: u32 = 100_000;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice/registry")
}

/// The files of its registry.
pub(crate) fn files() -> Result<Vec<(String, String)>, Failure> {
    Ok(read_registry(&source()).map_err(|faults| format!("{faults:?}"))?)
}

fn program() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?.with_file_name("examples").join("practice");
    if program.exists() {
        return Ok(program);
    }
    Err("run `cargo build --release -p assay --example practice` first".into())
}

/// How the back end is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// As a child, over its pipes.
    Stdio,
    /// As a server of its own, over MCP.
    Http,
}

/// A service before the back end, and the back end as it is reached without one.
pub(crate) struct Practice {
    pub(crate) service: Arc<Service>,
    pub(crate) direct: Upstreams,
    /// The address of the workspace of whoever calls.
    pub(crate) org: String,
    /// The ids of what the back end has.
    pub(crate) ids: BTreeMap<String, String>,
    // The server goes after whoever is connected to it.
    _server: Option<Server>,
}

/// A process that ends with its value.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Practice {
    /// A practice in this folder, whose callers may use everything.
    pub(crate) fn open(folder: &Path, transport: Transport) -> Result<Self, Failure> {
        Self::open_for(folder, transport, ("practice-desk@1.0", World::default()))
    }

    /// A practice for callers of a skill, with the time of this world.
    pub(crate) fn open_for(
        folder: &Path,
        transport: Transport,
        (skill, world): (&str, World),
    ) -> Result<Self, Failure> {
        let (program, database) = (program()?, folder.join("practice.db"));
        let registry = folder.join("registry");
        write_records(&registry)?;
        let (server, upstream, route) = match transport {
            Transport::Stdio => {
                let arguments = vec!["stdio".to_owned(), "--database".to_owned(), shown(&database)];
                let command = shown(&program);
                let place = json!({
                    "kind": "mcp-stdio", "command": command, "arguments": arguments,
                });
                (None, place, Route::Stdio { command, arguments, environment: BTreeMap::new() })
            }
            Transport::Http => {
                let (server, url) = serve(&program, folder, &database)?;
                let place = json!({ "kind": "mcp-http", "url": url });
                (Some(server), place, Route::Http { url, headers: BTreeMap::new() })
            }
        };
        let config = json!({
            "upstreams": { "practice": upstream },
            "owner_lookup": "practice/owner_of",
            "unscoped": [],
        });
        fs::write(registry.join("registry.json"), config.to_string())?;
        let service = Service::open(Settings {
            data: Data::File(folder.join("assay.db")),
            profile: Profile::shipped("practice").map_err(|faults| format!("{faults:?}"))?,
            registry: Some(RegistrySource { folder: registry, environment: |_| None }),
            skill: SkillName::parse(skill),
            world,
            audit: AuditSettings {
                key_file: Some(folder.join("audit.key")),
                ..AuditSettings::default()
            },
            ..Settings::default()
        })?;
        let org = service.grant_role(None, "owner", "associate")?;
        let ids = Command::new(&program)
            .args(["seed", "--org", &org, "--database"])
            .arg(&database)
            .output()?;
        let ids = serde_json::from_slice(&ids.stdout)?;
        let direct = Upstreams::new(BTreeMap::from([("practice".to_owned(), route)]))?;
        Ok(Self { service, direct, org, ids, _server: server })
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The registry as it ships, but for the limits, which no measurement keeps to.
fn write_records(folder: &Path) -> Result<(), Failure> {
    for (path, text) in files()? {
        let file = folder.join(&path);
        file.parent().map(fs::create_dir_all).transpose()?;
        let mut record: Value = serde_json::from_str(&text)?;
        if let Some(limit) = record.get_mut("rate_limit") {
            *limit = json!({ "requests_per_minute": CALLS });
        }
        fs::write(file, record.to_string())?;
    }
    Ok(())
}

/// Starts the back end over HTTP, and waits until it listens.
fn serve(program: &Path, folder: &Path, database: &Path) -> Result<(Server, String), Failure> {
    let file = folder.join("port");
    let server = Command::new(program)
        .args(["http", "--listen", "127.0.0.1:0", "--database"])
        .arg(database)
        .arg("--port-file")
        .arg(&file)
        .stderr(Stdio::null())
        .spawn()?;
    let server = Server(server);
    for _ in 0..500 {
        if let Ok(port) = fs::read_to_string(&file) {
            return Ok((server, format!("http://127.0.0.1:{port}/mcp")));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Err("the back end does not listen after five seconds".into())
}
