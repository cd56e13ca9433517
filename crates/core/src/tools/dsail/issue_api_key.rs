//! `dsail_issue_api_key`: a credential for a program, for the workspace in use. It is shown once.

use assay_registry::{Scope, Scopes};
use assay_store::MAX_KEYS;

use crate::failure::Failure;
use crate::input::Input;
use crate::names::{MAX_KEY_LABEL, one_line};
use crate::operator::KeyRequest;
use crate::table::{Call, Step};

/// The header that a key is sent in.
const HEADER: &str = "x-jaxon-credential";

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["label"])?;
    let label = input.string("label")?.map(std::borrow::Cow::into_owned);
    label.as_deref().map_or(Ok(()), |it| one_line("label", it, MAX_KEY_LABEL))?;
    Ok(call.work(move |context, _| {
        let (service, session) = (&context.service, &context.session);
        let scopes = Scopes::EMPTY
            .with(Scope::Read)
            .with(Scope::Check)
            .with(Scope::Compile)
            .with(Scope::Write);
        let request = KeyRequest { label, scopes, ..KeyRequest::default() };
        let key = service.issue(session.person, session.workspace.id, &request)?;
        let valid =
            service.store.count_keys(session.person, session.workspace.id, service.now())?;
        Ok(service.payload(|object| {
            object.key("credential").string(&key.secret);
            object.key("credential_id").string(&key.address);
            object.key("expires_at").null();
            object.key("grade").string("full");
            object.key("header").string(HEADER);
            object.key("label").optional_string(request.label.as_deref());
            object.key("limits").object(|limits| {
                limits.key("keys").integer(MAX_KEYS);
                limits.key("remaining").integer(MAX_KEYS.saturating_sub(valid));
            });
            object.key("scope").strings(request.scopes.iter().map(Scope::word));
            object.key("workspace").string(&session.workspace.address);
        }))
    }))
}
