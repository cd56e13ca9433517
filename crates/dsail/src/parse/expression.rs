//! Expressions, from the loosest operator to the tightest.

use assay_base::{Code, Diagnostic, Span};

use super::{Parsed, Parser, Stop};
use crate::ast::{Arithmetic, Arm, Comparison, Expr, Function, Name, Quantified, Quantifier};
use crate::token::{Sign, TokenKind};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let left = self.additive()?;
        let Some(operator) = self.comparison_operator() else { return Ok(left) };
        let operator_span = self.span();
        self.position += 1;
        let right = self.additive()?;
        if self.comparison_operator().is_some() {
            let span = left.span().to(self.span());
            self.report(
                Diagnostic::new(Code::ChainedComparison, span, "comparisons do not chain")
                    .help("write `And(a < b, b < c)`"),
            );
            return Err(Stop);
        }
        let (left, right) = (Box::new(left), Box::new(right));
        Ok(Expr::Compare { operator, operator_span, left, right })
    }

    fn comparison_operator(&self) -> Option<Comparison> {
        let TokenKind::Sign(sign) = self.kind() else { return None };
        match sign {
            Sign::Equal => Some(Comparison::Equal),
            Sign::NotEqual => Some(Comparison::NotEqual),
            Sign::Less => Some(Comparison::Less),
            Sign::LessOrEqual => Some(Comparison::LessOrEqual),
            Sign::Greater => Some(Comparison::Greater),
            Sign::GreaterOrEqual => Some(Comparison::GreaterOrEqual),
            _ => None,
        }
    }

    fn additive(&mut self) -> Parsed<Expr> {
        let operators = [(Sign::Plus, Arithmetic::Add), (Sign::Minus, Arithmetic::Subtract)];
        self.chain(&operators, Self::multiplicative)
    }

    fn multiplicative(&mut self) -> Parsed<Expr> {
        let operators = [
            (Sign::Times, Arithmetic::Multiply),
            (Sign::Divide, Arithmetic::Divide),
            (Sign::Modulo, Arithmetic::Modulo),
        ];
        self.chain(&operators, Self::unary)
    }

    fn chain(
        &mut self,
        operators: &[(Sign, Arithmetic)],
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(*sign)) {
            rest.push((*operator, operand(self)?));
        }
        Ok(if rest.is_empty() { first } else { Expr::Chain { first: Box::new(first), rest } })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.take(Sign::Minus) {
            return self.primary();
        }
        let operand = self.primary()?;
        let span = start.to(operand.span());
        Ok(match operand {
            Expr::Number { value, unit, .. } => Expr::Number { value: value.negate(), unit, span },
            other => Expr::Negate(Box::new(other), span),
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        match self.kind() {
            TokenKind::Number(value) => {
                let value = value.clone();
                self.position += 1;
                Ok(self.quantity(value, start))
            }
            TokenKind::String(text) => {
                let name = Name { text: text.clone(), span: start };
                self.position += 1;
                Ok(Expr::String(name))
            }
            TokenKind::Word => self.word_expression(start),
            TokenKind::Sign(Sign::OpenParenthesis) => {
                self.position += 1;
                let inner = self.expression()?;
                self.close(Sign::CloseParenthesis)?;
                Ok(inner)
            }
            TokenKind::Sign(Sign::OpenBrace) => {
                self.position += 1;
                let elements = self.list(Sign::CloseBrace)?;
                Ok(Expr::Set { elements, span: start.to(self.previous_span()) })
            }
            TokenKind::ForeignLogic => Err(self.foreign_logic()),
            TokenKind::Sign(_) | TokenKind::End => Err(self.expected("an expression")),
        }
    }

    /// A number and the unit behind it.
    fn quantity(&mut self, value: assay_base::Rational, start: Span) -> Expr {
        let unit_span = self.span();
        match self.kind() {
            TokenKind::String(text) => {
                let unit = Some(Name { text: text.clone(), span: unit_span });
                self.position += 1;
                Expr::Number { value, unit, span: start.to(unit_span) }
            }
            TokenKind::Word if self.is_bare_unit() => {
                let word = self.source.slice(unit_span).to_owned();
                let number = self.source.slice(start).to_owned();
                self.position += 1;
                self.report(
                    Diagnostic::new(
                        Code::BareUnit,
                        unit_span,
                        format!("the unit `{word}` stands without quotes"),
                    )
                    .help(format!("write `{number} \"{word}\"`")),
                );
                Expr::Error(start.to(unit_span))
            }
            _ => Expr::Number { value, unit: None, span: start },
        }
    }

    fn is_bare_unit(&self) -> bool {
        const AFTER_A_NUMBER: [&str; 8] =
            ["THEN", "ELSE", "END", "OF", "DEFAULT", "and", "or", "in"];
        self.word().is_some_and(|it| !AFTER_A_NUMBER.contains(&it)) && !self.begins_statement()
    }

    fn word_expression(&mut self, start: Span) -> Parsed<Expr> {
        let word = self.source.slice(start);
        match word {
            "not" if self.next_is_operand() => return Err(self.foreign_logic()),
            "THEN" | "ELSE" | "END" | "OF" | "DEFAULT" => {
                return Err(self.expected("an expression"));
            }
            _ if self.begins_statement() => return Err(self.expected("an expression")),
            _ => self.position += 1,
        }
        match word {
            "True" | "False" => Ok(Expr::Boolean(word == "True", start)),
            "IF" => self.if_expression(start),
            "CASE" => self.case_expression(start),
            _ if self.take(Sign::OpenParenthesis) => self.call(word, start),
            _ => Ok(Expr::Name(Name { text: word.to_owned(), span: start })),
        }
    }

    fn next_is_operand(&self) -> bool {
        let next = self.tokens.get(self.position + 1).map(|it| &it.kind);
        matches!(next, Some(TokenKind::Word | TokenKind::Sign(Sign::OpenParenthesis)))
    }

    fn if_expression(&mut self, start: Span) -> Parsed<Expr> {
        let condition = Box::new(self.expression()?);
        self.keyword("THEN")?;
        let then = Box::new(self.expression()?);
        let otherwise =
            if self.take_word("ELSE") { Some(Box::new(self.expression()?)) } else { None };
        self.keyword("END")?;
        Ok(Expr::If { condition, then, otherwise, span: start.to(self.previous_span()) })
    }

    fn case_expression(&mut self, start: Span) -> Parsed<Expr> {
        let subject = Box::new(self.expression()?);
        self.keyword("OF")?;
        let mut arms = Vec::new();
        loop {
            arms.push(self.arm()?);
            if !self.take(Sign::Comma) {
                break;
            }
        }
        self.keyword("END")?;
        Ok(Expr::Case { subject, arms, span: start.to(self.previous_span()) })
    }

    fn arm(&mut self) -> Parsed<Arm> {
        let label_span = self.span();
        let label = match self.kind() {
            TokenKind::String(text) => Some(Name { text: text.clone(), span: label_span }),
            TokenKind::Word if self.word() == Some("DEFAULT") => None,
            _ => return Err(self.expected("an enum member in double quotes or `DEFAULT`")),
        };
        self.position += 1;
        if !self.take(Sign::Colon) {
            return Err(self.expected("`:`"));
        }
        Ok(Arm { label, label_span, value: self.expression()? })
    }

    fn call(&mut self, word: &str, start: Span) -> Parsed<Expr> {
        if let Some(&(_, quantifier)) = Quantifier::ALL.iter().find(|(name, _)| *name == word) {
            return self.quantified(quantifier, start);
        }
        let arguments = self.list(Sign::CloseParenthesis)?;
        let span = start.to(self.previous_span());
        match Function::ALL.iter().find(|(name, ..)| *name == word) {
            Some(&(_, function, ..)) => {
                Ok(Expr::Call { function, name_span: start, arguments, span })
            }
            None => {
                // The lexer reported the characters that a name cannot hold.
                if word.is_ascii() {
                    self.unknown_function(word, start);
                }
                Ok(Expr::Error(span))
            }
        }
    }

    fn unknown_function(&mut self, word: &str, start: Span) {
        let names: Vec<&str> = crate::ast::function_names().collect();
        let help = match crate::nearest::nearest(word, names.iter().copied()) {
            Some(name) => format!("did you mean `{name}`? Names of functions are case-sensitive"),
            None => format!("the functions are {}", names.join(", ")),
        };
        let message = format!("there is no function `{word}`");
        self.report(Diagnostic::new(Code::UnknownFunction, start, message).help(help));
    }

    fn quantified(&mut self, quantifier: Quantifier, start: Span) -> Parsed<Expr> {
        let count = if quantifier.takes_count() {
            let count = self.expression()?;
            if !self.take(Sign::Comma) {
                return Err(self.expected("`,` behind the number of elements"));
            }
            Some(count)
        } else {
            None
        };
        let variable = self.name("a variable, as in `x in {…}`")?;
        self.keyword("in")?;
        let domain = self.expression()?;
        if !self.take(Sign::Comma) {
            return Err(self.expected_after_expression("`,` and a condition"));
        }
        let body = self.expression()?;
        self.close(Sign::CloseParenthesis)?;
        let span = start.to(self.previous_span());
        Ok(Expr::Quantified(Box::new(Quantified {
            quantifier,
            count,
            variable,
            domain,
            body,
            span,
        })))
    }

    /// Expressions between commas, up to and with the closing sign.
    fn list(&mut self, close: Sign) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(Sign::Comma) {
                return Err(self.expected_after_expression(&format!("`,` or `{}`", close.text())));
            }
        }
    }

    fn close(&mut self, sign: Sign) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.expected_after_expression(&format!("`{}`", sign.text())))
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) {
            return Ok(());
        }
        Err(self.expected_after_expression(&format!("`{word}`")))
    }

    /// As `expected`, with the mend for what people bring from other languages.
    pub(super) fn expected_after_expression(&mut self, what: &str) -> Stop {
        match self.kind() {
            TokenKind::ForeignLogic => self.foreign_logic(),
            TokenKind::Word
                if matches!(self.word(), Some("and" | "or" | "xor" | "implies" | "not" | "in")) =>
            {
                self.foreign_logic()
            }
            TokenKind::Sign(Sign::Assign) => {
                let diagnostic =
                    Diagnostic::new(Code::SingleEquals, self.span(), "`=` compares nothing");
                self.report(diagnostic.help("write `==`"));
                Stop
            }
            _ => self.expected(what),
        }
    }

    fn foreign_logic(&mut self) -> Stop {
        let span = self.span();
        let sign = self.source.slice(span);
        let help = match sign {
            "or" | "||" | "|" => "write `Or(a, b)`",
            "not" | "!" => "write `Not(a)`",
            "xor" => "write `Xor(a, b)`",
            "implies" => "write `Implies(a, b)`",
            "in" => "write `IsMember(a, {…})`",
            _ => "write `And(a, b)`",
        };
        let message = format!("`{sign}` is no operator: logic is written with functions");
        self.report(Diagnostic::new(Code::InfixLogic, span, message).help(help));
        Stop
    }
}
