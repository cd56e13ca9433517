//! `assay tool status`.

use std::path::{Path, PathBuf};

use anstyle::Style;
use assay_base::Timestamp;
use assay_core::{Settings, Stop, Target};

use super::state::stops;
use crate::commands::key::json;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::settings::governed;
use crate::show::table::{Cell, Table};
use crate::{output, service, settings};

const AFTER_HELP: &str = "\
What the file of stops holds ends with its line in the file; everything else is lifted by `assay tool
restore`.

Examples:
  assay tool status
  assay tool status --stop-file /run/assay/stops";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The file that stops tools [default: ASSAY_STOP_FILE]
    #[arg(long, value_name = "FILE")]
    stop_file: Option<PathBuf>,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let stop_file = governed::stop_file(arguments.stop_file.as_ref());
    let service = service::in_folder(data, Settings { stop_file, ..settings::service()? })?;
    let (stored, of_file) = stops(&service)?;
    if as_json {
        return json(|object| {
            object.key("file").array(|array| {
                of_file.iter().for_each(|it| array.item().display(it));
            });
            object.key("stops").array(|array| {
                for stop in &stored {
                    array.item().object(|object| {
                        object.key("fix").optional_string(stop.lift.as_ref().map(|it| &*it.fix));
                        object.key("lift_asked").boolean(stop.lift.is_some());
                        object.key("reason").string(&stop.reason);
                        object.key("set_at").string(&time(stop.set_at));
                        object.key("set_by").string(&stop.set_by);
                        object.key("target").string(&stop.target);
                    });
                }
            });
        });
    }
    output::page(&page(&stored, &of_file))?;
    Ok(Exit::Ran)
}

fn page(stored: &[Stop], of_file: &[Target]) -> String {
    if stored.is_empty() && of_file.is_empty() {
        return "nothing is stopped\n".to_owned();
    }
    let mut table = Table::with_heading(["target", "set by and at", "why", "to be lifted"]);
    for stop in stored {
        let lift = match &stop.lift {
            Some(lift) => Cell::from("one of two asked").and(&lift.fix, Style::new()),
            None => Cell::from("nobody asked"),
        };
        table.row([
            Cell::from(&stop.target),
            Cell::from(&stop.set_by).and(&time(stop.set_at), Style::new()),
            Cell::from(&stop.reason),
            lift,
        ]);
    }
    for target in of_file {
        let [by, why, lift] = ["the file of stops", "", "with its line"].map(Cell::from);
        table.row([Cell::from(target.to_string()), by, why, lift]);
    }
    table.render(output::columns())
}

fn time(milliseconds: i64) -> String {
    Timestamp::from_seconds(milliseconds.div_euclid(1000)).to_string()
}
