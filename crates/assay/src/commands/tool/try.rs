//! `assay tool try`.

use std::path::Path;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use assay_base::canonical::Object;
use assay_core::gate::{Code, Refusal};
use assay_core::{Caller, Credentials, Door, Profile, Reply, Service, Settings, StageWord, Tool};
use serde_json::Value;

use super::registry::{Registry, own_tool, own_tools};
use crate::commands::key::{json, refused};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::input::Text;
use crate::settings::governed;
use crate::show::refusal;
use crate::show::table::{Cell, Table};
use crate::{input, output, service, settings};

/// The profile of a server with governed tools and no others.
const PROFILE: &str = "practice";
/// The profile of a server with the product's own tools.
const OWN_PROFILE: &str = "rules";

const AFTER_HELP: &str = "\
The stages of the gate are asked in their order, up to the first that refuses. Of the call nothing is
recorded, used up or carried out; the server behind the tool is asked only whose the things are that
the arguments name. The exit code is 1 where a stage refuses.

The call is that of the owner, of the person named by --as, or of whoever has the credential in
ASSAY_TRY_CREDENTIAL.

Examples:
  assay tool try dsail_list_rulesets --profile public
  assay tool try lookup_client '{\"name\": \"Bo\"}' --registry ./registry --skill practice-desk@1.0
  assay tool try create_matter matter.json --registry ./registry --skill practice-desk@1.0
  assay tool try email.send - --registry ./registry --as person-0a1b2c3d4e5f6071";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The tool, by its name for models or by its id.
    #[arg(value_name = "NAME|ID")]
    tool: String,
    /// The arguments: a JSON object, a file, or - for standard input [default: no arguments]
    #[arg(value_name = "ARGUMENTS")]
    arguments: Option<String>,
    /// The person who calls, as if they had just signed in.
    #[arg(long = "as", value_name = "PERSON")]
    person: Option<String>,
    /// What the server serves: a profile that ships, or the file of one [default: practice; for the
    /// product's own tools: rules]
    #[arg(long, value_name = "NAME|FILE")]
    profile: Option<String>,
    #[command(flatten)]
    governed: governed::Flags,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let own = own_tools()?;
    let found = own_tool(&own, &arguments.tool);
    let default = if found.is_some() { OWN_PROFILE } else { PROFILE };
    let profile = settings::profile_or(arguments.profile.as_deref(), default)?;
    let text = arguments.arguments.as_deref().map(input::call_arguments).transpose()?;
    let registry = arguments.governed.registry();
    if registry.is_none() && found.is_none() {
        return Err(governed::no_registry());
    }
    let registry = registry.map(|it| Registry::sound(&it, &own)).transpose()?;
    let governed = registry.as_ref().and_then(|it| it.find(&arguments.tool)).map(|it| &it.tool);
    // A name that nobody knows is left to the gate.
    let tool = governed.or(found);
    let name = tool.map_or(arguments.tool.as_str(), |it| it.name.as_str());
    let service = opened(data, arguments, profile)?;
    let caller = match caller(&service, arguments.person.as_deref())? {
        Ok(caller) => caller,
        Err(reply) if as_json => return service::payload(&reply),
        Err(reply) => return refusal::report(&reply.body, &Text::default()),
    };
    let text = text.as_deref().unwrap_or("{}");
    let stages = service.try_call(&caller, name, text).map_err(refused)?;
    let refusal = stages.iter().find_map(|it| it.refusal.as_ref());
    if as_json {
        json(|object| write(object, name, &stages))?;
    } else {
        page(&stages)?;
        refusal.into_iter().try_for_each(|it| tell(it, registry.as_ref(), tool))?;
    }
    Ok(if refusal.is_some() { Exit::Faulty } else { Exit::Ran })
}

/// A service that answers as a server would that people reach.
fn opened(data: &Path, arguments: &Arguments, profile: Profile) -> Result<Arc<Service>, Failure> {
    let settings = arguments.governed.settings()?;
    let page = settings.page.clone().or(Some(String::new()));
    service::in_folder(data, Settings { profile, page, ..settings })
}

