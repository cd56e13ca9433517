//! `assay compile`: a ruleset, what it asks and what it decides.

use anstyle::Style;

use crate::exit::Exit;
use crate::failure::Outcome;
use crate::payload::{Claim, Compiled, read};
use crate::show::table::{Cell, Table};
use crate::show::text::{dedent, flow, visible, wrap};
use crate::show::{diagnostic, refusal};
use crate::{input, output, service};

const AFTER_HELP: &str = "\
Nothing is stored and no file is written.

Examples:
  assay compile expenses.dsail
  assay compile expenses.dsail --review
  assay compile - --json < expenses.dsail";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The source, or `-` for standard input.
    file: String,
    /// Print the text that a person reads before approving the ruleset, and nothing else.
    #[arg(long, conflicts_with = "json")]
    review: bool,
    /// Refuse the ruleset unless every rule has a description directly above it.
    #[arg(long)]
    require_descriptions: bool,
    /// Print the payload of `dsail_compile`, byte for byte.
    #[arg(long)]
    json: bool,
}

/// Compiles in this process.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let text = input::text(&arguments.file)?;
    let service = service::in_memory()?;
    let reply = service::call(&service, "dsail_compile", |object| {
        object.key("require_descriptions").boolean(arguments.require_descriptions);
        object.key("source").string(&text.text);
    });
    if arguments.json {
        return service::payload(&reply);
    }
    if reply.failure.is_some() {
        return refusal::report(&reply.body, &text);
    }
    let compiled: Compiled = read(&reply.body)?;
    let columns = output::problem_columns();
    output::problem(&diagnostic::render(&text, &compiled.diagnostics, columns));
    let page = if arguments.review {
        wrap(&visible(compiled.review.trim_end()), output::columns()).join("\n") + "\n"
    } else {
        overview(&compiled, output::columns())
    };
    output::page(&page)?;
    Ok(Exit::Ran)
}

/// The hash, what is asked, what is decided, and what stays open whatever is answered.
fn overview(compiled: &Compiled, columns: usize) -> String {
    let mut parts = vec![heading(compiled, columns), claims(compiled, columns)];
    parts.extend([rules(compiled, columns), unbridged(compiled, columns)]);
    parts.retain(|it| !it.is_empty());
    parts.join("\n")
}

fn heading(compiled: &Compiled, columns: usize) -> String {
    let mut facts = Table::new();
    facts.row([Cell::from("ruleset"), Cell::from(&compiled.ruleset_hash)]);
    facts.row([Cell::from("summary"), Cell::from(&compiled.summary)]);
    let problems = diagnostic::counted(&compiled.diagnostics);
    if !problems.is_empty() {
        facts.row([Cell::from("problems"), Cell::from(problems)]);
    }
    facts.render(columns)
}

fn claims(compiled: &Compiled, columns: usize) -> String {
    let mut table = Table::with_heading(["claim", "answer", "question"]);
    for claim in &compiled.manifest.claims {
        table.row([
            Cell::from(&claim.claim),
            Cell::from(answer(claim)),
            Cell::from(&claim.question),
        ]);
    }
    table.render(columns)
}

/// What a claim is answered with, in a few words.
fn answer(claim: &Claim) -> String {
    let mut words = match &claim.vocabulary {
        Some(members) => members.join(" | "),
        None if claim.data_type == "numeric" => "number".to_owned(),
        None => claim.data_type.clone(),
    };
    if let Some(unit) = &claim.unit {
        words = format!("{words} in {unit}");
    }
    if let Some(range) = &claim.range {
        words = format!("{words}, {} to {}", range.min.get(), range.max.get());
    }
    words
}

fn rules(compiled: &Compiled, columns: usize) -> String {
    let mut table = Table::with_heading(["line", "rule", "states"]);
    for assertion in compiled.manifest.rules.iter().flat_map(|it| &it.assertions) {
        let line = assertion.line.map_or_else(String::new, |it| it.to_string());
        let name =
            Cell::from(&assertion.name).and(&assertion.unknown_policy, Style::new().dimmed());
        let mut states = Cell::from(dedent(assertion.source.as_deref().unwrap_or_default()));
        if let Some(description) = &assertion.description {
            states = states.and(&flow(description), Style::new().dimmed());
        }
        table.row([Cell::from(line), name, states]);
    }
    table.render(columns)
}

fn unbridged(compiled: &Compiled, columns: usize) -> String {
    let lines = compiled.unbridged_units.iter().map(|pair| {
        let rule = pair.rule.as_deref().unwrap_or_default();
        let line = format!(
            "`{rule}` is UNKNOWN whatever is answered: nothing converts {} to {} exactly",
            pair.from, pair.to
        );
        wrap(&visible(&line), columns).join("\n") + "\n"
    });
    lines.collect()
}
