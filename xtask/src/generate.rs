//! Files that are written by a program, so that one table says a thing once.
//!
//! A new kind of file is one more function in [`GENERATORS`]. Every generated file carries
//! [`MARK`]; a file that carries it and that no generator makes any more is stale too.

mod code_pages;
mod pages;
mod rust_codes;
pub(crate) mod table;
mod tool_pages;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome, flags};
use crate::tree::{self, Tree};

/// What every generated file says of itself, in a comment on a line of its own.
const MARK: &str = concat!("by `cargo xtask ", "generate`. Do not edit.");

/// Paths from the root, each with the whole text of the file.
type Files = BTreeMap<String, String>;

/// One kind of generated files, made from the files of the repository.
type Generator = fn(&Tree) -> Result<Files, String>;

const GENERATORS: &[Generator] = &[rust_codes::files, pages::files];

/// Writes what is stale, or with `--check` only names it.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let [check] = flags(arguments, ["--check"])?;
    let tree = Tree::load()?;
    let files = files(&tree)?;
    let stale = stale(&tree, &files);
    if stale.is_empty() {
        println!("generate: {} files are up to date", files.len());
        return Ok(());
    }
    if check {
        return Err(Failure::new(format!(
            "generate: stale files; `cargo xtask generate` writes them\n  {}",
            stale.join("\n  ")
        )));
    }
    for path in stale {
        match files.get(path) {
            Some(text) => write(path, text)?,
            None => remove(path)?,
        }
    }
    Ok(())
}

/// Everything that is generated.
fn files(tree: &Tree) -> Result<Files, Failure> {
    let mut files = Files::new();
    for generator in GENERATORS {
        files.extend(generator(tree).map_err(Failure::new)?);
    }
    Ok(files)
}

/// The paths that differ from what is generated, and those that are generated no more.
fn stale<'a>(tree: &'a Tree, files: &'a Files) -> Vec<&'a str> {
    let changed = files.iter().filter(|(path, text)| tree.text(path) != Some(text));
    let changed = changed.map(|(path, _)| path.as_str());
    let marked = tree.texts().filter(|(_, text)| is_marked(text)).map(|(path, _)| path);
    let mut stale: Vec<&str> =
        changed.chain(marked.filter(|it| !files.contains_key(*it))).collect();
    stale.sort_unstable();
    stale
}

fn is_marked(text: &str) -> bool {
    text.lines().any(|line| {
        let is_comment = ["//!", "<!--", "#"].iter().any(|it| line.starts_with(it));
        is_comment && line.contains(MARK)
    })
}

fn write(path: &str, text: &str) -> Outcome {
    let target = tree::root().join(path);
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    fs::write(&target, text).map_err(|error| Failure::file(&target, &error))?;
    println!("wrote {path}");
    Ok(())
}

fn remove(path: &str) -> Outcome {
    let target = tree::root().join(path);
    fs::remove_file(&target).map_err(|error| Failure::file(&target, &error))?;
    println!("removed {path}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Files, MARK, files, stale};
    use crate::tree::Tree;

    #[test]
    fn generated_files_are_up_to_date() {
        let tree = Tree::load().unwrap();
        let files = files(&tree).unwrap();
        let stale = stale(&tree, &files);
        assert!(stale.is_empty(), "run `cargo xtask generate`; stale:\n{}", stale.join("\n"));
    }

    #[test]
    fn stale_files_are_named() {
        let marked = format!("# old\n\n<!-- Generated from x {MARK} -->\n");
        let tree = Tree::of(&[
            ("docs/errors/same.md", "same"),
            ("docs/errors/changed.md", "before"),
            ("docs/errors/gone.md", &marked),
            ("docs/errors/by-hand.md", "words"),
        ]);
        let generated = [("same", "same"), ("changed", "after"), ("new", "new")];
        let generated: Files = generated
            .map(|(name, text)| (format!("docs/errors/{name}.md"), text.to_owned()))
            .into_iter()
            .collect();
        assert_eq!(
            stale(&tree, &generated),
            ["docs/errors/changed.md", "docs/errors/gone.md", "docs/errors/new.md"]
        );
    }
}
