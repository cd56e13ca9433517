//! `dsail_list_workspaces`: where the caller may work, and where the caller works.

use assay_base::canonical::Object;
use assay_store::{Role, Workspace};

use crate::failure::Failure;
use crate::input::Input;
use crate::table::{Call, Step};

const PERSON: &str = "A personal workspace is the caller's alone; everyone in a team shares the \
                      rulesets and the unit library of the team.";
const KEY: &str = "The call came with an API key, which is for this one workspace.";
const REMEDY: &str = "Call with the session of a person to see and change workspaces and teams.";

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    Input::read(call.arguments, &[])?;
    Ok(call.work(|context, _| {
        let (service, session) = (&context.service, &context.session);
        let is_person = session.is_person();
        let workspaces = if is_person {
            service.store.workspaces(session.person)?
        } else {
            vec![session.workspace.clone()]
        };
        Ok(service.payload(|object| {
            object.key("current").string(&session.workspace.address);
            object.key("note").string(if is_person { PERSON } else { KEY });
            object.key("remedy").optional_string((!is_person).then_some(REMEDY));
            object.key("signed_in").boolean(is_person);
            object.key("workspaces").array(|array| {
                for workspace in &workspaces {
                    array.item().object(|object| write_workspace(object, workspace));
                }
            });
        }))
    }))
}

/// Writes a workspace as its people see it.
pub(crate) fn write_workspace(object: &mut Object<'_>, workspace: &Workspace) {
    let is_team = workspace.role != Role::Owner;
    object.key("kind").string(if is_team { "team" } else { "personal" });
    object.key("name").string(&workspace.name);
    object.key("role").string(workspace.role.word());
    object.key("team_id").optional_string(is_team.then_some(workspace.address.as_str()));
    object.key("workspace").string(&workspace.address);
}
