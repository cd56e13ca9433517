//! Chores that cargo lacks: setup, the gate, generated files, the demonstration.

#![expect(clippy::print_stdout, reason = "a command line tool speaks to its user on stdout")]

mod bench;
mod browser;
mod conformance;
mod demo;
mod failure;
mod gate;
mod generate;
mod graph;
mod npm;
mod outside;
mod setup;
mod step;
mod tidy;
mod tree;

use std::process::ExitCode;

use failure::{Failure, Outcome};

struct Command {
    name: &'static str,
    usage: &'static str,
    what: &'static str,
    run: fn(&[&str]) -> Outcome,
}

/// Every command, in the order in which a newcomer meets them.
const COMMANDS: &[Command] = &[
    Command {
        name: "setup",
        usage: "[--browser]",
        what: "provide Z3 for this user and report what else is missing",
        run: setup::run,
    },
    Command {
        name: "demo",
        usage: "",
        what: "compile a policy, review it and check three claim dictionaries",
        run: demo::run,
    },
    Command {
        name: "test",
        usage: "[--outside]",
        what: "formatting, lints and every test; with CI=true or --outside also outside clients",
        run: gate::test,
    },
    Command {
        name: "ci",
        usage: "[--outside]",
        what: "test, and documentation, dependencies and the benchmark crate",
        run: gate::ci,
    },
    Command {
        name: "tidy",
        usage: "",
        what: "the house rules that no lint knows, all faults at once",
        run: tidy::run,
    },
    Command { name: "graph", usage: "", what: "which crate may depend on which", run: graph::run },
    Command {
        name: "generate",
        usage: "[--check]",
        what: "write the generated files, or list those that are stale",
        run: generate::run,
    },
    Command {
        name: "parity",
        usage: "",
        what: "replay the recorded calls through every door and compare the bytes",
        run: gate::parity,
    },
    Command {
        name: "conformance",
        usage: "",
        what: "run the protocol's own suites, old and new, against a server (downloads from npm)",
        run: conformance::run,
    },
    Command {
        name: "browser",
        usage: "",
        what: "use the review interface in a real Chromium (downloads from npm)",
        run: browser::run,
    },
    Command {
        name: "bless",
        usage: "[TEST…]",
        what: "run the tests and rewrite the files that they expect",
        run: gate::bless,
    },
    Command {
        name: "bench",
        usage: "[NAME…]",
        what: "measure against the peers, side by side",
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            eprintln!("error: {message}\n\n{}", help());
            ExitCode::from(1)
        }
        Err(Failure::Failed(message)) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(arguments: &[&str]) -> Outcome {
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", help());
        return Ok(());
    };
    if ["--help", "-h", "help"].contains(name) {
        println!("{}", help());
        return Ok(());
    }
    let Some(command) = COMMANDS.iter().find(|it| it.name == *name) else {
        return Err(Failure::Usage(format!("there is no command `{name}`")));
    };
    if ["--help", "-h"].iter().any(|flag| rest.contains(flag)) {
        println!("{}", line(command));
        return Ok(());
    }
    (command.run)(rest)
}

fn help() -> String {
    let lines: Vec<String> = COMMANDS.iter().map(line).collect();
    format!("cargo xtask <command>\n\n{}", lines.join("\n"))
}

fn line(command: &Command) -> String {
    format!("  {:<22} {}", format!("{} {}", command.name, command.usage), command.what)
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, dispatch, help};
    use crate::failure::Failure;

    #[test]
    fn help_has_one_line_for_each_command() {
        let text = help();
        for command in COMMANDS {
            let lines = text.lines().filter(|it| it.contains(command.what)).count();
            assert_eq!(lines, 1, "{}", command.name);
        }
        assert!(dispatch(&[]).is_ok());
    }

    #[test]
    fn wrong_words_are_usage_errors() {
        for arguments in [&["bogus"][..], &["generate", "--bogus"], &["tidy", "extra"]] {
            assert!(matches!(dispatch(arguments), Err(Failure::Usage(_))), "{arguments:?}");
        }
    }
}
