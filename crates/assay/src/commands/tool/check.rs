//! `assay tool check`.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use assay_base::canonical::{Slot, to_bytes};
use assay_core::gate::Fault;

use super::registry::{Registry, own_tools};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::settings::governed;
use crate::show::text::visible;

const AFTER_HELP: &str = "\
Every fault is one line: the file, the place in it, what is wrong and what mends it. Warnings stand in
nobody's way. The exit code is 1 where there is a fault.

With --before, callers of that registry must not break, and every part of a record that is held less
strictly than there, or more, is a warning that begins with `loosened` or `tightened`.

Examples:
  assay tool check ./registry
  assay tool check ./registry --before ./registry-in-force
  assay tool check ./registry --json";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The folder with registry.json, tools and skills [default: ASSAY_REGISTRY]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The folder with the registry that this one replaces [default: none]
    #[arg(long, value_name = "DIR")]
    before: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, as_json: bool) -> Outcome {
    let folder = governed::registry(arguments.folder.as_ref());
    let folder = folder.ok_or_else(governed::no_registry)?;
    let own = own_tools()?;
    let before = arguments.before.as_ref().map(|it| Registry::sound(it, &own)).transpose()?;
    let checked = Registry::after(&folder, &own, before.as_ref());
    match (&checked, as_json) {
        (_, true) => output::payload(&payload(&checked))?,
        (Ok(registry), false) => sound(registry)?,
        (Err(faults), false) => faulty(faults)?,
    }
    Ok(if checked.is_ok() { Exit::Ran } else { Exit::Faulty })
}

fn sound(registry: &Registry) -> Result<(), Failure> {
    let snapshot = &registry.snapshot;
    let warnings = lines(snapshot.warnings(), "warning: ", AnsiColor::Yellow.on_default());
    let summary = format!(
        "the registry {} is sound: {}, {}",
        snapshot.id(),
        counted(snapshot.tools().count(), "tool"),
        counted(snapshot.skills().count(), "skill"),
    );
    let green = AnsiColor::Green.on_default();
    output::page(&format!("{warnings}{green}{summary}{green:#}\n"))
}

fn faulty(faults: &[Fault]) -> Result<(), Failure> {
    let red = AnsiColor::Red.on_default();
    let summary = counted(faults.len(), "fault");
    output::page(&format!("{}{red}{summary}{red:#}\n", lines(faults, "", red)))
}

/// Each on its own line, whatever the width, so that lines can be searched.
fn lines(faults: &[Fault], before: &str, style: Style) -> String {
    let line = |it: &Fault| {
        let Fault { file, pointer, message, mend } = it;
        let place = visible(&format!("{file}#{pointer}"));
        let told = visible(&format!("{message}; {mend}"));
        format!("{style}{before}{place}{style:#}: {told}\n")
    };
    faults.iter().map(line).collect()
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("one {noun}") } else { format!("{count} {noun}s") }
}

fn payload(checked: &Result<Registry, Vec<Fault>>) -> Vec<u8> {
    let (faults, snapshot) = match checked {
        Ok(registry) => (&[][..], Some(&registry.snapshot)),
        Err(faults) => (&faults[..], None),
    };
    to_bytes(|slot| {
        slot.object(|object| {
            write(object.key("faults"), faults);
            object.key("ok").boolean(snapshot.is_some());
            if let Some(snapshot) = snapshot {
                object.key("skill_count").integer(snapshot.skills().count() as u64);
                object.key("snapshot").string(snapshot.id());
                object.key("tool_count").integer(snapshot.tools().count() as u64);
                write(object.key("warnings"), snapshot.warnings());
            }
        });
    })
}

fn write(slot: Slot<'_>, faults: &[Fault]) {
    slot.array(|array| {
        for fault in faults {
            array.item().object(|object| {
                object.key("file").string(&fault.file);
                object.key("mend").string(&fault.mend);
                object.key("message").string(&fault.message);
                object.key("pointer").string(&fault.pointer);
            });
        }
    });
}
