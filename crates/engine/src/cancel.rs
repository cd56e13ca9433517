//! A wish to stop, shared between the caller that has it and the check that obeys it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops a running check. Clones stand for the same wish.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A wish that nobody has yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every check that was given this wish, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
