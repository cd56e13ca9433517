//! One loaded registry: the records of a folder with the skills that may call them and the places
//! where they run. It is loaded whole or refused whole, and never changes afterwards.

mod config;
mod evolution;
mod governed;
mod own;
mod skill;
mod strictness;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use assay_base::CallHash;
use assay_base::json::printable;

use crate::gate::invariants::{self, Filed, Operator};
use crate::gate::permission::Grants;
use crate::gate::record::{self, ScopeKind, ToolId};
use crate::gate::version::{Range, Stored, Version, resolve};
use crate::gate::{Fault, snapshot};
use crate::tool::Tool;

pub use config::{Config, Grant, Place, RestRoute, Text};
pub use governed::Governed;
pub use skill::{Skill, SkillName};

/// Most records of one registry.
pub const MAX_RECORDS: usize = 1_000;
/// Faults that are told at most; the rest is counted.
pub const MAX_FAULTS: usize = 50;

/// A file of a registry: its path within the folder, and its text.
pub type File = (String, String);

/// One loaded registry.
#[derive(Debug)]
pub struct Snapshot {
    id: String,
    /// Every version of every tool, the lowest first.
    tools: BTreeMap<ToolId, Vec<Governed>>,
    names: BTreeMap<String, ToolId>,
    /// What members of arguments name, by their own names.
    kinds: BTreeMap<String, ScopeKind>,
    skills: BTreeMap<SkillName, Skill>,
    config: Config,
    grants: Grants,
    warnings: Vec<Fault>,
}

impl Snapshot {
    /// Loads the files of a folder: `registry.json`, `tools/*.json` and `skills/*.json`. `own`
    /// are the product's tools: their names are taken, and skills may list them. `before` is the
    /// registry that is replaced: what callers of it rely on stays so.
    ///
    /// # Errors
    /// Every [`Fault`] of all files.
    pub fn load(files: &[File], own: &[Tool], before: Option<&Self>) -> Result<Self, Vec<Fault>> {
        let mut loader = Loader::default();
        let config = loader.config(files);
        let has_config = loader.faults.is_empty();
        loader.records(files);
        let unscoped: Vec<&str> = config.unscoped.iter().map(String::as_str).collect();
        let grants = config.grants();
        // What is missing because a file could not be read is no fault of the others.
        let operator = has_config.then_some(Operator { unscoped: &unscoped, grants: &grants });
        loader.together(operator, own);
        if has_config {
            loader.places(&config);
            loader.withdraw(&config);
        }
        loader.evolution(before);
        loader.granting(before, &grants);
        let skills = loader.skills(files, own, has_config.then_some(&grants));
        if !loader.faults.is_empty() {
            return Err(loader.faults);
        }
        Ok(Self {
            id: id(files),
            names: loader.names(),
            kinds: loader.kinds(),
            tools: loader.tools,
            skills,
            config,
            grants,
            warnings: loader.warnings,
        })
    }

    /// By which decisions and records name this registry: the same files, the same id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What its authors should look at.
    #[must_use]
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// Where tools run.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Which role holds which permission.
    #[must_use]
    pub const fn grants(&self) -> &Grants {
        &self.grants
    }

    /// The skills.
    pub fn skills(&self) -> impl Iterator<Item = (&SkillName, &Skill)> {
        self.skills.iter()
    }

    /// The skill of this name and version.
    #[must_use]
    pub fn skill(&self, name: &SkillName) -> Option<&Skill> {
        self.skills.get(name)
    }

    /// Every tool with its versions, the lowest first.
    pub fn tools(&self) -> impl Iterator<Item = (&ToolId, &[Governed])> {
        self.tools.iter().map(|(id, versions)| (id, versions.as_slice()))
    }

    /// The tool of this name on the wire.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&ToolId> {
        self.names.get(name)
    }

    /// The tool of this id, with the version that `range` leads to. Where it leads to none, it is
    /// the highest, which the gate then refuses.
    #[must_use]
    pub fn resolve(&self, id: &ToolId, range: Option<&Range>) -> Option<&Governed> {
        let versions = self.tools.get(id)?;
        let every = Range::default();
        let stored = self.stored(id);
        let chosen = resolve(id.major(), &stored, range.unwrap_or(&every));
        versions.iter().find(|it| Some(it.record.version) == chosen).or_else(|| versions.last())
    }

    /// Whether calls of other tools ask what this one found.
    #[must_use]
    pub fn is_asked_for(&self, id: &ToolId) -> bool {
        let id = id.to_string();
        let mut needed = self.tools.values().flatten().flat_map(|it| &it.record.prerequisites);
        needed.any(|it| it.tool == id)
    }

    /// What a member of this name names, in arguments as in answers: what the scope fields of the
    /// records say of it.
    #[must_use]
    pub fn kind_of(&self, member: &str) -> Option<ScopeKind> {
        self.kinds.get(member).copied()
    }

    /// The stored versions of a tool.
    #[must_use]
    pub fn stored(&self, id: &ToolId) -> Vec<Stored> {
        self.tools.get(id).into_iter().flatten().map(Governed::stored).collect()
    }
}

/// What `name@version` names, where the snapshot was told to take it back.
fn withdrawn(text: &str) -> Option<(ToolId, Version)> {
    let (id, version) = text.split_once('@')?;
    Some((ToolId::parse(id)?, Version::parse(version)?))
}

fn id(files: &[File]) -> String {
    let bytes = assay_base::canonical::to_bytes(|slot| {
        slot.object(|object| {
            for (path, text) in files {
                object.key(path).string(text);
            }
        });
    });
    let hash = CallHash::of(&bytes).to_string();
    format!("snp_{}", hash.get(..16).unwrap_or_default())
}

