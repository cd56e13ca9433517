//! The files of the repository, read once, so that rules are functions of a value.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Every file that belongs to the repository, by its path with `/` from the root.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Vec<u8>>,
}

/// The folder that holds the workspace.
pub(crate) fn root() -> PathBuf {
    // The value of now comes first: a binary may outlive the place of its clone.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

impl Tree {
    /// Reads the repository. Links are not followed; what `.gitignore` names is left out.
    pub(crate) fn load() -> Result<Self, Failure> {
        let root = root();
        let ignored = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
        let ignored: Vec<&str> = ignored.lines().map(str::trim).collect();
        let mut tree = Self::default();
        tree.add_folder(&root, "", &ignored)?;
        Ok(tree)
    }

    fn add_folder(&mut self, folder: &Path, prefix: &str, ignored: &[&str]) -> Result<(), Failure> {
        let entries = fs::read_dir(folder).map_err(|error| Failure::file(folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Failure::file(folder, &error))?;
            let kind = entry.file_type().map_err(|error| Failure::file(folder, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            if name == ".git" || is_ignored(&path, &name, ignored) {
                continue;
            }
            if kind.is_dir() {
                self.add_folder(&entry.path(), &format!("{path}/"), ignored)?;
            } else if kind.is_file() {
                // A file may vanish while others work in the tree.
                if let Ok(bytes) = fs::read(entry.path()) {
                    self.files.insert(path, bytes);
                }
            }
        }
        Ok(())
    }

    /// The text of one file, if it is there and is text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// The text of a file that must be there.
    pub(crate) fn need(&self, path: &str) -> Result<&str, Failure> {
        self.text(path).ok_or_else(|| Failure::new(format!("`{path}` is missing")))
    }

    /// Every text file with its path, in the order of the paths.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)))
    }

    /// Whether a file or a folder has this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        self.files.contains_key(path)
            || self.files.range(folder.clone()..).next().is_some_and(|it| it.0.starts_with(&folder))
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self { files: files.collect() }
    }
}

/// The part of the `.gitignore` rules that is in use: paths from the root, and plain names.
fn is_ignored(path: &str, name: &str, ignored: &[&str]) -> bool {
    ignored.iter().filter(|it| !it.is_empty() && !it.starts_with('#')).any(|rule| {
        let rule = rule.trim_end_matches('/');
        rule.strip_prefix('/').map_or(rule == name, |rule| rule == path)
    })
}

#[cfg(test)]
mod tests {
    use super::{Tree, is_ignored};

    #[test]
    fn ignore_rules() {
        let rules = ["/target", "", "# words", "/.cargo/local.toml", "node_modules/"];
        for (path, name, expected) in [
            ("target", "target", true),
            ("fuzz/target", "target", false),
            (".cargo/local.toml", "local.toml", true),
            ("clients/node_modules", "node_modules", true),
            ("words", "words", false),
        ] {
            assert_eq!(is_ignored(path, name, &rules), expected, "{path}");
        }
    }

    #[test]
    fn files_and_folders_are_found() {
        let tree = Tree::of(&[("docs/a.md", ""), ("docs-old/b.md", "")]);
        for (path, expected) in [
            ("docs", true),
            ("docs/", true),
            ("docs/a.md", true),
            ("docs-old", true),
            ("doc", false),
            ("docs/b.md", false),
        ] {
            assert_eq!(tree.has(path), expected, "{path}");
        }
    }

    #[test]
    fn the_repository_is_read() {
        let tree = Tree::load().unwrap();
        assert!(tree.text("Cargo.toml").is_some_and(|it| it.contains("[workspace]")));
        assert!(!tree.has("target"));
    }
}
