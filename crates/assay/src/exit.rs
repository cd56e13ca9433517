//! How a command ended, as the shell sees it.

use std::process::{ExitCode, Termination};

/// The exit codes of every command. The table of them is part of `assay --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did what it was asked, whatever the words were.
    Ran,
    /// The command line, or a file that it names, cannot be used.
    Usage,
    /// What was looked at is not as it should be: the audit log, a registry, or a call that is tried.
    Faulty,
    /// The service refused: the payload says `"ok": false`.
    Refused,
    /// Something outside the process does not serve: the server behind `--forward`, the address
    /// to listen on, the data folder, the output.
    Unavailable,
    /// A rule answered with a word that `--fail-on` lists.
    WordListed,
}

impl Exit {
    /// The number that the shell gets.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Ran => 0,
            Self::Usage | Self::Faulty => 1,
            Self::Refused => 2,
            Self::Unavailable => 3,
            Self::WordListed => 4,
        }
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self.number())
    }
}
