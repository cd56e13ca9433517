//! A disk without room: the save that does not fit is refused as a whole, and the next one that
//! does is not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::ledger;
use crate::process::Scratch;
use crate::serve;
use crate::server::{Server, ask};
use crate::writer::{Acknowledged, saving, source, write};

/// More saves than fit.
const SAVES: u64 = 200;

/// Runs the command with a file system of 1 MiB for the folder that comes first. The file system is
/// seen by that process alone and goes with it.
const ON_A_SMALL_DISK: &str = "mount -t tmpfs -o size=1m tmpfs \"$1\" && shift && exec \"$@\"";
/// Runs the command so that no file grows beyond 512 KiB.
const WITH_SMALL_FILES: &str = "trap '' XFSZ; ulimit -f 1024 && shift && exec \"$@\"";

/// A command within a shell script that gets the folder and then the command.
fn within(mut shell: Command, script: &str, folder: &Path) -> Command {
    let inner = serve(folder);
    shell.args(["sh", "-c", script, "sh"]).arg(folder);
    shell.arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

/// A command that runs another with a view of the file systems of its own.
fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount"]);
    command
}

fn may_mount() -> bool {
    let folder = std::env::temp_dir();
    let mounted = unshare().args(["mount", "-t", "tmpfs", "tmpfs"]).arg(folder).output();
    mounted.is_ok_and(|it| it.status.success())
}

/// Saves until the server refuses: what it acknowledged, and the refusal.
fn fill(server: &Server) -> (Vec<Acknowledged>, u64, String) {
    let mut acknowledged = Vec::new();
    for number in 1..SAVES {
        let body = saving("caps", &source(number));
        let (status, answer) = ask(&server.address, "POST", "/v1/rulesets", &body).unwrap();
        if status != 200 {
            assert_eq!(status, 503, "{answer}");
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let code = answer["error"]["code"].as_str().unwrap();
            assert!(["AUDIT_UNAVAILABLE", "STORE_UNAVAILABLE"].contains(&code), "{answer}");
            let message = answer["error"]["message"].as_str().unwrap().to_owned();
            return (acknowledged, number, message);
        }
        acknowledged.push(Acknowledged::of("caps", &source(number), &answer));
    }
    panic!("{SAVES} saves fit");
}

/// The name leads to the last save that was acknowledged, and the one that was refused is unknown.
fn goes_on(server: &Server, acknowledged: &[Acknowledged]) {
    let (status, loaded) = server.ask("GET", "/v1/rulesets/caps", "");
    let loaded: Value = serde_json::from_str(&loaded).unwrap();
    assert_eq!(status, 200, "{loaded}");
    assert_eq!(loaded["ruleset_hash"], acknowledged.last().unwrap().hash);
    assert_eq!(loaded["revision_chain"].as_array().unwrap().len(), acknowledged.len());
}

#[test]
fn a_save_that_finds_no_room_is_refused_whole() {
    if !may_mount() {
        println!("no file system may be mounted here, so none runs full");
        return;
    }
    let scratch = Scratch::new("full").unwrap();
    let data = scratch.join("data");
    fs::create_dir(&data).unwrap();
    let mut server = Server::start(within(unshare(), ON_A_SMALL_DISK, &data));
    // The same folder, as the server sees it.
    let seen = PathBuf::from(format!("/proc/{}/root{}", server.id(), data.display()));
    let ballast = seen.join("ballast");
    fs::write(&ballast, vec![0; 300_000]).unwrap();
    let (mut acknowledged, refused, message) = fill(&server);
    let text = "there is no room left on the disk of `assay.db`: make room on the disk and repeat \
                the call";
    // Whether the record ahead of the save found no room, or the save.
    assert!(message.ends_with(text), "{message}");
    goes_on(&server, &acknowledged);
    fs::remove_file(&ballast).unwrap();
    acknowledged.push(write(&server.address, "caps", refused).unwrap());
    goes_on(&server, &acknowledged);
    // The file system goes with the server, so its files are looked at before.
    let copy = scratch.join("copy");
    fs::create_dir(&copy).unwrap();
    for name in ["assay.db", "assay.db-wal"] {
        fs::copy(seen.join(name), copy.join(name)).unwrap();
    }
    server.kill();
    Server::start(serve(&copy)).end();
    ledger::check(&copy.join("assay.db"), &acknowledged);
}

#[test]
fn a_save_that_may_not_grow_its_file_is_refused_whole() {
    let scratch = Scratch::new("limited").unwrap();
    let data = scratch.join("data");
    let mut server = Server::start(within(Command::new("env"), WITH_SMALL_FILES, &data));
    let (mut acknowledged, refused, message) = fill(&server);
    assert!(message.ends_with(": look at the disk and the rights on the folder"), "{message}");
    goes_on(&server, &acknowledged);
    server.kill();
    let mut server = Server::start(serve(&data));
    goes_on(&server, &acknowledged);
    acknowledged.push(write(&server.address, "caps", refused).unwrap());
    goes_on(&server, &acknowledged);
    server.end();
    ledger::check(&data.join("assay.db"), &acknowledged);
}
