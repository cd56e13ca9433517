//! `assay tool reconcile`.

use std::path::Path;

use crate::commands::key::{json, refused};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::{input, output, service};

const AFTER_HELP: &str = "\
A call whose answer never came is not made again until somebody has looked at the server behind it.
The reference is the one that its caller was told, and `assay audit show` has it as the event id.

Examples:
  assay tool reconcile evt_0a1b2c3d4e5f60718293 --by ops-3 --took-place answer.json
  assay tool reconcile evt_0a1b2c3d4e5f60718293 --by ops-3 --did-not-take-place";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The reference of the call.
    reference: String,
    /// Who found out, for the record.
    #[arg(long, value_name = "NAME")]
    by: String,
    #[command(flatten)]
    end: End,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct End {
    /// It took place and its answer is in this file, or in standard input for `-`.
    #[arg(long, value_name = "RESULT.json")]
    took_place: Option<String>,
    /// It never took place, and may be made again.
    #[arg(long)]
    did_not_take_place: bool,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let Arguments { reference, by, end } = arguments;
    let result = end.took_place.as_deref().map(input::text).transpose()?;
    let service = service::of_operator(data)?;
    let text = result.as_ref().map(|it| it.text.as_str());
    service.reconcile(by, reference, text).map_err(refused)?;
    let took_place = result.is_some();
    if as_json {
        return json(|object| {
            object.key("reference").string(reference);
            object.key("took_place").boolean(took_place);
        });
    }
    output::page(&match took_place {
        true => format!("{reference} took place: who repeats the call gets this answer\n"),
        false => format!("{reference} did not take place: the call may be made again\n"),
    })?;
    Ok(Exit::Ran)
}
