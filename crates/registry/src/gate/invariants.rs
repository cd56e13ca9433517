//! What no set of records may be without, held when the records are loaded.
//!
//! The five safety constraints are code and not data: whatever a configuration says, a record that
//! breaks one of them does not load, and so there is nothing to call.

mod money;
mod prerequisites;
mod references;
mod safety;
#[cfg(test)]
mod tests;

use assay_base::json::printable;

use crate::gate::Fault;
use crate::gate::permission::Grants;
use crate::gate::record::{Confirmation, Effect, Record};

/// A record and the file that holds it.
#[derive(Debug, Clone, Copy)]
pub struct Filed<'r> {
    /// The file.
    pub file: &'r str,
    /// The record in it.
    pub record: &'r Record,
}

impl Filed<'_> {
    fn fault(self, pointer: &str, message: impl Into<String>, mend: impl Into<String>) -> Fault {
        Fault::new(self.file, pointer, message, mend)
    }
}

/// What the operator says of all records.
#[derive(Debug, Clone, Copy)]
pub struct Operator<'o> {
    /// The tools that may reach beyond the caller's organisation.
    pub unscoped: &'o [&'o str],
    /// Which role holds which permission.
    pub grants: &'o Grants,
}

/// Why these records may not be used together; empty where they may. Where it could not be read
/// what the operator says, nothing is held against it.
#[must_use]
pub fn check(records: &[Filed<'_>], operator: Option<Operator<'_>>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for &filed in records {
        money::check(filed, &mut faults);
        safety::check(filed, &mut faults);
        claims(filed, &mut faults);
        if let Some(operator) = operator {
            allowed(filed, operator, &mut faults);
        }
    }
    references::check(records, &mut faults);
    prerequisites::check(records, &mut faults);
    faults
}

/// Permissions that somebody can hold, and no reach that the operator does not allow.
fn allowed(filed: Filed<'_>, operator: Operator<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    for (index, permission) in record.permissions_required.iter().enumerate() {
        if !operator.grants.is_known(permission) {
            let message = format!("nobody can hold `{}`", printable(permission));
            let pointer = format!("/permissions_required/{index}");
            let mend = "correct it, or say in `grants` of registry.json who holds it";
            faults.push(filed.fault(&pointer, message, mend));
        }
    }
    let id = record.tool_id.to_string();
    if !record.org_scoped && !operator.unscoped.contains(&id.as_str()) {
        let message = "the tool reaches beyond the caller's organisation";
        let mend = "scope it, or have the operator list it among those that may";
        faults.push(filed.fault("/org_scoped", message, mend));
    }
}

/// What a record claims about its effect against what else it says.
fn claims(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    if record.effect() == Effect::Read {
        if !record.side_effects.is_empty() {
            let mend = "state another effect, or remove the side effects";
            faults.push(filed.fault("/effect", "a tool that reads has no side effects", mend));
        }
        if record.approval.is_some() || record.confirmation != Confirmation::None {
            let mend = "state another effect, or ask nobody";
            faults.push(filed.fault("/effect", "nobody is asked about a tool that reads", mend));
        }
        return;
    }
    if record.permissions_required.is_empty() {
        let message = "a tool that changes something needs a permission";
        faults.push(filed.fault("/permissions_required", message, "name at least one"));
    }
    if record.idempotency_key.is_none() && !record.execution.upstream_idempotent {
        let message = "without a key a repeated call has its effect twice";
        let mend = "state which arguments make two calls the same";
        faults.push(filed.fault("/idempotency_key", message, mend));
    }
}

/// What an author should look at: notes that ask for something which no rule enforces.
#[must_use]
pub fn lint(records: &[Filed<'_>]) -> Vec<Fault> {
    let promises = |filed: &&Filed<'_>| {
        let record = filed.record;
        record.prerequisites.is_empty()
            && words(&record.legal_safety_notes)
                .iter()
                .any(|it| matches!(it.as_str(), "verify" | "verified" | "before"))
    };
    records
        .iter()
        .filter(promises)
        .map(|filed| {
            let message = "the note asks for a step that nothing enforces";
            filed.fault("/legal_safety_notes", message, "state a prerequisite for it")
        })
        .collect()
}

/// The words of a text in lower case, whatever stands between them.
fn words(text: &str) -> Vec<String> {
    text.split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect()
}
