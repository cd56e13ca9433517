//! `dsail_remove_from_team`: somebody leaves, with every key that they issued for the team.

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["team_id", "member"])?;
    let team = input.string("team_id")?.ok_or_else(|| missing("team_id"))?.into_owned();
    let member = input.string("member")?.ok_or_else(|| missing("member"))?.into_owned();
    Ok(call.work(move |context, _| {
        let service = &context.service;
        let person = context.session.person;
        let revoked = service.store.remove_member(person, &team, &member, service.now())?;
        Ok(service.payload(|object| {
            object.key("credentials_revoked").integer(revoked);
            object.key("removed").string(&member);
            object.key("team_id").string(&team);
        }))
    }))
}
