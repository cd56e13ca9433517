//! Which function answers which tool.

use std::sync::Arc;

use assay_engine::Cancel;
use assay_registry::Admitted;

use crate::caller::{Caller, Session};
use crate::failure::Failure;
use crate::service::Service;
use crate::tools::dsail;

/// One admitted call.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) service: &'a Arc<Service>,
    /// The proof that the call may run.
    pub(crate) admitted: Admitted<'a>,
    pub(crate) caller: &'a Caller,
    /// The JSON text of the argument object.
    pub(crate) arguments: &'a str,
}

impl Call<'_> {
    /// What is left to do on a thread that may block.
    pub(crate) fn work(
        &self,
        run: impl FnOnce(&Context, &Cancel) -> Result<Vec<u8>, Failure> + Send + 'static,
    ) -> Step {
        let context = Context {
            service: Arc::clone(self.service),
            session: Arc::clone(&self.caller.session),
        };
        Step::Work(Box::new(move |cancel| run(&context, cancel)))
    }
}

/// What a call keeps of itself when it goes on on another thread.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) service: Arc<Service>,
    pub(crate) session: Arc<Session>,
}

/// How far a tool came on the thread that started it.
pub(crate) enum Step {
    /// The payload.
    Done(Result<Vec<u8>, Failure>),
    /// What is left needs a thread that may block.
    Work(Blocking),
}

/// The rest of a tool's work.
pub(crate) type Blocking = Box<dyn FnOnce(&Cancel) -> Result<Vec<u8>, Failure> + Send>;

/// A tool's function.
pub(crate) type Run = fn(&Call<'_>) -> Result<Step, Failure>;

/// Every tool with its function, in the order of the names.
pub(crate) const TABLE: &[(&str, Run)] = &[
    ("dsail_add_unit_converter", dsail::add_unit_converter::run),
    ("dsail_check", dsail::check::run),
    ("dsail_compile", dsail::compile::run),
    ("dsail_copy_ruleset", dsail::copy_ruleset::run),
    ("dsail_create_team", dsail::create_team::run),
    ("dsail_get_account_status", dsail::get_account_status::run),
    ("dsail_get_prompt_pack", dsail::get_prompt_pack::run),
    ("dsail_invite_to_team", dsail::invite_to_team::run),
    ("dsail_issue_api_key", dsail::issue_api_key::run),
    ("dsail_list_rulesets", dsail::list_rulesets::run),
    ("dsail_list_workspaces", dsail::list_workspaces::run),
    ("dsail_load_ruleset", dsail::load_ruleset::run),
    ("dsail_record_approval", dsail::record_approval::run),
    ("dsail_remove_from_team", dsail::remove_from_team::run),
    ("dsail_review", dsail::review::run),
    ("dsail_save_ruleset", dsail::save_ruleset::run),
    ("dsail_set_team_role", dsail::set_team_role::run),
    ("dsail_team_members", dsail::team_members::run),
    ("dsail_unit_library", dsail::unit_library::run),
    ("dsail_use_workspace", dsail::use_workspace::run),
];

/// The function of a tool.
pub(crate) fn function(name: &str) -> Option<Run> {
    TABLE.iter().find(|(it, _)| *it == name).map(|(_, run)| *run)
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn every_tool_has_a_function_and_metadata() {
        let catalog = assay_registry::Catalog::load().unwrap();
        let mut listed: Vec<&str> = catalog.tools().iter().map(|it| it.name.as_str()).collect();
        listed.sort_unstable();
        let functions: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
        assert_eq!(functions, listed);
    }
}
