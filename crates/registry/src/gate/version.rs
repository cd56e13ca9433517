//! Versions of a tool: which one a caller gets, and what a new one may change.

mod diff;
mod range;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Deserializer, de};

pub use diff::{Change, Kind, diff};
pub use range::{Range, Stored, resolve};

/// `major.minor.patch`, ordered by number and not by text: 1.10 stands above 1.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Changes with the id of the tool.
    pub major: u32,
    /// Grows with what a caller may newly send or read.
    pub minor: u32,
    /// Grows with everything else; zero where it is not written.
    pub patch: u32,
}

impl Version {
    /// Reads `1.2` or `1.2.3`; anything else, such as a pre-release or a leading zero, is `None`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(number);
        let (major, minor) = (numbers.next()??, numbers.next()??);
        let patch = match numbers.next() {
            Some(patch) => patch?,
            None => 0,
        };
        numbers.next().is_none().then_some(Self { major, minor, patch })
    }
}

fn number(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|it| it.is_ascii_digit());
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    (plain && !leading_zero).then(|| digits.parse().ok()).flatten()
}

/// The shortest form that reads back: no patch where it is zero.
impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)?;
        if self.patch == 0 { Ok(()) } else { write!(out, ".{}", self.patch) }
    }
}

impl<'d> Deserialize<'d> for Version {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("this is no version"))
    }
}
