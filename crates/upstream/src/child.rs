//! A server that is a child of this process: started with little, and gone when it is let go.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::call::CallError;
use crate::route::Secret;

/// How long a child has after each of: its input closes, it is asked to end, it is killed.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// What a child keeps of the environment of this process.
const INHERITED: [&str; 4] = ["PATH", "HOME", "TMPDIR", "LANG"];

/// How to start a child. Like every type with what routes hold, it has no text form.
pub(crate) struct Plan {
    command: String,
    arguments: Vec<String>,
    inherited: Vec<(&'static str, OsString)>,
    environment: BTreeMap<String, Secret>,
}

impl Plan {
    /// The plan, or what is wrong with it.
    pub(crate) fn new(
        command: String,
        arguments: Vec<String>,
        environment: BTreeMap<String, Secret>,
    ) -> Result<Self, String> {
        if command.is_empty() {
            return Err("the command is empty; name a program".to_owned());
        }
        if command.contains('\0') || arguments.iter().any(|it| it.contains('\0')) {
            return Err("the command holds a zero byte; leave it out".to_owned());
        }
        for (name, value) in &environment {
            if name.is_empty() || name.contains(['=', '\0']) || value.reveal().contains('\0') {
                return Err(format!("the environment cannot hold `{}`", name.escape_debug()));
            }
        }
        // These four are where the machine keeps things, and no settings of this product.
        let inherited = INHERITED.iter().filter_map(|it| Some((*it, env::var_os(it)?))).collect();
        Ok(Self { command, arguments, inherited, environment })
    }

    /// Starts the child, and hands over its pipes. What it says on its error output is not read:
    /// that can hold what it was given in confidence.
    pub(crate) fn start(&self) -> Result<(Process, ChildStdout, ChildStdin), CallError> {
        let environment = self.environment.iter().map(|(name, value)| (name, value.reveal()));
        let mut child = Command::new(&self.command)
            .args(&self.arguments)
            .env_clear()
            .envs(self.inherited.iter().map(|(name, value)| (name, value)))
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                CallError::NotSent(format!("the command does not start: {}", error.kind()))
            })?;
        let (output, input) = (child.stdout.take(), child.stdin.take());
        let group = child.id().and_then(|it| Pid::from_raw(i32::try_from(it).ok()?));
        match (output, input) {
            (Some(output), Some(input)) => Ok((Process { child, group }, output, input)),
            _ => Err(CallError::NotSent("the command has no pipes".to_owned())),
        }
    }
}

/// A running child, leader of its own process group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Option<Pid>,
}

impl Process {
    /// Waits until it is gone by itself.
    pub(crate) async fn exited(&mut self) {
        // A child that cannot be waited for is not there either.
        let _ = self.child.wait().await;
    }

    /// Ends it and whatever it started. Its input has been closed before.
    pub(crate) async fn end(mut self) {
        for signal in [None, Some(Signal::TERM), Some(Signal::KILL)] {
            self.signal(signal);
            if timeout(GRACE, self.child.wait()).await.is_ok() {
                break;
            }
        }
        // The group outlives its leader where that left children of its own behind.
        self.signal(Some(Signal::KILL));
    }

    fn signal(&self, signal: Option<Signal>) {
        if let (Some(group), Some(signal)) = (self.group, signal) {
            // It fails where nobody is left, which is what was wanted.
            let _ = kill_process_group(group, signal);
        }
    }
}