fn caller(service: &Service, person: Option<&str>) -> Result<Result<Caller, Reply>, Failure> {
    match (person, governed::try_credential()) {
        (Some(person), _) => service.caller_as(Door::CommandLine, person).map(Ok).map_err(refused),
        (None, Some(secret)) => {
            let credentials = Credentials { bearer: Some(&secret), key: None };
            Ok(service.caller(Door::CommandLine, &credentials))
        }
        (None, None) => Ok(service.local(Door::CommandLine)),
    }
}

fn page(stages: &[StageWord]) -> Result<(), Failure> {
    let mut table = Table::new();
    for StageWord { stage, refusal } in stages {
        let word = match refusal {
            None => Cell::styled("passes", AnsiColor::Green.on_default()),
            Some((code, _)) => {
                let red = AnsiColor::Red.on_default().bold();
                Cell::styled(&format!("refuses: {code}"), red)
            }
        };
        table.row([Cell::from(stage), word]);
    }
    output::page(&table.render(output::columns()))
}

/// What the refusal says to a person, what it tells programs, and what an operator may do.
fn tell(
    refusal: &(&'static str, Value),
    registry: Option<&Registry>,
    tool: Option<&Tool>,
) -> Result<(), Failure> {
    let (code, details) = refusal;
    let mut table = Table::new();
    table.row([Cell::from("the person is told"), Cell::from(sentence(refusal))]);
    for (key, value) in details.as_object().into_iter().flatten() {
        let lines: Vec<String> = match value {
            Value::Array(items) => items.iter().map(line).collect(),
            value => vec![line(value)],
        };
        table.row([Cell::from(key), Cell::from(lines.join("\n"))]);
    }
    if let Some(hint) = hint(code, registry, tool) {
        table.row([Cell::from("help"), Cell::styled(&hint, Style::new().bold())]);
    }
    output::page(&format!("\n{}", table.render(output::columns())))
}

fn line(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("{key}: {}", plain(value));
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        value => plain(value),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn sentence((word, details): &(&'static str, Value)) -> String {
    let code = Code::ALL.iter().find(|it| it.word() == *word);
    let details = details.as_object().cloned().unwrap_or_default();
    code.map(|code| Refusal { code: *code, details }.sentence()).unwrap_or_default()
}

/// What an operator may do about a refusal that callers are told little of.
fn hint(code: &str, registry: Option<&Registry>, tool: Option<&Tool>) -> Option<String> {
    let is = |it: Code| code == it.word();
    if is(Code::SkillNotBound) {
        let skills = registry.zip(tool).map(|(registry, it)| registry.skills(&it.record));
        let skills = skills.filter(|it| !it.is_empty()).map(|it| it.join(", "));
        let skills = skills.unwrap_or_else(|| "none".to_owned());
        return Some(format!("name a skill that binds the tool by --skill: {skills}"));
    }
    if is(Code::ToolUnknown) {
        return Some(match tool {
            Some(tool) => format!("the profile does not read `{}`", tool.record.tool_id),
            None => "`assay tool list` shows the ids and names".to_owned(),
        });
    }
    is(Code::ToolSuspended).then(|| "`assay tool status` shows what is stopped".to_owned())
}

fn write(object: &mut Object<'_>, name: &str, stages: &[StageWord]) {
    object.key("passes").boolean(stages.iter().all(|it| it.refusal.is_none()));
    object.key("stages").array(|array| {
        for StageWord { stage, refusal } in stages {
            array.item().object(|object| {
                if let Some((code, details)) = refusal {
                    object.key("code").string(code);
                    object.key("details").json(details);
                }
                object.key("passes").boolean(refusal.is_none());
                object.key("stage").string(stage);
                if let Some(refusal) = refusal {
                    object.key("user_message").string(&sentence(refusal));
                }
            });
        }
    });
    object.key("tool").string(name);
}
