//! A browser for the tests of the pages that the product shows.

use crate::failure::{Failure, Outcome};
use crate::step::Step;

const BY_HAND: &str = "install Chromium with the package manager of this system \
    (Debian: `apt-get install chromium`, as root) and run this again";

/// Installs Debian's Chromium where that is possible; else says how it is done.
pub(crate) fn install() -> Outcome {
    if let Some(version) = version() {
        println!("a browser is there: {version}");
        return Ok(());
    }
    let is_root = Step::new("id", "-u").output().is_some_and(|it| it == "0");
    let has_apt = Step::new("apt-get", "--version").output().is_some();
    if !is_root || !has_apt {
        return Err(Failure::new(format!("no browser was found: {BY_HAND}")));
    }
    Step::new("apt-get", "update").run()?;
    Step::new("apt-get", "install --yes --no-install-recommends chromium")
        .with("DEBIAN_FRONTEND", "noninteractive")
        .run()?;
    match version() {
        Some(version) => {
            println!("a browser is there: {version}");
            Ok(())
        }
        None => Err(Failure::new(format!("the package brought no browser: {BY_HAND}"))),
    }
}

fn version() -> Option<String> {
    program().and_then(|program| Step::new(&program, "--version").output())
}

/// The path of a browser that runs here.
pub(crate) fn program() -> Option<String> {
    ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| {
        let path = Step::new("sh", "-c").and([format!("command -v {name}").as_str()]).output()?;
        Step::new(&path, "--version").output().map(|_| path)
    })
}
