//! `IF`, `If` and `CASE`.

use std::collections::BTreeSet;

use assay_base::{Code, Diagnostic, Span};

use super::expression::quoted;
use super::number::{Operand, common};
use super::{Lowering, Typed};
use crate::arena::{Comparison, NodeId};
use crate::ast::{Arm, Expr};
use crate::ir::VocabularyId;

impl<'a> Lowering<'a> {
    pub(super) fn if_expression(
        &mut self,
        (condition, then, otherwise): (&'a Expr, &'a Expr, Option<&'a Expr>),
        span: Span,
        hint: Option<VocabularyId>,
    ) -> Typed {
        let hint = hint.or_else(|| self.hint(then)).or_else(|| self.hint(otherwise?));
        let condition = self.boolean(condition);
        let then_value = self.expression(then, hint);
        let Some(otherwise) = otherwise else {
            return self.implication(condition, &then_value, span);
        };
        let otherwise_value = self.expression(otherwise, hint);
        let (Some(condition), Some(values)) =
            (condition, self.unify((then_value, then.span()), (otherwise_value, otherwise.span())))
        else {
            return Typed::Error;
        };
        self.choose(condition, &values)
    }

    fn implication(&mut self, condition: Option<NodeId>, then: &Typed, span: Span) -> Typed {
        match (condition, then) {
            (Some(condition), Typed::Boolean(then)) => {
                let not = self.lowered.arena.not(condition);
                Typed::Boolean(self.lowered.arena.or(vec![not, *then]))
            }
            (None, _) | (_, Typed::Error) => Typed::Error,
            (Some(_), Typed::Number(..) | Typed::Member(..) | Typed::Word(_)) => {
                let message =
                    format!("`IF` without `ELSE` is a truth value, and this is {}", then.kind());
                let diagnostic = Diagnostic::new(Code::IfWithoutElse, span, message);
                self.report(diagnostic.help("add the `ELSE` part"));
                Typed::Error
            }
        }
    }

    /// Both values, brought to one type and one unit.
    fn unify(
        &mut self,
        (left, left_span): (Typed, Span),
        (right, right_span): (Typed, Span),
    ) -> Option<(Typed, Typed)> {
        match (&left, &right) {
            (Typed::Error, _) | (_, Typed::Error) => None,
            (Typed::Boolean(_), Typed::Boolean(_)) => Some((left, right)),
            (Typed::Member(_, a), Typed::Member(_, b)) if a == b => Some((left, right)),
            (Typed::Number(a, left), Typed::Number(b, right)) => {
                let first = Operand { node: *a, measure: *left, span: left_span };
                let second = Operand { node: *b, measure: *right, span: right_span };
                let second = self.align(first, second)?;
                let measure = common(first.measure, second.measure);
                Some((Typed::Number(first.node, measure), Typed::Number(second.node, measure)))
            }
            (Typed::Word(_), Typed::Word(_)) => {
                let message = "nothing tells which vocabulary these strings belong to";
                let diagnostic = Diagnostic::new(Code::Type, left_span.to(right_span), message);
                self.report(
                    diagnostic.help("compare the claim with a string in each branch instead"),
                );
                None
            }
            _ => {
                let message =
                    format!("one branch is {} and the other {}", left.kind(), right.kind());
                let diagnostic = Diagnostic::new(Code::Type, right_span, message);
                self.report(
                    diagnostic.label(left_span, "the first branch").help("give both one type"),
                );
                None
            }
        }
    }

    fn choose(&mut self, condition: NodeId, values: &(Typed, Typed)) -> Typed {
        let arena = &mut self.lowered.arena;
        match values {
            (Typed::Boolean(a), Typed::Boolean(b)) => {
                Typed::Boolean(arena.conditional(condition, *a, *b))
            }
            (Typed::Number(a, measure), Typed::Number(b, _)) => {
                Typed::Number(arena.conditional(condition, *a, *b), *measure)
            }
            (Typed::Member(a, vocabulary), Typed::Member(b, _)) => {
                Typed::Member(arena.conditional(condition, *a, *b), *vocabulary)
            }
            _ => Typed::Error,
        }
    }

    pub(super) fn case(
        &mut self,
        subject: &'a Expr,
        arms: &'a [Arm],
        span: Span,
        hint: Option<VocabularyId>,
    ) -> Typed {
        let subject_span = subject.span();
        let subject = match self.expression(subject, None) {
            Typed::Member(node, vocabulary) => Some((node, vocabulary)),
            Typed::Error => None,
            other => {
                self.wrong_type(subject_span, "an enum member", other.kind());
                None
            }
        };
        let hint = hint.or_else(|| arms.iter().find_map(|it| self.hint(&it.value)));
        let values: Vec<(Typed, Span)> =
            arms.iter().map(|it| (self.expression(&it.value, hint), it.value.span())).collect();
        let Some((node, vocabulary)) = subject else { return Typed::Error };
        let Some(labels) = self.labels(arms, vocabulary, span) else { return Typed::Error };
        self.nest(node, labels, values)
    }

    /// The places that the arms name, `None` for `DEFAULT`; reports arms that are wrong or missing.
    fn labels(
        &mut self,
        arms: &'a [Arm],
        vocabulary: VocabularyId,
        span: Span,
    ) -> Option<Vec<Option<NodeId>>> {
        let (mut labels, mut seen, mut default, mut valid) =
            (Vec::new(), BTreeSet::new(), false, true);
        for arm in arms {
            let repeated = match &arm.label {
                Some(name) => !seen.insert(name.text.as_str()) || default,
                None => std::mem::replace(&mut default, true),
            };
            if repeated {
                let diagnostic =
                    Diagnostic::new(Code::CaseArm, arm.label_span, "this arm is never reached");
                self.report(diagnostic.help("remove it; `DEFAULT` stands last and once"));
                valid = false;
            }
            match &arm.label {
                None => labels.push(None),
                Some(name) => match self.member(name, vocabulary) {
                    Typed::Member(node, _) => labels.push(Some(node)),
                    _ => valid = false,
                },
            }
        }
        let members = &self.vocabulary(vocabulary).members;
        let missing: Vec<String> =
            members.iter().filter(|it| !seen.contains(it.as_str())).cloned().collect();
        if valid && !default && !missing.is_empty() {
            let message = format!("the `CASE` has no arm for {}", quoted(&missing));
            let diagnostic = Diagnostic::new(Code::CaseCoverage, span, message);
            self.report(diagnostic.help("add the arms or a `DEFAULT`"));
            valid = false;
        }
        valid.then_some(labels)
    }

    /// The arms as nested choices. The last arm needs no question: all others were answered no.
    fn nest(
        &mut self,
        subject: NodeId,
        labels: Vec<Option<NodeId>>,
        values: Vec<(Typed, Span)>,
    ) -> Typed {
        let mut arms = labels.into_iter().zip(values).rev();
        let Some((_, (mut result, mut result_span))) = arms.next() else { return Typed::Error };
        for (label, (value, span)) in arms {
            let Some(label) = label else { return Typed::Error };
            let Some(values) = self.unify((value, span), (result, result_span)) else {
                return Typed::Error;
            };
            let condition = self.lowered.arena.compare(Comparison::Equal, subject, label);
            result = self.choose(condition, &values);
            result_span = span;
        }
        result
    }
}
