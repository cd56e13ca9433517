//! Words that no file may hold: switched-off lints and tests, unfinished work, and paths that are
//! true on one machine alone.

use crate::tree::Tree;

/// In Rust files. Each word is put together here, so that this file does not hold it.
const IN_RUST: &[(&str, &str)] = &[
    (concat!("#[", "allow("), "use `#[expect(…, reason = …)]`, which tells when it is stale"),
    (concat!("#![", "allow("), "use `#![expect(…, reason = …)]`, which tells when it is stale"),
    (concat!("todo", "!("), "finish it"),
    (concat!("#[", "ignore"), "a test runs or is not there"),
    (concat!("#[", "should_panic"), "compare with what comes back"),
];

/// In every text file, as whole words.
const UNFINISHED: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// In every text file.
const PLACES: &[&str] = &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];

pub(super) fn faults(tree: &Tree) -> Vec<String> {
    tree.texts().flat_map(|(path, text)| file_faults(path, text)).collect()
}

fn file_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", index + 1);
        if path.ends_with(".rs") {
            let found = IN_RUST.iter().filter(|(word, _)| line.contains(word));
            faults.extend(found.map(|(word, mend)| format!("{place}: `{word}`: {mend}")));
        }
        let found = UNFINISHED.iter().filter(|word| has_word(line, word));
        faults.extend(found.map(|word| format!("{place}: `{word}`: finish it or write it down")));
        let found = PLACES.iter().filter(|word| line.contains(**word));
        faults.extend(found.map(|word| format!("{place}: `{word}` names a place on one machine")));
    }
    faults
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    line.split(|it| !is_part(it)).any(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::{IN_RUST, PLACES, UNFINISHED, file_faults};

    #[test]
    fn forbidden_words_are_found() {
        for (word, _) in IN_RUST {
            assert_eq!(file_faults("a.rs", &format!("x\n  {word}y")).len(), 1, "{word}");
            assert_eq!(file_faults("a.md", word).len(), 0, "{word}");
        }
        for word in UNFINISHED {
            assert_eq!(file_faults("a.md", &format!("// {word}: x")).len(), 1, "{word}");
            assert_eq!(file_faults("a.md", &format!("{word}S MAS{word}")).len(), 0, "{word}");
        }
        for word in PLACES {
            assert_eq!(file_faults("a.md", &format!("in {word}x")).len(), 1, "{word}");
        }
    }

    #[test]
    fn a_fault_names_its_line() {
        let faults = file_faults("a.rs", &format!("fn a() {{\n    {}y)]\n", IN_RUST[0].0));
        assert!(faults[0].starts_with("a.rs:2: "), "{faults:?}");
        assert_eq!(file_faults("a.rs", "#[expect(x, reason = \"y\")]"), [""; 0]);
    }
}
