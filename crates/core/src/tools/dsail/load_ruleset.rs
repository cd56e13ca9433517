//! `dsail_load_ruleset`: a saved ruleset with its contract, its line of revisions and its
//! approvals.

use assay_store::Refusal;

use super::compiled::{write_approvals, write_compiled};
use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::names::ruleset_name;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["name"])?;
    let name = input.string("name")?.ok_or_else(|| missing("name"))?.into_owned();
    ruleset_name("name", &name)?;
    Ok(call.work(move |context, _| {
        let (service, session) = (&context.service, &context.session);
        let workspace = session.workspace.id;
        let Some(named) = service.store.named(workspace, &name)? else {
            return Err(Failure::rule(Refusal::UnknownName { name }));
        };
        let prepared = service.stored(session, named.hash)?;
        let lineage = service.lineage(session, named.hash)?;
        let label = context.label(named.hash, None)?;
        Ok(service.payload(|object| {
            write_compiled(object, &prepared, lineage, label.as_ref());
            write_approvals(object, named.hash, &named.approvals);
            object.key("bound_at").display(named.bound_at);
            object.key("name").string(&name);
            object.key("namespace").string(&session.workspace.address);
            object.key("revision_chain").array(|chain| {
                named.chain.iter().for_each(|hash| chain.item().display(hash));
            });
        }))
    }))
}
