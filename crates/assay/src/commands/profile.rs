//! `assay profile`: what a profile serves, and whether a file is a sound one.

use assay_base::canonical;
use assay_core::{Door, Facet, Profile, ProfileFault, Settings};

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::show::table::{Cell, Table};
use crate::{output, profile, service};

const AFTER_HELP: &str = "\
Examples:
  assay profile show public
  assay profile show ./slice.json --json
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
    Show(Named),
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
    let (Action::Check(named) | Action::Show(named)) = &arguments.action;
    match (profile::named(&named.profile)?, &arguments.action) {
        (Err(faults), _) if named.json => refuse(&faults),
        (Err(faults), _) => Err(Failure::refused(profile::lines(&faults))),
        (Ok(profile), Action::Check(_)) => sound(&profile, named.json),
        (Ok(profile), Action::Show(_)) => show(&profile, named.json),
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

fn show(profile: &Profile, json: bool) -> Outcome {
    let rows = rows(profile)?;
    if json {
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
    Ok(Exit::Ran)
}

/// Asks a service of this profile, so that what is shown is what is served.
fn rows(profile: &Profile) -> Result<Vec<Row<'_>>, Failure> {
    let settings = Settings { profile: profile.clone(), ..Settings::default() };
    let service = service::open(settings)?;
    let caller = service
        .local(Door::CommandLine)
        .map_err(|_| Failure::unavailable("the service knows no owner"))?;
    let listed = service.tools(&caller);
    let row = |facet: &Facet| {
        let reason = profile.denies(*facet);
        let withheld = service.every_tool().iter().filter(|it| profile.reads(&it.name));
        let tools: Vec<_> = match reason {
            Some(_) => withheld.filter(|it| it.facet == *facet).map(|it| it.name.clone()).collect(),
            None => {
                listed.iter().filter(|it| it.facet == *facet).map(|it| it.name.clone()).collect()
            }
        };
        Row { facet: *facet, reason, tools }
    };
    Ok(Facet::ALL.iter().map(row).collect())
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
