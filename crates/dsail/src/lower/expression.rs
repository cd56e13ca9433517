//! Expressions by their form.

use assay_base::{Code, Diagnostic, Span};

use super::{Lowering, Measure, Typed};
use crate::arena::NodeId;
use crate::ast::{Expr, Function, Name};
use crate::ir::VocabularyId;

impl<'a> Lowering<'a> {
    /// Lowers an expression. `hint` is the vocabulary that a string here belongs to, where the
    /// surroundings tell.
    pub(super) fn expression(&mut self, expression: &'a Expr, hint: Option<VocabularyId>) -> Typed {
        if !self.spend() {
            return Typed::Error;
        }
        match expression {
            Expr::Boolean(value, _) => Typed::Boolean(self.lowered.arena.boolean(*value)),
            Expr::Number { value, unit, .. } => {
                let node = self.lowered.arena.number(value.clone());
                let measure = match unit {
                    Some(unit) => Measure::Unit(self.unit_id(&unit.text, unit.span)),
                    None => Measure::Bare,
                };
                Typed::Number(node, measure)
            }
            Expr::String(name) => match hint {
                Some(vocabulary) => self.member(name, vocabulary),
                None => Typed::Word(name.clone()),
            },
            Expr::Name(name) => self.name(name),
            Expr::Negate(operand, span) => self.negate(operand, *span),
            Expr::Compare { operator, operator_span, left, right } => {
                self.compare(*operator, *operator_span, (left, right))
            }
            Expr::Chain { first, rest } => self.chain(first, rest),
            Expr::Call { function, name_span, arguments, span } => {
                self.call(*function, *name_span, (arguments, *span), hint)
            }
            Expr::Quantified(quantified) => self.quantified(quantified),
            Expr::If { condition, then, otherwise, span } => {
                self.if_expression((condition, then, otherwise.as_deref()), *span, hint)
            }
            Expr::Case { subject, arms, span } => self.case(subject, arms, *span, hint),
            Expr::Set { span, .. } => self.misplaced_set(*span),
            Expr::Error(_) => Typed::Error,
        }
    }

    /// Lowers an expression that must be a truth value.
    pub(super) fn boolean(&mut self, expression: &'a Expr) -> Option<NodeId> {
        let typed = self.expression(expression, None);
        match typed {
            Typed::Boolean(node) => Some(node),
            Typed::Error => None,
            Typed::Number(..) | Typed::Member(..) | Typed::Word(_) => {
                self.wrong_type(expression.span(), "a truth value", typed.kind());
                None
            }
        }
    }

    pub(super) fn wrong_type(&mut self, span: Span, expected: &str, found: &str) {
        let help = match (expected, found) {
            ("a truth value", "a number") => "compare the number with something",
            ("a truth value", _) => "compare it with a member of its vocabulary",
            ("a number", "a truth value") => {
                "write `If(condition, 1, 0)` for a truth value as a number"
            }
            _ => "use a value of the expected type",
        };
        let message = format!("expected {expected}, found {found}");
        self.report(Diagnostic::new(Code::Type, span, message).help(help));
    }

    fn name(&mut self, name: &Name) -> Typed {
        let bound = self.bound.iter().rev().find(|(it, _)| *it == name.text);
        if let Some((_, typed)) = bound {
            return typed.clone();
        }
        if let Some(typed) = self.names.get(name.text.as_str()) {
            return typed.clone();
        }
        // The lexer reported the characters that a name cannot hold.
        if !self.lost_names && name.text.is_ascii() {
            self.undefined(name);
        }
        Typed::Error
    }

    fn undefined(&mut self, name: &Name) {
        let help = match name.text.as_str() {
            "true" => "write `True`".to_owned(),
            "false" => "write `False`".to_owned(),
            text if crate::ast::function_names().any(|it| it == text) => {
                format!("`{text}` is a function: write its arguments in parentheses")
            }
            text => match self.suggestions.nearest(text, self.names.keys().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("declare it, for example `declare {text} as boolean;`"),
            },
        };
        let message = format!("undefined variable `{}`", name.text);
        self.report(Diagnostic::new(Code::Undefined, name.span, message).help(help));
    }

    /// A string as a member of a vocabulary.
    pub(super) fn member(&mut self, name: &Name, id: VocabularyId) -> Typed {
        let vocabulary = self.lowered.vocabularies.get(id.index());
        let members = vocabulary.map(|it| it.members.as_slice()).unwrap_or_default();
        if let Some(place) = members.iter().position(|it| *it == name.text) {
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            return Typed::Member(self.lowered.arena.member(id, place), id);
        }
        let help = match self.suggestions.nearest(&name.text, members.iter().map(String::as_str)) {
            Some(known) => format!("did you mean \"{known}\"?"),
            None => format!("the vocabulary is {}", quoted(members)),
        };
        let message = format!("`{}` is not a member of the vocabulary", name.text);
        self.report(Diagnostic::new(Code::Member, name.span, message).help(help));
        Typed::Error
    }

    fn call(
        &mut self,
        function: Function,
        name_span: Span,
        (arguments, span): (&'a [Expr], Span),
        hint: Option<VocabularyId>,
    ) -> Typed {
        if !self.arity(function, name_span, arguments.len()) {
            return Typed::Error;
        }
        match (function, arguments) {
            (Function::If, [condition, then, otherwise]) => {
                self.if_expression((condition, then, Some(otherwise)), span, hint)
            }
            (Function::IsMember, [value, set]) => self.is_member(value, set),
            (Function::IsSubset, [left, right]) => self.is_subset(left, right),
            (Function::Union | Function::Intersect | Function::Difference, _) => {
                self.misplaced_set(span)
            }
            _ => self.logic(function, arguments),
        }
    }

    fn arity(&mut self, function: Function, name_span: Span, count: usize) -> bool {
        let row = Function::ALL.iter().find(|(_, it, ..)| *it == function);
        let Some(&(name, _, least, most)) = row else { return false };
        if (least..=most).contains(&count) {
            return true;
        }
        let takes = match (least, most) {
            (1, usize::MAX) => "at least one argument".to_owned(),
            (1, 1) => "one argument".to_owned(),
            _ => format!("{least} arguments"),
        };
        let message = format!("`{name}` takes {takes}, found {count}");
        self.report(Diagnostic::new(Code::Arity, name_span, message));
        false
    }

    fn logic(&mut self, function: Function, arguments: &'a [Expr]) -> Typed {
        // Every operand is looked at before the first mistake counts, so that all are reported.
        let lowered: Vec<Option<NodeId>> = arguments.iter().map(|it| self.boolean(it)).collect();
        let Some(nodes) = lowered.into_iter().collect::<Option<Vec<NodeId>>>() else {
            return Typed::Error;
        };
        let arena = &mut self.lowered.arena;
        let node = match (function, nodes.as_slice()) {
            (Function::And, _) => arena.and(nodes),
            (Function::Or, _) => arena.or(nodes),
            (Function::Not, &[operand]) => arena.not(operand),
            (Function::Xor, &[left, right]) => {
                let same = arena.same(left, right);
                arena.not(same)
            }
            (Function::Implies, &[left, right]) => {
                let not = arena.not(left);
                arena.or(vec![not, right])
            }
            _ => return Typed::Error,
        };
        Typed::Boolean(node)
    }
}

/// Members as a message lists them, at most twelve.
pub(super) fn quoted(members: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = members.iter().take(SHOWN).map(|it| format!("\"{it}\"")).collect();
    let rest = members.len().saturating_sub(SHOWN);
    let list = shown.join(", ");
    if rest > 0 { format!("{list} and {rest} more") } else { list }
}
