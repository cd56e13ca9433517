//! What has to hold before a change is merged, on a laptop as in CI.

use crate::failure::{Failure, Outcome, flags};
use crate::step::{self, Step};
use crate::{outside, setup};

/// Formatting, lints and tests; with `CI` set or `--outside` also what others wrote.
pub(crate) fn test(arguments: &[&str]) -> Outcome {
    let [outside] = flags(arguments, ["--outside"])?;
    setup::ensure()?;
    step::run_all(&test_steps(outside)?)
}

/// All of [`test()`], and what takes longer or needs more programs.
pub(crate) fn ci(arguments: &[&str]) -> Outcome {
    let [outside] = flags(arguments, ["--outside"])?;
    setup::ensure()?;
    let mut steps = test_steps(outside)?;
    steps.push(Step::cargo("xtask generate --check"));
    steps.push(
        Step::cargo("doc --workspace --exclude assay-bench --no-deps")
            .with("RUSTDOCFLAGS", "-D warnings"),
    );
    steps.push(Step::cargo("clippy --package assay-bench --all-targets -- -D warnings"));
    // The gate alone needs no peer, no disk and no network, so that its bar holds on any machine.
    steps.push(Step::cargo("run --release --package assay-bench -- --hold gate"));
    steps.extend(dependency_steps());
    step::run_all(&steps)
}

/// What cargo-deny can check here, with a notice of what it cannot.
fn dependency_steps() -> Vec<Step> {
    if Step::cargo("deny --version").output().is_none() {
        step::notice(
            "cargo-deny is not installed: licences, duplicates, sources and advisories are NOT \
             checked; `cargo install --locked cargo-deny` provides it",
        );
        return Vec::new();
    }
    let mut steps = vec![Step::cargo("deny check bans licenses sources")];
    if Step::cargo("deny fetch db").output().is_some() {
        steps.push(Step::cargo("deny check advisories"));
    } else {
        step::notice("the advisory database cannot be fetched: advisories are NOT checked");
    }
    steps
}

/// Replays the recorded calls through every door.
pub(crate) fn parity(arguments: &[&str]) -> Outcome {
    flags(arguments, [])?;
    setup::ensure()?;
    Step::cargo("test --package assay --test parity").run()
}

/// Runs the tests in the mode in which they write what they expect.
pub(crate) fn bless(arguments: &[&str]) -> Outcome {
    setup::ensure()?;
    let step = Step::cargo("test --workspace --exclude assay-bench --no-fail-fast");
    step.and(arguments.iter().copied()).with("ASSAY_BLESS", "1").run()?;
    step::notice(
        "expected files were rewritten where they differed: read `git diff` before you commit",
    );
    Ok(())
}

fn test_steps(outside: bool) -> Result<Vec<Step>, Failure> {
    let mut steps = vec![
        Step::cargo("fmt --all --check"),
        Step::cargo(
            "clippy --workspace --exclude assay-bench --all-targets --keep-going -- -D warnings",
        ),
        // Runs unit, integration and documentation tests; tidy, graph and generate are among them.
        Step::cargo("test --workspace --exclude assay-bench --no-fail-fast"),
    ];
    if outside || in_ci() {
        steps.extend(outside::steps()?);
    }
    Ok(steps)
}

/// Whether this runs where nobody watches and everything may be installed.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !["", "0", "false"].iter().any(|it| value == *it))
}
