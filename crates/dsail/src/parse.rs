//! Tokens to the tree of what was written.
//!
//! The parser never fails: what it cannot read becomes [`Expr::Error`] with one diagnostic, and it
//! goes on at the next statement. Expressions live in the child module.

mod expression;

use assay_base::{Code, Diagnostic, Source, Span};

use crate::ast::{Assertion, Binding, Declaration, File, Name, Type, function_names};
use crate::ir::Policy;
use crate::token::{KEYWORDS, Sign, Token, TokenKind};

/// Parses the tokens of `source`.
pub(crate) fn parse(source: &Source, tokens: &[Token], diagnostics: &mut Vec<Diagnostic>) -> File {
    let mut parser = Parser { source, tokens, position: 0, diagnostics };
    let mut file = File::default();
    let mut first = true;
    while !parser.at_end() {
        parser.statement(&mut file, first);
        first = false;
    }
    file
}

/// What stops the reading of a statement. Its problem is reported already.
struct Stop;

type Parsed<T> = Result<T, Stop>;

const STATEMENTS: [&str; 4] = ["version", "declare", "let", "assert"];

struct Parser<'a> {
    source: &'a Source,
    tokens: &'a [Token],
    position: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn statement(&mut self, file: &mut File, first: bool) {
        let start = self.position;
        let parsed = match self.word() {
            Some("version") => {
                self.version(first).map(|it| file.version = file.version.take().or(it))
            }
            Some("declare") => self.declaration(file),
            Some("let") => self.binding().map(|it| file.bindings.push(it)),
            Some("assert") => self.assertion().map(|it| file.assertions.push(it)),
            _ => {
                // It may have been meant to declare a name.
                file.lost_declaration = true;
                Err(self.expected("a statement: `declare`, `let` or `assert`"))
            }
        };
        if parsed.is_err() {
            self.recover(start);
        }
    }

    /// Goes on behind the next semicolon, or at the next word that begins a statement.
    fn recover(&mut self, start: usize) {
        if self.position == start {
            self.position += 1;
        }
        while !self.at_end() {
            if self.take(Sign::Semicolon) {
                return;
            }
            if self.begins_statement() {
                return;
            }
            self.position += 1;
        }
    }

    fn version(&mut self, first: bool) -> Parsed<Option<Name>> {
        let start = self.span();
        self.position += 1;
        let number = self.span();
        if !matches!(self.kind(), TokenKind::Number(_)) {
            return Err(self.expected("a version such as `1.3`"));
        }
        self.position += 1;
        let text = self.source.slice(number).to_owned();
        if !first {
            self.report(
                Diagnostic::new(Code::Version, start.to(number), "the version stands too late")
                    .help("make it the first statement"),
            );
        } else if text != "1.2" && text != "1.3" {
            self.report(
                Diagnostic::new(
                    Code::Version,
                    number,
                    format!("version `{text}` does not compile"),
                )
                .help("write `version 1.2;` or `version 1.3;`"),
            );
        }
        self.end_statement()?;
        Ok(first.then_some(Name { text, span: number }))
    }

    /// A declaration whose type cannot be read still declares its name, so that one mistake is
    /// one problem.
    fn declaration(&mut self, file: &mut File) -> Parsed<()> {
        self.position += 1;
        let local = self.take_word("local");
        let Ok(name) = self.name("a name for the claim") else {
            file.lost_declaration = true;
            return Err(Stop);
        };
        // Whoever types the name as it looks does not mean another one.
        file.lost_declaration |= !name.text.is_ascii();
        let kind = if self.take_word("as") {
            self.declared_type()
        } else {
            Err(self.expected("`as` and a type"))
        };
        let stopped = kind.is_err();
        file.declarations.push(Declaration { name, local, kind: kind.unwrap_or(Type::Error) });
        if stopped { Err(Stop) } else { self.end_statement() }
    }

    fn declared_type(&mut self) -> Parsed<Type> {
        let start = self.span();
        let word = self.word();
        if word.is_some() {
            self.position += 1;
        }
        match word {
            Some("boolean") => Ok(Type::Boolean),
            Some("numeric") => Ok(Type::Numeric),
            Some("enum") => self.vocabulary(),
            Some(other) => {
                self.report(
                    Diagnostic::new(Code::Syntax, start, format!("there is no type `{other}`"))
                        .help("the types are `boolean`, `numeric`, `enum [\"a\", \"b\"]` with an order and `enum {\"a\", \"b\"}` without"),
                );
                Ok(Type::Error)
            }
            None => Err(self.expected("a type: `boolean`, `numeric` or `enum`")),
        }
    }

    fn vocabulary(&mut self) -> Parsed<Type> {
        let ordered = self.take(Sign::OpenBracket);
        let close = if ordered { Sign::CloseBracket } else { Sign::CloseBrace };
        if !ordered && !self.take(Sign::OpenBrace) {
            return Err(self.expected("`[` for an ordered vocabulary or `{` for an unordered one"));
        }
        let mut members = Vec::new();
        loop {
            let span = self.span();
            let TokenKind::String(text) = self.kind() else {
                return Err(self.expected("an enum member in double quotes"));
            };
            members.push(Name { text: text.clone(), span });
            self.position += 1;
            if self.take(close) {
                return Ok(Type::Enum { members, ordered });
            }
            if !self.take(Sign::Comma) {
                return Err(self.expected(&format!("`,` or `{}`", close.text())));
            }
        }
    }

    fn binding(&mut self) -> Parsed<Binding> {
        self.position += 1;
        let name = self.name("the name of a local variable")?;
        if !self.take(Sign::Assign) {
            return Err(self.expected("`=`"));
        }
        let value = self.expression()?;
        self.end_statement()?;
        Ok(Binding { name, value })
    }

    fn assertion(&mut self) -> Parsed<Assertion> {
        let start = self.span();
        self.position += 1;
        let name = self.name("a name for the assertion")?;
        let policy = if self.take(Sign::OpenBracket) { self.policy()? } else { Policy::Neutral };
        if !self.take(Sign::OpenBrace) {
            return Err(self.expected("`{` and the expression"));
        }
        let body_start = self.span();
        let body = self.expression()?;
        let body_span = body_start.to(self.previous_span());
        if !self.take(Sign::CloseBrace) {
            return Err(self.expected_after_expression("`}`"));
        }
        self.end_statement()?;
        Ok(Assertion { name, policy, body, body_span, span: start.to(self.previous_span()) })
    }

    fn policy(&mut self) -> Parsed<Policy> {
        let span = self.span();
        let policy = match self.word() {
            Some("neutral") => Some(Policy::Neutral),
            Some("pessimistic") => Some(Policy::Pessimistic),
            Some("optimistic") => Some(Policy::Optimistic),
            Some(other) => {
                let message = format!("there is no policy `{other}`");
                self.report(
                    Diagnostic::new(Code::Policy, span, message)
                        .help("the policies are `neutral`, `pessimistic` and `optimistic`"),
                );
                None
            }
            None => return Err(self.expected("a policy: `neutral`, `pessimistic` or `optimistic`")),
        };
        self.position += 1;
        if !self.take(Sign::CloseBracket) {
            return Err(self.expected("`]`"));
        }
        Ok(policy.unwrap_or(Policy::Neutral))
    }

    /// A name that is declared here, so that it must not be reserved.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let Some(word) = self.word() else { return Err(self.expected(what)) };
        let name = Name { text: word.to_owned(), span: self.span() };
        if KEYWORDS.contains(&word) || function_names().any(|it| it == word) {
            self.report(
                Diagnostic::new(Code::ReservedName, name.span, format!("`{word}` is reserved"))
                    .help("keywords and functions cannot be names; choose another"),
            );
        }
        self.position += 1;
        Ok(name)
    }

    /// The semicolon. Where it is missing before a new line, the statement counts as complete.
    fn end_statement(&mut self) -> Parsed<()> {
        if self.take(Sign::Semicolon) {
            return Ok(());
        }
        if !self.at_end() && !self.starts_line() {
            return Err(self.expected_after_expression("`;`"));
        }
        let end = self.previous_span().end;
        self.report(
            Diagnostic::new(
                Code::MissingSemicolon,
                Span::new(end.saturating_sub(1), end),
                "the statement does not end",
            )
            .help("add `;` here"),
        );
        Ok(())
    }

    fn expected(&mut self, what: &str) -> Stop {
        // A word that was typed in another alphabet is reported by the lexer.
        if self.word().is_some_and(|it| !it.is_ascii()) {
            return Stop;
        }
        let (span, found) = (self.span(), self.describe());
        self.report(Diagnostic::new(Code::Syntax, span, format!("expected {what}, found {found}")));
        Stop
    }

    fn describe(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::String(_) => "a string".to_owned(),
            TokenKind::Word
            | TokenKind::Number(_)
            | TokenKind::Sign(_)
            | TokenKind::ForeignLogic => {
                format!("`{}`", assay_base::json::printable(self.source.slice(self.span())))
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn kind(&self) -> &'a TokenKind {
        self.tokens.get(self.position).map_or(&TokenKind::End, |it| &it.kind)
    }

    /// The token's text where it is a word.
    fn word(&self) -> Option<&'a str> {
        matches!(self.kind(), TokenKind::Word).then(|| self.source.slice(self.span()))
    }

    fn span(&self) -> Span {
        self.tokens.get(self.position).or(self.tokens.last()).map_or(Span::default(), |it| it.span)
    }

    fn previous_span(&self) -> Span {
        let previous = self.position.checked_sub(1).and_then(|it| self.tokens.get(it));
        previous.map_or(Span::default(), |it| it.span)
    }

    fn at_end(&self) -> bool {
        matches!(self.kind(), TokenKind::End)
    }

    /// Whether a statement begins here: its word opens a line and what it is about follows.
    fn begins_statement(&self) -> bool {
        let next = self.tokens.get(self.position + 1).map(|it| &it.kind);
        self.word().is_some_and(|it| STATEMENTS.contains(&it))
            && self.starts_line()
            && matches!(next, Some(TokenKind::Word | TokenKind::Number(_)))
    }

    /// Whether the token is the first on its line.
    fn starts_line(&self) -> bool {
        let between = Span::new(self.previous_span().end, self.span().start);
        self.source.slice(between).contains('\n')
    }

    fn take(&mut self, sign: Sign) -> bool {
        let found = matches!(self.kind(), TokenKind::Sign(it) if *it == sign);
        self.position += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.word() == Some(word);
        self.position += usize::from(found);
        found
    }
}
