//! `dsail_set_team_role`: who decides about a team.

use assay_base::json::printable;
use assay_store::Role;

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["team_id", "member", "role"])?;
    let team = input.string("team_id")?.ok_or_else(|| missing("team_id"))?.into_owned();
    let member = input.string("member")?.ok_or_else(|| missing("member"))?.into_owned();
    let word = input.string("role")?.ok_or_else(|| missing("role"))?;
    // A workspace of one's own is nothing that somebody is appointed to.
    let Some(role) = Role::parse(&word).filter(|it| *it != Role::Owner) else {
        let word = printable(&word);
        return Err(Failure::bad_request(format!("`role` is `{word}`, not `admin` or `member`")));
    };
    Ok(call.work(move |context, _| {
        context.service.store.set_role(context.session.person, &team, &member, role)?;
        Ok(context.service.payload(|object| {
            object.key("member").string(&member);
            object.key("role").string(role.word());
            object.key("team_id").string(&team);
        }))
    }))
}
