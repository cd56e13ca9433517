//! The variables that decide where Z3 is found, and those that our own `local.toml` sets.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

/// The folder for what is downloaded once for this user.
fn cache() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    // A relative path is to be ignored, says the specification of the variable.
    let base = set("XDG_CACHE_HOME").filter(|it| it.is_absolute());
    let base = base.or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("assay"))
}

/// The same folder, where one cannot go on without it.
pub(crate) fn need_cache() -> Result<PathBuf, Failure> {
    cache().ok_or_else(|| Failure::new("neither `HOME` nor `XDG_CACHE_HOME` is set"))
}

/// The folder that holds every Z3 which setup has unpacked for this user.
pub(super) fn z3_cache() -> Option<PathBuf> {
    cache().map(|it| it.join("z3"))
}

/// `PKG_CONFIG_PATH` as the user set it, without the entry that `local.toml` adds.
pub(super) fn users_pkg_config_path() -> Option<OsString> {
    let path = env::var_os("PKG_CONFIG_PATH")?;
    let kept: Vec<PathBuf> =
        env::split_paths(&path).filter(|it| !it.as_os_str().is_empty() && !is_ours(it)).collect();
    env::join_paths(kept).ok().filter(|it| !it.is_empty())
}

/// Whether setup has made this folder, now or when the cache lay elsewhere: `assay/z3/<version>`
/// or something in it.
fn is_ours(path: &Path) -> bool {
    let names: Vec<_> = path.iter().collect();
    names.windows(3).any(|it| matches!(it, [a, b, _] if *a == "assay" && *b == "z3"))
}

/// Takes back what the cargo that runs us has set from `local.toml`, so that the programs which
/// we run see the file as it is now.
pub(crate) fn restore(command: &mut Command) {
    match users_pkg_config_path() {
        Some(path) => command.env("PKG_CONFIG_PATH", path),
        None => command.env_remove("PKG_CONFIG_PATH"),
    };
    if env::var_os("Z3_LIBRARY_PATH_OVERRIDE").is_some_and(|it| is_ours(Path::new(&it))) {
        command.env_remove("Z3_LIBRARY_PATH_OVERRIDE").env_remove("Z3_SYS_Z3_VERSION");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_ours;

    #[test]
    fn what_setup_made_is_told_apart() {
        for (path, expected) in [
            ("/c/assay/z3/5.3.2.0-a", true),
            ("/c/assay/z3/5.3.2.0-a/lib", true),
            ("/c/assay/z3", false),
            ("/opt/z3/lib/pkgconfig", false),
            ("/src/assay/other/z3/lib", false),
            ("", false),
        ] {
            assert_eq!(is_ours(Path::new(path)), expected, "{path}");
        }
    }
}
