//! Which tool answers which request: the table that serves and documents them all.

use assay_core::Code;

/// What the body of a request holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// It is not looked at.
    None,
    /// Arguments, or nothing.
    Optional,
    /// Arguments.
    Required,
}

/// One route of a tool. Every parameter of its path is an argument.
#[derive(Debug)]
pub(crate) struct Route {
    /// `delete`, `get` or `post`.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) body: Body,
    /// The arguments that the query holds, all of them.
    pub(crate) query: &'static [&'static str],
    /// The problems that it may end with, besides those of every route.
    pub(crate) problems: &'static [Code],
}

/// What compiling a source may end with.
const COMPILES: &[Code] = &[
    Code::BadRequest,
    Code::RulesetNotFound,
    Code::BudgetExceeded,
    Code::CompileFailed,
    Code::EngineBusy,
];
const CHECKS: &[Code] = &[
    Code::BadRequest,
    Code::EntitlementExceeded,
    Code::RulesetNotFound,
    Code::BudgetExceeded,
    Code::CompileFailed,
    Code::ValidationRejected,
    Code::EngineError,
    Code::EngineBusy,
    Code::EngineInconclusive,
];
const READS: &[Code] = &[Code::BadRequest];
const LOADS: &[Code] = &[Code::BadRequest, Code::RulesetNotFound, Code::CompileFailed];
const APPROVES: &[Code] = &[Code::BadRequest, Code::RulesetNotFound, Code::BudgetExceeded];
const CHANGES: &[Code] = &[Code::BadRequest, Code::NotFound, Code::BudgetExceeded];

const fn post(path: &'static str, tool: &'static str, problems: &'static [Code]) -> Route {
    Route { method: "post", path, tool, body: Body::Required, query: &[], problems }
}

const fn get(path: &'static str, tool: &'static str, problems: &'static [Code]) -> Route {
    Route { method: "get", path, tool, body: Body::None, query: &[], problems }
}

/// The routes of the tools.
pub(crate) const ROUTES: &[Route] = &[
    post("/v1/compile", "dsail_compile", COMPILES),
    post("/v1/check", "dsail_check", CHECKS),
    Route { body: Body::Optional, ..post("/v1/prompt-pack", "dsail_get_prompt_pack", COMPILES) },
    get("/v1/prompt-pack/{ruleset_hash}", "dsail_get_prompt_pack", LOADS),
    post("/v1/rulesets", "dsail_save_ruleset", COMPILES),
    get("/v1/rulesets/{name}", "dsail_load_ruleset", LOADS),
    get("/v1/rulesets", "dsail_list_rulesets", READS),
    post("/v1/approvals", "dsail_record_approval", APPROVES),
    Route { body: Body::Optional, ..post("/v1/review", "dsail_review", LOADS) },
    get("/v1/review/{ruleset_hash}", "dsail_review", LOADS),
    get("/v1/account", "dsail_get_account_status", READS),
    Route { body: Body::Optional, ..post("/v1/credentials/api-key", "dsail_issue_api_key", READS) },
    get("/v1/units", "dsail_unit_library", READS),
    Route {
        query: &["from_unit", "to_unit"],
        ..get("/v1/units/bridge", "dsail_unit_library", READS)
    },
    post("/v1/units/converters", "dsail_add_unit_converter", CHANGES),
    get("/v1/workspaces", "dsail_list_workspaces", READS),
    post("/v1/workspaces/current", "dsail_use_workspace", CHANGES),
    post("/v1/teams", "dsail_create_team", CHANGES),
    post("/v1/teams/{team_id}/invitations", "dsail_invite_to_team", CHANGES),
    get("/v1/teams/{team_id}/members", "dsail_team_members", CHANGES),
    post("/v1/teams/{team_id}/members/{member}/role", "dsail_set_team_role", CHANGES),
    Route {
        method: "delete",
        body: Body::None,
        ..post("/v1/teams/{team_id}/members/{member}", "dsail_remove_from_team", CHANGES)
    },
    post("/v1/rulesets/{name}/copies", "dsail_copy_ruleset", COPIES),
];

const COPIES: &[Code] =
    &[Code::BadRequest, Code::NotFound, Code::RulesetNotFound, Code::BudgetExceeded];
