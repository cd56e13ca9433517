//! Diagnostics on the wire.

use assay_base::canonical::{Object, Slot};
use assay_base::diagnostic::REPORTED;
use assay_base::{Diagnostic, Source};

/// Writes the first problems; how many there are in all is for the envelope to say.
pub(crate) fn write_problems(slot: Slot<'_>, source: &Source, diagnostics: &[Diagnostic]) {
    slot.array(|array| {
        for diagnostic in diagnostics.iter().take(REPORTED) {
            array.item().object(|object| write_problem(object, source, diagnostic));
        }
    });
}

/// One problem. Lines and columns count from one, columns in characters; the end lies behind the
/// last character.
fn write_problem(object: &mut Object<'_>, source: &Source, diagnostic: &Diagnostic) {
    let start = source.position(diagnostic.span.start);
    let end = source.position(diagnostic.span.end);
    object.key("code").string(diagnostic.code.word());
    object.key("column").integer(start.column);
    object.key("docs").string(diagnostic.code.page());
    object.key("end_column").integer(end.column);
    object.key("end_line").integer(end.line);
    if let Some(help) = &diagnostic.help {
        object.key("help").string(help);
    }
    object.key("line").integer(start.line);
    object.key("message").string(&diagnostic.message);
    if !diagnostic.labels.is_empty() {
        object.key("notes").array(|notes| {
            for (span, words) in &diagnostic.labels {
                let place = source.position(span.start);
                notes.item().object(|note| {
                    note.key("column").integer(place.column);
                    note.key("line").integer(place.line);
                    note.key("message").string(words);
                });
            }
        });
    }
    object.key("severity").string(diagnostic.severity().word());
}
