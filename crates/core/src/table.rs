//! Which function answers which tool.

use assay_registry::Admitted;

use crate::caller::Caller;
use crate::failure::Failure;
use crate::service::Service;
use crate::tools::dsail;
use std::sync::Arc;

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

/// How far a tool came on the thread that started it.
pub(crate) enum Step {
    /// The payload.
    Done(Result<Vec<u8>, Failure>),
    /// What is left needs a thread that may block.
    Work(Blocking),
}

/// The rest of a tool's work.
pub(crate) type Blocking =
    Box<dyn FnOnce(&assay_engine::Cancel) -> Result<Vec<u8>, Failure> + Send>;

/// A tool's function.
pub(crate) type Run = fn(&Call<'_>) -> Result<Step, Failure>;

/// Every tool with its function, in the order of the names.
pub(crate) const TABLE: &[(&str, Run)] = &[
    ("dsail_check", dsail::check::run),
    ("dsail_compile", dsail::compile::run),
    ("dsail_get_prompt_pack", dsail::prompt_pack::run),
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
