//! Settings, which doors are open, and the command line.

mod arguments;
mod commands;
mod doors;
mod exit;
mod failure;
mod fault;
mod head;
mod input;
mod output;
mod payload;
mod profile;
mod project;
mod server;
mod service;
mod settings;
mod show;

use crate::arguments::{Assay, Command};
use crate::exit::Exit;

fn main() -> Exit {
    fault::told_without_values();
    let command = match arguments::parse() {
        Ok(Assay { command }) => command,
        Err(exit) => return exit,
    };
    let outcome = match &command {
        Command::Compile(it) => commands::compile::run(it),
        Command::PromptPack(it) => commands::prompt_pack::run(it),
        Command::Check(it) => commands::check::run(it),
        Command::Serve(it) => commands::serve::run(it),
        Command::Stdio(it) => commands::stdio::run(it),
        Command::Key(it) => commands::key::run(it),
        Command::Person(it) => commands::person::run(it),
        Command::Role(it) => commands::role::run(it),
        Command::Tool(it) => commands::tool::run(it),
        Command::Audit(it) => commands::audit::run(it),
        Command::Profile(it) => commands::profile::run(it),
        Command::Init(it) => commands::init::run(it),
        Command::Docs(it) => commands::docs::run(it),
        Command::Version(it) => commands::version::run(it),
    };
    outcome.unwrap_or_else(|failure| failure.report())
}
