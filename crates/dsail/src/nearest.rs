//! The known word that an unknown one was probably meant to be.

/// The candidate with the smallest edit distance to `word`, if it is close enough to be a slip:
/// at most a third of the word's length, so that short words must match but for letter case. Of
/// equally close ones the first wins.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = word.chars().count() / 3;
    let folded = word.to_lowercase();
    candidates
        .filter(|it| it.len().abs_diff(word.len()) <= word.len())
        .map(|it| (strsim::damerau_levenshtein(&folded, &it.to_lowercase()), it))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::nearest;

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
}
