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
        tools: vec![
            tool!("dsail_compile"),
            tool!("dsail_check"),
            tool!("dsail_get_prompt_pack"),
            tool!("dsail_save_ruleset"),
            tool!("dsail_load_ruleset"),
            tool!("dsail_list_rulesets"),
            tool!("dsail_record_approval"),
            tool!("dsail_review"),
            tool!("dsail_get_account_status"),
            tool!("dsail_issue_api_key"),
            tool!("dsail_unit_library"),
            tool!("dsail_add_unit_converter"),
            tool!("dsail_list_workspaces"),
            tool!("dsail_use_workspace"),
            tool!("dsail_create_team"),
            tool!("dsail_invite_to_team"),
            tool!("dsail_team_members"),
            tool!("dsail_set_team_role"),
            tool!("dsail_remove_from_team"),
            tool!("dsail_copy_ruleset"),
        ],
    }
}
