//! Packages of npm for the programs that others wrote, at exact versions in the cache of the user.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::step::Step;

/// The runtime, which comes the same way: what a system has may be too old, and differs.
const NODE: (&str, &str) = ("node", "22.23.3");

/// Installs the packages and node itself below `folder`, unless they are there.
pub(crate) fn install(folder: &Path, packages: &[(&str, &str)]) -> Outcome {
    let packages: Vec<_> = [NODE].into_iter().chain(packages.iter().copied()).collect();
    if packages.iter().all(|(name, version)| is_there(folder, name, version)) {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let names: Vec<String> =
        packages.iter().map(|(name, version)| format!("{name}@{version}")).collect();
    Step::new("npm", "install --no-save --no-audit --no-fund --loglevel error --prefix")
        .and([folder.display().to_string().as_str()])
        .and(names.iter().map(String::as_str))
        .run()
}

/// The path of a program that an installed package brought.
pub(crate) fn program(folder: &Path, name: &str) -> String {
    modules(folder).join(".bin").join(name).display().to_string()
}

fn modules(folder: &Path) -> PathBuf {
    folder.join("node_modules")
}

fn is_there(folder: &Path, name: &str, version: &str) -> bool {
    let path = modules(folder).join(name).join("package.json");
    let text = fs::read_to_string(path).unwrap_or_default();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    package.get("version").is_some_and(|it| it == version)
}
