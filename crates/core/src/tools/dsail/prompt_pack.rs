//! `dsail_get_prompt_pack`: what the caller's own model is asked, one prompt for each claim.

use std::sync::Arc;

use assay_base::canonical::to_bytes;
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
    if let Some(prepared) = which.ready(call.service) {
        return Ok(Step::Done(Ok(payload(call.service, &prepared))));
    }
    let service = Arc::clone(call.service);
    Ok(Step::Work(Box::new(move |_| Ok(payload(&service, &*which.load(&service)?)))))
}

fn payload(service: &Service, prepared: &Prepared) -> Vec<u8> {
    to_bytes(|value| {
        value.object(|object| {
            write_prompt_pack(object, &prepared.ruleset);
            object.key("ok").boolean(true);
            object.key("versions").fragment(service.versions());
        });
    })
}
