//! Whether a tool is in use, and what stops it.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use assay_core::gate::switch::Stopped;
use assay_core::{Governed, Service, Settings, Stop, Target, Tool};

use crate::commands::key::refused;
use crate::failure::Failure;
use crate::service;

/// Whether a version of a tool is in use. Where several hold, the gate meets the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Stopped,
    Withdrawn,
    Disabled,
    Enabled,
}

impl State {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Withdrawn => "withdrawn",
            Self::Disabled => "disabled",
            Self::Enabled => "enabled",
        }
    }

    pub(super) fn style(self) -> Style {
        match self {
            Self::Stopped => AnsiColor::Red.on_default().bold(),
            Self::Withdrawn | Self::Disabled => AnsiColor::Yellow.on_default(),
            Self::Enabled => AnsiColor::Green.on_default(),
        }
    }

    /// The state of a governed tool.
    pub(super) fn of(tool: &Governed, stopped: &Stopped) -> Self {
        if tool.record.kill_switch || stopped.holds(&tool.tool.targets) {
            Self::Stopped
        } else if tool.withdrawn {
            Self::Withdrawn
        } else if tool.record.enabled {
            Self::Enabled
        } else {
            Self::Disabled
        }
    }

    /// The state of one of the product's own tools.
    pub(super) fn of_own(tool: &Tool, stopped: &Stopped) -> Self {
        if stopped.holds(&tool.targets) { Self::Stopped } else { Self::Enabled }
    }
}

/// Everything that is stopped in the data of `folder` and by the file of stops. No registry is
/// opened for it.
pub(super) fn stopped(folder: &Path, settings: Settings) -> Result<Stopped, Failure> {
    let service = service::in_folder(folder, Settings { registry: None, ..settings })?;
    let (stored, of_file) = stops(&service)?;
    // What another release wrote and this one does not know stops everything there.
    let known = |it: &Stop| Target::parse(&it.target).unwrap_or(Target::Everything);
    Ok(stored.iter().map(known).chain(of_file).collect())
}

/// What is stopped in the store, and what by the file.
pub(super) fn stops(service: &Service) -> Result<(Vec<Stop>, Vec<Target>), Failure> {
    service.stops().map_err(refused)
}

/// What may be stopped, as it is written.
pub(super) fn target(written: &str) -> Result<Target, String> {
    Target::parse(written).ok_or_else(|| {
        "write the id of a tool, id@version, category.*, upstream:name or everything".to_owned()
    })
}
