//! `docs/errors/`: one page for each code, and an index of them.

use std::fmt::Write as _;

use super::table::{Kind, PATH, Row, Table};
use super::{Files, MARK};
use crate::tree::Tree;

const FOLDER: &str = "docs/errors";

pub(super) fn files(tree: &Tree) -> Result<Files, String> {
    let table = Table::read(tree)?;
    let mut files: Files = table
        .rows
        .iter()
        .map(|row| (format!("{FOLDER}/{}.md", row.slug()), page(row, tree.text(&row.fixture()))))
        .collect();
    files.insert(format!("{FOLDER}/README.md"), index(&table));
    Ok(files)
}

/// One page: what a reader needs who has only the code.
fn page(row: &Row, fixture: Option<&str>) -> String {
    let mut out = format!(
        "# {}\n\n`{}` · {}\n\n## What it means\n\n{}\n\n## How to mend it\n\n{}\n",
        row.title,
        row.code,
        class(row),
        row.meaning,
        row.mend,
    );
    if let Some(example) = fixture.map(without_title).filter(|it| !it.is_empty()) {
        let example = example.replace("```dsail mended\n", "Mended:\n\n```dsail\n");
        let _ = write!(out, "\n## Example\n\n{example}\n");
    }
    let _ = write!(out, "\n<!-- Generated from `{PATH}` {MARK} -->\n");
    out
}

fn class(row: &Row) -> String {
    match row.kind {
        Kind::Diagnostic { is_warning: true } => "warning in a source text".to_owned(),
        Kind::Diagnostic { is_warning: false } => "error in a source text".to_owned(),
        Kind::Failure { http_status } => format!("HTTP status {http_status}"),
    }
}

/// A fixture without its first heading, which says what the title of the page says.
fn without_title(fixture: &str) -> &str {
    let fixture = fixture.trim();
    if !fixture.starts_with("# ") {
        return fixture;
    }
    fixture.split_once('\n').map(|it| it.1.trim()).unwrap_or_default()
}

fn index(table: &Table) -> String {
    let mut out = String::from(
        "# Codes\n\nEvery problem that is reported carries a code, and each code has a page that \
         says what it means and how it is mended. A code is never reused for another problem.\n",
    );
    let is_failure = |row: &&Row| matches!(row.kind, Kind::Failure { .. });
    section(&mut out, "Calls that fail", table.rows.iter().filter(is_failure));
    section(&mut out, "Problems in a source text", table.rows.iter().filter(|it| !is_failure(it)));
    let _ = write!(out, "\n<!-- Generated from `{PATH}` {MARK} -->\n");
    out
}

fn section<'r>(out: &mut String, title: &str, rows: impl Iterator<Item = &'r Row>) {
    let _ = write!(out, "\n## {title}\n\n| code | problem | kind |\n|---|---|---|\n");
    for row in rows {
        let (code, slug, title) = (&row.code, row.slug(), &row.title);
        let kind = match row.kind {
            Kind::Diagnostic { is_warning: true } => "warning".to_owned(),
            Kind::Diagnostic { is_warning: false } => "error".to_owned(),
            Kind::Failure { http_status } => http_status.to_string(),
        };
        let _ = writeln!(out, "| [`{code}`]({slug}.md) | {title} | {kind} |");
    }
}

#[cfg(test)]
mod tests {
    use super::files;
    use crate::generate::table::PATH;
    use crate::tree::Tree;

    const TABLE: &str = r#"{"diagnostics": [{"code": "dsail/one", "severity": "warning",
        "title": "First", "meaning": "It is one.", "mend": "Make it two."}], "failures": []}"#;

    #[test]
    fn a_page_carries_its_example() {
        let fixture = (
            "fixtures/codes/dsail/one.md",
            "# One\n\n```dsail\nx\n```\n\n```dsail mended\ny\n```\n",
        );
        let files = files(&Tree::of(&[(PATH, TABLE), fixture])).unwrap();
        let expected = "# First\n\n`dsail/one` · warning in a source text\n\n\
            ## What it means\n\nIt is one.\n\n## How to mend it\n\nMake it two.\n\n\
            ## Example\n\n```dsail\nx\n```\n\nMended:\n\n```dsail\ny\n```\n\n<!-- ";
        assert!(files["docs/errors/dsail-one.md"].starts_with(expected));
        let row = "| [`dsail/one`](dsail-one.md) | First | warning |\n";
        assert!(files["docs/errors/README.md"].contains(row));
    }

    #[test]
    fn a_page_without_a_fixture_has_no_example() {
        let files = files(&Tree::of(&[(PATH, TABLE)])).unwrap();
        assert!(!files["docs/errors/dsail-one.md"].contains("Example"));
    }
}
