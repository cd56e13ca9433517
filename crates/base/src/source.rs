//! Source text, byte spans in it, and the lines that people count.

use std::ops::Range;

/// A half-open range of byte offsets into one [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, both byte offsets.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range that slices text.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as a person names it: both numbers count from one, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
}

/// A text with its line starts, at most 4 GiB.
#[derive(Debug, Clone)]
pub struct Source {
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Indexes the lines of `text`.
    #[must_use]
    pub fn new(text: String) -> Self {
        let newlines = text.bytes().zip(1_u32..).filter(|&(byte, _)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(_, next)| next)).collect();
        Self { text, line_starts }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text under `span`; empty where the span lies outside or cuts a character.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Where a byte offset lies.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or_default();
        let before = self.text.get(start as usize..offset as usize).unwrap_or_default();
        Position { line: count(line), column: count(before.chars().count() + 1) }
    }

    /// The line of a byte offset, from one.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        count(self.line_starts.partition_point(|&start| start <= offset).max(1))
    }
}

/// Texts are capped far below 4 GiB, so saturation is never seen.
fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Position, Source, Span};

    #[test]
    fn positions_count_characters() {
        let source = Source::new("ab\näbc\n".to_owned());
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(3), Position { line: 2, column: 1 });
        assert_eq!(source.position(5), Position { line: 2, column: 2 });
        assert_eq!(source.position(8), Position { line: 3, column: 1 });
        assert_eq!(source.slice(Span::new(3, 6)), "äb");
        assert_eq!(source.slice(Span::new(4, 6)), "");
    }
}
