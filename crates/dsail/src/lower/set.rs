//! Sets and the functions that range over them.
//!
//! A set is a list of elements, each with the condition under which it belongs. The order and the
//! number of elements are those of the text: two claims that happen to be equal are two elements.
//! Quantifiers unroll over the list.

use assay_base::{Code, Diagnostic, Rational, Span};

use super::number::Operand;
use super::{Lowering, Measure, Typed};
use crate::arena::{Comparison, NodeId};
use crate::ast::{Expr, Function, Quantified, Quantifier};
use crate::ir::VocabularyId;

/// One element of a set.
#[derive(Clone)]
struct Element {
    /// When it belongs to the set; nothing for always.
    condition: Option<NodeId>,
    value: Typed,
    span: Span,
}

impl<'a> Lowering<'a> {
    pub(super) fn misplaced_set(&mut self, span: Span) -> Typed {
        let diagnostic = Diagnostic::new(Code::Set, span, "a set stands where a value is expected");
        self.report(
            diagnostic.help("sets are arguments of quantifiers, `IsMember` and `IsSubset` only"),
        );
        Typed::Error
    }

    fn set(&mut self, expression: &'a Expr, hint: Option<VocabularyId>) -> Option<Vec<Element>> {
        if !self.spend() {
            return None;
        }
        match expression {
            Expr::Set { elements, span } => self.elements(elements, *span, hint),
            Expr::Call {
                function: function @ (Function::Union | Function::Intersect | Function::Difference),
                arguments,
                ..
            } => {
                let [left, right] = arguments.as_slice() else {
                    return self.no_set(expression.span(), "the function takes two sets");
                };
                let hint = hint.or_else(|| self.hint(left)).or_else(|| self.hint(right));
                let (left, right) = (self.set(left, hint), self.set(right, hint));
                self.combine(*function, left?, &right?)
            }
            Expr::Error(_) => None,
            _ => self.no_set(expression.span(), "a set was expected here"),
        }
    }

    fn no_set<T>(&mut self, span: Span, message: &str) -> Option<T> {
        let diagnostic = Diagnostic::new(Code::Set, span, message);
        self.report(diagnostic.help("write the elements in braces, as in `{\"low\", \"medium\"}`"));
        None
    }

    fn elements(
        &mut self,
        elements: &'a [Expr],
        span: Span,
        hint: Option<VocabularyId>,
    ) -> Option<Vec<Element>> {
        if elements.is_empty() {
            return self.no_set(span, "the set is empty");
        }
        let hint = hint.or_else(|| elements.iter().find_map(|it| self.hint(it)));
        let mut set: Vec<Element> = Vec::with_capacity(elements.len());
        let mut valid = true;
        for element in elements {
            let value = self.expression(element, hint);
            let first = set.first().map_or_else(|| value.kind(), |it| it.value.kind());
            if matches!(value, Typed::Error) {
                valid = false;
            } else if value.kind() != first && valid {
                let message = format!("the set holds {first} and {}", value.kind());
                return self.no_set(element.span(), &message);
            }
            set.push(Element { condition: None, value, span: element.span() });
        }
        valid.then_some(set)
    }

    fn combine(
        &mut self,
        function: Function,
        left: Vec<Element>,
        right: &[Element],
    ) -> Option<Vec<Element>> {
        if !self.unroll(left.len() * right.len().max(1)) {
            return None;
        }
        let in_left = function == Function::Union;
        let (kept, others) =
            if in_left { (right.to_vec(), left.clone()) } else { (left.clone(), right.to_vec()) };
        let mut result = if in_left { left } else { Vec::new() };
        for mut element in kept {
            let member = self.found(&element.value, &others, element.span)?;
            // A union takes from the right what the left does not hold already.
            let belongs = if function == Function::Intersect {
                member
            } else {
                self.lowered.arena.not(member)
            };
            let condition = element.condition.into_iter().chain([belongs]).collect();
            element.condition = Some(self.lowered.arena.and(condition));
            result.push(element);
        }
        Some(result)
    }

    /// Whether a value is among the elements.
    fn found(&mut self, value: &Typed, elements: &[Element], span: Span) -> Option<NodeId> {
        let mut cases = Vec::with_capacity(elements.len());
        for element in elements {
            if !self.spend() {
                return None;
            }
            let equal = self.equal(value, &element.value, span)?;
            let conditions = element.condition.into_iter().chain([equal]).collect();
            cases.push(self.lowered.arena.and(conditions));
        }
        Some(self.lowered.arena.or(cases))
    }

