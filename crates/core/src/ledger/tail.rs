//! The ends of the chains, as they are found when a process starts.

use std::fmt;

use assay_audit::{
    Action, Actor, Checkpoint, Event, Finding, FindingKind, Outcome, Record, Resource, Stored,
    Verifier, VerifyingKey,
};
use assay_store::{AuditChain, AuditRow, MAX_AUDIT_ROWS, Store, StoreError};

use crate::world::{World, hexadecimal};

/// What is wrong with a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) chain: String,
    pub(crate) finding: Finding,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.chain, self.finding)
    }
}

/// Holds the end of every chain against its last checkpoint. What lies before that checkpoint is
/// for a whole verification to look at.
pub(crate) fn faults(store: &Store, key: &VerifyingKey) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Vec::new();
    for chain in store.audit_chains()? {
        let found = findings(store, &chain, key)?;
        let faulty = found.into_iter().filter(|it| it.kind.is_fault());
        faults.extend(faulty.map(|finding| Fault { chain: chain.name.clone(), finding }));
    }
    Ok(faults)
}

fn findings(
    store: &Store,
    chain: &AuditChain,
    key: &VerifyingKey,
) -> Result<Vec<Finding>, StoreError> {
    let one = |sequence, kind| Ok(vec![Finding { sequence, kind }]);
    let mut verifier = Verifier::new(&chain.name, key, []);
    let mut from = 1;
    if let Some(line) = store.last_audit_checkpoint(&chain.name)? {
        let read = Checkpoint::read(&line, key).ok().filter(|it| it.chain == chain.name);
        let Some(Checkpoint { size, last_hash, .. }) = read else {
            return one(1, FindingKind::BadCheckpoint);
        };
        if size > chain.size {
            return one(chain.size.saturating_add(1), FindingKind::MissingTail);
        }
        match store.audit_entry(&chain.name, size)? {
            Some(last) if last.hash == last_hash => {}
            Some(_) => return one(size, FindingKind::Altered),
            None => return one(size, FindingKind::MissingMiddle),
        }
        verifier = Verifier::behind(&chain.name, (size, last_hash));
        from = size + 1;
    }
    let rows = store.audit_entries(&chain.name, from, MAX_AUDIT_ROWS)?;
    for AuditRow { sequence, hash, record } in &rows {
        verifier.entry(Stored { sequence: *sequence, hash: *hash, bytes: record.as_bytes() });
    }
    Ok(verifier.finish().findings)
}

/// The record that says so.
pub(crate) fn recorded(fault: &Fault, world: World) -> Record {
    let mut chance = [0; 32];
    // Without chance the record is kept all the same: its place in the chain names it, too.
    let _ = (world.random)(&mut chance);
    let id: String = hexadecimal(chance).chars().take(32).collect();
    let result = Outcome::Failure;
    let error_code = Some(fault.finding.to_string());
    Record {
        actor: Actor { principal_kind: Some("service".to_owned()), ..Actor::default() },
        resource: Resource {
            id: Some(fault.chain.clone()),
            kind: Some("audit_chain".to_owned()),
            name: None,
        },
        action: Action { name: "verify".to_owned(), result, error_code },
        ..Record::plain(format!("evt_{id}"), Event::Checkpoint, world.moment(), result)
    }
}
