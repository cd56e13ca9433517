//! `dsail_team_members`: who is in a team, and who decides about it.

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["team_id"])?;
    let team = input.string("team_id")?.ok_or_else(|| missing("team_id"))?.into_owned();
    Ok(call.work(move |context, _| {
        let members = context.service.store.members(context.session.person, &team)?;
        Ok(context.service.payload(|object| {
            object.key("members").array(|array| {
                for member in &members {
                    array.item().object(|object| {
                        // An address serves to let somebody in and is not kept.
                        object.key("email").null();
                        object.key("name").optional_string(member.person.name.as_deref());
                        object.key("role").string(member.role.word());
                        object.key("subject").string(&member.person.subject);
                    });
                }
            });
            object.key("team_id").string(&team);
        }))
    }))
}
