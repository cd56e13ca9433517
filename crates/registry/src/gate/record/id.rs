//! The key of a tool in the registry.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// Dotted segments, and `:v2` and up for a major version above one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolId {
    path: String,
    major: u32,
}

impl ToolId {
    /// Reads an id; `None` where its version is no number from two. The record's schema says what
    /// the segments look like.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (path, major) = match text.split_once(":v") {
            Some((path, major)) => (path, major.parse().ok().filter(|it| *it > 1)?),
            None => (text, 1),
        };
        (!path.is_empty()).then(|| Self { path: path.to_owned(), major })
    }

    /// The id without its version, under which all majors of the tool are known.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The major version, which a caller never changes by accident.
    #[must_use]
    pub const fn major(&self) -> u32 {
        self.major
    }

    /// The first segment.
    #[must_use]
    pub fn category(&self) -> &str {
        self.path.split('.').next().unwrap_or_default()
    }

    /// The first word of the last segment: `create` in `efirm.matter-db.create-matter`.
    #[must_use]
    pub fn verb(&self) -> &str {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        last.split('-').next().unwrap_or_default()
    }
}

impl fmt::Display for ToolId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.path)?;
        if self.major == 1 { Ok(()) } else { write!(out, ":v{}", self.major) }
    }
}

impl<'d> Deserialize<'d> for ToolId {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("this is no id of a tool"))
    }
}
