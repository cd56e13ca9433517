//! Problems in a source text, each with the text that it is about.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use assay_base::Source;

use super::text::visible;
use crate::input::Text;
use crate::payload::{Diagnostic, Note, Severity};

/// Renders every problem with its line of `text`.
pub(crate) fn render(text: &Text, diagnostics: &[Diagnostic], columns: usize) -> String {
    let place = Place::new(text);
    let renderer = Renderer::styled().term_width(columns);
    let rendered = diagnostics.iter().map(|it| renderer.render(&[group(&place, it)]) + "\n\n");
    rendered.collect()
}

/// How many problems there are, in words; nothing where there are none.
pub(crate) fn counted(diagnostics: &[Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|it| it.severity == severity).count();
    let words = [(count(Severity::Error), "error"), (count(Severity::Warning), "warning")];
    let words = words.iter().filter(|it| it.0 > 0).map(|(count, noun)| {
        let plural = if *count == 1 { "" } else { "s" };
        format!("{count} {noun}{plural}")
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The text that problems are in, normalised as the service saw it.
struct Place {
    name: String,
    source: Source,
}

impl Place {
    fn new(text: &Text) -> Self {
        let source = Source::new(assay_dsail::normalize::normalize(&text.text));
        Self { name: visible(&text.name), source }
    }

    /// The bytes between two places; empty ranges grow to one character, to be seen.
    fn range(&self, from: (usize, usize), to: (usize, usize)) -> Range<usize> {
        let start = self.offset(from);
        let end = self.offset(to).max(start);
        let next = self.text().get(start..).and_then(|it| it.chars().next());
        let shown = next.filter(|it| *it != '\n').map_or(0, char::len_utf8);
        start..end.max(start + shown)
    }

    /// The offset of a line and a column, both from one. A place beyond the text is its end.
    fn offset(&self, (line, column): (usize, usize)) -> usize {
        let mut lines = self.text().split_inclusive('\n');
        let before: usize = lines.by_ref().take(line.saturating_sub(1)).map(str::len).sum();
        let line = lines.next().unwrap_or_default();
        let within = line.char_indices().nth(column.saturating_sub(1)).map(|it| it.0);
        before + within.unwrap_or(line.len())
    }

    fn text(&self) -> &str {
        self.source.text()
    }
}

fn group<'a>(place: &'a Place, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut title = level.primary_title(visible(&diagnostic.message));
    if let Some(code) = &diagnostic.code {
        title = title.id(visible(code));
    }
    let help = diagnostic.help.as_deref().map(|it| Level::HELP.message(visible(it)));
    let page = diagnostic.docs.as_deref().map(|it| Level::NOTE.message(see(it)));
    title.elements(snippet(place, diagnostic)).elements(help).elements(page)
}

fn snippet<'a>(
    place: &'a Place,
    diagnostic: &'a Diagnostic,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let from = (diagnostic.line?, diagnostic.column?);
    let to = diagnostic.end_line.zip(diagnostic.end_column).unwrap_or(from);
    let notes = diagnostic.notes.iter().map(|it: &Note| {
        let at = (it.line, it.column);
        AnnotationKind::Context.span(place.range(at, at)).label(visible(&it.message))
    });
    let snippet = Snippet::source(place.text()).path(&place.name);
    Some(snippet.annotation(AnnotationKind::Primary.span(place.range(from, to))).annotations(notes))
}

/// Where the page that resolves a problem is found.
pub(crate) fn see(docs: &str) -> String {
    let page = docs.strip_prefix("/docs/").unwrap_or(docs);
    let page = page.strip_suffix(".md").unwrap_or(page);
    format!("for more, run `assay docs {}`", visible(page))
}
