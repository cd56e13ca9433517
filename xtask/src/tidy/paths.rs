//! What the README and the pages of `docs/` point at is there: paths between backticks, and the
//! targets of links.

use super::markdown;
use crate::tree::Tree;

/// A code span is taken for a path if it begins with one of these.
const FOLDERS: &[&str] =
    &["crates/", "docs/", "fixtures/", "fuzz/", "profiles/", "xtask/", ".ci/", ".cargo/"];

/// Made by `cargo xtask setup` and never part of the repository.
const LOCAL: &str = ".cargo/local.toml";

pub(super) fn faults(tree: &Tree) -> Vec<String> {
    tree.texts().filter(|(path, _)| is_page(path)).flat_map(|it| page_faults(tree, it)).collect()
}

fn is_page(path: &str) -> bool {
    path == "README.md"
        || path.strip_prefix("docs/").is_some_and(|it| it.ends_with(".md") && !it.contains('/'))
}

fn page_faults(tree: &Tree, (page, text): (&str, &str)) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in markdown::prose(text) {
        for path in markdown::code_spans(line).filter_map(as_path) {
            if path != LOCAL && !tree.has(path) {
                faults.push(format!("{page}:{number}: `{path}` is not there"));
            }
        }
        for target in markdown::link_targets(line).filter_map(as_file) {
            if !tree.has(&resolved(page, target)) {
                faults.push(format!("{page}:{number}: the link to `{target}` leads nowhere"));
            }
        }
    }
    faults
}

/// The path that a code span names; `None` for anything else, patterns included.
fn as_path(span: &str) -> Option<&str> {
    let is_plain = !span.contains(|it: char| it.is_whitespace() || "<>*{}$…".contains(it));
    let named = FOLDERS.iter().any(|it| span.starts_with(it));
    (is_plain && named).then(|| span.split([':', '#']).next().unwrap_or(span))
}

/// The file of a link target; `None` for an address and for a place on the same page.
fn as_file(target: &str) -> Option<&str> {
    let file = target.split('#').next().unwrap_or_default();
    (!file.is_empty() && !file.contains("://") && !file.starts_with("mailto:")).then_some(file)
}

/// The path from the root that a link on `page` leads to.
fn resolved(page: &str, target: &str) -> String {
    if let Some(from_root) = target.strip_prefix('/') {
        return from_root.to_owned();
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::tree::Tree;

    #[test]
    fn what_is_named_is_there() {
        for (page, line, expected) in [
            ("README.md", "`crates/a/src/lib.rs:3` and `crates/a/`", ""),
            ("README.md", "`crates/b`", "README.md:1: `crates/b` is not there"),
            ("README.md", "`crates/<name>/src` `crates/*` `.cargo/local.toml` `cargo test`", ""),
            ("README.md", "[a](docs/a.md#part) [b](https://b.example/docs/c.md) [c](#d)", ""),
            ("docs/a.md", "[r](../README.md) [c](../crates/a/src/lib.rs)", ""),
            ("docs/a.md", "[b](b.md)", "docs/a.md:1: the link to `b.md` leads nowhere"),
            ("docs/errors/x.md", "`crates/b`", ""),
        ] {
            let files = [("README.md", ""), ("docs/a.md", ""), ("crates/a/src/lib.rs", "")];
            let kept = files.into_iter().filter(|it| it.0 != page).chain([(page, line)]);
            let found = faults(&Tree::of(&kept.collect::<Vec<_>>()));
            let expected: Vec<&str> =
                Some(expected).into_iter().filter(|it| !it.is_empty()).collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
