//! The house rules that no lint knows. Each rule is a function of the repository's files.

mod calls;
mod codes;
mod crates;
mod markdown;
mod paths;
mod sizes;
mod words;

use crate::failure::{Outcome, flags, none_of};
use crate::tree::Tree;

/// One rule: the repository to its faults, each a line that names the file.
type Rule = fn(&Tree) -> Vec<String>;

const RULES: &[Rule] =
    &[crates::faults, sizes::faults, words::faults, codes::faults, paths::faults, calls::faults];

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    flags(arguments, [])?;
    none_of("tidy", &faults(&Tree::load()?))
}

/// Every fault of every rule.
fn faults(tree: &Tree) -> Vec<String> {
    RULES.iter().flat_map(|rule| rule(tree)).collect()
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::tree::Tree;

    #[test]
    fn the_repository_is_tidy() {
        let faults = faults(&Tree::load().unwrap());
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    }
}
