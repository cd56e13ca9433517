//! `dsail_invite_to_team`: a link that lets one address in, once.

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::invitations::{DAYS, PREFIX, invitation};
use crate::names::email;
use crate::table::{Call, Step};

/// Characters of the random part of a token.
const TOKEN: usize = 64;

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["team_id", "email"])?;
    let team = input.string("team_id")?.ok_or_else(|| missing("team_id"))?.into_owned();
    let address = email(&input.string("email")?.ok_or_else(|| missing("email"))?)?;
    Ok(call.work(move |context, _| {
        let service = &context.service;
        let token = format!("{PREFIX}{}", service.chance(TOKEN)?);
        let now = service.now();
        let expires_at = now.after_days(DAYS);
        let invitation = invitation(&token, &address);
        service.store.invite(context.session.person, &team, invitation, [now, expires_at])?;
        let start = service.public_url.as_deref().unwrap_or_default().trim_end_matches('/');
        Ok(service.payload(|object| {
            object.key("expires_at").display(expires_at);
            object.key("invitation").string(&format!("{start}/invitation#{token}"));
            object.key("single_use").boolean(true);
            object.key("team_id").string(&team);
        }))
    }))
}
