//! The gate: which call of a governed tool goes through, decided on values alone.
//!
//! Nothing here reads a clock, a file or a socket. Whoever calls hands over what is known and the
//! time of it, and gets the same answer for the same values.

pub mod approval;
pub mod decide;
pub mod idempotency;
pub mod invariants;
pub mod permission;
pub mod prerequisite;
pub mod rate;
pub mod record;
pub mod scope;
pub mod snapshot;
pub mod switch;
pub mod version;

mod fault;
mod refusal;
mod sentence;
pub(crate) mod shape;

pub use fault::Fault;
pub use refusal::{Code, Refusal};
