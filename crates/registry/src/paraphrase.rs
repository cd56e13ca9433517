//! An agreed phrase stands word for word or not at all.
//!
//! A text that says nearly the same is a second version of the phrase, and the two drift apart.
//! Sentences are compared by their shingles, which are runs of four words without regard to case
//! and punctuation. The check knows words and no meaning: a sentence that says the same in words
//! of its own passes.

use std::collections::BTreeSet;

/// How many words make a shingle.
const WORDS: usize = 4;

/// How many shingles two texts have in common before it is no coincidence. A phrase that has fewer
/// has to share all of them.
const COMMON: usize = 3;

/// A sentence that nearly repeats an agreed phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paraphrase {
    /// The sentence, on one line.
    pub sentence: String,
    /// The phrase that it comes close to.
    pub phrase: String,
}

/// The sentences of `text` that share at least half of their shingles, or half of the phrase's,
/// with one of `phrases`, and do not contain that phrase word for word.
#[must_use]
pub fn paraphrases(text: &str, phrases: &[&str]) -> Vec<Paraphrase> {
    let phrases: Vec<_> = phrases.iter().map(|it| (*it, shingles(it))).collect();
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let own = shingles(&sentence);
        for (phrase, agreed) in &phrases {
            if is_close(&own, agreed) && !sentence.contains(phrase.trim_end_matches('.')) {
                let (sentence, phrase) = (sentence.clone(), (*phrase).to_owned());
                found.push(Paraphrase { sentence, phrase });
            }
        }
    }
    found
}

fn is_close(own: &BTreeSet<String>, agreed: &BTreeSet<String>) -> bool {
    let common = own.intersection(agreed).count();
    let fewer = own.len().min(agreed.len());
    common >= COMMON.min(agreed.len()) && common > 0 && common * 2 >= fewer
}

/// Sentences, each on one line. Paragraphs, list items, headings and cells of a table end one too.
fn sentences(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in text.lines() {
        let start = line.trim_start();
        let opens = start.is_empty()
            || start.starts_with(['#', '-', '*', '>'])
            || start.split_once(". ").is_some_and(|it| it.0.parse::<u32>().is_ok());
        if opens {
            found.push(String::new());
        }
        for word in start.split_whitespace() {
            if let Some(sentence) = found.last_mut() {
                if !sentence.is_empty() {
                    sentence.push(' ');
                }
                sentence.push_str(word);
            }
            if word == "|" || word.ends_with(['.', '!', '?']) {
                found.push(String::new());
            }
        }
    }
    found.retain(|it| !it.is_empty());
    found
}

fn shingles(text: &str) -> BTreeSet<String> {
    let words: Vec<String> = text
        .split(|it: char| !it.is_alphanumeric() && it != '\'' && it != '_')
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.windows(WORDS).map(|it| it.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::paraphrases;

    const LEAD: &str = "A clerk reads the policy aloud: everyone hears the same words, every day.";
    const SHORT: &str = "why was this refused";

    #[test]
    fn sentences_that_come_close_are_found() {
        for (text, phrase) in [
            ("A clerk reads the policy aloud, everyone hears the same words every day.", LEAD),
            ("It says: a Clerk reads the Policy aloud; everyone hears the same words.", LEAD),
            ("A clerk reads\nthe rules aloud: everyone hears the same words, every day.", LEAD),
            ("| A clerk reads the policy aloud |", LEAD),
            ("- Everyone hears the same words every day.", LEAD),
            ("People ask \"Why was this refused?\"", SHORT),
        ] {
            let found = paraphrases(text, &[LEAD, SHORT]);
            let phrases: Vec<_> = found.iter().map(|it| it.phrase.as_str()).collect();
            assert_eq!(phrases, [phrase], "{text}");
        }
    }

    #[test]
    fn quotations_and_other_words_pass() {
        for text in [
            LEAD,
            "Before.\n\n  A clerk reads the policy aloud: everyone\n  hears the same words, every day.",
            "A clerk reads the policy aloud: everyone hears the same words, every day, and nods.",
            "They ask \"why was this refused\" and wait.",
            "Why was this done? It was refused.",
            "The policy is read to everyone by a clerk.",
            "A clerk reads the policy. Aloud it is the same every day.",
            "",
        ] {
            assert_eq!(paraphrases(text, &[LEAD, SHORT]), [], "{text}");
        }
    }

    #[test]
    fn a_finding_shows_the_sentence_on_one_line() {
        let found = paraphrases("One. A clerk reads\n  the policy aloud! Two.", &[LEAD]);
        assert_eq!(found[0].sentence, "A clerk reads the policy aloud!");
    }
}
