//! One of the product's own tools as it stands in its file, from which its record is made.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// `data/tools/<name>.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) facet: String,
    pub(crate) scope: String,
    pub(crate) version: String,
    /// The time that an answer should take.
    pub(crate) latency_slo_ms: u32,
    /// Whether a call can be undone.
    pub(crate) rollback_support: bool,
    /// The interface that hosts open for an answer.
    pub(crate) ui: Option<String>,
    /// The package that the profile has to read for the tool to be there at all.
    pub(crate) package: Option<String>,
    /// The description without the problem statement that opens it.
    pub(crate) description: String,
    pub(crate) parameters: BTreeMap<String, Parameter>,
    pub(crate) required: Vec<String>,
    pub(crate) annotations: AnnotationRecord,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameter {
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) schema: serde_json::Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AnnotationRecord {
    pub(crate) read_only_hint: HintRecord,
    pub(crate) idempotent_hint: HintRecord,
    pub(crate) destructive_hint: HintRecord,
    pub(crate) open_world_hint: HintRecord,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HintRecord {
    pub(crate) value: bool,
    #[serde(default)]
    pub(crate) reason: String,
}
