//! How a command ends when it does not succeed.

use std::fmt::Display;
use std::path::Path;

/// A command that was called wrongly, or work that failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Exit code 1, followed by the list of commands.
    Usage(String),
    /// Exit code 2.
    Failed(String),
}

pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// A file or folder that cannot be used.
    pub(crate) fn file(path: &Path, error: &impl Display) -> Self {
        Self::Failed(format!("`{}`: {error}", path.display()))
    }
}

/// Succeeds where there are no faults; else names every one of them.
pub(crate) fn none_of(what: &str, faults: &[String]) -> Outcome {
    if faults.is_empty() {
        println!("{what}: no fault");
        return Ok(());
    }
    let count = faults.len();
    let noun = if count == 1 { "fault" } else { "faults" };
    Err(Failure::new(format!("{what}: {count} {noun}\n  {}", faults.join("\n  "))))
}

/// Refuses arguments that a command does not take and tells which of `flags` were given.
pub(crate) fn flags<const N: usize>(
    arguments: &[&str],
    flags: [&str; N],
) -> Result<[bool; N], Failure> {
    match arguments.iter().find(|it| !flags.contains(it)) {
        Some(unknown) => Err(Failure::Usage(format!("`{unknown}` is not an argument of this"))),
        None => Ok(flags.map(|flag| arguments.contains(&flag))),
    }
}
