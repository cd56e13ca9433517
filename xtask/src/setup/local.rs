//! `.cargo/local.toml`, which tells cargo where this user's Z3 lies.

use std::fs;
use std::path::Path;

use super::{Z3, environment, wheel};
use crate::failure::{Failure, Outcome};
use crate::tree;

/// Writes the file, unless it already says just this.
pub(super) fn write(z3: &Z3) -> Outcome {
    let users_path = environment::users_pkg_config_path();
    let users_path = users_path.as_ref().map(|it| it.to_string_lossy());
    let text = text(z3, users_path.as_deref(), std::env::consts::OS);
    let path = tree::root().join(".cargo").join("local.toml");
    if fs::read_to_string(&path).is_ok_and(|it| it == text) {
        return Ok(());
    }
    // Written aside and renamed, because another cargo may read the file just now.
    let aside = path.with_extension(format!("toml.{}", std::process::id()));
    fs::write(&aside, text).map_err(|error| Failure::file(&aside, &error))?;
    fs::rename(&aside, &path).map_err(|error| Failure::file(&path, &error))
}

fn text(z3: &Z3, users_path: Option<&str>, system: &str) -> String {
    const HEAD: &str = "# Written by `cargo xtask setup`; remove it to set up anew.\n";
    match z3 {
        Z3::System(version) => format!("{HEAD}# Z3 {version} of this system is used.\n"),
        Z3::Cached(folder) => format!("{HEAD}{}", settings(folder, users_path, system)),
    }
}

/// pkg-config finds Z3 by the first setting and a build without pkg-config by the next two. A
/// binary finds it beside itself, as in a release archive, or in the cache.
fn settings(folder: &Path, users_path: Option<&str>, system: &str) -> String {
    let library = folder.join("lib");
    let folder = folder.to_string_lossy();
    let path = users_path.map_or_else(|| folder.to_string(), |it| format!("{folder}:{it}"));
    let beside = if system == "macos" { "@executable_path" } else { "$ORIGIN" };
    let run_path =
        |it: &str| format!("    \"-C\", {},\n", quoted(&format!("link-arg=-Wl,-rpath,{it}")));
    format!(
        "[env]\n\
         PKG_CONFIG_PATH = {{ value = {}, force = true }}\n\
         Z3_LIBRARY_PATH_OVERRIDE = {{ value = {}, force = true }}\n\
         Z3_SYS_Z3_VERSION = {{ value = {}, force = true }}\n\
         \n\
         [target.'cfg(unix)']\n\
         rustflags = [\n{}{}]\n",
        quoted(&path),
        quoted(&library.to_string_lossy()),
        quoted(wheel::Z3_VERSION),
        run_path(beside),
        run_path(&library.to_string_lossy()),
    )
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Z3, text};

    #[test]
    fn a_new_enough_system_needs_no_settings() {
        let text = text(&Z3::System("4.13.3".to_owned()), None, "linux");
        assert!(text.lines().all(|line| line.starts_with('#')), "{text}");
    }

    #[test]
    fn the_settings_name_the_cache() {
        let z3 = Z3::Cached(PathBuf::from("/c/a \"b\""));
        let text = text(&z3, Some("/opt/lib"), "linux");
        for line in [
            r#"PKG_CONFIG_PATH = { value = "/c/a \"b\":/opt/lib", force = true }"#,
            r#"Z3_LIBRARY_PATH_OVERRIDE = { value = "/c/a \"b\"/lib", force = true }"#,
            r#"Z3_SYS_Z3_VERSION = { value = "5.3.2", force = true }"#,
            r#"    "-C", "link-arg=-Wl,-rpath,$ORIGIN","#,
            r#"    "-C", "link-arg=-Wl,-rpath,/c/a \"b\"/lib","#,
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
    }
}
