//! Arithmetic, with units carried through it.
//!
//! Sums need one dimension and are in the unit of their first operand that has one. A number times
//! a quantity is a quantity; a quantity divided by one of the same dimension is a number. All else
//! is refused, and so is any arithmetic on a scale with a zero of its own.

use assay_base::{Code, Diagnostic, Span};

use super::{Lowering, Measure, Typed};
use crate::arena::NodeId;
use crate::ast::{Arithmetic, Expr};
use crate::ir::UnitId;
use crate::units::Bridge;

/// A number with its measure and the text that it came from.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) node: NodeId,
    pub(super) measure: Measure,
    pub(super) span: Span,
}

impl<'a> Lowering<'a> {
    /// Lowers an expression that must be a number.
    pub(super) fn number(&mut self, expression: &'a Expr) -> Option<Operand> {
        let typed = self.expression(expression, None);
        match typed {
            Typed::Number(node, measure) => {
                Some(Operand { node, measure, span: expression.span() })
            }
            Typed::Error => None,
            Typed::Boolean(_) | Typed::Member(..) | Typed::Word(_) => {
                self.wrong_type(expression.span(), "a number", typed.kind());
                None
            }
        }
    }

    pub(super) fn negate(&mut self, operand: &'a Expr, span: Span) -> Typed {
        let Some(operand) = self.number(operand) else { return Typed::Error };
        if !self.refuse_affine(&[operand], span) {
            return Typed::Error;
        }
        Typed::Number(self.lowered.arena.negate(operand.node), operand.measure)
    }

    pub(super) fn chain(&mut self, first: &'a Expr, rest: &'a [(Arithmetic, Expr)]) -> Typed {
        let first = self.number(first);
        let rest: Vec<_> = rest.iter().map(|(it, operand)| (*it, self.number(operand))).collect();
        let Some(first) = first else { return Typed::Error };
        let mut known = Vec::with_capacity(rest.len());
        for (operator, operand) in rest {
            let Some(operand) = operand else { return Typed::Error };
            known.push((operator, operand));
        }
        let operands: Vec<Operand> =
            std::iter::once(first).chain(known.iter().map(|it| it.1)).collect();
        let span = operands.last().map_or(first.span, |last| first.span.to(last.span));
        if !self.refuse_affine(&operands, span) {
            return Typed::Error;
        }
        let sum = known.iter().all(|it| matches!(it.0, Arithmetic::Add | Arithmetic::Subtract));
        let result = if sum { self.sum(first, &known) } else { self.product(first, &known) };
        result.map_or(Typed::Error, |it| Typed::Number(it.node, it.measure))
    }

    fn sum(&mut self, first: Operand, rest: &[(Arithmetic, Operand)]) -> Option<Operand> {
        let mut total = first;
        let mut nodes = vec![first.node];
        for (operator, operand) in rest {
            let right = self.align(total, *operand)?;
            total.measure = common(total.measure, right.measure);
            total.span = total.span.to(right.span);
            let subtract = *operator == Arithmetic::Subtract;
            nodes.push(if subtract { self.lowered.arena.negate(right.node) } else { right.node });
        }
        total.node = self.lowered.arena.add(nodes);
        Some(total)
    }

    fn product(&mut self, first: Operand, rest: &[(Arithmetic, Operand)]) -> Option<Operand> {
        let mut result = first;
        for (operator, operand) in rest {
            result = match operator {
                Arithmetic::Divide => self.divide(result, *operand)?,
                Arithmetic::Modulo => self.modulo(result, *operand)?,
                Arithmetic::Multiply | Arithmetic::Add | Arithmetic::Subtract => {
                    self.multiply(result, *operand)?
                }
            };
        }
        Some(result)
    }

    fn multiply(&mut self, left: Operand, right: Operand) -> Option<Operand> {
        let span = left.span.to(right.span);
        let measure = match (left.measure, right.measure) {
            (Measure::Unit(a), Measure::Unit(b)) => {
                let message =
                    format!("`{}` times `{}` has no unit here", self.unit(a), self.unit(b));
                return self.refuse_product(span, message);
            }
            (unit @ Measure::Unit(_), _) | (_, unit @ Measure::Unit(_)) => unit,
            (a, b) => common(a, b),
        };
        Some(Operand { node: self.lowered.arena.multiply(left.node, right.node), measure, span })
    }

    fn divide(&mut self, left: Operand, right: Operand) -> Option<Operand> {
        let span = left.span.to(right.span);
        self.warn_zero_divisor(right);
        let (right, measure) = match (left.measure, right.measure) {
            (Measure::Unit(_), Measure::Unit(_)) => (self.align(left, right)?, Measure::Count),
            (Measure::Bare | Measure::Count, Measure::Unit(unit)) => {
                let message = format!("a number divided by `{}` has no unit here", self.unit(unit));
                return self.refuse_product(span, message);
            }
            (unit @ Measure::Unit(_), _) => (right, unit),
            (a, b) => (right, common(a, b)),
        };
        Some(Operand { node: self.lowered.arena.divide(left.node, right.node), measure, span })
    }

    fn modulo(&mut self, left: Operand, right: Operand) -> Option<Operand> {
        let span = left.span.to(right.span);
        self.warn_zero_divisor(right);
        let right = self.align(left, right)?;
        let measure = common(left.measure, right.measure);
        Some(Operand { node: self.lowered.arena.modulo(left.node, right.node), measure, span })
    }

