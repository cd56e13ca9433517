//! The registry that a command looks at, without the servers behind its tools.

use std::path::Path;

use assay_core::gate::Fault;
use assay_core::gate::record::{Record, ToolId};
use assay_core::gate::snapshot::{File, Skill};
use assay_core::gate::version::Version;
use assay_core::{Catalog, Governed, Profile, Snapshot, Tool, read_registry};

use crate::failure::Failure;
use crate::settings::governed;

/// A registry that loads.
pub(in crate::commands) struct Registry {
    files: Vec<File>,
    pub(in crate::commands) snapshot: Snapshot,
}

impl Registry {
    /// The registry in `folder`, or everything that is wrong with it.
    pub(super) fn load(folder: &Path, own: &[Tool]) -> Result<Self, Vec<Fault>> {
        Self::after(folder, own, None)
    }

    /// As [`Registry::load`], where it takes the place of the registry `before`.
    pub(super) fn after(
        folder: &Path,
        own: &[Tool],
        before: Option<&Self>,
    ) -> Result<Self, Vec<Fault>> {
        let files = read_registry(folder)?;
        let snapshot = Snapshot::load(&files, own, before.map(|it| &it.snapshot))?;
        Ok(Self { files, snapshot })
    }

    /// As [`Registry::load`], where only one that loads is of use.
    pub(in crate::commands) fn sound(folder: &Path, own: &[Tool]) -> Result<Self, Failure> {
        Self::load(folder, own).map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Failure::usage(lines.join("\n"))
        })
    }

    /// The tool that is meant by an id, `id@version`, or its name for models. Without a version it
    /// is the highest that is in use.
    pub(super) fn find(&self, written: &str) -> Option<&Governed> {
        let (tool, version) = match written.split_once('@') {
            Some((tool, version)) => (tool, Some(Version::parse(version)?)),
            None => (written, None),
        };
        let by_name = self.snapshot.named(tool).cloned();
        let id = by_name.or_else(|| ToolId::parse(tool))?;
        match version {
            None => self.snapshot.resolve(&id, None),
            Some(version) => {
                let (_, versions) = self.snapshot.tools().find(|(it, _)| **it == id)?;
                versions.iter().find(|it| it.record.version == version)
            }
        }
    }

    /// The text of the record as it is written.
    pub(super) fn text(&self, tool: &Governed) -> &str {
        let file = self.files.iter().find(|(path, _)| *path == tool.file);
        file.map_or("null", |(_, text)| text)
    }

    /// The skills that may call a version of a tool, be it the product's own.
    pub(super) fn skills(&self, record: &Record) -> Vec<String> {
        let binds = self.snapshot.skills().filter(|(_, skill)| {
            let range = skill.permitted.get(&record.tool_id);
            range.is_some_and(|it| it.contains(record.version))
        });
        binds.map(|(name, _)| name.to_string()).collect()
    }
}

/// Whether the profile reads the tool of this name or id, and allows its kind of work.
pub(super) fn serves(profile: &Profile, name: &str, tool: &Tool) -> bool {
    profile.reads(name) && profile.denies(tool.facet).is_none()
}

/// Whether a skill takes a version of a tool; without a skill, every one.
pub(in crate::commands) fn binds(skill: Option<&Skill>, record: &Record) -> bool {
    skill.is_none_or(|skill| {
        skill.permitted.get(&record.tool_id).is_some_and(|it| it.contains(record.version))
    })
}

/// The skill that was named, which must be one of the registry.
pub(in crate::commands) fn skill<'r>(
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

/// The one of the product's own tools that is meant by an id, or by its name for models.
pub(super) fn own_tool<'t>(own: &'t [Tool], written: &str) -> Option<&'t Tool> {
    own.iter().find(|it| it.name == written || it.record.tool_id.to_string() == written)
}

/// The product's own tools.
pub(in crate::commands) fn own_tools() -> Result<Vec<Tool>, Failure> {
    let catalog = Catalog::load().map_err(|faults| Failure::unavailable(faults.join("\n")))?;
    Ok(catalog.tools().to_vec())
}
