//! `dsail_review`: everything that a person reads before signing for a ruleset.

use std::sync::Arc;

use assay_base::RulesetHash;
use assay_base::canonical::Slot;
use assay_dsail::changes::{changes, write_changes};
use assay_store::Refusal;

use super::compiled::{write_approvals, write_compiled};
use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::names::ruleset_name;
use crate::rulesets::Prepared;
use crate::table::{Call, Context, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["ruleset_hash", "name"])?;
    let given = input.ruleset_hash("ruleset_hash")?;
    let name = input.string("name")?.map(std::borrow::Cow::into_owned);
    name.as_deref().map_or(Ok(()), |it| ruleset_name("name", it))?;
    if given.is_none() && name.is_none() {
        return Err(missing("ruleset_hash` or `name"));
    }
    Ok(call.work(move |context, _| {
        let (hash, name) = which(context, given, name)?;
        let (service, session) = (&context.service, &context.session);
        let prepared = service.stored(session, hash)?;
        let lineage = service.lineage(session, hash)?;
        let label = context.label(hash, None)?;
        let approvals = service.store.approvals(session.workspace.id, hash)?;
        let parent = match lineage.parent {
            // A parent that no longer compiles is shown without what changed.
            Some(parent) => service.stored(session, parent).ok(),
            None => None,
        };
        Ok(service.payload(|object| {
            write_compiled(object, &prepared, lineage, label.as_ref());
            write_approvals(object, hash, &approvals);
            write_difference(object.key("changes"), parent.as_ref(), &prepared);
            object.key("name").optional_string(name.as_deref());
            object.key("widget").object(|widget| match service.direct_calls {
                Some(direct) => widget.key("direct_calls").boolean(direct),
                None => widget.key("direct_calls").null(),
            });
        }))
    }))
}

/// The revision that is meant, and the name that it has.
fn which(
    context: &Context,
    given: Option<RulesetHash>,
    name: Option<String>,
) -> Result<(RulesetHash, Option<String>), Failure> {
    let (store, workspace) = (&context.service.store, context.session.workspace.id);
    let Some(name) = name else {
        let hash = given.ok_or_else(|| missing("ruleset_hash"))?;
        return Ok((hash, store.name_of(workspace, hash)?));
    };
    let Some(named) = store.named(workspace, &name)? else {
        return Err(Failure::rule(Refusal::UnknownName { name }));
    };
    match given {
        Some(given) if given != named.hash => Err(Failure::bad_request(format!(
            "`ruleset_hash` is `{given}` and `name` points to `{}`; give one of the two",
            named.hash
        ))),
        _ => Ok((named.hash, Some(name))),
    }
}

fn write_difference(slot: Slot<'_>, parent: Option<&Arc<Prepared>>, prepared: &Prepared) {
    let Some(parent) = parent else { return slot.null() };
    slot.object(|object| {
        let found = changes(&parent.ruleset, &prepared.ruleset);
        write_changes(object.key("changes"), &found);
        object.key("parent_hash").display(parent.ruleset.hash);
        object.key("parent_source").string(parent.ruleset.source.text());
    });
}
