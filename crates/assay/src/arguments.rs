//! The command line as it is written.

use clap::{Parser, Subcommand};

use crate::commands::{
    audit, check, compile, docs, init, key, person, profile, prompt_pack, role, serve, stdio, tool,
    version,
};
use crate::exit::Exit;
use crate::{output, settings};

/// Answers questions about policy with rules: facts go in, one of four words comes out.
#[derive(Debug, Parser)]
#[command(name = "assay", version, after_help = after_help(), max_term_width = 100)]
pub(crate) struct Assay {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// One line per command; each has its own file.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile a ruleset and show what it asks and decides.
    Compile(compile::Arguments),
    /// Print the prompts that extract a ruleset's claims from evidence.
    PromptPack(prompt_pack::Arguments),
    /// Check claims against a ruleset: TRUE, FALSE, UNKNOWN or AMBIGUOUS for every rule.
    Check(check::Arguments),
    /// Serve MCP and REST over HTTP on one port of this machine.
    Serve(serve::Arguments),
    /// Serve MCP over standard input and output.
    Stdio(stdio::Arguments),
    /// Issue, list and revoke API keys.
    Key(key::Arguments),
    /// List the people of the installation, or open a session for one of them.
    Person(person::Arguments),
    /// Give people roles of a practice, and take them.
    Role(role::Arguments),
    /// Look at governed tools, try calls of them, and stop them.
    Tool(tool::Arguments),
    /// Read the audit log, and find out whether anybody changed it.
    Audit(audit::Arguments),
    /// Show what a profile serves, or check the file of one.
    Profile(profile::Arguments),
    /// Prepare a project for a coding agent: the server's entry, a skill and a stanza.
    Init(init::Arguments),
    /// List the documentation pages, or print one.
    Docs(docs::Arguments),
    /// Print the versions of the product, its engine, its language and its wire.
    Version(version::Arguments),
}

const AFTER_HELP: &str = "\
Exit codes:
  0  it ran, whatever the words were
  1  the command line, or a file that it names, cannot be used; or what was looked at is
     not as it should be: `audit verify` found that the log was tampered with, `tool check`
     found a fault, `tool pin` another definition, or `tool try` that a call is refused
  2  the service refused, and said why
  3  something outside does not serve: the server behind --forward, the address to
     listen on, the data folder, the output
  4  a rule answered with a word that --fail-on lists

Example:
  assay check expenses.dsail --claims '{\"amount\": 120, \"has_receipt\": \"unknown\"}'

Settings (a flag wins over the variable of the environment):
";

fn after_help() -> String {
    format!("{AFTER_HELP}{}", settings::help(output::columns()).trim_end())
}

/// Reads the command line. What is not a command has been answered already: help and version on
/// standard output, a mistake on standard error.
pub(crate) fn parse() -> Result<Assay, Exit> {
    Assay::try_parse().map_err(|error| {
        // A closed pipe leaves nobody to tell.
        let _ = error.print();
        if error.use_stderr() { Exit::Usage } else { Exit::Ran }
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Assay;

    #[test]
    fn the_command_line_is_consistent() {
        Assay::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Assay::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("assay {}", command.get_name());
            assert!(help.contains(&example), "{}", command.get_name());
        }
    }
}
