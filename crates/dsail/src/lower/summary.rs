//! What an assertion reads, and warnings about what nothing reads.

use std::collections::BTreeSet;

use assay_base::{Code, Diagnostic};

use super::Lowering;
use crate::arena::{Arena, Node, NodeId};
use crate::ast;
use crate::ir::{UnitId, VariableId};

/// The statement of one assertion with its leaves, which are collected once: expressions that share
/// a large definition each reach all of it.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) expression: NodeId,
    /// Claims and local names that it reads, ascending.
    pub(crate) variables: BTreeSet<VariableId>,
    /// Conversions in it, from the first unit to the second.
    pub(crate) conversions: BTreeSet<(UnitId, UnitId)>,
}

impl Statement {
    pub(super) fn new(arena: &Arena, expression: NodeId) -> Self {
        let mut statement =
            Self { expression, variables: BTreeSet::new(), conversions: BTreeSet::new() };
        let (mut seen, mut open) = (BTreeSet::from([expression]), vec![expression]);
        while let Some(id) = open.pop() {
            match arena.node(id) {
                Node::Variable(variable) => {
                    statement.variables.insert(*variable);
                }
                Node::Convert(_, from, to) => {
                    statement.conversions.insert((*from, *to));
                }
                _ => {}
            }
            open.extend(arena.operands(id).into_iter().filter(|it| seen.insert(*it)));
        }
        statement
    }
}

impl<'a> Lowering<'a> {
    /// Warns about claims that no assertion reads and assertions that read no claim, once the
    /// ruleset has no errors that would make either a consequence.
    pub(super) fn warn_about_unused(&mut self, file: &'a ast::File) {
        if self.has_errors() || file.assertions.is_empty() {
            return;
        }
        let statements: Option<Vec<&Statement>> =
            self.lowered.statements.iter().map(Option::as_ref).collect();
        let Some(statements) = statements else { return };
        let mut used: BTreeSet<VariableId> = BTreeSet::new();
        for (assertion, statement) in file.assertions.iter().zip(statements) {
            if statement.variables.is_empty() {
                let message = format!("`{}` reads no claim", assertion.name.text);
                self.diagnostics.push(
                    Diagnostic::new(Code::ConstantAssertion, assertion.name.span, message).help(
                        "it answers the same word every time; remove it or let it read a claim",
                    ),
                );
            }
            used.extend(&statement.variables);
        }
        let claims = self.lowered.claims.iter().enumerate();
        let unused: Vec<Diagnostic> = claims
            .filter(|(index, _)| !used.contains(&VariableId::new(*index)))
            .map(|(_, claim)| {
                let message = format!("no assertion reads `{}`", claim.name);
                Diagnostic::new(Code::UnusedClaim, claim.span, message)
                    .help("remove the claim, or use it")
            })
            .collect();
        self.diagnostics.extend(unused);
    }
}
