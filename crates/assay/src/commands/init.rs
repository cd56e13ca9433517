//! `assay init`: prepares a project, so that a coding agent that works in it knows the service.

use std::path::PathBuf;

use assay_base::canonical;
use axum::http::Uri;

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::project::{self, Part, Server};
use crate::show::table::{Cell, Table};

const AFTER_HELP: &str = "\
What is there stays: other servers and their formatting in `.mcp.json`, and the text around the
marks `<!-- assay:start -->` and `<!-- assay:end -->` in the other files. Where one file cannot be
used, no file is written. A second run changes nothing.

Examples:
  assay init
  assay init ../policies --no-agents-md
  assay init --url https://assay.example.org/mcp";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The folder of the project.
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Let the agent use a running server at this address instead of starting one.
    #[arg(long, value_name = "URL", conflicts_with = "no_mcp")]
    url: Option<String>,
    /// Leave `.mcp.json` alone.
    #[arg(long)]
    no_mcp: bool,
    /// Leave `.claude/skills` and `.agents/skills` alone.
    #[arg(long)]
    no_skill: bool,
    /// Leave `CLAUDE.md` alone.
    #[arg(long)]
    no_claude_md: bool,
    /// Leave `AGENTS.md` alone.
    #[arg(long)]
    no_agents_md: bool,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

/// Writes the files of a project, or tells everything that is in the way.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let parts = parts(arguments)?;
    if parts.is_empty() {
        return Err(Failure::usage("nothing is left to write").help("leave one of the flags out"));
    }
    let changes = match project::prepare(&arguments.folder, &parts) {
        Ok(changes) => changes,
        Err(problems) => {
            let exits = problems.iter().map(Failure::report);
            // What the person can mend comes before what they cannot.
            return Ok(exits.min_by_key(|it| it.number()).unwrap_or(Exit::Usage));
        }
    };
    if arguments.json {
        output::payload(&canonical::to_bytes(|value| {
            value.object(|object| {
                object.key("files").array(|files| {
                    for (path, change) in &changes {
                        files.item().object(|object| {
                            object.key("change").string(change.word());
                            object.key("path").string(&path.to_string_lossy());
                        });
                    }
                });
                object.key("ok").boolean(true);
            });
        }))?;
    } else {
        let mut table = Table::new();
        for (path, change) in &changes {
            table.row([Cell::from(change.word()), Cell::from(path.to_string_lossy())]);
        }
        output::page(&table.render(output::columns()))?;
    }
    Ok(Exit::Ran)
}

fn parts(arguments: &Arguments) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    if !arguments.no_mcp {
        let server = match &arguments.url {
            Some(written) => Server::Url(address(written)?),
            None => Server::Command,
        };
        parts.push(Part::entry(server));
    }
    if !arguments.no_skill {
        parts.extend(Part::skills());
    }
    if !arguments.no_claude_md {
        parts.push(Part::stanza("CLAUDE.md", "--no-claude-md"));
    }
    if !arguments.no_agents_md {
        parts.push(Part::stanza("AGENTS.md", "--no-agents-md"));
    }
    Ok(parts)
}

/// The address of the MCP door that `written` names, with or without the door's path.
fn address(written: &str) -> Result<String, Failure> {
    const HELP: &str = "write it as `https://assay.example.org` or `http://127.0.0.1:8725/mcp`";
    let refused = |reason: &str| {
        let written = assay_base::json::printable(written);
        Failure::usage(format!("`{written}` {reason}")).help(HELP)
    };
    let url: Uri = written.parse().map_err(|_| refused("is no address"))?;
    if !matches!(url.scheme_str(), Some("http" | "https")) {
        return Err(refused("does not begin with `http://` or `https://`"));
    }
    if url.authority().is_some_and(|it| it.as_str().contains('@')) {
        return Err(refused("holds a credential, which others would read in the file"));
    }
    if url.query().is_some() || written.contains('#') {
        return Err(refused("holds more than a host and a path"));
    }
    let path = url.path().trim_end_matches('/');
    let is_door = path.ends_with("/mcp") || path.contains("/mcp/");
    let (base, door) = (written.trim_end_matches('/'), if is_door { "" } else { "/mcp" });
    Ok(format!("{base}{door}"))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_leads_to_the_door() {
        for (written, url) in [
            ("http://127.0.0.1:8725", "http://127.0.0.1:8725/mcp"),
            ("http://127.0.0.1:8725/", "http://127.0.0.1:8725/mcp"),
            ("https://a.example/mcp", "https://a.example/mcp"),
            ("https://a.example/mcp/", "https://a.example/mcp"),
            ("https://a.example/mcp/rules", "https://a.example/mcp/rules"),
            ("https://a.example/policy", "https://a.example/policy/mcp"),
            ("http://[::1]:80", "http://[::1]:80/mcp"),
        ] {
            assert_eq!(address(written).as_deref(), Ok(url), "{written}");
        }
        for written in [
            "",
            "127.0.0.1:8725",
            "a.example",
            "/mcp",
            "ftp://a",
            "http://",
            "http://a b",
            "https://u:p@a.example",
            "https://a.example/?key=1",
            "https://a.example/#x",
            "https://a.example\n",
        ] {
            assert!(address(written).is_err(), "{written:?}");
        }
    }
}
