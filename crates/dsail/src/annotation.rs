//! What comments say about claims and assertions.
//!
//! `// @tag CLAIM TEXT` describes a claim; the plain comment block directly above an assertion
//! describes the assertion. The compiler proper never looks into comments.

use std::collections::BTreeMap;

use assay_base::{Code, Diagnostic, Rational, Source, Span, numeral};

use crate::ast::{Declaration, File, Type};
use crate::ir::Range;
use crate::nearest::{Suggestions, nearest};
use crate::token::Comment;

/// What the annotations say about one claim.
#[derive(Debug, Clone, Default)]
pub(crate) struct Described {
    pub(crate) question: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) unit: Option<(String, Span)>,
    pub(crate) range: Option<Range>,
}

/// Reads every annotation. The result is keyed by claim name.
pub(crate) fn read(
    source: &Source,
    comments: &[Comment],
    file: &File,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Described> {
    let mut reader = Reader {
        declarations: &file.declarations,
        lost_names: file.lost_declaration,
        described: BTreeMap::new(),
        first: BTreeMap::new(),
        suggestions: Suggestions::default(),
        diagnostics,
    };
    for comment in comments {
        let text = source.slice(comment.span);
        let content = text.trim_start_matches('/').trim_start();
        if content.starts_with('@') {
            let line = Part { text, start: comment.span.start };
            reader.annotation(line.from(text.len() - content.len()));
        }
    }
    reader.described
}

/// A stretch of a line together with its place.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    start: u32,
}

impl<'a> Part<'a> {
    fn from(self, offset: usize) -> Self {
        let text = self.text.get(offset..).unwrap_or_default();
        Self { text, start: self.start + u32::try_from(offset).unwrap_or_default() }
    }

    /// The first word and what follows it, both without surrounding white space.
    fn split_word(self) -> (Self, Self) {
        let length = self.text.find(char::is_whitespace).unwrap_or(self.text.len());
        let word = Self { text: self.text.get(..length).unwrap_or_default(), start: self.start };
        let rest = self.from(length);
        let trimmed = rest.text.trim_start();
        let rest = rest.from(rest.text.len() - trimmed.len());
        (word, Self { text: rest.text.trim_end(), start: rest.start })
    }

    fn span(self) -> Span {
        Span::new(self.start, self.start + u32::try_from(self.text.len()).unwrap_or_default())
    }
}