    pub(super) fn is_member(&mut self, value: &'a Expr, set: &'a Expr) -> Typed {
        let hint = self.hint(value).or_else(|| self.hint(set));
        let span = value.span();
        let (value, elements) = (self.expression(value, hint), self.set(set, hint));
        let found = elements.and_then(|it| self.found(&value, &it, span));
        found.map_or(Typed::Error, Typed::Boolean)
    }

    pub(super) fn is_subset(&mut self, left: &'a Expr, right: &'a Expr) -> Typed {
        let hint = self.hint(left).or_else(|| self.hint(right));
        let (Some(left), Some(right)) = (self.set(left, hint), self.set(right, hint)) else {
            return Typed::Error;
        };
        if !self.unroll(left.len() * right.len()) {
            return Typed::Error;
        }
        let mut all = Vec::with_capacity(left.len());
        for element in left {
            let Some(found) = self.found(&element.value, &right, element.span) else {
                return Typed::Error;
            };
            all.push(self.implied(element.condition, found));
        }
        Typed::Boolean(self.lowered.arena.and(all))
    }

    fn implied(&mut self, condition: Option<NodeId>, conclusion: NodeId) -> NodeId {
        let Some(condition) = condition else { return conclusion };
        let not = self.lowered.arena.not(condition);
        self.lowered.arena.or(vec![not, conclusion])
    }

    pub(super) fn quantified(&mut self, quantified: &'a Quantified) -> Typed {
        let hint = self.hint(&quantified.domain);
        let count = match &quantified.count {
            Some(count) => self.number(count).and_then(|it| self.plain(it)),
            None => Some(self.lowered.arena.number(Rational::ONE)),
        };
        let elements = self.set(&quantified.domain, hint);
        let (Some(count), Some(elements)) = (count, elements) else { return Typed::Error };
        if !self.unroll(elements.len()) {
            return Typed::Error;
        }
        let Some(cases) = self.cases(quantified, elements) else { return Typed::Error };
        self.quantify(quantified.quantifier, count, cases)
    }

    /// A number that must have no unit.
    fn plain(&mut self, number: Operand) -> Option<NodeId> {
        if matches!(number.measure, Measure::Unit(_)) {
            let diagnostic =
                Diagnostic::new(Code::Type, number.span, "the number of elements has no unit");
            self.report(diagnostic.help("remove the unit"));
            return None;
        }
        Some(number.node)
    }

    /// The body for every element, with the condition under which the element belongs.
    fn cases(
        &mut self,
        quantified: &'a Quantified,
        elements: Vec<Element>,
    ) -> Option<Vec<(Option<NodeId>, NodeId)>> {
        let mut cases = Vec::with_capacity(elements.len());
        for element in elements {
            self.bound.push((&quantified.variable.text, element.value));
            let body = self.boolean(&quantified.body);
            self.bound.pop();
            // A mistake in the body is one problem, however many elements there are.
            cases.push((element.condition, body?));
        }
        Some(cases)
    }

    fn quantify(
        &mut self,
        quantifier: Quantifier,
        count: NodeId,
        cases: Vec<(Option<NodeId>, NodeId)>,
    ) -> Typed {
        if quantifier == Quantifier::ForAll {
            let all = cases.into_iter().map(|(it, body)| self.implied(it, body)).collect();
            return Typed::Boolean(self.lowered.arena.and(all));
        }
        let arena = &mut self.lowered.arena;
        let holding: Vec<NodeId> = cases
            .into_iter()
            .map(|(condition, body)| arena.and(condition.into_iter().chain([body]).collect()))
            .collect();
        if quantifier == Quantifier::Exists {
            return Typed::Boolean(arena.or(holding));
        }
        let (one, zero) = (arena.number(Rational::ONE), arena.number(Rational::ZERO));
        let terms = holding.into_iter().map(|it| arena.conditional(it, one, zero)).collect();
        let total = arena.add(terms);
        match quantifier {
            Quantifier::AtLeast => {
                Typed::Boolean(arena.compare(Comparison::LessOrEqual, count, total))
            }
            Quantifier::AtMost => {
                Typed::Boolean(arena.compare(Comparison::LessOrEqual, total, count))
            }
            Quantifier::ExactlyOne => Typed::Boolean(arena.compare(Comparison::Equal, total, one)),
            Quantifier::CountWhere | Quantifier::ForAll | Quantifier::Exists => {
                Typed::Number(total, Measure::Bare)
            }
        }
    }
}
