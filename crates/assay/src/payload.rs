//! The payloads of the service as far as a person is shown them.
//!
//! Numbers stay as they are written, so that none is rounded on its way to the screen.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// Reads a payload.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| {
        Failure::unavailable(format!("the payload is not of the expected shape: {error}"))
            .help("run the command with `--json` to see it")
    })
}

/// `dsail_compile`.
#[derive(Debug, Deserialize)]
pub(crate) struct Compiled {
    pub(crate) ruleset_hash: String,
    pub(crate) manifest: Manifest,
    pub(crate) review: String,
    pub(crate) summary: String,
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[serde(default)]
    pub(crate) unbridged_units: Vec<UnbridgedUnits>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) claims: Vec<Claim>,
    pub(crate) rules: Vec<Rule<Assertion>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    pub(crate) claim: String,
    pub(crate) data_type: String,
    pub(crate) question: String,
    pub(crate) unit: Option<String>,
    pub(crate) range: Option<Range>,
    pub(crate) vocabulary: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Range {
    pub(crate) min: Box<RawValue>,
    pub(crate) max: Box<RawValue>,
}

/// A rule with its assertions: what they state, or what was answered.
#[derive(Debug, Deserialize)]
pub(crate) struct Rule<T> {
    pub(crate) assertions: Vec<T>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Assertion {
    pub(crate) name: String,
    pub(crate) source: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) unknown_policy: String,
    pub(crate) line: Option<u32>,
    /// The claims that the assertion reads.
    #[serde(default)]
    pub(crate) reads: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct UnbridgedUnits {
    pub(crate) rule: Option<String>,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// `dsail_check`.
#[derive(Debug, Deserialize)]
pub(crate) struct Checked {
    pub(crate) rules: Vec<Rule<Answer>>,
    pub(crate) claims: Bindings,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) name: String,
    pub(crate) check: Word,
    pub(crate) source: Option<String>,
    pub(crate) unknown_policy: Option<String>,
    pub(crate) reason_unknown: Option<String>,
    #[serde(default)]
    pub(crate) unbridged_units: Vec<UnbridgedUnits>,
}

/// The four words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "UPPERCASE")]
#[value(rename_all = "UPPER")]
pub(crate) enum Word {
    /// Established.
    True,
    /// Refuted.
    False,
    /// Not established: something needed was not determined.
    Unknown,
    /// The evidence contradicts itself.
    Ambiguous,
}

impl Word {
    /// Every word in the order in which counts are given.
    pub(crate) const ALL: [Self; 4] = [Self::True, Self::False, Self::Unknown, Self::Ambiguous];

    /// The word on the wire.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::True => "TRUE",
            Self::False => "FALSE",
            Self::Unknown => "UNKNOWN",
            Self::Ambiguous => "AMBIGUOUS",
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Bindings {
    pub(crate) unbound: Vec<String>,
    #[serde(default)]
    pub(crate) quantities: Vec<Quantity>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Quantity {
    pub(crate) claim: String,
    pub(crate) submitted: String,
    pub(crate) bound: String,
    pub(crate) conversion: Option<Conversion>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Conversion {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) status: String,
    pub(crate) factor: Option<Box<RawValue>>,
}

/// `dsail_get_prompt_pack`.
#[derive(Debug, Deserialize)]
pub(crate) struct PromptPack {
    pub(crate) ruleset_hash: String,
    pub(crate) integrity_rule: String,
    pub(crate) prompts: Vec<Prompt>,
    #[serde(default)]
    pub(crate) assembly_notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Prompt {
    pub(crate) claim: String,
    pub(crate) question: String,
    pub(crate) context: Option<String>,
    pub(crate) answer_format: String,
    pub(crate) vocabulary: Option<Vec<String>>,
    pub(crate) unit: Option<String>,
    pub(crate) range: Option<Range>,
    pub(crate) unknown_rule: String,
}

/// Any payload whose `ok` is false.
#[derive(Debug, Deserialize)]
pub(crate) struct Refused {
    pub(crate) error: Refusal,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) docs: Option<String>,
    #[serde(default)]
    pub(crate) diagnostics: Vec<Diagnostic>,
    #[serde(default)]
    pub(crate) failures: Vec<Rejection>,
    pub(crate) diagnostic_count: Option<usize>,
    pub(crate) retry_after_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Rejection {
    pub(crate) field: String,
    pub(crate) expected: String,
    pub(crate) received: String,
}

/// One problem in a source text. Lines and columns count from one, columns in characters; the end
/// lies just behind the last character.
#[derive(Debug, Deserialize)]
pub(crate) struct Diagnostic {
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) code: Option<String>,
    pub(crate) help: Option<String>,
    pub(crate) docs: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) end_line: Option<usize>,
    pub(crate) end_column: Option<usize>,
    #[serde(default)]
    pub(crate) notes: Vec<Note>,
}

/// Another place that explains a problem.
#[derive(Debug, Deserialize)]
pub(crate) struct Note {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
}
