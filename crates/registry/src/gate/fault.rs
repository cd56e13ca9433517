//! What is wrong with a record, where, and how it is mended.

use std::fmt;

/// One thing that is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file that holds the record.
    pub file: String,
    /// JSON pointer to the place inside the file; empty for the whole of it.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What would make it right.
    pub mend: String,
}

impl Fault {
    pub(crate) fn new(
        file: &str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let (file, pointer) = (file.to_owned(), pointer.into());
        Self { file, pointer, message: message.into(), mend: mend.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}#{}: {}; {}", self.file, self.pointer, self.message, self.mend)
    }
}
