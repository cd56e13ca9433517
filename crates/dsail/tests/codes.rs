//! Each page under `fixtures/codes/dsail/` provokes its code with one block, shows the problem as a
//! reader of the page sees it in the next, and mends it in the last.
//!
//! With `ASSAY_BLESS` set, the problems that the pages show are rewritten.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use assay_base::{Code, Diagnostic, Source};
use assay_dsail::units::Library;
use assay_dsail::{Compilation, Options, compile};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/codes/");

/// The code that no text provokes; its page has no blocks.
const UNPROVOKED: Code = Code::Translation;

#[test]
fn every_code_has_a_page_that_provokes_and_mends_it() {
    let bless = std::env::var_os("ASSAY_BLESS").is_some();
    let mut faults = Vec::new();
    for &code in Code::ALL.iter().filter(|it| it.word().starts_with("dsail/")) {
        let path = format!("{FOLDER}{}.md", code.word());
        match fs::read_to_string(&path) {
            Err(error) => faults.push(format!("{}: {error}", code.word())),
            Ok(page) => match check(code, &page) {
                Ok(()) => {}
                Err(Fault::Shown { blessed, .. }) if bless => fs::write(&path, blessed).unwrap(),
                Err(fault) => faults.push(format!("{}: {fault}", code.word())),
            },
        }
    }
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n\n"));
}

/// What is wrong with a page.
enum Fault {
    /// Its blocks are not the three that a page has.
    Form(&'static str),
    /// Its first block does not provoke the code, or more than it.
    Provoked(String),
    /// The problem reads otherwise than the page shows; `blessed` is the page that shows it.
    Shown { expected: String, found: String, blessed: String },
    /// Its last block has problems of its own.
    Mended(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Form(what) => out.write_str(what),
            Self::Provoked(found) => write!(out, "the block provokes\n{found}"),
            Self::Shown { expected, found, .. } => {
                write!(out, "the page shows\n{expected}where the compiler says\n{found}")
            }
            Self::Mended(found) => write!(out, "the mended block provokes\n{found}"),
        }
    }
}

fn check(code: Code, page: &str) -> Result<(), Fault> {
    if !page.starts_with("# ") {
        return Err(Fault::Form("the page begins with a title"));
    }
    let blocks = blocks(page);
    let [broken, shown, mended] = blocks.as_slice() else {
        let unprovoked = code == UNPROVOKED && blocks.is_empty();
        return if unprovoked { Ok(()) } else { Err(Fault::Form("the page has three blocks")) };
    };
    let require_descriptions = match broken.info {
        "dsail" => false,
        "dsail require-descriptions" => true,
        _ => return Err(Fault::Form("the first block is `dsail`")),
    };
    if (shown.info, mended.info) != ("text", "dsail mended") {
        return Err(Fault::Form("the other blocks are `text` and `dsail mended`"));
    }
    let options = Options { require_descriptions };
    let compiled = compiled(broken.text, options).map_err(Fault::Provoked)?;
    let found = rendered(&compiled);
    if compiled.diagnostics.iter().map(|it| it.code).ne([code]) {
        return Err(Fault::Provoked(found));
    }
    let remaining = rendered(&self::compiled(mended.text, options).map_err(Fault::Mended)?);
    if !remaining.is_empty() {
        return Err(Fault::Mended(remaining));
    }
    if found != shown.text {
        let mut blessed = page.to_owned();
        blessed.replace_range(shown.place.clone(), &found);
        return Err(Fault::Shown { expected: shown.text.to_owned(), found, blessed });
    }
    Ok(())
}

fn compiled(text: &str, options: Options) -> Result<Compilation, String> {
    compile(text, Library::standard(), options).map_err(|it| format!("{it}\n"))
}

/// A fenced block of a page.
struct Block<'a> {
    info: &'a str,
    text: &'a str,
    /// Where the text stands in the page.
    place: Range<usize>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut open, mut position) = (Vec::new(), None, 0);
    for line in page.split_inclusive('\n') {
        let next = position + line.len();
        if let Some(info) = line.strip_prefix("```") {
            open = match open {
                None => Some((info.trim(), next)),
                Some((info, start)) => {
                    let text = page.get(start..position).unwrap_or_default();
                    blocks.push(Block { info, text, place: start..position });
                    None
                }
            };
        }
        position = next;
    }
    blocks
}

fn rendered(compiled: &Compilation) -> String {
    let mut out = String::new();
    for diagnostic in &compiled.diagnostics {
        // Writing to a string does not fail.
        let _ = render(&mut out, &compiled.source, diagnostic);
    }
    out
}

/// The place and the words, the line with what is underlined, the help and the other places.
fn render(out: &mut String, source: &Source, diagnostic: &Diagnostic) -> std::fmt::Result {
    let Diagnostic { code, message, span, labels, help } = diagnostic;
    let place = source.position(span.start);
    let (severity, word) = (diagnostic.severity().word(), code.word());
    writeln!(out, "{}:{} {severity} {word}: {message}", place.line, place.column)?;
    let line = source.text().lines().nth(place.line as usize - 1).unwrap_or_default();
    let before = place.column as usize - 1;
    let underlined = source.slice(*span).lines().next().unwrap_or_default().chars().count();
    writeln!(out, "{line}\n{:before$}{}", "", "^".repeat(underlined.max(1)))?;
    if let Some(help) = help {
        writeln!(out, "help: {help}")?;
    }
    for (span, words) in labels {
        let place = source.position(span.start);
        writeln!(out, "note {}:{}: {words}", place.line, place.column)?;
    }
    Ok(())
}
