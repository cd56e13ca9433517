//! Drafts of a registry for servers that are there already: a record for each of their tools, a
//! skill that lists them, a profile that reads them, and who may call them. They are for people to
//! read and to change: what may change something is for partners alone until somebody says
//! otherwise.

mod grants;

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use assay_registry::gate::record::ToolId;
use assay_registry::gate::switch::OWN_CATEGORIES;
use assay_registry::{Facet, Family};
use assay_upstream::Definition;
use serde_json::{Map, Value, json};

use crate::gateway::live::{Loaded, RegistrySource, open_once};

const CONFIG: &str = "registry.json";
/// How long a server may take to say which tools it has.
const WITHIN: Duration = Duration::from_secs(20);
/// For how long a draft takes two equal calls for one, in seconds.
const SAME_FOR: u32 = 60;
/// The fewest and the most characters of a description.
const DESCRIPTION: [usize; 2] = [20, 2_000];

/// What there is to write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drafts {
    /// Each file with its path within the folder and its text, in the order in which they may be
    /// written while somebody reads the folder.
    pub files: Vec<(String, String)>,
    /// The permissions that `registry.json` comes to grant, each with who holds it.
    pub granted: Vec<String>,
    /// Tools for which nobody can write a draft, and why.
    pub left_out: Vec<String>,
}

/// Drafts for the tools of the server called `upstream` in the folder's `registry.json`. Files that
/// the folder has already are not among them, but for `registry.json` where it gains permissions.
///
/// # Errors
/// Each reason as one line.
pub fn draft(source: &RegistrySource, upstream: &str) -> Result<Drafts, Vec<String>> {
    let loaded = open_once(source)?;
    if !loaded.snapshot.config().upstreams.contains_key(upstream) {
        let known: Vec<&str> =
            loaded.snapshot.config().upstreams.keys().map(String::as_str).collect();
        return Err(vec![format!(
            "registry.json has no upstream `{upstream}`; it has `{}`",
            known.join("`, `")
        )]);
    }
    if OWN_CATEGORIES.contains(&upstream) {
        let why = "is a category of the product's own tools: give the server another name";
        return Err(vec![format!("registry.json#/upstreams/{upstream}: `{upstream}` {why}")]);
    }
    let definitions = loaded.upstreams.definitions(upstream, WITHIN);
    let definitions = definitions.map_err(|it| vec![format!("`{upstream}`: {it}")])?;
    if definitions.is_empty() {
        return Err(vec![format!("`{upstream}` lists no tools: write its records by hand")]);
    }
    let mut drafts = Drafts::default();
    let mut ids = Vec::new();
    let mut needed = BTreeSet::new();
    for (name, definition) in &definitions {
        let id = id(upstream, name);
        match record(upstream, name, &id, definition) {
            Ok(record) => {
                if drafts.offer(&loaded, source, format!("tools/{id}.json"), &record) {
                    needed.insert(grants::permission(upstream, definition.is_read));
                }
                ids.push(id);
            }
            Err(why) => drafts.left_out.push(format!("{name}: {why}")),
        }
    }
    let skill = json!({ "skill": upstream, "skill_version": "1.0", "permitted_tools": ids });
    drafts.offer(&loaded, source, format!("skills/{upstream}.json"), &skill);
    drafts.offer(&loaded, source, format!("profiles/{upstream}.json"), &profile(upstream));
    drafts.grant(&loaded, source, &needed)?;
    Ok(drafts)
}

impl Drafts {
    /// Whether the file is one to write.
    fn offer(
        &mut self,
        loaded: &Loaded,
        source: &RegistrySource,
        path: String,
        value: &Value,
    ) -> bool {
        let is_known = loaded.snapshot.tools().flat_map(|it| it.1).any(|it| it.file == path);
        let is_new = !is_known && !source.folder.join(&path).exists();
        if is_new {
            self.files.push((path, format!("{value:#}\n")));
        }
        is_new
    }

    /// Has `registry.json` say who holds what the records need. It comes first, since a record
    /// whose permission nobody can hold does not load.
    fn grant(
        &mut self,
        loaded: &Loaded,
        source: &RegistrySource,
        needed: &BTreeSet<String>,
    ) -> Result<(), Vec<String>> {
        let lacking = grants::lacking(needed, loaded.snapshot.grants());
        if lacking.is_empty() {
            return Ok(());
        }
        let text = fs::read_to_string(source.folder.join(CONFIG))
            .map_err(|it| vec![format!("{CONFIG}: cannot be read: {it}")])?;
        let text = grants::added(&text, &lacking);
        let text = text.ok_or_else(|| vec![format!("{CONFIG}: is no JSON object any more")])?;
        self.files.insert(0, (CONFIG.to_owned(), text));
        let held = |roles: &Value| {
            let roles = roles.as_object().into_iter().flatten();
            roles.map(|(role, _)| role.as_str()).collect::<Vec<_>>().join(" and ")
        };
        let line = |(name, roles): (&String, &Value)| format!("{name} to {}", held(roles));
        self.granted = lacking.iter().map(line).collect();
        Ok(())
    }
}

