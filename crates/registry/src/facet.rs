//! The nine groups of tools that a profile allows or denies.

/// What kind of work a tool does. Every tool has exactly one facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facet {
    /// Finds and quotes what is kept.
    Reference,
    /// Decides and explains.
    Execution,
    /// Writes and checks rules before anyone relies on them.
    Drafting,
    /// Changes what is kept for a case, a team or a name.
    Editing,
    /// Shows what speaks for and against a conclusion.
    Argumentation,
    /// Looks for ways around the rules, and drafts their amendment.
    Adversarial,
    /// Shows and replays procedures.
    Process,
    /// Compares the editions of a text.
    Editions,
    /// Takes reports about the rules themselves.
    Feedback,
}

impl Facet {
    /// Every facet.
    pub const ALL: &'static [Self] = &[
        Self::Reference,
        Self::Execution,
        Self::Drafting,
        Self::Editing,
        Self::Argumentation,
        Self::Adversarial,
        Self::Process,
        Self::Editions,
        Self::Feedback,
    ];

    /// The word in profiles and tool records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Execution => "execution",
            Self::Drafting => "drafting",
            Self::Editing => "editing",
            Self::Argumentation => "argumentation",
            Self::Adversarial => "adversarial",
            Self::Process => "process",
            Self::Editions => "editions",
            Self::Feedback => "feedback",
        }
    }

    /// The facet of this word; `None` for any other.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::Facet;

    #[test]
    fn nine_words_and_back() {
        assert_eq!(Facet::ALL.len(), 9);
        for &facet in Facet::ALL {
            assert_eq!(Facet::parse(facet.word()), Some(facet));
        }
        assert_eq!(Facet::parse("Reference"), None);
    }
}
