//! `assay person`: who is known to the installation, and sessions for them.

use super::key::{json, refused};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::settings::data_file;
use crate::show::table::{Cell, Table};
use crate::{output, service};

const AFTER_HELP: &str = "\
People come in by the invitation of a team and get a session then. A new session is opened here, for
instance because the old one has expired; its token is printed once and kept nowhere.

Examples:
  assay person list
  assay person session person-0a1b2c3d4e5f6071";

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
    /// List everyone, the owner first.
    List,
    /// Open a session for somebody and print its token, this once.
    Session {
        /// The subject of the person, as the list has it.
        subject: String,
    },
}

/// Does what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let folder = arguments.flags.folder()?;
    let service = service::of_operator(&folder)?;
    match &arguments.action {
        Action::List => {
            let people = service.people().map_err(refused)?;
            if arguments.flags.json {
                return json(|object| {
                    object.key("people").array(|array| {
                        for person in &people {
                            array.item().object(|object| {
                                object.key("name").optional_string(person.name.as_deref());
                                object.key("subject").string(&person.subject);
                            });
                        }
                    });
                });
            }
            let mut table = Table::with_heading(["subject", "name"]);
            for person in &people {
                let name = person.name.as_deref().unwrap_or_default();
                table.row([Cell::from(&person.subject), Cell::from(name)]);
            }
            output::page(&table.render(output::columns()))?;
        }
        Action::Session { subject } => {
            let token = service.session_for(subject).map_err(refused)?;
            if arguments.flags.json {
                return json(|object| {
                    object.key("session").string(&token);
                    object.key("subject").string(subject);
                });
            }
            output::page(&format!("{token}\n\nThe token is shown this once and kept nowhere.\n"))?;
        }
    }
    Ok(Exit::Ran)
}
