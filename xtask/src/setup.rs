//! Makes a fresh clone ready: Z3 for this user, and a list of everything else that is missing.
//!
//! The product links to Z3 4.13.3 or newer, which few systems have. So one wheel of PyPI, pinned
//! by version and hash, is unpacked into the cache folder of the user, and `.cargo/local.toml`
//! tells cargo where it lies. That folder is neither in the clone nor in the target folder, so it
//! serves any number of clones and outlives a moved one.

pub(crate) mod browser;
pub(crate) mod environment;
mod local;
mod needs;
mod system;
mod wheel;

use crate::failure::{Failure, Outcome, flags};

/// Oldest Z3 that the bindings work with.
const OLDEST: [u32; 3] = [4, 13, 3];

/// Where Z3 comes from.
#[derive(Debug, PartialEq, Eq)]
enum Z3 {
    /// The system has one that is new enough; pkg-config finds it by itself.
    System(String),
    /// The folder that the pinned wheel was unpacked into.
    Cached(std::path::PathBuf),
}

/// Sets up and says what was found.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let [browser] = flags(arguments, ["--browser"])?;
    let z3 = provide()?;
    match &z3 {
        Z3::System(version) => println!("Z3 {version} of this system is used"),
        Z3::Cached(folder) => println!("Z3 {} is used: {}", wheel::VERSION, folder.display()),
    }
    println!("everything that a build needs is there");
    if browser { browser::install() } else { Ok(()) }
}

/// Sets up where that was not done before; quiet where nothing is to do.
pub(crate) fn ensure() -> Outcome {
    provide().map(|_| ())
}

fn provide() -> Result<Z3, Failure> {
    let system = system::version().filter(|it| system::is_new_enough(it));
    let cached = environment::z3_cache().and_then(|cache| wheel::find(&cache));
    let missing = needs::missing(system.is_none() && cached.is_none());
    if !missing.is_empty() {
        let list = missing.join("\n  ");
        return Err(Failure::new(format!("these are missing:\n  {list}")));
    }
    let z3 = match (system, cached) {
        (Some(version), _) => Z3::System(version),
        (None, Some(folder)) => Z3::Cached(folder),
        (None, None) => Z3::Cached(wheel::fetch(&environment::need_cache()?.join("z3"))?),
    };
    local::write(&z3)?;
    Ok(z3)
}
