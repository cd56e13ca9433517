//! `dsail_use_workspace`: where the caller works from now on.

use super::list_workspaces::write_workspace;
use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["workspace"])?;
    let named = input.string("workspace")?.ok_or_else(|| missing("workspace"))?.into_owned();
    Ok(call.work(move |context, _| {
        let store = &context.service.store;
        let chosen = store.use_workspace(context.session.person, &named)?;
        Ok(context.service.payload(|object| {
            object.key("name").string(&chosen.name);
            object.key("workspace").object(|object| write_workspace(object, &chosen));
        }))
    }))
}
