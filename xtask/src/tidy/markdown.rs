//! As much of Markdown as the rules read: tables, code spans and links outside fenced blocks.

/// The lines of a page that are not in a fenced block, with their numbers from 1.
pub(super) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fence && !fenced).then_some((index + 1, line))
    })
}

/// The texts between backticks of one line.
pub(super) fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of the links of one line.
pub(super) fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|it| it.0))
}

/// The cells of a table row, or nothing where the line is none.
pub(super) fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let inner = line.strip_prefix('|').and_then(|it| it.strip_suffix('|'));
    inner.map(|it| it.split('|').map(str::trim).collect()).unwrap_or_default()
}

/// The tables of a page, each as its rows with their line numbers.
pub(super) fn tables(text: &str) -> Vec<Vec<(usize, Vec<&str>)>> {
    let mut tables: Vec<Vec<(usize, Vec<&str>)>> = Vec::new();
    let mut last = None;
    for (number, line) in prose(text) {
        let cells = cells(line);
        if cells.is_empty() {
            continue;
        }
        match tables.last_mut() {
            Some(table) if last == Some(number - 1) => table.push((number, cells)),
            _ => tables.push(vec![(number, cells)]),
        }
        last = Some(number);
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::{code_spans, link_targets, prose, tables};

    #[test]
    fn fenced_blocks_are_left_out() {
        let text = "a\n```text\n`b`\n```\nc";
        assert_eq!(prose(text).collect::<Vec<_>>(), [(1, "a"), (5, "c")]);
    }

    #[test]
    fn spans_and_links() {
        let line = "see `a/b.rs` and [c](d.md#e), `f`";
        assert_eq!(code_spans(line).collect::<Vec<_>>(), ["a/b.rs", "f"]);
        assert_eq!(link_targets(line).collect::<Vec<_>>(), ["d.md#e"]);
    }

    #[test]
    fn tables_are_told_apart() {
        let text = "| a | b |\n|---|---|\n| c | d |\n\n| e |\n";
        let tables = tables(text);
        assert_eq!(tables.len(), 2);
        assert_eq!(tables[0][2], (3, vec!["c", "d"]));
        assert_eq!(tables[1], [(5, vec!["e"])]);
    }
}
