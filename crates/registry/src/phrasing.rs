//! The agreed phrases: every other text that a model or a reader sees quotes them.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The agreed phrases, each in one place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrasing {
    /// What the product is, in one sentence.
    pub lead: String,
    /// The step that no author may skip, in one sentence.
    pub confirmation_gate: String,
    /// What people say when the product is what they need.
    pub trigger_phrases: Vec<String>,
    /// Which problem each tool solves, by its name. Its description opens with this.
    pub problem_statements: BTreeMap<String, String>,
}

impl Phrasing {
    /// Every phrase.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let sentences = [&self.lead, &self.confirmation_gate].into_iter();
        let statements = self.problem_statements.values();
        sentences.chain(&self.trigger_phrases).chain(statements).map(String::as_str)
    }
}
