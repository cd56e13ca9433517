//! A file has at most 400 lines of code. Comments, blank lines and test modules do not count, and
//! generated files are exempt. There is no list of exceptions.

use crate::tree::Tree;

const MOST: usize = 400;

pub(super) fn faults(tree: &Tree) -> Vec<String> {
    tree.texts()
        .filter(|(path, text)| path.ends_with(".rs") && !is_test_file(path) && !is_generated(text))
        .map(|(path, text)| (path, code_lines(text)))
        .filter(|(_, lines)| *lines > MOST)
        .map(|(path, lines)| format!("{path}: {lines} lines of code, at most {MOST} are allowed"))
        .collect()
}

fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

fn is_generated(text: &str) -> bool {
    text.lines().take(5).any(|line| line.starts_with("//") && line.contains("Generated"))
}

/// Reads the form that rustfmt gives: a test module ends with a brace at the start of a line.
fn code_lines(text: &str) -> usize {
    let mut count = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let opens_tests = line == "#[cfg(test)]"
            && lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'));
        if opens_tests {
            lines.by_ref().find(|line| *line == "}");
            continue;
        }
        let line = line.trim_start();
        if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{code_lines, faults};
    use crate::tree::Tree;

    #[test]
    fn what_counts() {
        for (text, expected) in [
            ("", 0),
            ("//! words\n\n/// words\nfn a() {\n    // why\n    b();\n}\n", 3),
            ("fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {\n    }\n}\nfn c() {}\n", 2),
            ("#[cfg(test)]\nfn a() {\n}\n", 3),
            ("#[cfg(test)]\nmod tests;\nfn a() {}\n", 3),
        ] {
            assert_eq!(code_lines(text), expected, "{text}");
        }
    }

    #[test]
    fn long_files_are_named() {
        let long = "let a = b;\n".repeat(401);
        let just = "let a = b;\n".repeat(400);
        let generated = format!("//! Generated from a table.\n{long}");
        let tree = Tree::of(&[
            ("crates/a/src/long.rs", &long),
            ("crates/a/src/just.rs", &just),
            ("crates/a/src/generated.rs", &generated),
            ("crates/a/tests/cases.rs", &long),
            ("crates/a/src/notes.txt", &long),
        ]);
        let expected = ["crates/a/src/long.rs: 401 lines of code, at most 400 are allowed"];
        assert_eq!(faults(&tree), expected);
    }
}
