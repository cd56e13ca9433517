//! `assay role`: who holds which role of the practice.

use assay_core::gate::permission::ROLES;
use assay_core::{PracticeRole, Service};

use super::key::{json, refused};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::settings::data_file;
use crate::show::table::{Cell, Table};
use crate::{output, service};

const AFTER_HELP: &str = "\
Roles decide which governed tools a person may call: associate, partner, finance or admin. A person
has them in one workspace at a time, and may have several. `admin` stops tools and lifts stops, and
opens nothing of the practice.

Examples:
  assay role grant partner
  assay role grant person-0a1b2c3d4e5f6071 associate --workspace Legal
  assay role revoke person-0a1b2c3d4e5f6071 associate --workspace Legal
  assay role list";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    flags: data_file::Flags,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Give a person a role.
    Grant(Named),
    /// Take a role from a person.
    Revoke(Named),
    /// List every role of everyone.
    List {
        /// The roles in this workspace alone, by its address.
        #[arg(long, value_name = "ADDRESS")]
        workspace: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
struct Named {
    /// The subject of the person, as `assay person list` has it.
    #[arg(default_value = "owner")]
    person: String,
    /// The role.
    #[arg(value_parser = ROLES)]
    role: String,
    /// The workspace, by name or address [default: the one that the person works in]
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
}

/// Does what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let folder = arguments.flags.folder()?;
    let service = service::of_operator(&folder)?;
    match &arguments.action {
        Action::Grant(it) => grant(&service, it, arguments.flags.json),
        Action::Revoke(it) => revoke(&service, it, arguments.flags.json),
        Action::List { workspace } => {
            let mut roles = service.roles().map_err(refused)?;
            roles.retain(|it| workspace.as_ref().is_none_or(|address| it.workspace == *address));
            listed(&roles, arguments.flags.json)
        }
    }
}

fn grant(service: &Service, named: &Named, as_json: bool) -> Outcome {
    let Named { person, role, workspace } = named;
    let granted = service.grant_role(workspace.as_deref(), person, role);
    let address = granted.map_err(refused)?;
    if as_json {
        return json(|object| {
            object.key("person").string(person);
            object.key("role").string(role);
            object.key("workspace").string(&address);
        });
    }
    output::page(&format!("{person} has the role {role} in {address}\n"))?;
    Ok(Exit::Ran)
}

fn revoke(service: &Service, named: &Named, as_json: bool) -> Outcome {
    let Named { person, role, workspace } = named;
    let had = service.revoke_role(workspace.as_deref(), person, role).map_err(refused)?;
    if as_json {
        return json(|object| {
            object.key("person").string(person);
            object.key("revoked").boolean(had);
            object.key("role").string(role);
        });
    }
    let told = if had { "no longer has" } else { "did not have" };
    output::page(&format!("{person} {told} the role {role}\n"))?;
    Ok(Exit::Ran)
}

fn listed(roles: &[PracticeRole], as_json: bool) -> Outcome {
    if as_json {
        return json(|object| {
            object.key("roles").array(|array| {
                for role in roles {
                    array.item().object(|object| {
                        object.key("person").string(&role.person);
                        object.key("role").string(&role.role);
                        object.key("workspace").string(&role.workspace);
                    });
                }
            });
        });
    }
    if roles.is_empty() {
        output::page("nobody has a role\n")?;
        return Ok(Exit::Ran);
    }
    let mut table = Table::with_heading(["person", "role", "workspace"]);
    for role in roles {
        table.row([&role.person, &role.role, &role.workspace].map(Cell::from));
    }
    output::page(&table.render(output::columns()))?;
    Ok(Exit::Ran)
}
