//! The section *Follow one call* of the README names files and functions that exist.
//!
//! Its rows have the form ``| 1 | `crates/x/src/y.rs` `function` | what happens |``.

use super::markdown;
use crate::tree::Tree;

const SECTION: &str = "follow one call";

pub(super) fn faults(tree: &Tree) -> Vec<String> {
    // That the README is missing is told by another rule.
    let Some(readme) = tree.text("README.md") else { return Vec::new() };
    let rows = rows(readme);
    if rows.is_empty() {
        return vec!["README.md: has no table under a heading `Follow one call`".to_owned()];
    }
    rows.into_iter().filter_map(|row| row_fault(tree, row)).collect()
}

/// The numbered rows of the section, each as its line number and second cell.
fn rows(readme: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut rows = Vec::new();
    for (number, line) in markdown::prose(readme) {
        if line.starts_with('#') {
            inside = line.trim_start_matches('#').trim().eq_ignore_ascii_case(SECTION);
        } else if let (true, [hop, place, ..]) = (inside, &*markdown::cells(line))
            && hop.parse::<u32>().is_ok()
        {
            rows.push((number, *place));
        }
    }
    rows
}

fn row_fault(tree: &Tree, (number, place): (usize, &str)) -> Option<String> {
    let mut spans = markdown::code_spans(place);
    let (Some(file), Some(function)) = (spans.next(), spans.next()) else {
        return Some(format!("README.md:{number}: the hop names no file and function"));
    };
    let Some(text) = tree.text(file) else {
        return Some(format!("README.md:{number}: `{file}` is not there"));
    };
    let name = function.rsplit("::").next().unwrap_or(function).trim_end_matches("()");
    let is_there = ["(", "<"].iter().any(|open| text.contains(&format!("fn {name}{open}")));
    (!is_there).then(|| format!("README.md:{number}: `{file}` has no function `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::tree::Tree;

    #[test]
    fn hops() {
        for (row, expected) in [
            ("| 1 | `crates/a/src/b.rs` `call` | x |", ""),
            ("| 1 | `crates/a/src/b.rs` `Service::call_it` | x |", ""),
            ("| 1 | `crates/a/src/b.rs` `cal` | x |", "`crates/a/src/b.rs` has no function `cal`"),
            ("| 1 | `crates/a/src/c.rs` `call` | x |", "`crates/a/src/c.rs` is not there"),
            ("| 1 | the solver | x |", "the hop names no file and function"),
        ] {
            let readme = format!(
                "# A\n\n## Follow one call\n\n| hop | place | what |\n|---|---|---|\n{row}\n"
            );
            let code = "fn call(x: u8) {}\nfn call_it<T>(x: T) {}\n";
            let found = faults(&Tree::of(&[("README.md", &readme), ("crates/a/src/b.rs", code)]));
            let expected: Vec<String> = Some(expected)
                .into_iter()
                .filter(|it| !it.is_empty())
                .map(|it| format!("README.md:7: {it}"))
                .collect();
            assert_eq!(found, expected, "{row}");
        }
    }

    #[test]
    fn the_section_must_be_there() {
        let elsewhere = "## Other\n\n| 1 | `x` `y` | z |\n";
        assert_eq!(faults(&Tree::of(&[("README.md", elsewhere)])).len(), 1);
    }
}
