//! Tables that fit the screen: columns side by side, each wrapped within its own width.

use anstyle::Style;

use super::text::{visible, width, wrap};

/// Columns between two columns of the table.
const GAP: usize = 2;
/// The width that every column may keep when the screen is narrow.
const LEAST: usize = 8;

/// Lines of one style that belong to a cell.
#[derive(Debug, Clone)]
struct Lines {
    text: String,
    style: Style,
}

/// One cell: text of one or more styles, each starting its own line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell(Vec<Lines>);

impl Cell {
    /// A cell of one style.
    pub(crate) fn styled(text: &str, style: Style) -> Self {
        Self::default().and(text, style)
    }

    /// The same cell with more lines below.
    pub(crate) fn and(mut self, text: &str, style: Style) -> Self {
        self.0.push(Lines { text: visible(text), style });
        self
    }

    fn natural_width(&self) -> usize {
        self.0.iter().flat_map(|it| it.text.split('\n')).map(width).max().unwrap_or_default()
    }

    fn lines(&self, columns: usize) -> Vec<(String, Style)> {
        let wrapped = |it: &Lines| {
            let style = it.style;
            wrap(&it.text, columns).into_iter().map(move |line| (line, style))
        };
        self.0.iter().flat_map(wrapped).collect()
    }
}

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(text.as_ref(), Style::new())
    }
}

/// Rows of cells.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without a heading.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A table with a heading.
    pub(crate) fn with_heading<const N: usize>(titles: [&str; N]) -> Self {
        let bold = Style::new().bold();
        Self { rows: vec![titles.iter().map(|it| Cell::styled(it, bold)).collect()] }
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        self.rows.push(cells.into());
    }

    /// The table for a screen of `columns`.
    pub(crate) fn render(&self, columns: usize) -> String {
        let widths = self.widths(columns);
        let mut text = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(&widths);
            let cells: Vec<_> = cells.map(|(cell, width)| cell.lines(*width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or_default();
            for line in 0..height {
                render_line(&mut text, &cells, &widths, line);
            }
        }
        text
    }

    /// The width of each column: as much as it needs, or else an equal share of what there is,
    /// where columns that need less leave the rest to the others.
    fn widths(&self, columns: usize) -> Vec<usize> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let natural = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(Cell::natural_width).max().unwrap_or_default()
        };
        let natural: Vec<usize> = (0..count).map(natural).collect();
        let room = columns.saturating_sub(GAP * count.saturating_sub(1));
        let fits = |limit: usize| natural.iter().map(|it| (*it).min(limit)).sum::<usize>() <= room;
        let limit = (LEAST..=room).rev().find(|it| fits(*it)).unwrap_or(LEAST);
        // What the shares leave over goes to the last column that is cut.
        let mut widths: Vec<usize> = natural.iter().map(|it| (*it).min(limit)).collect();
        let rest = room.saturating_sub(widths.iter().sum());
        let cut =
            widths.iter_mut().zip(&natural).rev().find(|(width, natural)| **width < **natural);
        if let Some((width, natural)) = cut {
            *width = (*width + rest).min(*natural);
        }
        widths
    }
}

fn render_line(text: &mut String, cells: &[Vec<(String, Style)>], widths: &[usize], line: usize) {
    let mut padding = 0;
    for (cell, column) in cells.iter().zip(widths) {
        let mut taken = 0;
        if let Some((content, style)) = cell.get(line).filter(|it| !it.0.is_empty()) {
            text.push_str(&" ".repeat(padding));
            padding = 0;
            text.push_str(&format!("{style}{content}{style:#}"));
            taken = width(content);
        }
        padding += column.saturating_sub(taken) + GAP;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{Cell, Table};
    use anstyle::Style;

    #[test]
    fn columns_share_the_screen() {
        let mut table = Table::new();
        table.row([Cell::from("name"), Cell::from("a long explanation of it")]);
        table.row([Cell::from("second name"), Cell::from("b")]);
        assert_eq!(
            table.render(80),
            "name         a long explanation of it\nsecond name  b\n",
            "as wide as needed"
        );
        assert_eq!(
            table.render(28),
            "name         a long\n             explanation of\n             it\nsecond name  b\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let mut table = Table::new();
        let long = "x".repeat(128);
        table.row([Cell::from(&long), Cell::from("TRUE"), Cell::from(format!("{long} {long}"))]);
        for columns in [30, 40, 80, 120] {
            let text = table.render(columns);
            assert!(text.lines().all(|it| it.len() <= columns), "{columns}\n{text}");
            assert_eq!(text.matches('x').count(), 3 * 128);
        }
    }

    #[test]
    fn a_cell_may_hold_lines_of_its_own() {
        let mut table = Table::new();
        let cell = Cell::from("name").and("a <= 1", Style::new()).and("", Style::new());
        table.row([Cell::from("TRUE"), cell]);
        assert_eq!(table.render(80), "TRUE  name\n      a <= 1\n\n");
    }
}
