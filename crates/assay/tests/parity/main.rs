//! Every door gives the same bytes.
//!
//! Each file below `fixtures/calls/` is one call with the payload that answers it, byte for byte.
//! All of them go through the command line, standard input and output, and a server over HTTP,
//! which is asked over both eras of MCP and over REST. Every process that stays is there with one
//! solver thread and with three, and is asked twice: the second time it has every ruleset ready.
//!
//! With `ASSAY_BLESS` set, the payloads of the files are rewritten. The words, codes and fields
//! that a file names beside its payload are worked out by a person and never rewritten.

mod call;
mod command_line;
mod conversation;
mod http;
mod layout;
mod mcp;
mod process;
mod seen;
mod stdio;

use std::panic::resume_unwind;
use std::thread;

use call::{Call, Context};
use process::Scratch;
use seen::Seen;

/// Solver threads of the processes that stay.
const THREADS: [&str; 2] = ["1", "3"];
/// How often each of them is asked everything.
const ROUNDS: usize = 2;

#[test]
fn every_door_gives_the_same_bytes() {
    let scratch = Scratch::new("parity").unwrap();
    let context = Context::load().unwrap();
    let mut calls = call::load(&context).unwrap();
    assert!(!calls.is_empty(), "there is no call");
    let seen = replay(&calls, &scratch);
    let mut faults = Vec::new();
    if std::env::var_os("ASSAY_BLESS").is_some() {
        for (place, call) in calls.iter_mut().enumerate() {
            let first = seen.iter().find(|it| it.call == place && it.answer.is_ok());
            let blessed = first.ok_or("no door answered".to_owned());
            let blessed = blessed.and_then(|it| call.bless(it.answer.as_ref().unwrap(), &context));
            faults.extend(blessed.err().map(|it| format!("{}: {it}", call.name)));
        }
    }
    faults.extend(calls.iter().flat_map(Call::faults));
    faults.extend(seen::faults(&seen, &calls));
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n\n"));
    for (place, call) in calls.iter().enumerate() {
        let times = seen.iter().filter(|it| it.call == place).count();
        assert!(times >= THREADS.len() * ROUNDS, "{} was replayed {times} times", call.name);
    }
}

/// What every door answered to every call that it takes.
fn replay(calls: &[Call], scratch: &Scratch) -> Vec<Seen> {
    thread::scope(|scope| {
        let mut running = vec![scope.spawn(|| command_line::replay(calls, scratch))];
        for threads in THREADS {
            running.push(scope.spawn(move || stdio::replay(calls, scratch, threads)));
            running.push(scope.spawn(move || http::replay(calls, scratch, threads)));
        }
        running
            .into_iter()
            .flat_map(|it| it.join().unwrap_or_else(|it| resume_unwind(it)))
            .collect()
    })
}
