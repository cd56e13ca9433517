//! Steps that need programs from npm or PyPI: conformance suites and clients that others wrote.
//!
//! They run with `CI=true` and with `cargo xtask test --outside`, because they download packages.
//! A new one is one more [`Step`] in [`steps`]. A step should install what it needs below the
//! target folder, at exact versions, and must not write into the repository.

use crate::step::Step;

/// Every step, in the order in which they run.
pub(crate) fn steps() -> Vec<Step> {
    Vec::new()
}
