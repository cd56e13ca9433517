//! `assay profile`: what a profile serves, and whether a file is a sound one.

use assay_base::canonical;
use assay_core::gate::snapshot::Skill;
use assay_core::{Facet, Governed, Profile, ProfileFault, Tool};

use super::tool::registry::{Registry, binds, own_tools, skill};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::settings::governed;
use crate::show::table::{Cell, Table};
use crate::{output, profile};

const AFTER_HELP: &str = "\
Examples:
  assay profile show public
  assay profile show ./slice.json --json
  assay profile show practice --registry ./registry --skill practice-desk@1.0
  assay profile check ./slice.json";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Name everything that is wrong with a profile.
    Check(Named),
    /// Show by facet which tools are listed, and what is denied and why.
    Show(Shown),
}

#[derive(Debug, clap::Args)]
struct Shown {
    #[command(flatten)]
    named: Named,
    #[command(flatten)]
    governed: governed::Flags,
}

#[derive(Debug, clap::Args)]
struct Named {
    /// A profile that ships, or the file of one.
    #[arg(value_name = "NAME|FILE")]
    profile: String,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

/// Reads the profile, and answers without a data file.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (Action::Check(named) | Action::Show(Shown { named, .. })) = &arguments.action;
    match (profile::named(&named.profile)?, &arguments.action) {
        (Err(faults), _) if named.json => refuse(&faults),
        (Err(faults), _) => Err(Failure::refused(profile::lines(&faults))),
        (Ok(profile), Action::Check(_)) => sound(&profile, named.json),
        (Ok(profile), Action::Show(shown)) => show(&profile, shown),
    }
}

fn refuse(faults: &[ProfileFault]) -> Outcome {
    output::payload(&canonical::to_bytes(|value| {
        value.object(|object| {
            object.key("faults").array(|list| {
                for fault in faults {
                    list.item().object(|object| {
                        object.key("file").string(&fault.file);
                        object.key("mend").string(&fault.mend);
                        object.key("message").string(&fault.message);
                        object.key("pointer").string(&fault.pointer);
                    });
                }
            });
            object.key("ok").boolean(false);
        });
    }))?;
    Ok(Exit::Refused)
}

fn sound(profile: &Profile, json: bool) -> Outcome {
    if json {
        output::payload(&canonical::to_bytes(|value| {
            value.object(|object| {
                object.key("name").string(profile.name());
                object.key("ok").boolean(true);
            });
        }))?;
    } else {
        output::page(&format!("the profile `{}` is sound\n", profile.name()))?;
    }
    Ok(Exit::Ran)
}

/// One facet as the profile has it.
struct Row<'p> {
    facet: Facet,
    reason: Option<&'p str>,
    /// Tools that are listed, or withheld where there is a reason.
    tools: Vec<String>,
}

fn show(profile: &Profile, shown: &Shown) -> Outcome {
    let own = own_tools()?;
    let registry = shown.governed.registry();
    let registry = registry.map(|it| Registry::sound(&it, &own)).transpose()?;
    let skill = skill(registry.as_ref(), &shown.governed)?;
    let rows = rows(profile, &read(profile, &own, registry.as_ref(), skill));
    if shown.named.json {
        output::payload(&payload(profile, &rows))?;
        return Ok(Exit::Ran);
    }
    let mut table = Table::with_heading(["facet", "served", "tools, or why not"]);
    for row in &rows {
        let (served, what) = match row.reason {
            Some(reason) => ("denied", reason.to_owned()),
            None => ("allowed", row.tools.join(" ")),
        };
        table.row([Cell::from(row.facet.word()), Cell::from(served), Cell::from(what)]);
    }
    output::page(&table.render(output::columns()))?;
    if registry.is_none() && !profile.upstream().is_empty() {
        output::notice("it reads tools of other servers too: name their records by --registry");
    }
    Ok(Exit::Ran)
}

/// The tools that the profile reads and the skill takes, whoever calls.
fn read<'t>(
    profile: &Profile,
    own: &'t [Tool],
    registry: Option<&'t Registry>,
    skill: Option<&Skill>,
) -> Vec<&'t Tool> {
    let own = own.iter().filter(|it| profile.has(it) && binds(skill, &it.record));
    let governed = registry.into_iter().flat_map(|it| it.snapshot.tools());
    let governed = governed.filter(|(id, _)| profile.reads(id.path()));
    let governed = governed.filter_map(|(_, versions)| {
        let served =
            |it: &&Governed| it.record.enabled && !it.withdrawn && binds(skill, &it.record);
        versions.iter().rev().find(served).map(|it| &it.tool)
    });
    own.chain(governed).collect()
}

fn rows<'p>(profile: &'p Profile, tools: &[&Tool]) -> Vec<Row<'p>> {
    let row = |facet: &Facet| {
        let of_facet = tools.iter().filter(|it| it.facet == *facet);
        let tools = of_facet.map(|it| it.name.clone()).collect();
        Row { facet: *facet, reason: profile.denies(*facet), tools }
    };
    Facet::ALL.iter().map(row).collect()
}

fn payload(profile: &Profile, rows: &[Row<'_>]) -> Vec<u8> {
    canonical::to_bytes(|value| {
        value.object(|object| {
            object.key("expose_spam").boolean(profile.expose_spam());
            object.key("facets").array(|list| {
                for row in rows {
                    list.item().object(|object| {
                        object.key("allowed").boolean(row.reason.is_none());
                        object.key("facet").string(row.facet.word());
                        if let Some(reason) = row.reason {
                            object.key("reason").string(reason);
                        }
                        object.key("tools").strings(row.tools.iter().map(String::as_str));
                    });
                }
            });
            object.key("name").string(profile.name());
            object.key("ok").boolean(true);
            object.key("packages").strings(profile.packages().iter().map(String::as_str));
            object.key("rulesets").boolean(profile.rulesets());
            object.key("upstream").strings(profile.upstream().iter().map(String::as_str));
        });
    })
}
