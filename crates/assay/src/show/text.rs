//! Text that a terminal may be given, and its lines.

use assay_base::json::is_invisible;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// `text` without what would move the cursor, change colours or hide other characters: such
/// characters are shown as their escapes. Line ends stay, tabs become spaces.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            '\t' => shown.push_str("    "),
            it if it.is_control() || is_invisible(it) => shown.extend(it.escape_unicode()),
            it => shown.push(it),
        }
    }
    shown
}

/// The columns that a line takes.
pub(crate) fn width(line: &str) -> usize {
    line.width()
}

/// Breaks `text` into lines of at most `columns`, at spaces where there are any. Line ends stay,
/// and lines that continue another keep its indentation.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(line, columns.max(1))).collect()
}

fn wrap_line(line: &str, columns: usize) -> Vec<String> {
    let words = line.trim_start_matches(' ');
    // An indentation that leaves no room for words is not worth keeping.
    let indentation = " ".repeat((line.len() - words.len()).min(columns / 2));
    let room = columns - indentation.len();
    let (mut lines, mut current, mut taken) = (Vec::new(), String::new(), 0);
    for word in words.split(' ') {
        for (index, piece) in pieces(word, room).into_iter().enumerate() {
            let needed = width(piece);
            if taken > 0 && (index > 0 || taken + 1 + needed > room) {
                lines.push(std::mem::take(&mut current));
                taken = 0;
            } else if !current.is_empty() {
                current.push(' ');
                taken += 1;
            }
            current.push_str(piece);
            taken += needed;
        }
    }
    lines.push(current);
    lines.iter().map(|it| format!("{indentation}{it}").trim_end().to_owned()).collect()
}

/// A word in pieces of at most `columns`, but of one character at least.
fn pieces(word: &str, columns: usize) -> Vec<&str> {
    let (mut pieces, mut from, mut taken) = (Vec::new(), 0, 0);
    for (at, character) in word.char_indices() {
        let needed = character.width().unwrap_or_default();
        if at > from && taken + needed > columns {
            pieces.extend(word.get(from..at));
            (from, taken) = (at, 0);
        }
        taken += needed;
    }
    pieces.extend(word.get(from..));
    pieces
}

/// A source text that starts in the middle of a line, with the indentation that its further
/// lines share taken off. Two spaces of it stay, unless the last line only closes a bracket.
pub(crate) fn dedent(text: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let further = || text.lines().skip(1).filter(|it| !it.trim().is_empty());
    let closes = further().last().is_some_and(|it| it.trim_start().starts_with([')', '}']));
    let shared = further().map(indentation).min().unwrap_or_default();
    let taken = if closes { shared } else { shared.saturating_sub(2) };
    let mut lines = text.lines();
    let mut shown: Vec<&str> = lines.next().into_iter().collect();
    shown.extend(lines.map(|it| it.get(taken..).unwrap_or_default()));
    shown.join("\n")
}

/// Prose whose author broke the lines, with one line for each paragraph.
pub(crate) fn flow(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let paragraphs = lines.split(|it| it.is_empty()).filter(|it| !it.is_empty());
    paragraphs.map(|it| it.join(" ")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{dedent, flow, visible, wrap};

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        assert_eq!(visible("a\u{1b}[31mb\r\n\tc\u{202e}"), "a\\u{1b}[31mb\\u{d}\n    c\\u{202e}");
    }

    #[test]
    fn lines_break_at_spaces_and_else_within_words() {
        for (text, columns, lines) in [
            ("", 5, vec![""]),
            ("a bc def", 4, vec!["a bc", "def"]),
            ("abcdefg hi", 3, vec!["abc", "def", "g", "hi"]),
            ("a  b", 10, vec!["a  b"]),
            ("ab\n\ncd", 10, vec!["ab", "", "cd"]),
            ("  ab cd", 5, vec!["  ab", "  cd"]),
            ("政策政策", 5, vec!["政策", "政策"]),
            ("政", 1, vec!["政"]),
            ("ab", 0, vec!["a", "b"]),
        ] {
            assert_eq!(wrap(text, columns), lines, "{text:?} in {columns}");
        }
    }

    #[test]
    fn shared_indentation_is_taken_off() {
        assert_eq!(dedent("And(\n      a,\n        b\n    )"), "And(\n  a,\n    b\n)");
        assert_eq!(dedent("Implies(a,\n      b)"), "Implies(a,\n  b)");
        assert_eq!(dedent("a"), "a");
        assert_eq!(dedent(""), "");
    }

    #[test]
    fn paragraphs_flow() {
        assert_eq!(flow("one\n two\n\n\nthree"), "one two\nthree");
        assert_eq!(flow(""), "");
    }
}
