//! Comparisons of numbers, enum members and truth values.

use assay_base::{Code, Diagnostic, Span};

use super::number::Operand;
use super::{Lowering, Typed};
use crate::arena::{self, NodeId};
use crate::ast::{Comparison, Expr};
use crate::ir::VocabularyId;

impl<'a> Lowering<'a> {
    pub(super) fn compare(
        &mut self,
        operator: Comparison,
        operator_span: Span,
        (left, right): (&'a Expr, &'a Expr),
    ) -> Typed {
        let hint = self.hint(left).or_else(|| self.hint(right));
        let sides = (self.expression(left, hint), self.expression(right, hint));
        let sides = self.of_one_vocabulary(sides);
        let spans = (left.span(), right.span());
        let node = match sides {
            (Typed::Error, _) | (_, Typed::Error) => None,
            (Typed::Number(a, left), Typed::Number(b, right)) => {
                let left = Operand { node: a, measure: left, span: spans.0 };
                let right = Operand { node: b, measure: right, span: spans.1 };
                self.align(left, right).map(|right| self.relate(operator, left.node, right.node))
            }
            (Typed::Member(a, left), Typed::Member(b, right)) => self
                .comparable(operator, operator_span, (left, right))
                .then(|| self.relate(operator, a, b)),
            (Typed::Boolean(a), Typed::Boolean(b)) => {
                self.compare_booleans(operator, operator_span, (a, b))
            }
            (Typed::Word(_), Typed::Word(_)) => {
                let message = "two strings are compared, and neither side is an enum claim";
                let span = spans.0.to(spans.1);
                self.report(
                    Diagnostic::new(Code::Type, span, message)
                        .help("compare a claim with a string"),
                );
                None
            }
            (left, right) => {
                let message = format!("{} is compared with {}", left.kind(), right.kind());
                let diagnostic = Diagnostic::new(Code::Type, spans.0.to(spans.1), message);
                self.report(diagnostic.help("compare values of one type"));
                None
            }
        };
        node.map_or(Typed::Error, Typed::Boolean)
    }

    /// A string whose place did not tell its vocabulary, as the variable of a quantifier, takes
    /// that of the other side.
    fn of_one_vocabulary(&mut self, sides: (Typed, Typed)) -> (Typed, Typed) {
        match sides {
            (left @ Typed::Member(_, vocabulary), Typed::Word(name)) => {
                (left, self.member(&name, vocabulary))
            }
            (Typed::Word(name), right @ Typed::Member(_, vocabulary)) => {
                (self.member(&name, vocabulary), right)
            }
            sides => sides,
        }
    }

    /// The comparison in terms of the three that the arena knows.
    fn relate(&mut self, operator: Comparison, left: NodeId, right: NodeId) -> NodeId {
        let arena = &mut self.lowered.arena;
        match operator {
            Comparison::Equal => arena.compare(arena::Comparison::Equal, left, right),
            Comparison::NotEqual => {
                let equal = arena.compare(arena::Comparison::Equal, left, right);
                arena.not(equal)
            }
            Comparison::Less => arena.compare(arena::Comparison::Less, left, right),
            Comparison::LessOrEqual => arena.compare(arena::Comparison::LessOrEqual, left, right),
            Comparison::Greater => arena.compare(arena::Comparison::Less, right, left),
            Comparison::GreaterOrEqual => {
                arena.compare(arena::Comparison::LessOrEqual, right, left)
            }
        }
    }

    /// Whether members of two vocabularies may be compared; reports why not.
    fn comparable(
        &mut self,
        operator: Comparison,
        span: Span,
        (left, right): (VocabularyId, VocabularyId),
    ) -> bool {
        if left != right {
            let diagnostic = Diagnostic::new(
                Code::VocabulariesDiffer,
                span,
                "the two enums have different vocabularies",
            );
            self.report(diagnostic.help("declare both with the same members in the same order"));
            return false;
        }
        if operator.is_order() && !self.vocabulary(left).ordered {
            let diagnostic = Diagnostic::new(Code::Unordered, span, "the vocabulary has no order");
            self.report(
                diagnostic
                    .help("declare it in brackets, lowest first, or compare with `==` or `!=`"),
            );
            return false;
        }
        true
    }

    fn compare_booleans(
        &mut self,
        operator: Comparison,
        span: Span,
        (left, right): (NodeId, NodeId),
    ) -> Option<NodeId> {
        if operator.is_order() {
            let diagnostic = Diagnostic::new(Code::Type, span, "truth values have no order");
            self.report(diagnostic.help("compare with `==` or `!=`"));
            return None;
        }
        let same = self.lowered.arena.same(left, right);
        Some(if operator == Comparison::Equal { same } else { self.lowered.arena.not(same) })
    }

    /// Equality of two lowered values, for sets. Mistakes are reported at `span`.
    pub(super) fn equal(&mut self, left: &Typed, right: &Typed, span: Span) -> Option<NodeId> {
        match (left, right) {
            (Typed::Error, _) | (_, Typed::Error) => None,
            (Typed::Boolean(a), Typed::Boolean(b)) => Some(self.lowered.arena.same(*a, *b)),
            (Typed::Number(a, left), Typed::Number(b, right)) => {
                let left = Operand { node: *a, measure: *left, span };
                let right = Operand { node: *b, measure: *right, span };
                let right = self.align(left, right)?;
                Some(self.relate(Comparison::Equal, left.node, right.node))
            }
            (Typed::Member(a, left), Typed::Member(b, right)) => self
                .comparable(Comparison::Equal, span, (*left, *right))
                .then(|| self.relate(Comparison::Equal, *a, *b)),
            (Typed::Member(_, vocabulary), Typed::Word(name)) => {
                let right = self.member(name, *vocabulary);
                self.equal(left, &right, span)
            }
            (Typed::Word(_), Typed::Member(..)) => self.equal(right, left, span),
            (Typed::Word(a), Typed::Word(b)) => Some(self.lowered.arena.boolean(a.text == b.text)),
            _ => {
                let message =
                    format!("{} is looked for among values that are {}", left.kind(), right.kind());
                let diagnostic = Diagnostic::new(Code::Set, span, message);
                self.report(diagnostic.help("use elements of the same type"));
                None
            }
        }
    }

    /// The vocabulary that an expression's value has, as far as its text tells.
    pub(super) fn hint(&self, expression: &Expr) -> Option<VocabularyId> {
        match expression {
            Expr::Name(name) => {
                let bound = self.bound.iter().rev().find(|(it, _)| *it == name.text);
                let typed = bound.map(|(_, it)| it).or_else(|| self.names.get(name.text.as_str()));
                match typed {
                    Some(Typed::Member(_, vocabulary)) => Some(*vocabulary),
                    _ => None,
                }
            }
            Expr::If { then, otherwise, .. } => {
                self.hint(then).or_else(|| otherwise.as_ref().and_then(|it| self.hint(it)))
            }
            Expr::Case { arms, .. } => arms.iter().find_map(|it| self.hint(&it.value)),
            Expr::Call { arguments, .. } => match arguments.as_slice() {
                [_, then, otherwise] => self.hint(then).or_else(|| self.hint(otherwise)),
                _ => None,
            },
            Expr::Set { elements, .. } => elements.iter().find_map(|it| self.hint(it)),
            Expr::Boolean(..)
            | Expr::Number { .. }
            | Expr::String(_)
            | Expr::Negate(..)
            | Expr::Compare { .. }
            | Expr::Chain { .. }
            | Expr::Quantified(_)
            | Expr::Error(_) => None,
        }
    }
}
