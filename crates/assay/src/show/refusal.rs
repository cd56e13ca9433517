//! What the service refused and why.

use annotate_snippets::Level;

use super::diagnostic::{self, see};
use super::table::{Cell, Table};
use super::text::visible;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::input::Text;
use crate::output;
use crate::payload::{Refusal, Refused, Rejection, Severity, read};

/// Tells the person what a payload with `"ok": false` says. `text` is the source of the call.
pub(crate) fn report(body: &[u8], text: &Text) -> Outcome {
    let Refused { error } = read(body)?;
    let columns = output::problem_columns();
    output::problem(&diagnostic::render(text, &error.diagnostics, columns));
    if !error.failures.is_empty() {
        output::problem(&format!("{}\n", rejections(&error.failures, columns)));
    }
    let title = Level::ERROR.primary_title(visible(&error.message)).id(visible(&error.code));
    let notes = listed(&error).into_iter().chain(retry(&error));
    let notes = notes.chain(error.docs.as_deref().map(see));
    output::report(title.elements(notes.map(|it| Level::NOTE.message(it))));
    Ok(Exit::Refused)
}

/// How many problems are shown, where the message does not say it: it counts the errors alone.
fn listed(refusal: &Refusal) -> Option<String> {
    let shown = refusal.diagnostics.len();
    let more = refusal.diagnostic_count.unwrap_or(shown).saturating_sub(shown);
    let warned = refusal.diagnostics.iter().any(|it| it.severity == Severity::Warning);
    let counted = diagnostic::counted(&refusal.diagnostics);
    match more {
        0 => warned.then(|| format!("{counted} in all")),
        _ => Some(format!("{counted} shown, {more} more left out")),
    }
}

fn retry(refusal: &Refusal) -> Option<String> {
    refusal.retry_after_ms.map(|it| format!("it may be tried again in {it} ms"))
}

fn rejections(failures: &[Rejection], columns: usize) -> String {
    let mut table = Table::with_heading(["field", "received", "expected"]);
    for failure in failures {
        table.row([&failure.field, &failure.received, &failure.expected].map(Cell::from));
    }
    table.render(columns)
}
