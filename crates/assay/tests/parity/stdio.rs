//! The door of standard input and output: one process for all calls.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::ROUNDS;
use crate::call::Call;
use crate::mcp::{self, Era, INITIALIZE, INITIALIZED};
use crate::process::{Running, Scratch, assay};
use crate::seen::{Answer, Door, Seen};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client.
pub(crate) struct Client {
    input: ChildStdin,
    lines: Receiver<String>,
    /// The id of the last request.
    id: usize,
    _process: Running,
}

pub(crate) fn replay(calls: &[Call], scratch: &Scratch, threads: &str) -> Vec<Seen> {
    let mut seen = Vec::new();
    for era in Era::BOTH {
        let name = format!("stdio {} with {threads} threads", era.version());
        let mut client = Client::start(scratch, &name, threads);
        for round in 1..=ROUNDS {
            for (place, call) in calls.iter().enumerate() {
                if call.goes_through(Door::Mcp) {
                    let answer = match &mut client {
                        Ok(client) => client.answer(era, call),
                        Err(problem) => Err(problem.clone()),
                    };
                    seen.push(Seen { call: place, door: format!("{name}, round {round}"), answer });
                }
            }
        }
    }
    seen
}

impl Client {
    pub(crate) fn start(scratch: &Scratch, name: &str, threads: &str) -> Result<Self, String> {
        let mut process = assay();
        process.arg("stdio").arg("--data").arg(scratch.join(name));
        process.env("ASSAY_SOLVER_THREADS", threads);
        let process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = Running(process.map_err(|it| it.to_string())?);
        let input = process.0.stdin.take().ok_or("there is no standard input")?;
        let output = process.0.stdout.take().ok_or("there is no standard output")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.map_while(|line| sender.send(line).ok()).count()
        });
        let mut client = Self { input, lines, id: 0, _process: process };
        if name.contains(Era::Initialized.version()) {
            client.send(INITIALIZE)?;
            let answer = client.line()?;
            if !answer.contains(r#""protocolVersion":"2025-11-25""#) {
                return Err(format!("the handshake failed: {answer}"));
            }
            client.send(INITIALIZED)?;
        }
        Ok(client)
    }

    fn answer(&mut self, era: Era, call: &Call) -> Result<Answer, String> {
        for source in &call.before {
            self.call(era, "dsail_compile", source)?;
        }
        self.call(era, &call.tool, &call.arguments)
    }

    pub(crate) fn call(&mut self, era: Era, tool: &str, arguments: &str) -> Result<Answer, String> {
        self.id += 1;
        self.send(&era.call(self.id, tool, arguments))?;
        mcp::answer(self.id, &self.line()?)
    }

    fn send(&mut self, message: &str) -> Result<(), String> {
        self.input.write_all(format!("{message}\n").as_bytes()).map_err(|it| it.to_string())
    }

    fn line(&self) -> Result<String, String> {
        self.lines.recv_timeout(PATIENCE).map_err(|it| format!("no line came: {it}"))
    }
}
