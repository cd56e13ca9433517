//! What may be stopped in an emergency, and whether a tool is.
//!
//! Stops are kept apart from the registry, so that a registry that does not load cannot delay one.

use std::collections::BTreeSet;
use std::fmt;

use crate::gate::record::{Record, ToolId};
use crate::gate::version::Version;

/// What a stop holds back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Every tool.
    Everything,
    /// Every tool of this category: `email.*`.
    Category(String),
    /// Every tool that is carried out there: `upstream:practice`.
    Upstream(String),
    /// One tool in every version: `email.send`.
    Tool(String),
    /// One version of a tool: `email.send@1.2`.
    Version(String, Version),
}

impl Target {
    /// Reads what a person wrote; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |it: &str| {
            let rest = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
            it.starts_with(|it: char| it.is_ascii_lowercase()) && it.chars().all(rest)
        };
        let id = |it: &str| {
            let path = ToolId::parse(it).map(|it| it.path().split('.').all(plain));
            path == Some(true) && it.contains('.') && it.len() <= 120
        };
        if text == "everything" {
            return Some(Self::Everything);
        }
        if let Some(category) = text.strip_suffix(".*") {
            return plain(category).then(|| Self::Category(category.to_owned()));
        }
        if let Some(upstream) = text.strip_prefix("upstream:") {
            return plain(upstream).then(|| Self::Upstream(upstream.to_owned()));
        }
        if let Some((tool, version)) = text.split_once('@') {
            let version = Version::parse(version)?;
            return id(tool).then(|| Self::Version(tool.to_owned(), version));
        }
        id(text).then(|| Self::Tool(text.to_owned()))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => out.write_str("everything"),
            Self::Category(category) => write!(out, "{category}.*"),
            Self::Upstream(upstream) => write!(out, "upstream:{upstream}"),
            Self::Tool(tool) => out.write_str(tool),
            Self::Version(tool, version) => write!(out, "{tool}@{version}"),
        }
    }
}

/// Everything that is stopped at one time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stopped(BTreeSet<Target>);

impl Stopped {
    /// Whether one of `targets` is stopped.
    #[must_use]
    pub fn holds(&self, targets: &[Target]) -> bool {
        !self.0.is_empty() && targets.iter().any(|it| self.0.contains(it))
    }

    /// What is stopped, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Target> {
        self.0.iter()
    }
}

impl FromIterator<Target> for Stopped {
    fn from_iter<I: IntoIterator<Item = Target>>(targets: I) -> Self {
        Self(targets.into_iter().collect())
    }
}

/// The categories of the product's own families, also of those that a process does not serve.
pub const OWN_CATEGORIES: [&str; 3] = ["assay", "dsail", "law"];

/// The id of one of the product's own tools: `dsail.list-rulesets` for `dsail_list_rulesets`.
#[must_use]
pub fn own_id(name: &str) -> String {
    let (category, rest) = name.split_once('_').unwrap_or(("assay", name));
    format!("{category}.{}", rest.replace('_', "-"))
}

/// Everything whose stop would hold a tool back.
pub(crate) fn targets(record: &Record) -> Vec<Target> {
    let id = record.tool_id.to_string();
    let mut targets = vec![
        Target::Everything,
        Target::Category(record.category.clone()),
        Target::Version(id.clone(), record.version),
        Target::Tool(id),
    ];
    let upstream = record.execution.upstream.as_deref();
    let upstream = upstream.and_then(|it| it.split('/').next());
    targets.extend(upstream.map(|it| Target::Upstream(it.to_owned())));
    targets
}

#[cfg(test)]
mod tests {
    use super::{Stopped, Target, own_id};
    use crate::catalog::Catalog;

    #[test]
    fn targets_read_back_as_they_are_written() {
        for text in [
            "everything",
            "email.*",
            "efirm-finance.*",
            "upstream:practice",
            "email.send",
            "efirm.matter-db.create-matter",
            "efirm.matter-db.create-matter:v2",
            "email.send@1.2",
            "efirm.matter-db.create-matter:v2@2.0.1",
        ] {
            assert_eq!(Target::parse(text).map(|it| it.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "email",
            "*",
            ".*",
            "Email.send",
            "email.*.x",
            "upstream:",
            "email.send@",
            "a b.c",
            "@1.0",
        ] {
            assert_eq!(Target::parse(text), None, "{text}");
        }
    }

    #[test]
    fn own_tools_have_ids_too() {
        assert_eq!(own_id("dsail_list_rulesets"), "dsail.list-rulesets");
        let catalog = Catalog::load().unwrap();
        let targets = &catalog.tool("dsail_check").unwrap().targets;
        for (text, holds) in [
            ("everything", true),
            ("dsail.*", true),
            ("dsail.check", true),
            ("dsail.check@1.0", true),
            ("dsail.check@1.1", false),
            ("dsail.compile", false),
        ] {
            let stopped: Stopped = Target::parse(text).into_iter().collect();
            assert_eq!(stopped.holds(targets), holds, "{text}");
        }
        assert!(!Stopped::default().holds(targets));
    }
}
