//! What was acknowledged stays, whatever happens to the process or to its disk.
//!
//! A server of its own on a folder of its own is written to over REST. It is killed at moments that
//! nobody chose, or its disk runs full, and then the file is looked at with SQLite alone.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its setting fails")]
#![expect(clippy::indexing_slicing, reason = "what a payload lacks reads as null")]
#![expect(clippy::print_stdout, reason = "whoever counts kills reads how many writes they met")]

mod full;
mod ledger;
#[path = "../parity/process.rs"]
mod process;
mod server;
mod writer;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use process::{Scratch, assay};
use server::Server;
use writer::{Acknowledged, write};

/// How often the server is killed; another count comes from `ASSAY_KILLS`.
const KILLS: u64 = 20;
/// How many write at once.
const WRITERS: u64 = 4;
/// How many kills one name lives through.
const KILLS_OF_A_NAME: u64 = 4;
/// Every so many kills meet a server that is just starting.
const STARTING: u64 = 5;

/// Moments that differ from run to run and need no clock.
struct Moments(AtomicU64);

impl Moments {
    fn new() -> Self {
        Self(AtomicU64::new(u64::from(std::process::id()) | 1))
    }

    /// A time below a limit, from the congruential generator of Knuth.
    fn below(&self, milliseconds: u64) -> Duration {
        let step = |it: u64| {
            Some(it.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        };
        let state = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
        let state = state.unwrap_or_else(|it| it);
        Duration::from_micros((state >> 33) % (milliseconds * 1_000))
    }
}

#[test]
fn a_killed_server_keeps_what_it_acknowledged() {
    let kills = std::env::var_os("ASSAY_KILLS").map_or(KILLS, |it| {
        it.to_str().and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{it:?} kills"))
    });
    let scratch = Scratch::new("killed").unwrap();
    let data = scratch.join("data");
    let (moments, acknowledged) = (Moments::new(), Mutex::new(Vec::new()));
    for kill in 0..kills {
        if kill % STARTING == 0 {
            let mut starting = Server::spawn(serve(&data));
            thread::sleep(moments.below(60));
            starting.kill();
            continue;
        }
        let server = Server::start(serve(&data));
        // The server that rose again answers with what the killed one acknowledged.
        let known: Vec<Acknowledged> = acknowledged.lock().unwrap().clone();
        if let Some(last) = known.last() {
            let (status, body) = server.ask("GET", &format!("/v1/rulesets/{}", last.name), "");
            assert_eq!(status, 200, "after {kill} kills: {body}");
            assert!(body.contains(&last.hash), "after {kill} kills: {body}");
        }
        write_until_killed(server, kill, moments.below(120), &acknowledged);
    }
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() as u64 > kills, "only {} writes took place", acknowledged.len());
    let mut server = Server::start(serve(&data));
    server.end();
    ledger::check(&data.join("assay.db"), &acknowledged);
    println!("{kills} kills, {} acknowledged writes", acknowledged.len());
}

/// Lets everyone write until the server is killed.
fn write_until_killed(
    mut server: Server,
    kill: u64,
    delay: Duration,
    acknowledged: &Mutex<Vec<Acknowledged>>,
) {
    let (address, name) = (server.address.clone(), format!("name-{}", kill / KILLS_OF_A_NAME));
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (address, name) = (&address, &name);
            scope.spawn(move || {
                let mut number = (kill * WRITERS + writer) * 1_000_000;
                while let Some(found) = write(address, name, number) {
                    acknowledged.lock().unwrap().push(found);
                    number += 1;
                }
            });
        }
        thread::sleep(delay + Duration::from_millis(20));
        server.kill();
    });
}

fn serve(data: &Path) -> std::process::Command {
    let mut command = assay();
    command.args(["serve", "--http", "127.0.0.1:0", "--data"]).arg(data);
    command.env("ASSAY_SOLVER_THREADS", "1");
    command
}
