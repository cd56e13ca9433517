//! `assay tool list`.

use std::path::Path;

use anstyle::Style;
use assay_base::canonical::Object;
use assay_core::gate::record::Record;
use assay_core::gate::snapshot::Skill;
use assay_core::gate::switch::Stopped;
use assay_core::{Governed, Profile, Tool};

use super::registry::{Registry, own_tools};
use super::state::{State, stopped};
use crate::commands::key::json;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::settings::governed;
use crate::show::table::{Cell, Table};
use crate::{output, settings};

const AFTER_HELP: &str = "\
Without a profile and a skill every tool is listed. The state is enabled,
disabled by its record, withdrawn by registry.json, or stopped by `assay tool kill`, the file of stops
or its record.

Examples:
  assay tool list
  assay tool list --registry ./registry --skill practice-desk@1.0
  assay tool list --registry ./registry --profile practice --json";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Only the tools that this profile serves: one that ships, or the file of one
    #[arg(long, value_name = "NAME|FILE")]
    profile: Option<String>,
    #[command(flatten)]
    governed: governed::Flags,
}

/// One line of the list.
struct Row {
    id: String,
    name: String,
    version: String,
    effect: &'static str,
    facet: &'static str,
    upstream: Option<String>,
    state: State,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let profile = arguments.profile.as_deref().map(|it| settings::profile(Some(it))).transpose()?;
    let stopped = stopped(data, arguments.governed.settings()?)?;
    let own = own_tools()?;
    let registry = arguments.governed.registry();
    let registry = registry.map(|it| Registry::sound(&it, &own)).transpose()?;
    let skill = skill(registry.as_ref(), &arguments.governed)?;
    let own =
        own.iter().filter(|it| serves(profile.as_ref(), &it.name, it) && binds(skill, &it.record));
    let mut rows: Vec<Row> = own.map(|it| own_row(it, &stopped)).collect();
    if let Some(registry) = &registry {
        let versions = registry.snapshot.tools().flat_map(|(_, versions)| versions);
        let versions = versions.filter(|it| {
            serves(profile.as_ref(), it.record.tool_id.path(), &it.tool) && binds(skill, &it.record)
        });
        rows.extend(versions.map(|it| row(it, &stopped)));
    }
    if as_json {
        return json(|object| {
            object.key("snapshot").optional_string(registry.as_ref().map(|it| it.snapshot.id()));
            object.key("tools").array(|array| {
                rows.iter().for_each(|it| array.item().object(|object| write(object, it)));
            });
        });
    }
    output::page(&page(&rows))?;
    Ok(Exit::Ran)
}

/// Whether the profile reads the tool of this name or id, and allows its kind of work.
fn serves(profile: Option<&Profile>, name: &str, tool: &Tool) -> bool {
    profile.is_none_or(|it| it.reads(name) && it.denies(tool.facet).is_none())
}

fn binds(skill: Option<&Skill>, record: &Record) -> bool {
    skill.is_none_or(|skill| {
        skill.permitted.get(&record.tool_id).is_some_and(|it| it.contains(record.version))
    })
}

/// The skill that was named, which must be one of the registry.
fn skill<'r>(
    registry: Option<&'r Registry>,
    flags: &governed::Flags,
) -> Result<Option<&'r Skill>, Failure> {
    let (Some(registry), Some(name)) = (registry, flags.skill()?) else { return Ok(None) };
    let known = registry.snapshot.skill(&name).ok_or_else(|| {
        let names: Vec<String> =
            registry.snapshot.skills().map(|(name, _)| format!("`{name}`")).collect();
        Failure::usage(format!("the registry has no skill `{name}`"))
            .help(format!("it has {}", names.join(", ")))
    });
    known.map(Some)
}

fn own_row(tool: &Tool, stopped: &Stopped) -> Row {
    Row {
        id: tool.record.tool_id.to_string(),
        name: tool.name.clone(),
        version: tool.record.version.to_string(),
        effect: tool.record.effect().word(),
        facet: tool.facet.word(),
        upstream: None,
        state: State::of_own(tool, stopped),
    }
}

fn row(tool: &Governed, stopped: &Stopped) -> Row {
    Row {
        upstream: tool.place().map(|(upstream, _)| upstream.to_owned()),
        state: State::of(tool, stopped),
        ..own_row(&tool.tool, stopped)
    }
}

fn page(rows: &[Row]) -> String {
    let heading = ["id and name", "effect and facet", "version and upstream", "state"];
    let mut table = Table::with_heading(heading);
    let plain = Style::new();
    for row in rows {
        table.row([
            Cell::from(&row.id).and(&row.name, plain),
            Cell::from(row.effect).and(row.facet, plain),
            Cell::from(&row.version).and(row.upstream.as_deref().unwrap_or("its own"), plain),
            Cell::styled(row.state.word(), row.state.style()),
        ]);
    }
    table.render(output::columns())
}

fn write(object: &mut Object<'_>, row: &Row) {
    object.key("effect").string(row.effect);
    object.key("facet").string(row.facet);
    object.key("name").string(&row.name);
    object.key("state").string(row.state.word());
    object.key("tool_id").string(&row.id);
    object.key("upstream").optional_string(row.upstream.as_deref());
    object.key("version").string(&row.version);
}
