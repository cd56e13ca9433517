//! `dsail_list_rulesets`: every name of the workspace with what it points to.

use crate::failure::Failure;
use crate::input::Input;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    Input::read(call.arguments, &[])?;
    Ok(call.work(|context, _| {
        let (service, session) = (&context.service, &context.session);
        let mut rows = Vec::new();
        for row in service.store.names(session.workspace.id)? {
            let summary = service.summary(session, row.hash)?;
            rows.push((row, summary));
        }
        Ok(service.payload(|object| {
            object.key("namespace").string(&session.workspace.address);
            object.key("rulesets").array(|array| {
                for (row, summary) in &rows {
                    array.item().object(|object| {
                        let (claims, rules) = summary.counts.unzip();
                        object.key("approval_count").integer(row.approvals);
                        object.key("bound_at").display(row.bound_at);
                        object.key("claim_count").optional_integer(claims);
                        object.key("compiles").boolean(summary.counts.is_some());
                        object.key("name").string(&row.name);
                        object.key("revision_depth").integer(row.depth);
                        object.key("rule_count").optional_integer(rules);
                        object.key("ruleset_hash").display(row.hash);
                        object.key("summary").string(&summary.text);
                    });
                }
            });
        }))
    }))
}