    /// The right operand in the unit of the left one, where both may stand side by side.
    pub(super) fn align(&mut self, left: Operand, right: Operand) -> Option<Operand> {
        match (left.measure, right.measure) {
            (Measure::Unit(to), Measure::Unit(from)) => self.convert(left, right, (from, to)),
            (Measure::Unit(unit), Measure::Bare) => self.refuse_bare(right, left, unit),
            (Measure::Bare, Measure::Unit(unit)) => self.refuse_bare(left, right, unit),
            (Measure::Unit(unit), Measure::Count) => self.refuse_unitless(right, left, unit),
            (Measure::Count, Measure::Unit(unit)) => self.refuse_unitless(left, right, unit),
            (Measure::Bare | Measure::Count, Measure::Bare | Measure::Count) => Some(right),
        }
    }

    fn convert(
        &mut self,
        left: Operand,
        right: Operand,
        (from, to): (UnitId, UnitId),
    ) -> Option<Operand> {
        let (source, target) = (self.unit(from), self.unit(to));
        let span = left.span.to(right.span);
        let dimensions = (self.library.dimension(&source), self.library.dimension(&target));
        let cause = match self.library.bridge(&source, &target) {
            Bridge::Same | Bridge::Convertible(_) => None,
            Bridge::Ambiguous => Some("only an interval leads"),
            Bridge::NoPath => match dimensions {
                (Some(a), Some(b)) if a != b => {
                    let message = format!("`{target}` measures {b} and `{source}` measures {a}");
                    self.report(
                        Diagnostic::new(Code::Dimension, span, message)
                            .help("correct the unit on one side"),
                    );
                    return None;
                }
                _ => Some("nothing leads"),
            },
            // The unknown unit is warned about where it stands.
            Bridge::UnknownUnit => None,
        };
        if let Some(cause) = cause {
            let message = format!("{cause} from `{source}` to `{target}`, so this answers UNKNOWN");
            self.report(
                Diagnostic::new(Code::UnbridgedUnits, span, message)
                    .help("use one unit on both sides"),
            );
        }
        let node = self.lowered.arena.convert(right.node, from, to);
        Some(Operand { node, measure: Measure::Unit(to), span: right.span })
    }

    fn refuse_bare(&mut self, bare: Operand, other: Operand, unit: UnitId) -> Option<Operand> {
        let number = self.source.slice(bare.span);
        let unit = self.unit(unit);
        let message = format!("a quantity in `{unit}` meets a number without a unit");
        let help = match self.lowered.arena.node(bare.node) {
            crate::arena::Node::Number(_) => format!("write `{number} \"{unit}\"`"),
            _ => "write the unit behind each number".to_owned(),
        };
        self.report(
            Diagnostic::new(Code::BareLiteral, bare.span, message)
                .label(other.span, format!("this is in `{unit}`"))
                .help(help),
        );
        None
    }

    fn refuse_unitless(
        &mut self,
        unitless: Operand,
        other: Operand,
        unit: UnitId,
    ) -> Option<Operand> {
        let text = self.source.slice(unitless.span);
        let unit = self.unit(unit);
        let is_claim = self.lowered.claims.iter().any(|it| it.name == text);
        let (message, help) = if is_claim {
            let help = format!("add `// @unit {text} {unit}`");
            (format!("`{text}` has no unit and meets a quantity in `{unit}`"), help)
        } else {
            let help = "compare numbers with numbers and quantities with quantities".to_owned();
            (format!("a plain number meets a quantity in `{unit}`"), help)
        };
        self.report(
            Diagnostic::new(Code::MissingUnit, unitless.span, message)
                .label(other.span, format!("this is in `{unit}`"))
                .help(help),
        );
        None
    }

    fn refuse_product(&mut self, span: Span, message: String) -> Option<Operand> {
        self.report(
            Diagnostic::new(Code::UnitProduct, span, message)
                .help("multiply or divide by a bare number, or ask for the result as a claim"),
        );
        None
    }

    /// Reports arithmetic on an affine scale; false when there is some.
    fn refuse_affine(&mut self, operands: &[Operand], span: Span) -> bool {
        let affine = operands.iter().find_map(|it| match it.measure {
            Measure::Unit(unit) if self.library.is_affine(&self.unit(unit)) => Some(unit),
            Measure::Unit(_) | Measure::Bare | Measure::Count => None,
        });
        let Some(unit) = affine else { return true };
        let message =
            format!("`{}` has a zero of its own and takes no arithmetic", self.unit(unit));
        self.report(
            Diagnostic::new(Code::AffineArithmetic, span, message)
                .help("compare temperatures directly, or state the claim in `K`"),
        );
        false
    }

    fn warn_zero_divisor(&mut self, divisor: Operand) {
        if matches!(self.lowered.arena.node(divisor.node), crate::arena::Node::Number(it) if it.is_zero())
        {
            let message = "the divisor is zero, so the result has no value";
            self.report(
                Diagnostic::new(Code::ZeroDivisor, divisor.span, message)
                    .help("correct the divisor"),
            );
        }
    }
}

/// The measure of two aligned numbers together.
pub(super) fn common(left: Measure, right: Measure) -> Measure {
    if left == Measure::Bare { right } else { left }
}
