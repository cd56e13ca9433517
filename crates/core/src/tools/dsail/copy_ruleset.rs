//! `dsail_copy_ruleset`: a saved ruleset with its revisions in another workspace. Approvals stay.

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::names::ruleset_name;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["name", "destination", "source", "new_name"])?;
    let name = input.string("name")?.ok_or_else(|| missing("name"))?.into_owned();
    ruleset_name("name", &name)?;
    let to = input.string("destination")?.ok_or_else(|| missing("destination"))?.into_owned();
    let from = input.string("source")?.map(std::borrow::Cow::into_owned);
    let new_name = match input.string("new_name")? {
        Some(new_name) => new_name.into_owned(),
        None => name.clone(),
    };
    ruleset_name("new_name", &new_name)?;
    Ok(call.work(move |context, _| {
        let (service, session) = (&context.service, &context.session);
        let from = match from {
            Some(named) => service.store.workspace(session.person, &named)?.id,
            None => session.workspace.id,
        };
        let to = service.store.workspace(session.person, &to)?;
        let now = service.now();
        let (hash, revisions) = service.store.copy([from, to.id], [&name, &new_name], now)?;
        Ok(service.payload(|object| {
            object.key("destination").string(&to.address);
            object.key("name").string(&new_name);
            object.key("revisions").integer(revisions);
            object.key("ruleset_hash").display(hash);
        }))
    }))
}
