//! Why the store did not answer, in the words of an operator.

use std::fmt;
use std::io::ErrorKind;

use assay_base::RulesetHash;
use rusqlite::ffi;

use crate::refusal::Refusal;

/// Why the store did not answer. Nothing was written when a write ends in one of these.
///
/// The text is one line and names the file without its folder, because it may reach a caller;
/// [`StoreError::help`] says what mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// Another process held the database for longer than a call may wait.
    Locked {
        /// Name of the database file.
        file: String,
    },
    /// The disk, or the quota on it, is used up.
    Full {
        /// Name of the database file.
        file: String,
    },
    /// The file or its folder may not be written.
    ReadOnly {
        /// Name of the database file.
        file: String,
    },
    /// What was read is not what was written.
    Damaged {
        /// Name of the database file.
        file: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The file is no SQLite database, or one of another program.
    NotADatabase {
        /// Name of the database file.
        file: String,
    },
    /// The file was written by a newer release.
    NewerSchema {
        /// Name of the database file.
        file: String,
        /// The schema version of the file.
        found: u32,
        /// The newest schema version that this release knows.
        known: u32,
    },
    /// The operating system refused something else.
    Io {
        /// Name of the database file.
        file: String,
        /// What was refused, in the system's words.
        detail: String,
    },
    /// What was asked for breaks a rule of the store.
    Refused(Refusal),
    /// A source was handed over under an address that is not its own.
    WrongAddress {
        /// The address that was given.
        given: RulesetHash,
        /// The address of the source.
        actual: RulesetHash,
    },
}

impl StoreError {
    /// What an operator, or the caller, does about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Locked { .. } => {
                "end the other process that writes to the file, or repeat the call"
            }
            Self::Full { .. } => "make room on the disk and repeat the call",
            Self::ReadOnly { .. } => {
                "make the file and its folder writable for the user that the server runs as"
            }
            Self::Damaged { .. } => "stop the server and put a backup of the file in its place",
            Self::NotADatabase { .. } => {
                "name another data directory, or move the file out of the way"
            }
            Self::NewerSchema { .. } => "run the release that wrote the file, or a newer one",
            Self::Io { .. } => "look at the disk and the rights on the folder",
            Self::Refused(refusal) => refusal.help(),
            Self::WrongAddress { .. } => "hand the source over under its own address",
        }
    }

    /// Translates what SQLite reported about `file`.
    pub(crate) fn from_sqlite(file: &str, error: &rusqlite::Error) -> Self {
        let file = file.to_owned();
        let Some(code) = error.sqlite_error().map(|it| it.extended_code & 0xff) else {
            // Not a failed call but a row that holds something else than this crate writes.
            return Self::Damaged { file, detail: one_line(&error.to_string()) };
        };
        match code {
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED | ffi::SQLITE_PROTOCOL => Self::Locked { file },
            ffi::SQLITE_FULL => Self::Full { file },
            ffi::SQLITE_READONLY | ffi::SQLITE_PERM => Self::ReadOnly { file },
            ffi::SQLITE_CORRUPT => Self::Damaged { file, detail: one_line(&error.to_string()) },
            ffi::SQLITE_NOTADB => Self::NotADatabase { file },
            _ => Self::Io { file, detail: one_line(&error.to_string()) },
        }
    }

    /// Translates what the operating system reported about `file`.
    pub(crate) fn from_io(file: &str, error: &std::io::Error) -> Self {
        let (file, kind) = (file.to_owned(), error.kind());
        if matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
            return Self::Full { file };
        }
        if matches!(kind, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) {
            return Self::ReadOnly { file };
        }
        Self::Io { file, detail: one_line(&error.to_string()) }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locked { file } => write!(out, "`{file}` is locked by another process"),
            Self::Full { file } => write!(out, "there is no room left on the disk of `{file}`"),
            Self::ReadOnly { file } => write!(out, "`{file}` may not be written"),
            Self::Damaged { file, detail } => write!(out, "`{file}` is damaged: {detail}"),
            Self::NotADatabase { file } => write!(out, "`{file}` is not a database of Assay"),
            Self::NewerSchema { file, found, known } => write!(
                out,
                "`{file}` has schema version {found} and this release knows versions up to {known}"
            ),
            Self::Io { file, detail } => write!(out, "`{file}` cannot be used: {detail}"),
            Self::Refused(refusal) => refusal.fmt(out),
            Self::WrongAddress { given, actual } => {
                write!(out, "the source was given as `{given}` and hashes to `{actual}`")
            }
        }
    }
}

impl std::error::Error for StoreError {}

impl From<Refusal> for StoreError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}
