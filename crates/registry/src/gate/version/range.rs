//! Which of the stored versions a caller gets.

use std::fmt;

use crate::gate::record::Record;
use crate::gate::version::Version;

/// One stored version of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Its number.
    pub version: Version,
    /// Whether it is in use.
    pub enabled: bool,
    /// Whether it was taken back, which leaves it stored but never chosen.
    pub withdrawn: bool,
}

impl From<&Record> for Stored {
    /// A record that nobody took back.
    fn from(record: &Record) -> Self {
        Self { version: record.version, enabled: record.enabled, withdrawn: false }
    }
}

/// The highest version of `major` that is in use and inside `range`; no other major is looked at.
#[must_use]
pub fn resolve(major: u32, stored: &[Stored], range: &Range) -> Option<Version> {
    stored
        .iter()
        .filter(|it| it.version.major == major && it.enabled && !it.withdrawn)
        .map(|it| it.version)
        .filter(|it| range.contains(*it))
        .max()
}

/// The versions that a binding accepts: all bounds hold; no bound accepts every version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Range(Vec<(Bound, Version)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
    Above,
    Below,
    Exactly,
}

/// Longer signs first, since `>` begins `>=`.
const SIGNS: &[(&str, Bound)] = &[
    (">=", Bound::AtLeast),
    ("<=", Bound::AtMost),
    (">", Bound::Above),
    ("<", Bound::Below),
    ("=", Bound::Exactly),
];

impl Range {
    /// Reads bounds such as `>=1.1, <2`; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(bound).collect::<Option<_>>().map(Self)
    }

    /// Whether every bound holds for `version`.
    #[must_use]
    pub fn contains(&self, version: Version) -> bool {
        self.0.iter().all(|(bound, limit)| match bound {
            Bound::AtLeast => version >= *limit,
            Bound::AtMost => version <= *limit,
            Bound::Above => version > *limit,
            Bound::Below => version < *limit,
            Bound::Exactly => version == *limit,
        })
    }
}

impl fmt::Display for Range {
    /// As [`Range::parse`] reads it; `any` where every version is accepted.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("any");
        }
        for (place, (bound, limit)) in self.0.iter().enumerate() {
            let sign = SIGNS.iter().find(|it| it.1 == *bound).map_or("", |it| it.0);
            let before = if place == 0 { "" } else { ", " };
            write!(out, "{before}{sign}{limit}")?;
        }
        Ok(())
    }
}

fn bound(text: &str) -> Option<(Bound, Version)> {
    let text = text.trim();
    let (rest, bound) =
        SIGNS.iter().find_map(|(sign, bound)| Some((text.strip_prefix(sign)?, *bound)))?;
    let rest = rest.trim_start();
    let limit = Version::parse(rest).or_else(|| Version::parse(&format!("{rest}.0")))?;
    Some((bound, limit))
}
