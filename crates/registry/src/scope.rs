//! The five things that a caller may be let do, and sets of them.

use std::fmt;

/// What a call needs to be let do. Every tool has exactly one scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Shows what a workspace holds.
    Read,
    /// Decides cases, and hands out the questions for them.
    Check,
    /// Turns sources into rulesets.
    Compile,
    /// Changes names, approvals and units of a workspace.
    Write,
    /// Acts for the person: keys, teams and workspaces.
    Account,
}

impl Scope {
    /// Every scope, in the order of their words on the wire.
    pub const ALL: &'static [Self] =
        &[Self::Read, Self::Check, Self::Compile, Self::Write, Self::Account];

    /// The word in tool records and credentials.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Check => "check",
            Self::Compile => "compile",
            Self::Write => "write",
            Self::Account => "account",
        }
    }

    /// The permission that stands for it in records.
    #[must_use]
    pub const fn permission(self) -> &'static str {
        match self {
            Self::Read => "scope:read",
            Self::Check => "scope:check",
            Self::Compile => "scope:compile",
            Self::Write => "scope:write",
            Self::Account => "scope:account",
        }
    }

    /// The scope of this word; `None` for any other.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.word() == word)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// No scope.
    pub const EMPTY: Self = Self(0);

    /// Every scope.
    pub const ALL: Self = Self::EMPTY
        .with(Scope::Read)
        .with(Scope::Check)
        .with(Scope::Compile)
        .with(Scope::Write)
        .with(Scope::Account);

    /// The set with `scope` in it.
    #[must_use]
    pub const fn with(self, scope: Scope) -> Self {
        Self(self.0 | scope.bit())
    }

    /// The set without `scope`.
    #[must_use]
    pub const fn without(self, scope: Scope) -> Self {
        Self(self.0 & !scope.bit())
    }

    /// Puts `scope` into the set.
    pub const fn insert(&mut self, scope: Scope) {
        *self = self.with(scope);
    }

    /// Whether `scope` is in the set.
    #[must_use]
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether no scope is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |it| self.contains(*it))
    }

    /// The set of these words, which spaces separate; `None` where one of them is no scope.
    #[must_use]
    pub fn parse(words: &str) -> Option<Self> {
        words
            .split_ascii_whitespace()
            .try_fold(Self::EMPTY, |scopes, word| Some(scopes.with(Scope::parse(word)?)))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(out, "{space}{}", scope.word())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, Scopes};

    #[test]
    fn words_and_back() {
        for &scope in Scope::ALL {
            assert_eq!(Scope::parse(scope.word()), Some(scope));
            assert_eq!(Scopes::parse(scope.word()), Some(Scopes::EMPTY.with(scope)));
        }
        assert_eq!(Scope::parse("Read"), None);
        assert_eq!(Scopes::ALL.iter().collect::<Vec<_>>(), Scope::ALL);
    }

    #[test]
    fn sets() {
        let mut scopes = Scopes::EMPTY;
        assert!(scopes.is_empty() && scopes.iter().next().is_none());
        scopes.insert(Scope::Write);
        scopes.insert(Scope::Read);
        scopes.insert(Scope::Write);
        assert_eq!(scopes.iter().collect::<Vec<_>>(), [Scope::Read, Scope::Write]);
        assert!(scopes.contains(Scope::Read) && !scopes.contains(Scope::Account));
        assert_eq!(Scopes::ALL.without(Scope::Account).to_string(), "read check compile write");
        assert_eq!(scopes.without(Scope::Check), scopes);
    }

    #[test]
    fn texts() {
        for (text, written) in [
            ("", Some("")),
            ("  \t", Some("")),
            ("write read", Some("read write")),
            ("read read  check", Some("read check")),
            ("read check compile write account", Some("read check compile write account")),
            ("read,check", None),
            ("read all", None),
            ("READ", None),
        ] {
            assert_eq!(Scopes::parse(text).map(|it| it.to_string()).as_deref(), written, "{text}");
        }
    }
}
