//! The four words and how often each was answered.

use anstyle::{AnsiColor, Style};

use super::table::Cell;
use crate::payload::{Checked, Word};

/// The word as it is shown.
pub(crate) fn cell(word: Word) -> Cell {
    Cell::styled(word.word(), style(word))
}

fn style(word: Word) -> Style {
    let color = match word {
        Word::True => AnsiColor::Green,
        Word::False => AnsiColor::Red,
        Word::Unknown => AnsiColor::Yellow,
        Word::Ambiguous => AnsiColor::Magenta,
    };
    color.on_default().bold()
}

/// Each word with the number of assertions that it answers.
pub(crate) fn counts(checked: &Checked) -> [(Word, usize); 4] {
    let words = || checked.rules.iter().flat_map(|it| &it.assertions).map(|it| it.check);
    Word::ALL.map(|word| (word, words().filter(|it| *it == word).count()))
}
