//! The product in one minute: a policy compiled, reviewed and checked against three sets of facts.

use std::path::PathBuf;

use crate::failure::{Failure, Outcome, flags};
use crate::setup;
use crate::step::{self, Step};
use crate::tree::{self, Tree};

const RULESET: &str = "fixtures/rulesets/expenses/expenses.dsail";
const CLAIMS: &str = "fixtures/rulesets/expenses/claims/";

/// Each command line is printed before it runs, so that it can be repeated and changed.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    flags(arguments, [])?;
    let tree = Tree::load()?;
    tree.need(RULESET)?;
    let claims = three_claims(&tree)?;
    setup::ensure()?;
    // The build that the tests use too, because it is there sooner than an optimised one.
    Step::cargo("build --package assay").run()?;
    let assay = binary()?;
    let mut steps = vec![Step::new(&assay, "compile").and([RULESET, "--review"])];
    for path in claims {
        steps.push(Step::new(&assay, "check").and([RULESET, "--claims", &format!("@{path}")]));
    }
    step::run_all(&steps)
}

/// Up to three claim files, the last of which leaves something undetermined if any does.
fn three_claims(tree: &Tree) -> Result<Vec<&str>, Failure> {
    let (open, determined): (Vec<_>, Vec<_>) = tree
        .texts()
        .filter(|(path, _)| path.starts_with(CLAIMS) && path.ends_with(".json"))
        .partition(|(_, text)| text.contains("\"unknown\"") || text.contains("null"));
    let wanted = if open.is_empty() { 3 } else { 2 };
    let chosen: Vec<&str> = determined.iter().take(wanted).map(|it| it.0).collect();
    let missing = 3_usize.saturating_sub(chosen.len());
    let chosen: Vec<&str> =
        chosen.into_iter().chain(open.iter().take(missing).map(|it| it.0)).collect();
    if chosen.is_empty() {
        return Err(Failure::new(format!("`{CLAIMS}` holds no claim dictionary")));
    }
    Ok(chosen)
}

/// The path of the command that was built, short where it lies within the workspace.
pub(crate) fn binary() -> Result<String, Failure> {
    let metadata = Step::cargo("metadata --no-deps --offline --format-version 1").output();
    let metadata: serde_json::Value = serde_json::from_str(&metadata.unwrap_or_default())
        .map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let folder = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    let folder = PathBuf::from(folder.unwrap_or("target"));
    let path = folder.join("debug").join(format!("assay{}", std::env::consts::EXE_SUFFIX));
    let short = path.strip_prefix(tree::root()).unwrap_or(&path);
    Ok(short.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::three_claims;
    use crate::tree::Tree;

    #[test]
    fn the_open_claims_come_last() {
        let claims = |name: &str| format!("fixtures/rulesets/expenses/claims/{name}.json");
        let (a, b, c, d) = (claims("a"), claims("b"), claims("c"), claims("d"));
        let known = r#"{"amount": 1}"#;
        let tree =
            Tree::of(&[(&a, r#"{"amount": "unknown"}"#), (&b, known), (&c, known), (&d, known)]);
        assert_eq!(three_claims(&tree).unwrap(), [&b, &c, &a]);
        let tree = Tree::of(&[(&b, known), (&c, known), (&d, known)]);
        assert_eq!(three_claims(&tree).unwrap(), [&b, &c, &d]);
        let tree = Tree::of(&[(&a, r#"{"amount": null}"#), (&b, r#"{"amount": null}"#)]);
        assert_eq!(three_claims(&tree).unwrap(), [&a, &b]);
        assert!(three_claims(&Tree::default()).is_err());
    }
}
