//! The table of codes, `crates/base/data/codes.json`, read strictly.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tree::Tree;

pub(crate) const PATH: &str = "crates/base/data/codes.json";

/// The HTTP status of a problem within a text, whatever its code.
const TEXT_STATUS: u16 = 422;

/// Every code, problems of texts first, in the order of the file.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
}

/// One code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The word on the wire: `dsail/numeral` or `ENGINE_BUSY`.
    pub(crate) code: String,
    pub(crate) title: String,
    pub(crate) meaning: String,
    pub(crate) mend: String,
    pub(crate) kind: Kind,
}

/// What a code is given to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A problem within a text.
    Diagnostic { is_warning: bool },
    /// A call that failed.
    Failure { http_status: u16 },
}

impl Table {
    /// Reads the table; a fault names the row.
    pub(crate) fn read(tree: &Tree) -> Result<Self, String> {
        let text = tree.text(PATH).ok_or_else(|| format!("`{PATH}` is missing"))?;
        let value: Value = serde_json::from_str(text).map_err(|it| format!("{PATH}: {it}"))?;
        let mut rows = Vec::new();
        for (list, kind) in [("diagnostics", diagnostic as Reader), ("failures", failure)] {
            let items = value.get(list).and_then(Value::as_array);
            let items = items.ok_or_else(|| format!("{PATH}: the list `{list}` is missing"))?;
            for (index, item) in items.iter().enumerate() {
                let row = row(item, kind);
                rows.push(row.map_err(|it| format!("{PATH}: {list}, row {}: {it}", index + 1))?);
            }
        }
        let mut seen = BTreeSet::new();
        match rows.iter().find(|row| !seen.insert(row.variant())) {
            Some(twice) => Err(format!("{PATH}: `{}` has a name that is taken", twice.code)),
            None => Ok(Self { rows }),
        }
    }
}

impl Row {
    /// The part of the code before the slash.
    pub(crate) fn family(&self) -> Option<&str> {
        self.code.split_once('/').map(|it| it.0)
    }

    /// The code as a file name without its ending: `dsail-numeral`, `engine-busy`.
    pub(crate) fn slug(&self) -> String {
        self.code.replace(['/', '_'], "-").to_ascii_lowercase()
    }

    /// The fixture that provokes the code.
    pub(crate) fn fixture(&self) -> String {
        format!("fixtures/codes/{}.md", self.code)
    }

    /// The name in Rust. The language's own family goes without saying.
    pub(crate) fn variant(&self) -> String {
        let words = self.code.strip_prefix("dsail/").unwrap_or(&self.code).to_ascii_lowercase();
        words.split(['/', '-', '_']).map(capitalised).collect()
    }

    /// The status with which a call fails that reports this code.
    pub(crate) fn http_status(&self) -> u16 {
        match self.kind {
            Kind::Diagnostic { .. } => TEXT_STATUS,
            Kind::Failure { http_status } => http_status,
        }
    }

    pub(crate) fn is_warning(&self) -> bool {
        self.kind == Kind::Diagnostic { is_warning: true }
    }
}

type Reader = fn(&Value) -> Result<Kind, String>;

fn diagnostic(item: &Value) -> Result<Kind, String> {
    match string(item, "severity")?.as_str() {
        "error" => Ok(Kind::Diagnostic { is_warning: false }),
        "warning" => Ok(Kind::Diagnostic { is_warning: true }),
        other => Err(format!("`{other}` is no severity")),
    }
}

fn failure(item: &Value) -> Result<Kind, String> {
    let status = item.get("http").and_then(Value::as_u64).and_then(|it| u16::try_from(it).ok());
    match status {
        Some(http_status @ 400..=599) => Ok(Kind::Failure { http_status }),
        _ => Err("`http` is no status of a failure".to_owned()),
    }
}

fn row(item: &Value, kind: Reader) -> Result<Row, String> {
    let members = item.as_object().ok_or("is no object")?;
    const KNOWN: [&str; 7] = ["code", "severity", "http", "governed", "title", "meaning", "mend"];
    if let Some(unknown) = members.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(format!("`{unknown}` is no member of a row"));
    }
    let code = string(item, "code")?;
    if !code.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'/' | b'-' | b'_')) {
        return Err(format!("`{code}` is no code"));
    }
    Ok(Row {
        code,
        title: string(item, "title")?,
        meaning: string(item, "meaning")?,
        mend: string(item, "mend")?,
        kind: kind(item)?,
    })
}

fn string(item: &Value, key: &str) -> Result<String, String> {
    let text = item.get(key).and_then(Value::as_str).filter(|it| !it.trim().is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("`{key}` is missing"))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::{PATH, Table};
    use crate::tree::Tree;

    fn read(diagnostics: &str, failures: &str) -> Result<Table, String> {
        let text = format!("{{\"diagnostics\": [{diagnostics}], \"failures\": [{failures}]}}");
        Table::read(&Tree::of(&[(PATH, &text)]))
    }

    const ONE: &str = r#"{"code": "dsail/if-without-else", "severity": "warning", "title": "t",
        "meaning": "m", "mend": "d"}"#;
    const TWO: &str =
        r#"{"code": "ENGINE_BUSY", "http": 503, "title": "t", "meaning": "m", "mend": "d"}"#;

    #[test]
    fn names_follow_from_the_code() {
        let table = read(ONE, TWO).unwrap();
        let names = |index: usize| {
            let row = &table.rows[index];
            (row.variant(), row.slug(), row.fixture(), row.http_status(), row.is_warning())
        };
        let expected = ("IfWithoutElse", "dsail-if-without-else");
        let fixture = "fixtures/codes/dsail/if-without-else.md".to_owned();
        assert_eq!(names(0), (expected.0.into(), expected.1.into(), fixture, 422, true));
        let fixture = "fixtures/codes/ENGINE_BUSY.md".to_owned();
        assert_eq!(names(1), ("EngineBusy".into(), "engine-busy".into(), fixture, 503, false));
    }

    #[test]
    fn faults_name_the_row() {
        let other_family = ONE.replace("dsail/", "law/");
        assert_eq!(read(&format!("{ONE},{other_family}"), TWO).unwrap().rows.len(), 3);
        for (diagnostics, failures, expected) in [
            (
                format!("{ONE},{ONE}"),
                TWO.to_owned(),
                "`dsail/if-without-else` has a name that is taken",
            ),
            (
                ONE.replace("warning", "fatal"),
                String::new(),
                "diagnostics, row 1: `fatal` is no severity",
            ),
            (
                String::new(),
                TWO.replace("503", "200"),
                "failures, row 1: `http` is no status of a failure",
            ),
            (String::new(), TWO.replace("\"m\"", "\" \""), "failures, row 1: `meaning` is missing"),
            (
                String::new(),
                TWO.replace("mend", "help"),
                "failures, row 1: `help` is no member of a row",
            ),
            (
                String::new(),
                TWO.replace("ENGINE_BUSY", "../x"),
                "failures, row 1: `../x` is no code",
            ),
        ] {
            let fault = read(&diagnostics, &failures).unwrap_err();
            assert_eq!(fault, format!("{PATH}: {expected}"));
        }
    }
}
