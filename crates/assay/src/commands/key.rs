//! `assay key`: credentials for programs.

use anstyle::Style;
use assay_base::canonical::{Object, to_bytes};
use assay_core::{IssuedKey, KeyRequest, ListedKey, OperatorError, Scope, Scopes};

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::settings::data_file;
use crate::show::table::{Cell, Table};
use crate::{output, service};

const AFTER_HELP: &str = "\
A key is for one workspace and for what its scopes name: read, check, compile, write. Its secret is
printed once and kept nowhere; a program sends it as `Authorization: Bearer` or as
`x-jaxon-credential`.

Examples:
  assay key issue --label \"invoice service\" --scope check --days 90
  assay key issue --label intake --skill efirm-matter-creation-flow@1.0 --matter mat_a_0001
  assay key list
  assay key revoke key-0a1b2c3d4e5f6071";

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
    /// Issue a key and print its secret, this once.
    Issue {
        /// What the key is for.
        #[arg(long)]
        label: Option<String>,
        /// What it may do: read, check, compile or write; repeatable [default: all four]
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// For how many days it is valid [default: for ever]
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: Option<u32>,
        /// The workspace that it opens [default: the one in use]
        #[arg(long, value_name = "NAME")]
        workspace: Option<String>,
        /// The skill that works with it, which decides on governed tools [default: none]
        #[arg(long, value_name = "NAME@VERSION")]
        skill: Option<String>,
        /// The matter that the work is about [default: none]
        #[arg(long, value_name = "ID")]
        matter: Option<String>,
    },
    /// List every key that was ever issued.
    List,
    /// End a key for good.
    Revoke {
        /// The id of the key, as the list has it.
        id: String,
    },
}

/// Does what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let folder = arguments.flags.folder()?;
    let service = service::of_operator(&folder)?;
    match &arguments.action {
        Action::Issue { label, scopes, days, workspace, skill, matter } => {
            let request = KeyRequest {
                label: label.clone(),
                scopes: read(scopes)?,
                days: *days,
                skill: skill.clone(),
                matter: matter.clone(),
            };
            let key = service.issue_key(workspace.as_deref(), &request).map_err(refused)?;
            issued(&key, &request, arguments.flags.json)
        }
        Action::List => listed(&service.keys().map_err(refused)?, arguments.flags.json),
        Action::Revoke { id } => {
            service.revoke_key(id).map_err(refused)?;
            if arguments.flags.json {
                return json(|object| object.key("revoked").string(id));
            }
            output::page(&format!("revoked {id}\n"))?;
            Ok(Exit::Ran)
        }
    }
}

/// The scopes that were named. Those of people are not for a key.
fn read(words: &[String]) -> Result<Scopes, Failure> {
    let of_keys = Scopes::ALL.without(Scope::Account);
    if words.is_empty() {
        return Ok(of_keys);
    }
    let mut scopes = Scopes::EMPTY;
    for word in words {
        match Scope::parse(word).filter(|it| of_keys.contains(*it)) {
            Some(scope) => scopes = scopes.with(scope),
            None => {
                return Err(Failure::usage(format!("there is no scope `{word}` for a key"))
                    .help("name read, check, compile or write"));
            }
        }
    }
    Ok(scopes)
}

/// A refusal of the service, for a person at the machine.
pub(crate) fn refused(error: impl Into<OperatorError>) -> Failure {
    Failure::refused(error.into().to_string())
}

fn issued(key: &IssuedKey, request: &KeyRequest, as_json: bool) -> Outcome {
    let expires_at = key.expires_at.map(|it| it.to_string());
    if as_json {
        return json(|object| {
            object.key("credential").string(&key.secret);
            object.key("credential_id").string(&key.address);
            object.key("expires_at").optional_string(expires_at.as_deref());
            object.key("label").optional_string(request.label.as_deref());
            object.key("matter").optional_string(request.matter.as_deref());
            object.key("scope").strings(request.scopes.iter().map(Scope::word));
            object.key("skill").optional_string(request.skill.as_deref());
            object.key("workspace").string(&key.workspace);
        });
    }
    let mut table = Table::new();
    for (name, value) in [
        ("id", key.address.as_str()),
        ("workspace", key.workspace.as_str()),
        ("scopes", request.scopes.to_string().as_str()),
        ("expires", expires_at.as_deref().unwrap_or("never")),
    ] {
        table.row([Cell::from(name), Cell::from(value)]);
    }
    for (name, value) in [("skill", &request.skill), ("matter", &request.matter)] {
        if let Some(value) = value {
            table.row([Cell::from(name), Cell::from(value)]);
        }
    }
    // The secret stands alone on its line, so that it can be copied whole.
    let text = format!("{}\n\n{}", key.secret, table.render(output::columns()));
    output::page(&format!("{text}\nThe secret is shown this once and kept nowhere.\n"))?;
    Ok(Exit::Ran)
}

fn listed(keys: &[ListedKey], as_json: bool) -> Outcome {
    if as_json {
        return json(|object| {
            object.key("keys").array(|array| {
                for key in keys {
                    array.item().object(|object| write(object, key));
                }
            });
        });
    }
    let mut table = Table::with_heading(["id and workspace", "scopes", "issued and ends", "for"]);
    for key in keys {
        let end = match (key.revoked_at, key.expires_at) {
            (Some(at), _) => format!("revoked {at}"),
            (None, Some(at)) => at.to_string(),
            (None, None) => "never ends".to_owned(),
        };
        // An id is copied from here, so it stays on one line.
        table.row([
            Cell::from(&key.address).and(&key.workspace, Style::new()),
            Cell::from(key.scopes.replace(' ', "\n")),
            Cell::from(key.issued_at.to_string()).and(&end, Style::new()),
            Cell::from(key.label.as_deref().unwrap_or_default())
                .and(key.bound.skill.as_deref().unwrap_or_default(), Style::new())
                .and(key.bound.matter.as_deref().unwrap_or_default(), Style::new()),
        ]);
    }
    output::page(&table.render(output::columns()))?;
    Ok(Exit::Ran)
}

fn write(object: &mut Object<'_>, key: &ListedKey) {
    object.key("credential_id").string(&key.address);
    for (name, at) in [("expires_at", key.expires_at), ("revoked_at", key.revoked_at)] {
        object.key(name).optional_string(at.map(|it| it.to_string()).as_deref());
    }
    object.key("issued_at").display(key.issued_at);
    object.key("label").optional_string(key.label.as_deref());
    object.key("matter").optional_string(key.bound.matter.as_deref());
    object.key("scope").strings(key.scopes.split(' '));
    object.key("skill").optional_string(key.bound.skill.as_deref());
    object.key("workspace").string(&key.workspace);
}

/// Prints one object.
pub(crate) fn json(write: impl FnOnce(&mut Object<'_>)) -> Outcome {
    output::payload(&to_bytes(|value| value.object(write)))?;
    Ok(Exit::Ran)
}
