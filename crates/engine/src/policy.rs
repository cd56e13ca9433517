//! From what is possible to the word that an assertion's policy makes of it.

use assay_dsail::ir::Policy;

use crate::outcome::Word;

/// Which outcomes the determined values leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Possible {
    /// The same one for every completion.
    Only(bool),
    /// Either, depending on what is undetermined.
    Both,
}

pub(crate) fn word(possible: Possible, policy: Policy) -> Word {
    match (possible, policy) {
        (Possible::Only(holds), _) => holds.into(),
        (Possible::Both, Policy::Neutral) => Word::Unknown,
        (Possible::Both, Policy::Pessimistic) => Word::False,
        (Possible::Both, Policy::Optimistic) => Word::True,
    }
}

#[cfg(test)]
mod tests {
    use super::{Possible, word};
    use crate::outcome::Word;
    use assay_dsail::ir::Policy;

    #[test]
    fn words() {
        for (possible, neutral, pessimistic, optimistic) in [
            (Possible::Only(true), Word::True, Word::True, Word::True),
            (Possible::Only(false), Word::False, Word::False, Word::False),
            (Possible::Both, Word::Unknown, Word::False, Word::True),
        ] {
            assert_eq!(word(possible, Policy::Neutral), neutral);
            assert_eq!(word(possible, Policy::Pessimistic), pessimistic);
            assert_eq!(word(possible, Policy::Optimistic), optimistic);
        }
    }
}