struct Reader<'a> {
    declarations: &'a [Declaration],
    /// Whether a name may have been declared where nothing could be read.
    lost_names: bool,
    described: BTreeMap<String, Described>,
    /// Where each claim was given each kind of annotation first.
    first: BTreeMap<(&'a str, &'a str), Span>,
    suggestions: Suggestions,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn annotation(&mut self, line: Part<'a>) {
        let (tag, rest) = line.split_word();
        let (claim, text) = rest.split_word();
        match tag.text {
            "@ask" | "@context" | "@unit" | "@range" => {}
            "@effect" | "@effect-default" | "@consistency" => {
                let message = format!("`{}` does not exist any more", tag.text);
                let help = "remove it: what a word costs is decided by the reader of the result";
                return self.report(Code::RemovedAnnotation, tag.span(), message, help);
            }
            _ => return self.unknown_tag(tag),
        }
        if text.text.is_empty() {
            let message = format!("`{}` needs a claim and a text", tag.text);
            let help = "write `// @ask CLAIM QUESTION`, `// @context CLAIM TEXT`, `// @unit CLAIM UNIT` or `// @range CLAIM lo..hi`";
            return self.report(
                Code::AnnotationText,
                line.split_word().0.span().to(rest.span()),
                message,
                help,
            );
        }
        let Some(declaration) = self.declaration(claim) else { return };
        if let Some(&earlier) = self.first.get(&(claim.text, tag.text)) {
            let message = format!("`{}` has a second `{}`", claim.text, tag.text);
            self.diagnostics.push(
                Diagnostic::new(Code::AnnotationDuplicate, tag.span(), message)
                    .label(earlier, "the first stands here")
                    .help("keep one of the two"),
            );
            return;
        }
        self.first.insert((claim.text, tag.text), tag.span());
        self.apply(tag, declaration, text);
    }

    fn apply(&mut self, tag: Part<'a>, declaration: &'a Declaration, text: Part<'a>) {
        let numeric = matches!(declaration.kind, Type::Numeric | Type::Error);
        if matches!(tag.text, "@unit" | "@range") && !numeric {
            let message = format!("`{}` is not numeric", declaration.name.text);
            let help = "remove the annotation, or declare the claim as numeric";
            return self.report(Code::AnnotationType, tag.span(), message, help);
        }
        let unit = if tag.text == "@unit" { self.unit(text) } else { None };
        let range = if tag.text == "@range" { self.range(text) } else { None };
        let described = self.described.entry(declaration.name.text.clone()).or_default();
        match tag.text {
            "@ask" => described.question = Some(text.text.to_owned()),
            "@context" => described.context = Some(text.text.to_owned()),
            "@unit" => described.unit = unit,
            _ => described.range = range,
        }
    }

    /// The claim that is named; reports names of no claim.
    fn declaration(&mut self, claim: Part<'a>) -> Option<&'a Declaration> {
        let found = self.declarations.iter().find(|it| it.name.text == claim.text);
        let (message, help) = match found {
            Some(declaration) if !declaration.local => return Some(declaration),
            None if self.lost_names => return None,
            Some(_) => (
                format!("`{}` is a local name, which nobody is asked for", claim.text),
                "remove the annotation, or declare the name as a claim".to_owned(),
            ),
            None => {
                let names = self.declarations.iter().map(|it| it.name.text.as_str());
                let help = match self.suggestions.nearest(claim.text, names) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => "declare the claim, or remove the annotation".to_owned(),
                };
                (format!("`{}` is not declared", assay_base::json::printable(claim.text)), help)
            }
        };
        self.report(Code::AnnotationClaim, claim.span(), message, &help);
        None
    }

    fn unit(&mut self, text: Part<'a>) -> Option<(String, Span)> {
        let plain = text.text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        let symbol = plain.unwrap_or(text.text);
        let valid = !symbol.is_empty()
            && symbol.len() <= crate::budget::MAX_STRING_BYTES
            && !symbol.starts_with(|it: char| it.is_ascii_digit())
            && !symbol
                .contains(|it: char| it.is_whitespace() || it.is_control() || "\"\\".contains(it));
        if !valid {
            let message = "a unit is one word that does not begin with a digit";
            self.report(
                Code::AnnotationText,
                text.span(),
                message.to_owned(),
                "write for example `// @unit amount USD`",
            );
            return None;
        }
        Some((symbol.to_owned(), text.span()))
    }

    fn range(&mut self, text: Part<'a>) -> Option<Range> {
        let help = "write two numbers with two dots between, the lower first: `0..1000000`";
        let bounds = text.text.split_once("..").map(|(low, high)| (bound(low), bound(high)));
        let Some((Some(low), Some(high))) = bounds else {
            let message = format!("`{}` is no range", assay_base::json::printable(text.text));
            self.report(Code::Range, text.span(), message, help);
            return None;
        };
        if low > high {
            let message = format!("the lower bound {low} is above the upper bound {high}");
            self.report(Code::Range, text.span(), message, help);
            return None;
        }
        Some(Range { low, high })
    }

    fn unknown_tag(&mut self, tag: Part<'a>) {
        let help = match nearest(tag.text, ["@ask", "@context", "@unit", "@range"].into_iter()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => "the annotations are `@ask`, `@context`, `@unit` and `@range`".to_owned(),
        };
        let message = format!("there is no annotation `{}`", assay_base::json::printable(tag.text));
        self.report(Code::AnnotationTag, tag.span(), message, &help);
    }

    fn report(&mut self, code: Code, span: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }
}

fn bound(text: &str) -> Option<Rational> {
    numeral::parse(text.trim()).ok()
}

/// Finds the comment blocks that describe assertions.
#[derive(Debug)]
pub(crate) struct Descriptions<'a> {
    /// The text of every line that holds nothing but a comment, by line number.
    lines: BTreeMap<u32, &'a str>,
}

impl<'a> Descriptions<'a> {
    /// Indexes the comments of a source by line.
    pub(crate) fn new(source: &'a Source, comments: &[Comment]) -> Self {
        let own_lines = comments.iter().filter(|it| it.own_line);
        let lines = own_lines.map(|it| {
            let content = source.slice(it.span).trim_start_matches('/').trim();
            (source.line(it.span.start), content)
        });
        Self { lines: lines.collect() }
    }

    /// The plain comment lines directly above `line`, joined by line feeds. Annotations among them
    /// are passed over; a section header ends the block.
    pub(crate) fn above(&self, line: u32) -> Option<String> {
        let mut block = Vec::new();
        for above in (1..line).rev() {
            match self.lines.get(&above) {
                Some(text) if is_section_header(text) => break,
                Some(text) if text.starts_with('@') => {}
                Some(text) => block.push(*text),
                None => break,
            }
        }
        block.reverse();
        let text = block.join("\n");
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// `---- Title ----`, with at least three dashes on each side.
fn is_section_header(text: &str) -> bool {
    text.starts_with("---") && text.ends_with("---") && text.trim_matches('-').len() < text.len()
}
