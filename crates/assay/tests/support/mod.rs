//! Runs the built command and says what came of it.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Three rules: one of them needs a receipt that may be undetermined.
pub(crate) const EXPENSES: &str = "\
// @ask amount What is the total of the expense, in USD?
// @unit amount USD
declare amount as numeric;
declare has_receipt as boolean;
declare category as enum {\"travel\", \"meals\"};

// No expense is above the cap.
assert within_cap { amount <= 25000 \"USD\" };
// Travel, and every expense above 75 dollars, needs a receipt.
assert receipt_needed {
    Implies(Or(amount > 75 \"USD\", category == \"travel\"), has_receipt)
};
// What cannot be shown counts as a violation.
assert receipt_shown [pessimistic] { has_receipt };
";

/// The ways in which the surroundings may change what a command does.
const SURROUNDINGS: [&str; 28] = [
    "ASSAY_PROMPTING_CLIENTS",
    "ASSAY_DATA",
    "ASSAY_PROFILE",
    "ASSAY_HTTP",
    "ASSAY_HOSTS",
    "ASSAY_TOKEN",
    "ASSAY_TOKEN_FILE",
    "ASSAY_CREDENTIALS",
    "ASSAY_FORWARD_CREDENTIAL",
    "ASSAY_PUBLIC_URL",
    "ASSAY_DIRECT_CALLS",
    "ASSAY_ALLOWANCE",
    "ASSAY_INSTRUCTIONS_HEAD",
    "ASSAY_REGISTRY",
    "ASSAY_SKILL",
    "ASSAY_STOP_FILE",
    "ASSAY_SESSION",
    "ASSAY_TRY_CREDENTIAL",
    "ASSAY_SOLVER_THREADS",
    "ASSAY_SOLVER_QUEUE",
    "ASSAY_SOLVER_STEPS",
    "ASSAY_SOLVER_SECONDS",
    "ASSAY_AUDIT_KEY",
    "ASSAY_AUDIT_CHECKPOINTS",
    "ASSAY_ENVIRONMENT",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
];

/// The command with nothing from the surroundings of the test.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for variable in SURROUNDINGS {
        command.env_remove(variable);
    }
    command
}

/// What a command left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            exit: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

/// Runs `command` with a standard input.
pub(crate) fn run_with(command: &mut Command, stdin: &[u8]) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap().into()
}

/// Runs the command with arguments and no input.
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_with(command().args(arguments), b"")
}

/// A folder of a test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assay").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Writes a file and gives its path as an argument.
pub(crate) fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}
