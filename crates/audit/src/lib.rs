//! The audit log: what is recorded of a call, chained and signed so that a change is found.
//!
//! Nothing here reads a clock, draws a random number or opens a file: times, identifiers, keys and
//! entries come in, and bytes go out. An entry hashes every byte that was recorded; entries form a
//! chain, and a tree whose root a checkpoint signs. How far the log can be trusted is how far the
//! place is out of reach where checkpoints and their key are kept.

mod chain;
mod checkpoint;
mod event;
mod finding;
mod record;
mod sanitise;
#[cfg(test)]
mod tests;
mod tree;
mod verify;

pub use chain::{Entry, Head, RecordFault};
pub use checkpoint::{Checkpoint, CheckpointFault, SigningKey, VerifyingKey};
pub use event::{Event, Outcome};
pub use finding::{Finding, FindingKind};
pub use record::{Action, Actor, Context, Decision, Latency, Record, Resource, Scope, Stage, Tool};
pub use sanitise::{Class, Classes, FieldKey, Own, Sanitised, digest};
pub use tree::{
    Frontier, Tree, consistency, inclusion, root, verify_consistency, verify_inclusion,
};
pub use verify::{Report, Stored, Verifier};
