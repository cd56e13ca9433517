//! Source text to typed ruleset, with every problem on the way.

use assay_base::{Code, Diagnostic, RulesetHash, Severity, Source, Span};

use crate::annotation::{self, Descriptions};
use crate::ast;
use crate::budget::{Budget, BudgetExceeded};
use crate::ir::{Assertion, LanguageVersion, Ruleset, Unit};
use crate::lexer;
use crate::lower::{self, Lowered};
use crate::normalize::{hash, normalize};
use crate::parse;
use crate::units::{Bridge, Library};

/// How strictly a source is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether an assertion without a comment block directly above is an error.
    pub require_descriptions: bool,
}

/// What a source compiled to.
#[derive(Debug)]
pub struct Compilation {
    /// The normalised source.
    pub source: Source,
    /// Its address.
    pub hash: RulesetHash,
    /// The ruleset; `None` when there is an error among the diagnostics.
    pub ruleset: Option<Ruleset>,
    /// Every problem in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Unit pairs that the ruleset compares and the library does not convert.
    pub unbridged: Vec<UnbridgedPair>,
}

/// A comparison that answers UNKNOWN for every claim dictionary, because of its units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnbridgedPair {
    /// The name of the assertion.
    pub assertion: String,
    /// The unit that is converted.
    pub from: Unit,
    /// The unit that it is compared in.
    pub to: Unit,
    /// Whether an interval leads there, rather than nothing.
    pub ambiguous: bool,
}

/// Compiles a source with the units of `library`.
///
/// # Errors
/// [`BudgetExceeded`] when the source, or what it unrolls to, is larger than a limit.
pub fn compile(
    text: &str,
    library: &Library,
    options: Options,
) -> Result<Compilation, BudgetExceeded> {
    Budget::SOURCE_BYTES.check(text.len())?;
    let source = Source::new(normalize(text));
    let hash = hash(source.text());
    let mut diagnostics = Vec::new();
    let lexed = lexer::lex(&source, &mut diagnostics);
    let mut compiler = Compiler { source: &source, library, options, hash, diagnostics };
    let compiled = if lexed.parsable { compiler.run(&lexed)? } else { None };
    let mut diagnostics = std::mem::take(&mut compiler.diagnostics);
    diagnostics.sort_by_key(|it| (it.span, it.code));
    diagnostics.dedup();
    let failed = diagnostics.iter().any(|it| it.severity() == Severity::Error);
    let (ruleset, unbridged) = compiled.filter(|_| !failed).unzip();
    Ok(Compilation { source, hash, ruleset, diagnostics, unbridged: unbridged.unwrap_or_default() })
}

struct Compiler<'a> {
    source: &'a Source,
    library: &'a Library,
    options: Options,
    hash: RulesetHash,
    diagnostics: Vec<Diagnostic>,
}

impl Compiler<'_> {
    fn run(
        &mut self,
        lexed: &lexer::Lexed,
    ) -> Result<Option<(Ruleset, Vec<UnbridgedPair>)>, BudgetExceeded> {
        let file = parse::parse(self.source, &lexed.tokens, &mut self.diagnostics);
        Budget::CLAIMS.check(file.declarations.len())?;
        Budget::ASSERTIONS.check(file.assertions.len())?;
        let described =
            annotation::read(self.source, &lexed.comments, &file, &mut self.diagnostics);
        let lowered =
            lower::lower(self.source, &file, &described, self.library, &mut self.diagnostics)?;
        let refused = self.diagnostics.iter().any(|it| it.severity() == Severity::Error);
        if file.assertions.is_empty() && !refused {
            let end = self.source.text().trim_end().len();
            let end = u32::try_from(end).unwrap_or(u32::MAX);
            self.diagnostics.push(
                Diagnostic::new(
                    Code::NoAssertion,
                    Span::new(end.saturating_sub(1), end),
                    "the ruleset asserts nothing",
                )
                .help("add a rule: `assert NAME { … };`"),
            );
        }
        let assertions =
            self.assertions(&file, &lowered, &Descriptions::new(self.source, &lexed.comments));
        Ok(assertions.map(|assertions| self.assemble(&file, lowered, assertions)))
    }

    fn assertions(
        &mut self,
        file: &ast::File,
        lowered: &Lowered,
        descriptions: &Descriptions<'_>,
    ) -> Option<Vec<Assertion>> {
        let mut assertions = Vec::with_capacity(file.assertions.len());
        let mut previous_line = 0;
        for (written, statement) in file.assertions.iter().zip(&lowered.statements) {
            let line = self.source.line(written.span.start);
            // What stands above describes the first assertion of a line alone.
            let description = if line == previous_line { None } else { descriptions.above(line) };
            previous_line = self.source.line(written.span.end);
            if description.is_none() && self.options.require_descriptions {
                let message = format!("`{}` has no description", written.name.text);
                self.diagnostics.push(
                    Diagnostic::new(Code::Description, written.name.span, message)
                        .help("say in a comment directly above what the rule requires"),
                );
            }
            assertions.extend(statement.as_ref().map(|statement| Assertion {
                name: written.name.text.clone(),
                policy: written.policy,
                expression: statement.expression,
                reads: statement.variables.iter().copied().collect(),
                description,
                span: written.span,
                body: written.body_span,
            }));
        }
        (assertions.len() == file.assertions.len()).then_some(assertions)
    }

    fn assemble(
        &self,
        file: &ast::File,
        lowered: Lowered,
        assertions: Vec<Assertion>,
    ) -> (Ruleset, Vec<UnbridgedPair>) {
        let unbridged = unbridged(&lowered, &assertions, self.library);
        let older = file.version.as_ref().is_some_and(|it| it.text == "1.2");
        let ruleset = Ruleset {
            hash: self.hash,
            source: self.source.clone(),
            version: if older { LanguageVersion::V1_2 } else { LanguageVersion::V1_3 },
            claims: lowered.claims,
            locals: lowered.locals,
            vocabularies: lowered.vocabularies,
            units: lowered.units,
            assertions,
            arena: lowered.arena,
        };
        (ruleset, unbridged)
    }
}

/// The unit pairs of each assertion that the library does not convert, in the order of the source.
fn unbridged(lowered: &Lowered, assertions: &[Assertion], library: &Library) -> Vec<UnbridgedPair> {
    let mut pairs = Vec::new();
    for (assertion, statement) in assertions.iter().zip(lowered.statements.iter().flatten()) {
        for (from, to) in &statement.conversions {
            let units = (lowered.units.get(from.index()), lowered.units.get(to.index()));
            let (Some(from), Some(to)) = units else { continue };
            let ambiguous = match library.bridge(from, to) {
                Bridge::Same | Bridge::Convertible(_) => continue,
                Bridge::Ambiguous => true,
                Bridge::UnknownUnit | Bridge::NoPath => false,
            };
            pairs.push(UnbridgedPair {
                assertion: assertion.name.clone(),
                from: from.clone(),
                to: to.clone(),
                ambiguous,
            });
        }
    }
    pairs
}
