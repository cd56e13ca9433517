//! `assay tool pin`.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use assay_base::canonical::Object;
use assay_core::{LiveDefinition, Profile, Settings};

use crate::commands::key::{json, refused};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::settings::governed;
use crate::show::text::visible;
use crate::{output, service};

const AFTER_HELP: &str = "\
The hash stands for what a server says of its tool: name, description and schemas. Written into the
record as `definition_hash`, it holds calls back that change something where the server offers another
tool. The exit code is 1 where a hash differs from its record, or a pinned tool is not offered.

Examples:
  assay tool pin --registry ./registry
  assay tool pin --registry ./registry email.send --json";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The ids of the tools [default: all]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    #[command(flatten)]
    governed: governed::Flags,
}

/// What a server offers next to what was pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Matches,
    Differs,
    NotPinned,
    NotOffered,
    NoAnswer,
}

impl Found {
    fn of(it: &LiveDefinition) -> Self {
        match (&it.live, &it.pinned) {
            (Err(_), _) => Self::NoAnswer,
            (Ok(None), _) => Self::NotOffered,
            (Ok(Some(_)), None) => Self::NotPinned,
            (Ok(Some(live)), Some(pinned)) if live == pinned => Self::Matches,
            (Ok(Some(_)), Some(_)) => Self::Differs,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::Differs => "differs",
            Self::NotPinned => "not pinned",
            Self::NotOffered => "not offered",
            Self::NoAnswer => "no answer",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Matches => AnsiColor::Green.on_default(),
            Self::NotPinned => Style::new(),
            Self::Differs | Self::NotOffered | Self::NoAnswer => AnsiColor::Red.on_default().bold(),
        }
    }
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let settings = arguments.governed.settings()?;
    if settings.registry.is_none() {
        return Err(governed::no_registry());
    }
    let service = service::in_folder(data, Settings { profile: Profile::default(), ..settings })?;
    let mut definitions = service.live_definitions().map_err(refused)?;
    for id in &arguments.ids {
        if !definitions.iter().any(|it| it.tool_id == *id) {
            return Err(Failure::usage(format!("the registry has no tool `{id}`"))
                .help("`assay tool list` shows the ids"));
        }
    }
    let asked = &arguments.ids;
    definitions.retain(|it| asked.is_empty() || asked.contains(&it.tool_id));
    let drifted = definitions.iter().any(|it| {
        let found = Found::of(it);
        found == Found::Differs || (found == Found::NotOffered && it.pinned.is_some())
    });
    if as_json {
        json(|object| {
            object.key("definitions").array(|array| {
                for it in &definitions {
                    array.item().object(|object| write(object, it));
                }
            });
        })?;
    } else {
        page(&definitions)?;
    }
    Ok(if drifted { Exit::Faulty } else { Exit::Ran })
}

/// A hash is copied from here, so each stays on one line.
fn page(definitions: &[LiveDefinition]) -> Result<(), Failure> {
    let mut text = String::new();
    for it in definitions {
        let (found, place) = (Found::of(it), visible(&it.place));
        let (word, style) = (found.word(), found.style());
        let tool = visible(&format!("{}@{}", it.tool_id, it.version));
        text.push_str(&format!("{tool} at {place}: {style}{word}{style:#}\n"));
        let live = it.live.as_ref();
        for (name, said) in [
            ("offered", live.ok().and_then(|it| it.as_deref())),
            ("pinned", it.pinned.as_deref()),
            ("fault", live.err().map(String::as_str)),
        ] {
            if let Some(said) = said {
                text.push_str(&format!("  {name:7}  {}\n", visible(said)));
            }
        }
    }
    output::page(&text)
}

fn write(object: &mut Object<'_>, it: &LiveDefinition) {
    let live = it.live.as_ref();
    object.key("fault").optional_string(live.err().map(String::as_str));
    object.key("found").string(Found::of(it).word());
    object.key("live").optional_string(live.ok().and_then(|it| it.as_deref()));
    object.key("pinned").optional_string(it.pinned.as_deref());
    object.key("place").string(&it.place);
    object.key("tool_id").string(&it.tool_id);
    object.key("version").string(&it.version);
}
