//! Profiles: which facets an instance serves, why it denies the others, and what it reads.
//!
//! A profile is data, and is held to its rules before an instance starts: a boundary that is half
//! written is no boundary. Every facet is decided, so that a new kind of tool is never served
//! because nobody thought of it.

use std::collections::BTreeMap;
use std::fmt;

use assay_base::json::printable;

use crate::facet::Facet;
use crate::tool::Tool;

mod read;
#[cfg(test)]
mod tests;

macro_rules! profiles {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../../profiles/", $name, ".json")))),*]
    };
}

/// The profiles that the program carries, each with its text.
const SHIPPED: &[(&str, &str)] =
    profiles!("rules", "all", "public", "islam", "practice", "evidence");

/// Which tools belong together, so that a profile reads all of them or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Rulesets, their names and the accounts around them.
    Rulesets,
    /// Formalized law.
    Law,
    /// Evidence of contact that nobody asked for.
    Evidence,
    /// Tools of other servers.
    Upstream,
}

impl Family {
    /// The family of the tool of this name.
    #[must_use]
    pub fn of(tool: &str) -> Self {
        if tool.starts_with("dsail_") {
            Self::Rulesets
        } else if tool.starts_with("law_") {
            Self::Law
        } else if tool.contains("_spam_") {
            Self::Evidence
        } else {
            Self::Upstream
        }
    }
}

/// What an instance serves, whoever calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    name: String,
    denied: BTreeMap<Facet, String>,
    rulesets: bool,
    packages: Vec<String>,
    upstream: Vec<String>,
    expose_spam: bool,
}

impl Default for Profile {
    /// The profile `rules`: rulesets alone, with every facet.
    fn default() -> Self {
        Self {
            name: "rules".to_owned(),
            denied: BTreeMap::new(),
            rulesets: true,
            packages: Vec::new(),
            upstream: Vec::new(),
            expose_spam: false,
        }
    }
}

impl Profile {
    /// The names of the profiles that the program carries.
    pub fn shipped_names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// The profile of this name that the program carries.
    ///
    /// # Errors
    /// The one fault that it carries none of this name; a carried one is sound.
    pub fn shipped(name: &str) -> Result<Self, Vec<Fault>> {
        match SHIPPED.iter().find(|(it, _)| *it == name) {
            Some((name, text)) => Self::read(&format!("{name}.json"), text),
            None => Err(vec![Fault {
                file: format!("{}.json", printable(name)),
                pointer: String::new(),
                message: format!("corpus profile \"{}\" not found", printable(name)),
                mend: format!(
                    "name one of `{}`, or the path of a file that ends in `.json`",
                    Self::shipped_names().collect::<Vec<_>>().join("`, `")
                ),
            }]),
        }
    }

    /// The profile that `text` holds. Its name is the one of `file`, without folders and `.json`.
    ///
    /// # Errors
    /// Every fault in it at once.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Fault>> {
        read::profile(file, text)
    }

    /// What doors call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The reason why nobody is served tools of this facet; `None` where it is allowed.
    #[must_use]
    pub fn denies(&self, facet: Facet) -> Option<&str> {
        self.denied.get(&facet).map(String::as_str)
    }

    /// Whether the tool of this name belongs to what the profile reads. For the tool of another
    /// server it is the id that counts.
    #[must_use]
    pub fn reads(&self, tool: &str) -> bool {
        match Family::of(tool) {
            Family::Rulesets => self.rulesets,
            Family::Law => !self.packages.is_empty(),
            Family::Evidence => self.expose_spam,
            Family::Upstream => self.upstream.iter().any(|prefix| {
                let rest = tool.strip_prefix(prefix.as_str());
                rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
            }),
        }
    }

    /// Whether a tool of the product is there: its family is read, and so is the package that it
    /// needs.
    #[must_use]
    pub fn has(&self, tool: &Tool) -> bool {
        let package = tool.package.as_ref();
        self.reads(&tool.name) && package.is_none_or(|it| self.packages.contains(it))
    }

    /// Whether rulesets are read.
    #[must_use]
    pub const fn rulesets(&self) -> bool {
        self.rulesets
    }

    /// The law packages that are read, by name.
    #[must_use]
    pub fn packages(&self) -> &[String] {
        &self.packages
    }

    /// What the ids of the tools of other servers begin with.
    #[must_use]
    pub fn upstream(&self) -> &[String] {
        &self.upstream
    }

    /// Whether the evidence tools are served.
    #[must_use]
    pub const fn expose_spam(&self) -> bool {
        self.expose_spam
    }
}

/// One thing that is wrong with a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file that has it.
    pub file: String,
    /// Where in the file, as a JSON pointer; empty for the whole of it.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub mend: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, pointer, message, mend } = self;
        match pointer.as_str() {
            "" => write!(out, "{file}: {message}; {mend}"),
            pointer => write!(out, "{file}: {pointer}: {message}; {mend}"),
        }
    }
}
