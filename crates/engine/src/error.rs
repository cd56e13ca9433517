//! What can go wrong around an answer. None of these is a word.

use std::error::Error;
use std::fmt;
use std::io;

/// Why the engine does not start.
#[derive(Debug)]
pub enum StartError {
    /// The linked solver is too old, or does not say how old it is.
    Version {
        /// What it says.
        found: String,
        /// The oldest version that is good.
        oldest: String,
    },
    /// The solver did not answer a statement whose word is known.
    Warmup {
        /// What it did instead.
        found: String,
    },
    /// The operating system gave no thread.
    Threads(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { found, oldest } => {
                write!(
                    out,
                    "the linked solver is version `{found}`, and {oldest} is the oldest that is good"
                )
            }
            Self::Warmup { found } => write!(out, "the solver failed its first questions: {found}"),
            Self::Threads(error) => write!(out, "no thread for the solver: {error}"),
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Threads(error) => Some(error),
            Self::Version { .. } | Self::Warmup { .. } => None,
        }
    }
}

/// Why a check has no outcomes. Nothing of it may be kept, and the next check is unaffected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckError {
    /// Too many checks wait for the solver.
    Busy {
        /// When to try again.
        retry_after_ms: u64,
    },
    /// The wall clock stopped the solver, which another run may not repeat.
    Inconclusive {
        /// The name of the assertion at hand.
        assertion: String,
    },
    /// The caller cancelled.
    Cancelled,
    /// The engine contradicts itself.
    Fault {
        /// The name of the assertion at hand.
        assertion: String,
        /// What happened.
        message: String,
    },
}

impl fmt::Display for CheckError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { retry_after_ms } => {
                write!(out, "the solver's queue is full, try again in {retry_after_ms} ms")
            }
            Self::Inconclusive { assertion } => {
                write!(out, "the solver did not answer `{assertion}` in time")
            }
            Self::Cancelled => write!(out, "the check was cancelled"),
            Self::Fault { assertion, message } => {
                write!(out, "the engine failed at `{assertion}`: {message}")
            }
        }
    }
}

impl Error for CheckError {}

/// An assertion that the solver does not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyFault {
    /// The place of the assertion in its ruleset.
    pub assertion: usize,
    /// What the solver does not accept.
    pub message: String,
}
