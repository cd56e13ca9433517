//! `dsail_get_prompt_pack`: what the caller's own model is asked, one prompt for each claim.

use assay_dsail::prompt::write_prompt_pack;

use super::Which;
use crate::failure::Failure;
use crate::input::Input;
use crate::rulesets::Prepared;
use crate::service::Service;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["ruleset_hash", "source"])?;
    let which = Which::read(&input)?;
    if let Some(prepared) = which.ready(call.service, &call.caller.session) {
        return Ok(Step::Done(Ok(payload(call.service, &prepared))));
    }
    Ok(call.work(move |context, _| {
        Ok(payload(&context.service, &*which.load(&context.service, &context.session)?))
    }))
}

fn payload(service: &Service, prepared: &Prepared) -> Vec<u8> {
    service.payload(|object| write_prompt_pack(object, &prepared.ruleset))
}
