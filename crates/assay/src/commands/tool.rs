//! `assay tool`: what governed tools there are, whether a call would go through, and what stops
//! them.

mod check;
mod draft;
mod kill;
mod list;
mod pin;
mod reconcile;
mod record;
pub(super) mod registry;
mod restore;
mod show;
mod state;
mod status;
mod r#try;

use crate::failure::Outcome;
use crate::settings::data_file;

const AFTER_HELP: &str = "\
A governed tool has a record in the folder of the registry, and a server behind it. `check`, `list`
and `show` read the records and start no server; `try`, `draft` and `pin` start those that they ask. `kill`,
`status` and `restore` read no record, so that they work whatever is wrong with the registry.

Examples:
  assay tool draft notes --registry ./registry
  assay tool check ./registry
  assay tool list --registry ./registry --profile practice --skill practice-desk@1.0
  assay tool try create_matter matter.json --registry ./registry --skill practice-desk@1.0
  assay tool kill email.send --reason \"wrong recipients\"
  assay tool restore email.send --fix PR-12 --reason \"recipients are looked up again\"";

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
    /// Name everything that is wrong with a registry.
    Check(check::Arguments),
    /// List the product's own tools and the governed ones.
    List(list::Arguments),
    /// Show the record of one tool, and who may call it.
    Show(show::Arguments),
    /// Find out what each stage of the gate would say to a call, without making it.
    Try(r#try::Arguments),
    /// Stop tools at once, for everybody.
    Kill(kill::Arguments),
    /// List what is stopped.
    Status(status::Arguments),
    /// Lift a stop, which takes two administrators.
    Restore(restore::Arguments),
    /// Settle a call of which nobody knows what came of it.
    Reconcile(reconcile::Arguments),
    /// Write what a registry lacks for the tools of a server.
    Draft(draft::Arguments),
    /// Compare what servers offer now with what the records pin.
    Pin(pin::Arguments),
}

/// Does what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let as_json = arguments.flags.json;
    let data = || arguments.flags.folder();
    match &arguments.action {
        Action::Check(it) => check::run(it, as_json),
        Action::Draft(it) => draft::run(it, as_json),
        Action::List(it) => list::run(&data()?, it, as_json),
        Action::Show(it) => show::run(&data()?, it, as_json),
        Action::Try(it) => r#try::run(&data()?, it, as_json),
        Action::Kill(it) => kill::run(&data()?, it, as_json),
        Action::Status(it) => status::run(&data()?, it, as_json),
        Action::Restore(it) => restore::run(&data()?, it, as_json),
        Action::Reconcile(it) => reconcile::run(&data()?, it, as_json),
        Action::Pin(it) => pin::run(&data()?, it, as_json),
    }
}
