//! `dsail_compile`: source text to a stored ruleset and everything that its user needs.

use assay_dsail::Options;

use super::compiled::write_compiled;
use crate::caller::Door;
use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::label;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    // Over MCP a description is always required, so the parameter exists for the other doors only.
    let over_mcp = call.caller.door == Door::Mcp;
    let known: &[&str] = if over_mcp {
        &["source", "parent_hash", "label"]
    } else {
        &["source", "parent_hash", "label", "require_descriptions"]
    };
    let input = Input::read(call.arguments, known)?;
    let source = input.string("source")?.ok_or_else(|| missing("source"))?.into_owned();
    let parent = input.ruleset_hash("parent_hash")?;
    let label = label::read(call, &input)?;
    let require_descriptions = over_mcp || input.boolean("require_descriptions", false)?;
    let options = Options { require_descriptions };
    Ok(call.work(move |context, _| {
        let service = &context.service;
        let (prepared, lineage) = service.store(&context.session, &source, parent, options)?;
        let label = context.label(prepared.ruleset.hash, label)?;
        Ok(service.payload(|it| write_compiled(it, &prepared, lineage, label.as_ref())))
    }))
}