#[derive(Default)]
struct Loader {
    tools: BTreeMap<ToolId, Vec<Governed>>,
    faults: Vec<Fault>,
    warnings: Vec<Fault>,
}

impl Loader {
    fn config(&mut self, files: &[File]) -> Config {
        match files.iter().find(|(path, _)| path == config::FILE) {
            Some((path, text)) => config::read(path, text).unwrap_or_else(|faults| {
                self.faults.extend(faults);
                Config::default()
            }),
            None => {
                let mend = "write at least `{\"upstreams\": {}}` into it";
                self.faults.push(Fault::new(config::FILE, "", "this file is missing", mend));
                Config::default()
            }
        }
    }

    fn records(&mut self, files: &[File]) {
        let records = files.iter().filter(|(path, _)| path.starts_with("tools/"));
        for (index, (path, text)) in records.enumerate() {
            if index >= MAX_RECORDS {
                let message = format!("there are more than {MAX_RECORDS} records");
                self.faults.push(Fault::new(path, "", message, "remove some"));
                return;
            }
            let governed = record::read(path, text).and_then(|loaded| {
                self.warnings.extend(loaded.warnings);
                Governed::new(path, loaded.record).map_err(|fault| vec![fault])
            });
            match governed {
                Ok(it) => self.tools.entry(it.record.tool_id.clone()).or_default().push(it),
                Err(faults) => self.faults.extend(faults),
            }
        }
        for versions in self.tools.values_mut() {
            versions.sort_by_key(|it| it.record.version);
        }
    }

    fn every(&self) -> impl Iterator<Item = &Governed> {
        self.tools.values().flatten()
    }

    fn together(&mut self, operator: Option<Operator<'_>>, own: &[Tool]) {
        let filed: Vec<Filed<'_>> = self
            .tools
            .values()
            .flatten()
            .map(|it| Filed { file: &it.file, record: &it.record })
            .collect();
        let faults = invariants::check(&filed, operator);
        let warnings = invariants::lint(&filed);
        let clashes = own::check(&filed, own);
        self.faults.extend(faults);
        self.faults.extend(clashes);
        self.warnings.extend(warnings);
    }

    /// A tool runs somewhere that is declared.
    fn places(&mut self, config: &Config) {
        let mut faults = Vec::new();
        for it in self.every() {
            let names_things = it.record.scope_fields.iter().any(|it| it.kind != ScopeKind::Org);
            if names_things && config.owner_lookup.is_none() {
                let message = "nothing says whose the things are that these fields name";
                let mend =
                    "name a tool as `owner_lookup` in registry.json, such as `name/owner_of`";
                faults.push(Fault::new(&it.file, "/scope_fields", message, mend));
            }
            let pointer = "/execution/upstream";
            match it.place() {
                None => {
                    let mend = "name an upstream of registry.json, such as `name` or `name/tool`";
                    faults.push(Fault::new(&it.file, pointer, "nothing carries this out", mend));
                }
                Some((upstream, tool)) => match config.upstreams.get(upstream) {
                    None => {
                        let message =
                            format!("registry.json has no upstream `{}`", printable(upstream));
                        faults.push(Fault::new(&it.file, pointer, message, "declare it there"));
                    }
                    Some(Place::Rest { tools, .. }) if !tools.contains_key(tool) => {
                        let message = format!(
                            "the upstream `{}` has no path for `{}`",
                            printable(upstream),
                            printable(tool)
                        );
                        let mend = "add it to `tools` of that upstream in registry.json";
                        faults.push(Fault::new(&it.file, pointer, message, mend));
                    }
                    Some(_) => {}
                },
            }
        }
        self.faults.extend(faults);
    }

    fn withdraw(&mut self, config: &Config) {
        for (index, text) in config.withdrawn.iter().enumerate() {
            let found = withdrawn(text).and_then(|(id, version)| {
                self.tools.get_mut(&id)?.iter_mut().find(|it| it.record.version == version)
            });
            match found {
                Some(it) => it.withdrawn = true,
                None => {
                    let message = format!("`{}` is no stored version", printable(text));
                    let pointer = format!("/withdrawn/{index}");
                    let mend = "write it as `id@version` of a record, or remove it";
                    self.faults.push(Fault::new(config::FILE, pointer, message, mend));
                }
            }
        }
    }

    fn skills(
        &mut self,
        files: &[File],
        own: &[Tool],
        grants: Option<&Grants>,
    ) -> BTreeMap<SkillName, Skill> {
        let mut skills = BTreeMap::new();
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with("skills/")) {
            match snapshot::skill::read((path, text), &self.tools, own, grants) {
                Ok((name, skill, warnings)) => {
                    self.warnings.extend(warnings);
                    if skills.insert(name, skill).is_some() {
                        let message = "another file binds the same version of this skill";
                        let mend = "keep one of the two";
                        self.faults.push(Fault::new(path, "/skill_version", message, mend));
                    }
                }
                Err(faults) => self.faults.extend(faults),
            }
        }
        skills
    }

    fn kinds(&self) -> BTreeMap<String, ScopeKind> {
        let fields = self.every().flat_map(|it| &it.record.scope_fields);
        let named = fields.filter_map(|field| {
            let is_name = |it: &&str| *it != "*" && it.parse::<usize>().is_err();
            let name = field.pointer.split('/').rfind(is_name)?;
            Some((name.replace("~1", "/").replace("~0", "~"), field.kind))
        });
        named.collect()
    }

    fn names(&self) -> BTreeMap<String, ToolId> {
        self.every().map(|it| (it.record.wire_name(), it.record.tool_id.clone())).collect()
    }
}
