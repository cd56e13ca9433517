//! What a call leaves.

use std::fmt;

use assay_base::Code;

use assay_engine::Cancel;

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The payload in canonical bytes, `{"ok": true, …}` or `{"ok": false, "error": …}`.
    pub body: Vec<u8>,
    /// The code of the failure; `None` when `ok` is true.
    pub failure: Option<Code>,
    /// When a busy service may be asked again, in milliseconds.
    pub retry_after_ms: Option<u64>,
}

/// How far a call came on the thread that started it.
#[derive(Debug)]
pub enum Started {
    /// It is answered: it took microseconds.
    Done(Reply),
    /// It needs a thread that may block.
    Work(Work),
}

/// The rest of a call, to be run on a thread that may block.
pub struct Work(Box<dyn FnOnce(&Cancel) -> Reply + Send>);

impl Work {
    /// Wraps what is left to do.
    pub(crate) fn new(work: impl FnOnce(&Cancel) -> Reply + Send + 'static) -> Self {
        Self(Box::new(work))
    }

    /// Runs to the end. Cancelling reaches a solver that runs meanwhile.
    #[must_use]
    pub fn run(self, cancel: &Cancel) -> Reply {
        (self.0)(cancel)
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Work")
    }
}
