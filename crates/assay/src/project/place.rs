//! Where a file of a project really lies, and what it holds.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::input;

/// The file at `relative` below `root`, with every symbolic link on the way followed. What is
/// written there is written within `root`.
pub(super) fn resolve(root: &Path, relative: &Path, shown: &Path) -> Result<PathBuf, Failure> {
    let mut real = root.to_owned();
    let mut components = relative.components();
    let mut walked = shown.to_owned();
    for _ in relative.components() {
        walked.pop();
    }
    while let Some(component) = components.next() {
        real.push(component);
        walked.push(component);
        match real.symlink_metadata() {
            // Nothing further can exist.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                real.extend(components);
                return Ok(real);
            }
            Err(error) => return Err(unusable(&walked, &error)),
            Ok(it) if it.is_symlink() => real = followed(root, &real, &walked)?,
            Ok(_) => {}
        }
        let is_last = components.as_path().as_os_str().is_empty();
        let meta = real.metadata().map_err(|error| unusable(&walked, &error))?;
        let shown = walked.display();
        match (is_last, meta.is_dir()) {
            (true, false) if meta.is_file() => {}
            (false, true) => {}
            (true, true) => {
                return Err(Failure::usage(format!("`{shown}` is a folder, not a file"))
                    .help("rename the folder or remove it"));
            }
            (true, false) => {
                return Err(Failure::usage(format!("`{shown}` is no ordinary file"))
                    .help("put an ordinary file there, or none"));
            }
            (false, false) => {
                return Err(Failure::usage(format!("`{shown}` is a file, not a folder"))
                    .help("rename the file or remove it"));
            }
        }
    }
    Ok(real)
}

fn followed(root: &Path, link: &Path, walked: &Path) -> Result<PathBuf, Failure> {
    let shown = walked.display();
    let target = link.canonicalize().map_err(|error| {
        Failure::usage(format!("the symbolic link `{shown}` leads nowhere: {error}"))
            .help("create what it names, or remove the link")
    })?;
    if target.starts_with(root) {
        return Ok(target);
    }
    let target = target.display();
    Err(Failure::usage(format!("the symbolic link `{shown}` leaves the project for `{target}`"))
        .help("let it lead to a file of the project, or remove it"))
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("`{}` cannot be used: {error}", path.display()))
        .help("see that this user may read it")
}

/// What the file holds, or nothing where there is none.
pub(super) fn text(real: &Path, shown: &Path) -> Result<Option<String>, Failure> {
    if !real.exists() {
        return Ok(None);
    }
    input::text_at(real, shown.display().to_string()).map(|it| Some(it.text))
}
