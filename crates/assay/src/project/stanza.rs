//! A marked passage in a text that somebody else writes.

/// The lines between which the passage stands.
pub(super) const START: &str = "<!-- assay:start -->";
pub(super) const END: &str = "<!-- assay:end -->";

/// `before`, or a new file that begins with `head`, with `passage` between the marks. What stands
/// around the marks stays byte for byte, and the passage takes the file's line ends.
///
/// # Errors
/// What is wrong with the marks, as the rest of a sentence that begins with the file's name.
pub(super) fn edited(before: Option<&str>, head: &str, passage: &str) -> Result<String, String> {
    let marked = format!("{START}\n{}\n{END}", passage.trim());
    let Some(before) = before else { return Ok(format!("{head}{marked}\n")) };
    let line_end = super::line_end(before);
    let marked = marked.replace('\n', line_end);
    let (start, end) = (only(before, START)?, only(before, END)?);
    match (start, end) {
        (None, None) => {
            let gap = match before {
                "" => String::new(),
                it if it.ends_with(&line_end.repeat(2)) => String::new(),
                it if it.ends_with('\n') => line_end.to_owned(),
                _ => line_end.repeat(2),
            };
            Ok(format!("{before}{gap}{marked}{line_end}"))
        }
        (Some(start), Some(end)) if start < end => {
            let kept = before.get(..start).unwrap_or_default();
            let rest = before.get(end + END.len()..).unwrap_or_default();
            Ok(format!("{kept}{marked}{rest}"))
        }
        (Some(start), Some(_)) => {
            Err(format!("has `{END}` before `{START}`, which is on line {}", line(before, start)))
        }
        (Some(start), None) => {
            Err(format!("has `{START}` on line {} and no `{END}`", line(before, start)))
        }
        (None, Some(end)) => {
            Err(format!("has `{END}` on line {} and no `{START}`", line(before, end)))
        }
    }
}

/// Where the one `mark` stands.
fn only(text: &str, mark: &str) -> Result<Option<usize>, String> {
    let mut places = text.match_indices(mark).map(|it| it.0);
    match (places.next(), places.next()) {
        (Some(first), Some(second)) => {
            let (first, second) = (line(text, first), line(text, second));
            Err(format!("has `{mark}` twice, on line {first} and on line {second}"))
        }
        (first, _) => Ok(first),
    }
}

fn line(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::edited;

    #[test]
    fn what_stands_around_the_marks_stays() {
        let mark = |it: &str| format!("<!-- assay:start -->{it}P{it}<!-- assay:end -->");
        let lf = mark("\n");
        let crlf = mark("\r\n");
        for (before, after) in [
            (None, format!("H\n{lf}\n")),
            (Some(""), format!("{lf}\n")),
            (Some("a"), format!("a\n\n{lf}\n")),
            (Some("a\n"), format!("a\n\n{lf}\n")),
            (Some("a\n\n"), format!("a\n\n{lf}\n")),
            (Some("a\r\nb\r\n"), format!("a\r\nb\r\n\r\n{crlf}\r\n")),
            (Some("a\r\n<!-- assay:start --><!-- assay:end --> b"), format!("a\r\n{crlf} b")),
            (Some("a <!-- assay:start -->\nold\n<!-- assay:end -->b\n\n"), format!("a {lf}b\n\n")),
        ] {
            assert_eq!(edited(before, "H\n", "P\n").as_ref(), Ok(&after), "{before:?}");
            assert_eq!(edited(Some(&after), "H\n", "P\n").as_ref(), Ok(&after), "{before:?} again");
        }
    }

    #[test]
    fn marks_that_do_not_match_are_told() {
        for (before, message) in [
            (
                "<!-- assay:start -->",
                "has `<!-- assay:start -->` on line 1 and no `<!-- assay:end -->`",
            ),
            (
                "\n<!-- assay:end -->",
                "has `<!-- assay:end -->` on line 2 and no `<!-- assay:start -->`",
            ),
            (
                "<!-- assay:end -->\n<!-- assay:start -->",
                "has `<!-- assay:end -->` before `<!-- assay:start -->`, which is on line 2",
            ),
            (
                "<!-- assay:start -->\n\n<!-- assay:start -->",
                "has `<!-- assay:start -->` twice, on line 1 and on line 3",
            ),
        ] {
            assert_eq!(edited(Some(before), "", "P").unwrap_err(), message, "{before}");
        }
    }
}
