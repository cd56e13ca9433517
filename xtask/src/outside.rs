//! Steps that need programs from npm or PyPI: conformance suites and clients that others wrote.
//!
//! They run with `CI=true` and with `cargo xtask test --outside`, because they download packages.
//! A new one is one more list in [`steps`]. A step should install what it needs below the cache
//! folder of the user or below the target folder, at exact versions, and must not write into the
//! repository.

use crate::failure::Failure;
use crate::step::Step;
use crate::{demo, setup};

/// What the clients are: the scripts, and the packages that they need.
const CLIENTS: &str = "crates/assay/tests/clients/";

/// Every step, in the order in which they run.
///
/// # Errors
/// [`Failure`] where there is no place for what is installed.
pub(crate) fn steps() -> Result<Vec<Step>, Failure> {
    let assay = demo::binary()?;
    let mut steps = vec![Step::cargo("build --package assay")];
    steps.extend(python_clients(&assay)?);
    steps.push(Step::cargo("xtask conformance"));
    steps.push(Step::cargo("xtask browser"));
    Ok(steps)
}

/// The official Python SDK of the protocol and the reference client of the rule language, both as
/// clients of `assay`.
fn python_clients(assay: &str) -> Result<[Step; 4], Failure> {
    let folder = setup::environment::need_cache()?.join("clients").join("python");
    let python = folder.join("bin").join("python").display().to_string();
    let requirements = format!("{CLIENTS}requirements.txt");
    Ok([
        Step::new("python3", "-m venv").and([folder.display().to_string().as_str()]),
        Step::new(&python, "-m pip install --quiet --disable-pip-version-check --requirement")
            .and([requirements.as_str()]),
        Step::new(&python, "").and([format!("{CLIENTS}sdk.py").as_str(), assay]),
        Step::new(&python, "").and([format!("{CLIENTS}reference.py").as_str(), assay]),
    ])
}
