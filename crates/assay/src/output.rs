//! The two streams: what was asked for goes to standard output, problems to standard error.
//!
//! Colour is there on a terminal only, and not where `NO_COLOR` is set. A reader that has closed
//! its pipe has seen enough, so that is no failure.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, StdoutLock, Write};

use annotate_snippets::{Group, Renderer};

use crate::failure::Failure;
use crate::show::text::visible;

/// Columns where there is no terminal, and the least and most that a page is laid out for.
const COLUMNS: usize = 80;
const LEAST_COLUMNS: usize = 40;
const MOST_COLUMNS: usize = 120;

/// Columns of standard output.
pub(crate) fn columns() -> usize {
    clamp(terminal_size::terminal_size_of(io::stdout()))
}

fn clamp(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    size.map_or(COLUMNS, |(width, _)| usize::from(width.0).clamp(LEAST_COLUMNS, MOST_COLUMNS))
}

/// Prints a page that a person reads; escapes for colour are dropped where they do not belong.
pub(crate) fn page(text: &str) -> Result<(), Failure> {
    written(anstream::AutoStream::auto(io::stdout().lock()).write_all(text.as_bytes()))
}

/// Prints a payload: exactly its bytes, with a line end behind them on a terminal only.
pub(crate) fn payload(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let line_end: &[u8] = if stdout.is_terminal() { b"\n" } else { b"" };
    written(stdout.write_all(bytes).and_then(|()| stdout.write_all(line_end)))?;
    written(stdout.flush())
}

fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::unavailable(format!("the output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a problem of the command.
pub(crate) fn report(group: Group<'_>) {
    let columns = clamp(terminal_size::terminal_size_of(io::stderr()));
    let text = Renderer::styled().term_width(columns).render(&[group]);
    problem(&format!("{text}\n"));
}

/// Shows in place of the line before how far a command is, where somebody looks on.
pub(crate) fn progress(line: &str) {
    let mut stderr = io::stderr().lock();
    if stderr.is_terminal() {
        // Nobody misses a line that cannot be shown.
        let _ = write!(stderr, "\r\u{1b}[K{}", visible(line)).and_then(|()| stderr.flush());
    }
}

/// Lines that are printed one by one.
pub(crate) struct Lines(BufWriter<StdoutLock<'static>>);

impl Lines {
    /// Begins.
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    /// Prints a line; whether anybody still reads.
    pub(crate) fn line(&mut self, line: &[u8]) -> Result<bool, Failure> {
        let outcome = self.0.write_all(line).and_then(|()| self.0.write_all(b"\n"));
        let read = outcome.is_ok();
        written(outcome).map(|()| read)
    }

    /// Prints what is left.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        written(self.0.flush())
    }
}

/// Prints text about a problem. Where standard error is closed there is nobody to tell.
pub(crate) fn problem(text: &str) {
    let _ = anstream::AutoStream::auto(io::stderr().lock()).write_all(text.as_bytes());
}

/// Prints one line of a server's own life.
pub(crate) fn notice(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Columns of standard error.
pub(crate) fn problem_columns() -> usize {
    clamp(terminal_size::terminal_size_of(io::stderr()))
}