/// The id of a tool: `notes.add-note` for `add_note` of the server `notes`.
fn id(upstream: &str, name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' })
        .collect();
    let words: Vec<&str> = plain.split('-').filter(|it| !it.is_empty()).collect();
    let rest = words.join("-");
    let starts_well = rest.starts_with(|it: char| it.is_ascii_lowercase());
    if starts_well { format!("{upstream}.{rest}") } else { format!("{upstream}.tool-{rest}") }
}

/// The name of a tool for the model.
fn wire(name: &str) -> Result<String, String> {
    let plain = |it: char| if it.is_ascii_alphanumeric() || it == '_' { it } else { '_' };
    let wire: String = name.chars().map(plain).take(64).collect();
    if Family::of(&wire) != Family::Upstream {
        let why = "its name is like one of the product's own tools: write its record by hand, \
                   with another name";
        return Err(why.to_owned());
    }
    Ok(wire)
}

fn record(upstream: &str, name: &str, id: &str, it: &Definition) -> Result<Value, String> {
    if ToolId::parse(id).is_none() || id.len() > 120 {
        return Err("no id can be made of its name: write its record by hand".to_owned());
    }
    let empty = Map::new();
    let fields = it.input_schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let plain = |name: &&String| {
        let mut letters = name.chars();
        let first = letters.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_');
        first && letters.all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    let key: Vec<&str> = fields.keys().filter(plain).map(String::as_str).collect();
    if !it.is_read && key.is_empty() {
        let why = "it may change something, and no argument tells two calls apart: write its \
                   record by hand";
        return Err(why.to_owned());
    }
    let classes: Map<String, Value> =
        fields.keys().map(|it| (it.clone(), json!("internal"))).collect();
    let said = it.description.as_deref().unwrap_or_default().trim();
    let mut description: String = said.chars().take(DESCRIPTION[1]).collect();
    if description.chars().count() < DESCRIPTION[0] {
        description = format!("The tool {name} of the server {upstream}. {description}");
    }
    let place = format!("{upstream}/{name}");
    let execution = match it.is_read {
        true => json!({ "upstream": place }),
        false => json!({ "upstream": place, "idempotency_ttl_s": SAME_FOR }),
    };
    let wire = wire(name)?;
    Ok(json!({
        "tool_id": id,
        "name": wire,
        "description": description.trim(),
        "category": upstream,
        "version": "1.0",
        "enabled": true,
        "kill_switch": false,
        "input_schema": it.input_schema,
        "output_schema": it.output_schema,
        "permissions_required": [grants::permission(upstream, it.is_read)],
        "org_scoped": true,
        "rate_limit": { "requests_per_minute": 60 },
        "latency_slo_ms": 10_000,
        "idempotency_key": if it.is_read { Value::Null } else { json!(key.join(" + ")) },
        "side_effects": if it.is_read { json!([]) } else { json!(["may change something"]) },
        "rollback_support": false,
        "legal_safety_notes": "",
        "effect": if it.is_read { "read" } else { "write" },
        "execution": execution,
        "audit": { "fields": classes, "output_summary": [] },
        "definition_hash": it.digest,
    }))
}

/// A profile that reads the tools of the server and nothing else.
fn profile(upstream: &str) -> Value {
    let served = [Facet::Reference, Facet::Execution, Facet::Editing];
    let reason = "this installation serves the tools of one server";
    let denied = Facet::ALL.iter().filter(|it| !served.contains(it));
    let denied: Map<String, Value> =
        denied.map(|it| (it.word().to_owned(), json!(reason))).collect();
    json!({
        "facets": { "allow": served.map(Facet::word), "deny": denied },
        "rulesets": false,
        "packages": [],
        "upstream": [upstream],
    })
}

#[cfg(test)]
mod tests {
    use super::wire;

    #[test]
    fn names_for_the_model_are_none_of_the_products_own() {
        for (name, expected) in [
            ("add-note", Some("add_note")),
            ("notes.law_add", Some("notes_law_add")),
            ("law.add", None),
            ("dsail-check", None),
            ("list.spam.senders", None),
        ] {
            assert_eq!(wire(name).ok().as_deref(), expected, "{name}");
        }
    }
}
