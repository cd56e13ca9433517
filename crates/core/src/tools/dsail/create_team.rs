//! `dsail_create_team`: a workspace that several people share.

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::names::{MAX_SHORT_NAME, one_line};
use crate::table::{Call, Step};

/// Characters of the random part of a team's address.
const ADDRESS: usize = 16;

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["name"])?;
    let name = input.string("name")?.ok_or_else(|| missing("name"))?.into_owned();
    one_line("name", &name, MAX_SHORT_NAME)?;
    Ok(call.work(move |context, _| {
        let service = &context.service;
        let address = format!("team-{}", service.chance(ADDRESS)?);
        let team = service.store.create_team(context.session.person, &address, &name)?;
        Ok(service.payload(|object| {
            object.key("name").string(&team.name);
            object.key("role").string(team.role.word());
            object.key("team_id").string(&team.address);
            object.key("workspace").string(&team.address);
        }))
    }))
}
