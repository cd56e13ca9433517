//! The files under `data/` that the program carries.

/// The texts that make a catalogue.
#[derive(Debug, Clone)]
pub(crate) struct Files<'f> {
    /// `phrasing.json`.
    pub(crate) phrasing: &'f str,
    /// `schemas/error.json`.
    pub(crate) error: &'f str,
    /// The tools in listing order.
    pub(crate) tools: Vec<ToolFiles<'f>>,
}

/// The texts of one tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolFiles<'f> {
    /// The name that both files carry.
    pub(crate) name: &'f str,
    /// `tools/<name>.json`.
    pub(crate) record: &'f str,
    /// `schemas/<name>.output.json`.
    pub(crate) output: &'f str,
}

macro_rules! tool {
    ($name:literal) => {
        ToolFiles {
            name: $name,
            record: include_str!(concat!("../data/tools/", $name, ".json")),
            output: include_str!(concat!("../data/schemas/", $name, ".output.json")),
        }
    };
}

/// What ships.
pub(crate) fn shipped() -> Files<'static> {
    Files {
        phrasing: include_str!("../data/phrasing.json"),
        error: include_str!("../data/schemas/error.json"),
        tools: vec![tool!("dsail_compile"), tool!("dsail_get_prompt_pack"), tool!("dsail_check")],
    }
}
