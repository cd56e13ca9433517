//! The words every crate speaks: canonical bytes, content hashes, exact rationals, source spans, diagnostics and their codes.

mod big;
pub mod canonical;
pub mod codes;
pub mod diagnostic;
pub mod hash;
pub mod json;
pub mod numeral;
pub mod rational;
pub mod source;
pub mod time;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Severity};
pub use hash::{CallHash, EntryHash, LibraryHash, RulesetHash, SecretDigest, TreeHash};
pub use rational::{Operation, Rational};
pub use source::{Position, Source, Span};
pub use time::{Moment, Timestamp};
