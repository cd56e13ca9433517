//! `crates/base/src/codes.rs`: the codes as an enum.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::table::{PATH, Row, Table};
use super::{Files, MARK};
use crate::tree::{self, Tree};

const TARGET: &str = "crates/base/src/codes.rs";

pub(super) fn files(tree: &Tree) -> Result<Files, String> {
    let text = formatted(&text(&Table::read(tree)?))?;
    Ok(Files::from([(TARGET.to_owned(), text)]))
}

fn text(table: &Table) -> String {
    let mut out = format!(
        "//! The codes of every problem that the product reports.\n//!\n\
         //! Generated from `{PATH}` {MARK}\n\n\
         use crate::diagnostic::Severity;\n\n\
         /// A stable word for one kind of problem. A code is never reused for another problem.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]\n\
         pub enum Code {{\n"
    );
    for row in &table.rows {
        let _ = writeln!(out, "/// {}.\n{},", row.title, row.variant());
    }
    out.push_str("}\n\n");
    out.push_str(ENTRY);
    out.push_str("impl Code {\n/// Every code in the order of the table.\n");
    out.push_str("pub const ALL: &'static [Self] = &[\n");
    for row in &table.rows {
        let _ = writeln!(out, "Self::{},", row.variant());
    }
    out.push_str("];\n\n");
    out.push_str(METHODS);
    out.push_str("const fn entry(self) -> &'static Entry {\nmatch self {\n");
    table.rows.iter().for_each(|row| arm(&mut out, row));
    out.push_str("}\n}\n}\n");
    out
}

fn arm(out: &mut String, row: &Row) {
    let severity = if row.is_warning() { "Warning" } else { "Error" };
    let _ = writeln!(
        out,
        "Self::{} => &Entry {{ word: {:?}, page: \"/docs/errors/{}.md\", title: {:?}, \
         severity: Severity::{severity}, http_status: {} }},",
        row.variant(),
        row.code,
        row.slug(),
        row.title,
        row.http_status(),
    );
}

const ENTRY: &str = "struct Entry {
    word: &'static str,
    page: &'static str,
    title: &'static str,
    severity: Severity,
    http_status: u16,
}

";

const METHODS: &str = r#"
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.entry().word
    }

    /// The path of the page that resolves the problem.
    #[must_use]
    pub const fn page(self) -> &'static str {
        self.entry().page
    }

    /// The problem in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Whether the problem stops the text from being used; a failed call always is an error.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.entry().severity
    }

    /// The HTTP status of a failed call; 422 for the problems within a source text.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        self.entry().http_status
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each code keeps the table total")]
"#;

/// The text as rustfmt writes it, with the settings of the workspace.
fn formatted(text: &str) -> Result<String, String> {
    let root = tree::root();
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--config-path"])
        .arg(&root)
        .current_dir(&root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("`rustfmt` cannot be run: {error}"))?;
    // rustfmt reads all of its input before it writes, so neither side waits for the other.
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).map_err(|error| format!("rustfmt: {error}"))?;
    }
    let output = child.wait_with_output().map_err(|error| format!("rustfmt: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`rustfmt` does not accept the generated code: {why}"));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("rustfmt: {error}"))
}

#[cfg(test)]
mod tests {
    use super::formatted;

    #[test]
    fn code_is_formatted_or_refused() {
        assert_eq!(formatted("fn  a( ) { }").unwrap(), "fn a() {}\n");
        let refused = formatted("fn a( {").unwrap_err();
        assert!(refused.contains("unclosed delimiter"), "{refused}");
    }
}
