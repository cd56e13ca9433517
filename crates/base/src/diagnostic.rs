//! A problem found in a text: what, where, and how it is mended.

use crate::codes::Code;
use crate::source::Span;

/// Whether a problem stops the text from being used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text is refused.
    Error,
    /// The text is usable and probably not what was meant.
    Warning,
}

impl Severity {
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One problem.
///
/// The message starts in lower case, ends without a stop and fits one line; what to do about it
/// stands in `help`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, which also names the page that resolves it.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// The text that is underlined.
    pub span: Span,
    /// Other places that explain the problem, each with a few words.
    pub labels: Vec<(Span, String)>,
    /// How to mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A problem without help or further places.
    #[must_use]
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), span, labels: Vec::new(), help: None }
    }

    /// The same problem with its mend.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same problem with another place that explains it.
    #[must_use]
    pub fn label(mut self, span: Span, words: impl Into<String>) -> Self {
        self.labels.push((span, words.into()));
        self
    }

    /// The severity that the code carries.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// Most diagnostics that one answer reports; the rest are counted.
pub const REPORTED: usize = 50;
