//! Names of claims and members, made ready for look-up once per ruleset.

use crate::answer::UNKNOWN;
use crate::ir::{Ruleset, VocabularyId};

/// What binding looks up in a ruleset. It belongs to the ruleset that it was made from; with
/// another one, fields are not found.
#[derive(Debug, Clone)]
pub struct ClaimIndex {
    /// The places of the claims in the order of their names.
    by_name: Vec<u32>,
    vocabularies: Vec<Members>,
}

#[derive(Debug, Clone)]
struct Members {
    /// The places of the members in the order of their spellings.
    by_spelling: Vec<u32>,
    unknown_is_member: bool,
}

impl ClaimIndex {
    /// The index of a ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset) -> Self {
        let names = ruleset.claims.iter().map(|claim| claim.name.as_str());
        let vocabularies = ruleset.vocabularies.iter().map(|vocabulary| Members {
            by_spelling: order(vocabulary.members.iter().map(String::as_str)),
            unknown_is_member: vocabulary.members.iter().any(|it| it == UNKNOWN),
        });
        Self { by_name: order(names), vocabularies: vocabularies.collect() }
    }

    /// The place of the claim called `name`. `guess` is tried first: fields mostly stand in the
    /// order of declaration.
    pub(super) fn claim(&self, ruleset: &Ruleset, name: &str, guess: usize) -> Option<usize> {
        let name_at = |place: usize| ruleset.claims.get(place).map(|it| it.name.as_str());
        if name_at(guess) == Some(name) {
            return Some(guess);
        }
        find(&self.by_name, name, name_at)
    }

    /// The place of a member in its vocabulary.
    pub(super) fn member(&self, ruleset: &Ruleset, id: VocabularyId, text: &str) -> Option<u32> {
        let members = &ruleset.vocabulary(id).members;
        let index = self.vocabularies.get(id.index())?;
        let found = find(&index.by_spelling, text, |it| members.get(it).map(String::as_str))?;
        u32::try_from(found).ok()
    }

    /// Whether the word `unknown` is a member of the vocabulary.
    pub(super) fn unknown_is_member(&self, id: VocabularyId) -> bool {
        self.vocabularies.get(id.index()).is_some_and(|it| it.unknown_is_member)
    }
}

/// The places of `words`, in the order of the words.
fn order<'a>(words: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut placed: Vec<(&str, u32)> = words.zip(0..).collect();
    placed.sort_unstable();
    placed.into_iter().map(|(_, place)| place).collect()
}

fn find<'a>(
    order: &[u32],
    word: &str,
    word_at: impl Fn(usize) -> Option<&'a str>,
) -> Option<usize> {
    let found = order.binary_search_by(|place| word_at(*place as usize).cmp(&Some(word))).ok()?;
    order.get(found).map(|it| *it as usize)
}
