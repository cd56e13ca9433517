//! One thing that a command does: a program that is run, with its name before and its time after.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::failure::{Failure, Outcome};
use crate::{setup, tree};

/// A program with its arguments, run in the root of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    program: OsString,
    /// What is printed: the command as a user would type it.
    shown: String,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Step {
    /// A step that runs `program`; each word of `arguments` is one argument.
    pub(crate) fn new(program: &str, arguments: &str) -> Self {
        let step = Self {
            program: program.into(),
            shown: program.to_owned(),
            arguments: Vec::new(),
            environment: Vec::new(),
        };
        step.and(arguments.split_whitespace())
    }

    /// A step that runs the cargo that runs us.
    pub(crate) fn cargo(arguments: &str) -> Self {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self { program, ..Self::new("cargo", arguments) }
    }

    /// The same step with further arguments.
    pub(crate) fn and<'a>(mut self, arguments: impl IntoIterator<Item = &'a str>) -> Self {
        for argument in arguments {
            self.arguments.push(argument.to_owned());
            if argument.contains(|it: char| it.is_whitespace() || "\"'$*".contains(it)) {
                let _ = write!(self.shown, " '{argument}'");
            } else {
                let _ = write!(self.shown, " {argument}");
            }
        }
        self
    }

    /// The same step with one variable of its environment set.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        let quote = if value.contains(' ') { "'" } else { "" };
        self.shown = format!("{name}={quote}{value}{quote} {}", self.shown);
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Shows the command line, runs it with its output visible, and tells how long it took.
    pub(crate) fn run(&self) -> Outcome {
        heading(&self.shown);
        let watch = Watch::start();
        let status = self.command().stdin(Stdio::null()).status();
        let status = status.map_err(|error| {
            Failure::new(format!("`{}` cannot be run: {error}", self.program.to_string_lossy()))
        })?;
        if status.success() {
            watch.tell("done in");
            return Ok(());
        }
        watch.tell("failed after");
        Err(Failure::new(format!("`{}` failed ({status})", self.shown)))
    }

    /// Runs quietly and returns what the program wrote, or `None` where it failed or is missing.
    pub(crate) fn output(&self) -> Option<String> {
        let output = self.command().stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(tree::root());
        setup::environment::restore(&mut command);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Runs every step even if one fails, so that one look shows all that is wrong.
pub(crate) fn run_all(steps: &[Step]) -> Outcome {
    let failed: Vec<String> = steps.iter().filter_map(|step| failed(step.run())).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(failed.join("\nerror: ")))
}

fn failed(outcome: Outcome) -> Option<String> {
    match outcome {
        Ok(()) => None,
        Err(Failure::Usage(message) | Failure::Failed(message)) => Some(message),
    }
}

/// Prints what is about to happen.
fn heading(text: &str) {
    println!("{}", painted("1", &format!("$ {text}")));
}

/// Prints something that the reader should not overlook.
pub(crate) fn notice(text: &str) {
    println!("{}", painted("33", text));
}

/// Text in a colour where a person looks at it.
fn painted(style: &str, text: &str) -> String {
    if std::io::stdout().is_terminal() {
        format!("\u{1b}[{style}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// The time since a step began.
struct Watch(Instant);

impl Watch {
    #[expect(clippy::disallowed_methods, reason = "how long a step took is told to the user")]
    fn start() -> Self {
        Self(Instant::now())
    }

    fn tell(&self, words: &str) {
        println!("{}", painted("2", &format!("  {words} {:.1?}", self.0.elapsed())));
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, run_all};
    use crate::failure::Failure;

    #[test]
    fn the_command_is_shown_as_it_is_typed() {
        let step =
            Step::cargo("test -p base").and(["a b", "c"]).with("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(step.shown, "RUSTDOCFLAGS='-D warnings' cargo test -p base 'a b' c");
    }

    #[test]
    fn every_failure_is_told() {
        let steps =
            [Step::new("false", "one"), Step::cargo("--version"), Step::new("no-such-program", "")];
        let Err(Failure::Failed(message)) = run_all(&steps) else {
            panic!("the steps cannot succeed");
        };
        assert!(message.contains("`false one`"), "{message}");
        assert!(message.contains("no-such-program"), "{message}");
        assert!(!message.contains("--version"), "{message}");
    }
}
