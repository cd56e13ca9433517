//! Every code of the language has a fixture that provokes it, and every such fixture a code.

use crate::generate::table::Table;
use crate::tree::Tree;

/// Families whose codes are provoked by a text.
const FAMILIES: &[&str] = &["dsail"];

pub(super) fn faults(tree: &Tree) -> Vec<String> {
    let table = match Table::read(tree) {
        Ok(table) => table,
        Err(fault) => return vec![fault],
    };
    let expected: Vec<String> = table
        .rows
        .iter()
        .filter(|row| FAMILIES.iter().any(|it| row.family() == Some(it)))
        .map(|row| row.fixture())
        .collect();
    let missing = expected.iter().filter(|path| !tree.has(path));
    let mut faults: Vec<String> =
        missing.map(|path| format!("{path}: is missing; each code has a fixture")).collect();
    let found = tree.texts().map(|it| it.0).filter(|path| path.starts_with("fixtures/codes/"));
    let strangers = found.filter(|path| !expected.iter().any(|it| it == path));
    faults.extend(strangers.map(|path| format!("{path}: there is no such code")));
    faults
}

#[cfg(test)]
mod tests {
    use super::faults;
    use crate::tree::Tree;

    const TABLE: &str = r#"{"diagnostics": [{"code": "dsail/one", "severity": "error",
        "title": "t", "meaning": "m", "mend": "d"}], "failures": [{"code": "TWO", "http": 400,
        "title": "u", "meaning": "m", "mend": "d"}]}"#;

    #[test]
    fn fixtures_and_codes_match() {
        let table = ("crates/base/data/codes.json", TABLE);
        let one = ("fixtures/codes/dsail/one.md", "");
        let other = ("fixtures/codes/dsail/other.md", "");
        assert_eq!(faults(&Tree::of(&[table, one])), [""; 0]);
        assert_eq!(
            faults(&Tree::of(&[table, other])),
            [
                "fixtures/codes/dsail/one.md: is missing; each code has a fixture",
                "fixtures/codes/dsail/other.md: there is no such code",
            ]
        );
        assert_eq!(faults(&Tree::of(&[])), ["`crates/base/data/codes.json` is missing"]);
    }
}
