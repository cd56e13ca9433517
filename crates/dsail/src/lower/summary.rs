//! What an assertion reads, and warnings about what nothing reads.

use std::collections::BTreeSet;

use assay_base::{Code, Diagnostic};

use super::Lowering;
use crate::arena::{Arena, Node, NodeId};
use crate::ast;
use crate::ir::{UnitId, VariableId};

/// The leaves of one expression.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    /// Claims and local names, ascending.
    pub(crate) variables: BTreeSet<VariableId>,
    /// Conversions from the first unit to the second.
    pub(crate) conversions: BTreeSet<(UnitId, UnitId)>,
}

/// Everything that the expression at `root` reads.
pub(crate) fn reads(arena: &Arena, root: NodeId) -> Reads {
    let (mut reads, mut seen, mut open) = (Reads::default(), BTreeSet::from([root]), vec![root]);
    while let Some(id) = open.pop() {
        match arena.node(id) {
            Node::Variable(variable) => {
                reads.variables.insert(*variable);
            }
            Node::Convert(_, from, to) => {
                reads.conversions.insert((*from, *to));
            }
            _ => {}
        }
        open.extend(arena.operands(id).into_iter().filter(|it| seen.insert(*it)));
    }
    reads
}

impl<'a> Lowering<'a> {
    /// Warns about claims that no assertion reads and assertions that read no claim, once the
    /// ruleset has no errors that would make either a consequence.
    pub(super) fn warn_about_unused(&mut self, file: &'a ast::File) {
        if self.has_errors() || file.assertions.is_empty() {
            return;
        }
        let statements: Option<Vec<NodeId>> = self.lowered.statements.iter().copied().collect();
        let Some(statements) = statements else { return };
        let mut used = BTreeSet::new();
        for (assertion, statement) in file.assertions.iter().zip(statements) {
            let variables = reads(&self.lowered.arena, statement).variables;
            if variables.is_empty() {
                let message = format!("`{}` reads no claim", assertion.name.text);
                self.report(
                    Diagnostic::new(Code::ConstantAssertion, assertion.name.span, message).help(
                        "it answers the same word every time; remove it or let it read a claim",
                    ),
                );
            }
            used.extend(variables);
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
