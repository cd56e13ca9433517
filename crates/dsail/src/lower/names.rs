//! Declarations and local definitions.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::{Code, Diagnostic, Span};

use super::{Lowering, Measure, Typed};
use crate::annotation::Described;
use crate::ast::{self, Binding, Declaration, Expr, Name, Type};
use crate::ir::{Claim, Local, Sort, Unit, VariableId, Vocabulary};

impl<'a> Lowering<'a> {
    /// Declares every claim and local name, claims first.
    pub(super) fn declare(&mut self, file: &'a ast::File, described: &BTreeMap<String, Described>) {
        self.refuse_repetitions(file.declarations.iter().map(|it| &it.name), "declared");
        self.refuse_repetitions(file.assertions.iter().map(|it| &it.name), "asserted");
        let of_kind = |local| file.declarations.iter().filter(move |it| it.local == local);
        for declaration in of_kind(false) {
            self.declare_claim(declaration, described.get(&declaration.name.text));
        }
        for declaration in of_kind(true) {
            self.declare_local(declaration);
        }
    }

    fn refuse_repetitions(&mut self, names: impl Iterator<Item = &'a Name>, how: &str) {
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            if let Some(&earlier) = first.get(name.text.as_str()) {
                let message = format!("`{}` is {how} twice", name.text);
                self.report(
                    Diagnostic::new(Code::DuplicateName, name.span, message)
                        .label(earlier, "the first stands here")
                        .help("rename one of the two"),
                );
            } else {
                first.insert(&name.text, name.span);
            }
        }
    }

    fn declare_claim(&mut self, declaration: &'a Declaration, described: Option<&Described>) {
        let sort = self.declared_sort(declaration);
        let described = described.cloned().unwrap_or_default();
        let measure = match &described.unit {
            Some((symbol, span)) => Measure::Unit(self.unit_id(symbol, *span)),
            None => Measure::Count,
        };
        let variable = VariableId::new(self.lowered.claims.len());
        self.introduce(&declaration.name.text, variable, sort, measure);
        self.lowered.claims.push(Claim {
            name: declaration.name.text.clone(),
            sort: sort.unwrap_or(Sort::Boolean),
            question: described.question,
            context: described.context,
            unit: described.unit.map(|(symbol, _)| Unit::new(&symbol)),
            range: described.range,
            span: declaration.name.span,
        });
    }

    fn declare_local(&mut self, declaration: &'a Declaration) {
        let sort = self.declared_sort(declaration);
        let variable = VariableId::new(self.lowered.claims.len() + self.lowered.locals.len());
        self.introduce(&declaration.name.text, variable, sort, Measure::Count);
        self.lowered.locals.push(Local {
            name: declaration.name.text.clone(),
            sort: sort.unwrap_or(Sort::Boolean),
            span: declaration.name.span,
        });
    }

    /// Makes a variable known by its name, unless the name is taken.
    fn introduce(
        &mut self,
        name: &'a str,
        variable: VariableId,
        sort: Option<Sort>,
        measure: Measure,
    ) {
        let typed = match sort {
            None => Typed::Error,
            Some(sort) => {
                let node = self.lowered.arena.variable(variable, sort);
                match sort {
                    Sort::Boolean => Typed::Boolean(node),
                    Sort::Number => Typed::Number(node, measure),
                    Sort::Member(vocabulary) => Typed::Member(node, vocabulary),
                }
            }
        };
        self.names.entry(name).or_insert(typed);
    }

    fn declared_sort(&mut self, declaration: &Declaration) -> Option<Sort> {
        match &declaration.kind {
            Type::Boolean => Some(Sort::Boolean),
            Type::Numeric => Some(Sort::Number),
            Type::Enum { members, ordered } => {
                let mut seen = BTreeSet::new();
                for member in members {
                    if !seen.insert(member.text.as_str()) {
                        let message = format!("the member `{}` is listed twice", member.text);
                        self.report(
                            Diagnostic::new(Code::DuplicateMember, member.span, message)
                                .help("remove the repetition"),
                        );
                    }
                }
                let members = members.iter().map(|it| it.text.clone()).collect();
                let id = self.vocabulary_id(Vocabulary { members, ordered: *ordered });
                Some(Sort::Member(id))
            }
            Type::Error => None,
        }
    }

    /// Replaces every local name that `let` defines by its definition. Definitions may stand in
    /// any order, so they are lowered in the order in which they need each other.
    pub(super) fn define_locals(&mut self, file: &'a ast::File) {
        let mut bindings: BTreeMap<&'a str, &'a Binding> = BTreeMap::new();
        for binding in &file.bindings {
            if let Some(first) = bindings.get(binding.name.text.as_str()) {
                let message = format!("`{}` is defined twice", binding.name.text);
                let diagnostic = Diagnostic::new(Code::DuplicateName, binding.name.span, message)
                    .label(first.name.span, "the first definition stands here");
                self.report(diagnostic.help("keep one definition"));
            } else if self.may_define(file, &binding.name) {
                bindings.insert(&binding.name.text, binding);
            }
        }
        for name in self.definition_order(&bindings) {
            if let Some(binding) = bindings.get(name) {
                self.define(name, binding);
            }
        }
        if self.has_errors() {
            return;
        }
        let unbound = file.declarations.iter().filter(|it| it.local);
        for declaration in unbound.filter(|it| !bindings.contains_key(it.name.text.as_str())) {
            let message = format!("`{}` is never defined and stays unknown", declaration.name.text);
            self.report(
                Diagnostic::new(Code::UnboundLocal, declaration.name.span, message)
                    .help("define it with `let`, or declare it as a claim"),
            );
        }
    }

    fn may_define(&mut self, file: &ast::File, name: &Name) -> bool {
        let declaration = file.declarations.iter().find(|it| it.name.text == name.text);
        let message = match declaration {
            Some(declaration) if declaration.local => return true,
            Some(_) => format!("`{}` is a claim, whose value comes with each check", name.text),
            None => format!("`{}` is not declared", name.text),
        };
        self.report(
            Diagnostic::new(Code::Let, name.span, message)
                .help("`let` defines names that are declared with `declare local`"),
        );
        false
    }

    /// The defined names, each behind those that it needs. Names in a circle are reported and
    /// left out.
    fn definition_order(&mut self, bindings: &BTreeMap<&'a str, &'a Binding>) -> Vec<&'a str> {
        let mut needs: BTreeMap<&'a str, BTreeSet<&'a str>> = BTreeMap::new();
        for (name, binding) in bindings {
            let mut used = BTreeSet::new();
            collect_names(&binding.value, &mut used);
            used.retain(|it| bindings.contains_key(it));
            needs.insert(name, used);
        }
        let mut order = Vec::new();
        loop {
            let ready: Vec<&str> =
                needs.iter().filter(|(_, it)| it.is_empty()).map(|(name, _)| *name).collect();
            if ready.is_empty() {
                break;
            }
            for name in &ready {
                needs.remove(name);
            }
            for used in needs.values_mut() {
                used.retain(|it| !ready.contains(it));
            }
            order.extend(ready);
        }
        for name in needs.keys() {
            self.names.insert(name, Typed::Error);
            let span = bindings.get(name).map(|it| it.name.span).unwrap_or_default();
            let message = format!("the definition of `{name}` needs itself");
            self.report(Diagnostic::new(Code::CircularLet, span, message).help("break the circle"));
        }
        order
    }

    fn define(&mut self, name: &'a str, binding: &'a Binding) {
        let declared = self.names.get(name).cloned().unwrap_or(Typed::Error);
        let hint = match &declared {
            Typed::Member(_, vocabulary) => Some(*vocabulary),
            Typed::Boolean(_) | Typed::Number(..) | Typed::Word(_) | Typed::Error => None,
        };
        let value = self.expression(&binding.value, hint);
        let same_type = match (&declared, &value) {
            (Typed::Error, _) | (_, Typed::Error) => None,
            (Typed::Boolean(_), Typed::Boolean(node)) => Some(*node),
            (Typed::Number(..), Typed::Number(node, _)) => Some(*node),
            (Typed::Member(_, a), Typed::Member(node, b)) if a == b => Some(*node),
            _ => {
                let (kind, found) = (declared.kind(), value.kind());
                let message = format!("`{name}` is declared as {kind} and defined as {found}");
                self.report(
                    Diagnostic::new(Code::Type, binding.value.span(), message)
                        .help("declare and define it alike"),
                );
                None
            }
        };
        let within = same_type.and_then(|node| self.within_depth(node, binding.value.span()));
        self.names.insert(name, if within.is_some() { value } else { Typed::Error });
    }
}

/// Every name in an expression. The depth is bounded by the nesting of the source.
fn collect_names<'a>(expression: &'a Expr, names: &mut BTreeSet<&'a str>) {
    if let Expr::Name(name) = expression {
        names.insert(&name.text);
    }
    for operand in expression.operands() {
        collect_names(operand, names);
    }
}
