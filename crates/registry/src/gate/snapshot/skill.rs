//! `skills/*.json`: which tools one version of a skill may call. What is not listed is denied.

use std::collections::BTreeMap;
use std::fmt;

use assay_base::json::printable;
use serde::Deserialize;

use crate::gate::permission::Grants;
use crate::gate::record::ToolId;
use crate::gate::snapshot::Governed;
use crate::gate::version::{Range, Stored, resolve};
use crate::gate::{Fault, shape};
use crate::tool::Tool;

const SCHEMA: &str = include_str!("../../../data/gate/skill.schema.json");

/// The name and version of a skill.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkillName {
    /// The name.
    pub skill: String,
    /// The version, compared as text.
    pub version: String,
}

impl SkillName {
    /// Reads `name@version`; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (skill, version) = text.split_once('@')?;
        let fits = !skill.is_empty() && !version.is_empty() && text.len() <= 97;
        fits.then(|| Self { skill: skill.to_owned(), version: version.to_owned() })
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}@{}", self.skill, self.version)
    }
}

/// What one version of a skill may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The tools, each with the versions that it takes.
    pub permitted: BTreeMap<ToolId, Range>,
    /// The permissions that it may use at most; any where none are stated.
    pub permissions: Option<Vec<String>>,
}

impl Skill {
    /// A skill that may do nothing.
    pub const NOTHING: &'static Self = &Self { permitted: BTreeMap::new(), permissions: None };
}

#[derive(Deserialize)]
struct Binding {
    skill: String,
    skill_version: String,
    permitted_tools: Vec<Permitted>,
    permissions: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Permitted {
    Every(ToolId),
    Some { tool: ToolId, version: Option<String> },
}

/// A skill, what is to be known of it, and the warnings about it.
pub(super) type Read = (SkillName, Skill, Vec<Fault>);

pub(super) fn read(
    (file, text): (&str, &str),
    tools: &BTreeMap<ToolId, Vec<Governed>>,
    own: &[Tool],
    grants: Option<&Grants>,
) -> Result<Read, Vec<Fault>> {
    let value = shape::read(file, text, SCHEMA)?;
    let binding: Binding = serde_json::from_value(value).map_err(|error| {
        vec![Fault::new(file, "", error.to_string(), "write the binding as its schema says")]
    })?;
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    let mut permitted = BTreeMap::new();
    for (index, it) in binding.permitted_tools.into_iter().enumerate() {
        let (tool, version) = match it {
            Permitted::Every(tool) => (tool, None),
            Permitted::Some { tool, version } => (tool, version),
        };
        let pointer = format!("/permitted_tools/{index}");
        let range = match version.as_deref().map(Range::parse) {
            None => Range::default(),
            Some(Some(range)) => range,
            Some(None) => {
                let mend = "write bounds such as `>=1.1, <2`";
                let pointer = format!("{pointer}/version");
                faults.push(Fault::new(file, pointer, "these are no bounds of versions", mend));
                continue;
            }
        };
        match standing(&tool, &range, tools, own) {
            Standing::Usable => {}
            Standing::Deprecated => {
                let message = format!("`{tool}` is out of use");
                warnings.push(Fault::new(file, &pointer, message, "bind its successor"));
            }
            Standing::Unusable(message) => {
                faults.push(Fault::new(file, &pointer, message, "correct it, or remove it"));
            }
        }
        if permitted.insert(tool, range).is_some() {
            let message = "this tool stands twice";
            faults.push(Fault::new(file, &pointer, message, "keep one of the two"));
        }
    }
    for (index, permission) in binding.permissions.iter().flatten().enumerate() {
        if grants.is_some_and(|it| !it.is_known(permission)) {
            let message = format!("nobody can hold `{}`", printable(permission));
            let pointer = format!("/permissions/{index}");
            faults.push(Fault::new(file, pointer, message, "correct it, or remove it"));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let name = SkillName { skill: binding.skill, version: binding.skill_version };
    Ok((name, Skill { permitted, permissions: binding.permissions }, warnings))
}

enum Standing {
    Usable,
    Deprecated,
    Unusable(String),
}

fn standing(
    id: &ToolId,
    range: &Range,
    tools: &BTreeMap<ToolId, Vec<Governed>>,
    own: &[Tool],
) -> Standing {
    if let Some(tool) = own.iter().find(|it| it.record.tool_id == *id) {
        return match range.contains(tool.record.version) {
            true => Standing::Usable,
            false => Standing::Unusable(format!(
                "`{id}` has version {}, which lies outside the bounds",
                tool.record.version
            )),
        };
    }
    let Some(versions) = tools.get(id) else {
        let id = printable(&id.to_string());
        return Standing::Unusable(format!("`{id}` is no tool of this registry"));
    };
    let stored: Vec<Stored> = versions.iter().map(Governed::stored).collect();
    if resolve(id.major(), &stored, range).is_some() {
        return Standing::Usable;
    }
    if versions.iter().any(|it| it.record.deprecation.is_some()) {
        return Standing::Deprecated;
    }
    Standing::Unusable(format!("no version of `{id}` that is in use lies inside the bounds"))
}
