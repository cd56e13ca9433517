//! `assay prompt-pack`: what a model is asked, one prompt for each claim.

use crate::exit::Exit;
use crate::failure::Outcome;
use crate::payload::{Prompt, PromptPack, read};
use crate::show::refusal;
use crate::show::text::{visible, wrap};
use crate::{input, output, service};

const AFTER_HELP: &str = "\
Nothing is stored and no file is written.

Examples:
  assay prompt-pack expenses.dsail
  assay prompt-pack expenses.dsail --json";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The source, or `-` for standard input.
    file: String,
    /// Print the payload of `dsail_get_prompt_pack`, byte for byte.
    #[arg(long)]
    json: bool,
}

/// Compiles in this process and prints the prompts.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let text = input::text(&arguments.file)?;
    let service = service::in_memory()?;
    let reply = service::call(&service, "dsail_get_prompt_pack", |object| {
        object.key("source").string(&text.text);
    });
    if arguments.json {
        return service::payload(&reply);
    }
    if reply.failure.is_some() {
        return refusal::report(&reply.body, &text);
    }
    let pack: PromptPack = read(&reply.body)?;
    output::page(&page(&pack, output::columns()))?;
    Ok(Exit::Ran)
}

fn page(pack: &PromptPack, columns: usize) -> String {
    let mut parts = vec![
        format!("ruleset {}", pack.ruleset_hash),
        format!("Integrity rule\n{}", pack.integrity_rule),
    ];
    parts.extend(pack.prompts.iter().map(|it| format!("[{}]\n{}", it.claim, prompt(it))));
    if !pack.assembly_notes.is_empty() {
        let notes: Vec<String> = pack.assembly_notes.iter().map(|it| format!("- {it}")).collect();
        parts.push(format!("Assembly\n{}", notes.join("\n")));
    }
    let text = visible(&parts.join("\n\n"));
    wrap(&text, columns).join("\n") + "\n"
}

/// One prompt as it is put to a model.
fn prompt(prompt: &Prompt) -> String {
    let mut lines = vec![prompt.question.clone(), String::new()];
    if let Some(context) = &prompt.context {
        lines.push(format!("Context: {context}"));
    }
    lines.push(format!("Answer format: {}", prompt.answer_format));
    if let Some(vocabulary) = &prompt.vocabulary {
        lines.push(format!("Allowed values: {}", vocabulary.join(", ")));
    }
    if let Some(unit) = &prompt.unit {
        lines.push(format!("Answer in: {unit}"));
    }
    if let Some(range) = &prompt.range {
        lines.push(format!("Range: {} to {}", range.min.get(), range.max.get()));
    }
    lines.push(prompt.unknown_rule.clone());
    lines.join("\n")
}
