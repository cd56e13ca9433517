//! What verifying may find.

use std::fmt;

/// One thing that was found, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The number of the first entry that it concerns.
    pub sequence: u64,
    /// What it is.
    pub kind: FindingKind,
}

/// The kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// The entry is not the one that was appended.
    Altered,
    /// Entries from here on are gone, and later ones are there.
    MissingMiddle,
    /// Entries from here on are gone, though a checkpoint covers them.
    MissingTail,
    /// From here on there is another history than the one that was signed or appended.
    Fork,
    /// No signed checkpoint agrees with any of it.
    RewrittenFromStart,
    /// No signed checkpoint covers the entries from here on. The last entries of a running log are
    /// always so; it is a fault only where a checkpoint was due.
    UnsignedRegion,
    /// A checkpoint is not signed by the key, is malformed, or belongs to another chain. The
    /// number is that of the line among the checkpoints, from one.
    BadCheckpoint,
}

impl FindingKind {
    /// Whether it shows that the log was tampered with.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::UnsignedRegion)
    }

    /// Its name.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Altered => "altered",
            Self::MissingMiddle => "missing middle",
            Self::MissingTail => "missing tail",
            Self::Fork => "fork",
            Self::RewrittenFromStart => "rewritten from start",
            Self::UnsignedRegion => "unsigned region",
            Self::BadCheckpoint => "bad checkpoint",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at {}", self.kind.words(), self.sequence)
    }
}
