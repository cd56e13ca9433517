//! One crate, one sentence: what a crate owns is said by its first comment and by the README, in
//! the same words. The crate table is the table of the README that has a row for `base`.

use std::collections::BTreeMap;

use super::markdown;
use crate::tree::Tree;

pub(super) fn faults(tree: &Tree) -> Vec<String> {
    let Some(readme) = tree.text("README.md") else {
        return vec!["README.md: is missing".to_owned()];
    };
    let Some(rows) = crate_table(readme) else {
        return vec!["README.md: has no crate table (one with a row for `base`)".to_owned()];
    };
    let crates = crates(tree);
    let mut faults = Vec::new();
    for (name, path) in &crates {
        let text = tree.text(path).unwrap_or_default();
        match (sentence(text), rows.get(name)) {
            (None, _) => faults.push(format!("{path}: does not begin with a `//!` sentence")),
            (_, None) => faults.push(format!("README.md: the crate table lacks `{name}`")),
            (Some(said), Some(row)) if said != *row => {
                faults.push(format!("{path}: says `{said}`, but the README says `{row}`"));
            }
            (Some(_), Some(_)) => {}
        }
    }
    let strangers = rows.keys().filter(|name| !crates.contains_key(*name));
    faults.extend(strangers.map(|name| format!("README.md: there is no crate `{name}`")));
    faults
}

/// Every crate by the name of its folder, with the file that its comment opens.
fn crates(tree: &Tree) -> BTreeMap<String, String> {
    let manifests = tree.texts().filter_map(|(path, _)| path.strip_suffix("/Cargo.toml"));
    let folders = manifests.filter(|folder| {
        *folder == "xtask" || folder.strip_prefix("crates/").is_some_and(|it| !it.contains('/'))
    });
    folders
        .map(|folder| {
            let name = folder.strip_prefix("crates/").unwrap_or(folder).to_owned();
            let library = format!("{folder}/src/lib.rs");
            let path = if tree.has(&library) { library } else { format!("{folder}/src/main.rs") };
            (name, path)
        })
        .collect()
}

/// The rows of the crate table: name to sentence.
fn crate_table(readme: &str) -> Option<BTreeMap<String, &str>> {
    markdown::tables(readme)
        .into_iter()
        .map(|table| table.iter().filter_map(|(_, cells)| row(cells)).collect())
        .find(|rows: &BTreeMap<String, &str>| rows.contains_key("base"))
}

fn row<'t>(cells: &[&'t str]) -> Option<(String, &'t str)> {
    let (first, rest) = cells.split_first()?;
    let name = markdown::code_spans(first).next()?;
    Some((name.to_owned(), rest.first()?))
}

/// The first paragraph of the comment that a file opens with.
fn sentence(text: &str) -> Option<String> {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(str::trim).take_while(|line| !line.is_empty()).collect();
    Some(lines.join(" ")).filter(|it| it.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::tree::Tree;

    const README: &str = "| setting | meaning |\n|---|---|\n| `x` | y |\n\n\
        | crate | owns |\n|---|---|\n| `base` | Words of all. |\n| `xtask` | Chores. |\n";
    const BASE: (&str, &str) = ("crates/base/Cargo.toml", "");
    const XTASK: (&str, &str) = ("xtask/Cargo.toml", "");

    #[test]
    fn sentences() {
        let right = ("xtask/src/main.rs", "//! Chores.\n\nfn main() {}");
        for (base, expected) in [
            ("//! Words of all.\n\nmod x;", &[][..]),
            ("//! Words\n//! of all.\n//!\n//! More.\n", &[]),
            (
                "//! Words.\n",
                &["crates/base/src/lib.rs: says `Words.`, but the README says `Words of all.`"],
            ),
            ("mod x;\n", &["crates/base/src/lib.rs: does not begin with a `//!` sentence"]),
        ] {
            let base = ("crates/base/src/lib.rs", base);
            let tree = Tree::of(&[("README.md", README), BASE, XTASK, base, right]);
            assert_eq!(faults(&tree), expected, "{}", base.1);
        }
    }

    #[test]
    fn rows_and_crates_match() {
        let base = ("crates/base/src/lib.rs", "//! Words of all.");
        let new = ("crates/new/src/lib.rs", "//! New.");
        let manifest = ("crates/new/Cargo.toml", "");
        let tree = Tree::of(&[("README.md", README), BASE, base, manifest, new]);
        let expected =
            ["README.md: the crate table lacks `new`", "README.md: there is no crate `xtask`"];
        assert_eq!(faults(&tree), expected);
        assert_eq!(faults(&Tree::of(&[])), ["README.md: is missing"]);
        assert_eq!(faults(&Tree::of(&[("README.md", "words")])).len(), 1);
    }
}
