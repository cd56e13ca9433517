//! The known word that an unknown one was probably meant to be.

/// Longest word that is looked up, in bytes, and most words that it is compared with.
const MAX_BYTES: usize = 64;
const MAX_CANDIDATES: usize = 500;

/// The candidate with the smallest edit distance to `word`, if it is close enough to be a slip:
/// at most a third of the word's length, so that short words must match but for letter case. Of
/// equally close ones the first wins. Long words and late candidates are not looked at.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    if word.len() > MAX_BYTES {
        return None;
    }
    let length = word.chars().count();
    let limit = length / 3;
    let folded = word.to_lowercase();
    candidates
        .take(MAX_CANDIDATES)
        .filter(|it| it.chars().count().abs_diff(length) <= limit)
        .map(|it| (strsim::damerau_levenshtein(&folded, &it.to_lowercase()), it))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

/// How many look-ups one text still gets. As many as there are problems in an answer, so that a
/// text full of mistakes is refused in bounded time.
#[derive(Debug)]
pub(crate) struct Suggestions(usize);

impl Default for Suggestions {
    fn default() -> Self {
        Self(assay_base::diagnostic::REPORTED)
    }
}

impl Suggestions {
    /// Takes one look-up; false when none is left.
    pub(crate) fn spend(&mut self) -> bool {
        let left = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        left
    }

    /// [`nearest`], while look-ups are left.
    pub(crate) fn nearest<'a>(
        &mut self,
        word: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.spend() { nearest(word, candidates) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::{Suggestions, nearest};

    #[test]
    fn slips_are_found() {
        let names = ["amount", "has_receipt", "category"];
        assert_eq!(nearest("ammount", names.into_iter()), Some("amount"));
        assert_eq!(nearest("hasReceipt", names.into_iter()), Some("has_receipt"));
        assert_eq!(nearest("AMOUNT", names.into_iter()), Some("amount"));
        assert_eq!(nearest("weight", names.into_iter()), None);
        assert_eq!(nearest("c", ["a", "b"].into_iter()), None);
        assert_eq!(nearest("A", ["a", "b"].into_iter()), Some("a"));
    }

    #[test]
    fn look_ups_run_out() {
        let mut suggestions = Suggestions::default();
        let found = (0..60).filter(|_| suggestions.nearest("b", ["b"].into_iter()).is_some());
        assert_eq!(found.count(), 50);
    }
}
