//! `dsail_get_account_status`: who calls, what that opens, and what is spent.

use assay_base::canonical::Object;
use assay_store::{MAX_KEYS, Workspace};

use crate::failure::{Failure, TIER};
use crate::input::Input;
use crate::table::{Call, Context, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    Input::read(call.arguments, &[])?;
    Ok(call.work(|context, _| {
        let (service, session) = (&context.service, &context.session);
        let (store, workspace, now) = (&service.store, session.workspace.id, service.now());
        let teams = if session.is_person() { store.workspaces(session.person)? } else { vec![] };
        let keys = store.count_keys(session.person, workspace, now)?;
        let used = match service.allowance {
            Some(_) => store.used(workspace, &now.month())?,
            None => 0,
        };
        Ok(service.payload(|object| {
            object.key("account").object(|account| {
                write_teams(account, &teams);
                account.key("project").string(&session.workspace.address);
            });
            object.key("api_keys").object(|object| {
                object.key("issued").integer(keys);
                object.key("limit").integer(MAX_KEYS);
                object.key("remaining").integer(MAX_KEYS.saturating_sub(keys));
            });
            write_credential(object, context);
            object.key("may_label").boolean(true);
            object.key("tier").string(TIER);
            write_usage(object, context, used);
            service.write_vocabulary(object.key("vocabulary"));
        }))
    }))
}

fn write_teams(object: &mut Object<'_>, workspaces: &[Workspace]) {
    let teams = workspaces.iter().filter(|it| it.is_team());
    object.key("organizations").strings(teams.map(|it| &it.address));
}

fn write_credential(object: &mut Object<'_>, context: &Context) {
    let session = &context.session;
    object.key("credential").object(|object| {
        match session.expires_at {
            Some(expires_at) => object.key("expires_at").display(expires_at),
            None => object.key("expires_at").null(),
        }
        object.key("grade").string(session.grade.word());
        object.key("scope").strings(session.scopes.iter().map(assay_registry::Scope::word));
    });
}

fn write_usage(object: &mut Object<'_>, context: &Context, used: u64) {
    let (limit, period) = match context.service.allowance {
        Some(limit) => (Some(limit), Some(context.service.now().month())),
        None => (None, None),
    };
    object.key("usage").object(|object| {
        object.key("enforced").boolean(limit.is_some());
        object.key("limit").optional_integer(limit);
        object.key("period").optional_string(period.as_deref());
        object.key("remaining").optional_integer(limit.map(|it| it.saturating_sub(used)));
        object.key("used").integer(used);
    });
}
