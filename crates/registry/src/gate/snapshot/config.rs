//! `registry.json`: where governed tools run. Secrets stand elsewhere and are only named here.

use std::collections::BTreeMap;

use assay_base::json::printable;
use serde::Deserialize;
use serde_json::Value;

use crate::gate::permission::{Cell, Grants, ROLES, is_own_resource};
use crate::gate::{Fault, shape};

/// The file.
pub(super) const FILE: &str = "registry.json";
const SCHEMA: &str = include_str!("../../../data/gate/registry.schema.json");

/// What `registry.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Config {
    /// Where tools run, by name.
    pub upstreams: BTreeMap<String, Place>,
    /// The tool, as `upstream/tool`, that finds out whose a thing is.
    pub owner_lookup: Option<String>,
    /// The ids of tools that may reach beyond the caller's organisation.
    #[serde(default)]
    pub unscoped: Vec<String>,
    /// Versions that are stored and never chosen, as `id@version`.
    #[serde(default)]
    pub withdrawn: Vec<String>,
    /// Permissions beside those of the practice, each with what roles have of it.
    #[serde(default)]
    pub grants: BTreeMap<String, BTreeMap<String, Grant>>,
}

impl Config {
    /// Which role holds which permission.
    pub(super) fn grants(&self) -> Grants {
        let row = |roles: &BTreeMap<String, Grant>| {
            ROLES.map(|role| roles.get(role).map_or(Cell::No, |it| it.cell(role)))
        };
        Grants::with(self.grants.iter().map(|(name, roles)| (name.clone(), row(roles))).collect())
    }
}

/// What a role has of a permission.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// All of it.
    Held,
    /// With the approval of somebody else of this role.
    ApprovedBy(String),
    /// With the signatures of two persons of the role.
    TwoSignatures,
}

impl Grant {
    fn cell(&self, role: &'static str) -> Cell {
        match self {
            Self::Held => Cell::Held,
            Self::ApprovedBy(by) => role_of(by).map_or(Cell::No, Cell::Approved),
            Self::TwoSignatures => Cell::Signed(role),
        }
    }
}

fn role_of(word: &str) -> Option<&'static str> {
    ROLES.into_iter().find(|it| *it == word)
}

/// Where tools run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Place {
    /// A program that is started and speaks MCP over its standard input and output.
    McpStdio {
        /// The program.
        command: Text,
        /// Its arguments.
        #[serde(default)]
        arguments: Vec<Text>,
        /// What it finds in its environment beside the few things that every program needs.
        #[serde(default)]
        environment: BTreeMap<String, Text>,
    },
    /// A server that speaks MCP over HTTP.
    McpHttp {
        /// Its address.
        url: Text,
        /// Headers of every request.
        #[serde(default)]
        headers: BTreeMap<String, Text>,
    },
    /// A server with a path for each tool.
    Rest {
        /// What the paths are relative to.
        url: Text,
        /// Headers of every request.
        #[serde(default)]
        headers: BTreeMap<String, Text>,
        /// The paths.
        tools: BTreeMap<String, RestRoute>,
    },
}

/// How one tool is reached over plain HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RestRoute {
    /// The method in capitals.
    pub method: String,
    /// The path, in which `{name}` stands for an argument.
    pub path: String,
}

/// A text, or where it is to be found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Text {
    /// In a variable of the environment.
    Env(String),
    /// In a file, without white space at its ends.
    File(String),
    /// Here.
    #[serde(untagged)]
    Plain(String),
}

pub(super) fn read(file: &str, text: &str) -> Result<Config, Vec<Fault>> {
    let value = shape::read(file, text, SCHEMA)?;
    let mut faults = lacking(file, &value);
    granted(file, &value, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    serde_json::from_value(value).map_err(|error| {
        vec![Fault::new(file, "", error.to_string(), "write it as its schema says")]
    })
}

/// What each kind of upstream needs beside the others.
fn lacking(file: &str, value: &Value) -> Vec<Fault> {
    let kinds = [
        ("mcp-stdio", &["command"][..], &["arguments", "environment"][..]),
        ("mcp-http", &["url"][..], &["headers"][..]),
        ("rest", &["url", "tools"][..], &["headers"][..]),
    ];
    let mut faults = Vec::new();
    let upstreams = value.get("upstreams").and_then(Value::as_object).into_iter().flatten();
    for (name, upstream) in upstreams {
        let members = upstream.as_object();
        let kind = upstream.get("kind").and_then(Value::as_str);
        let Some((kind, needed, allowed)) = kinds.iter().find(|(it, ..)| Some(*it) == kind) else {
            continue;
        };
        for field in needed.iter().filter(|it| members.is_none_or(|all| !all.contains_key(**it))) {
            let message = format!("an upstream of kind `{kind}` needs `{field}`");
            let pointer = format!("/upstreams/{name}/{field}");
            faults.push(Fault::new(file, pointer, message, "state it"));
        }
        let known = |it: &str| it == "kind" || needed.contains(&it) || allowed.contains(&it);
        for field in members.into_iter().flatten().map(|(key, _)| key).filter(|it| !known(it)) {
            let message = format!("an upstream of kind `{kind}` has no `{field}`");
            let pointer = format!("/upstreams/{name}/{field}");
            faults.push(Fault::new(file, pointer, message, "remove it"));
        }
    }
    faults
}

/// Permissions of the operator's own, held by roles that there are.
fn granted(file: &str, value: &Value, faults: &mut Vec<Fault>) {
    let grants = value.get("grants").and_then(Value::as_object).into_iter().flatten();
    for (permission, roles) in grants {
        let pointer = format!("/grants/{permission}");
        let resource = permission.split(':').next().unwrap_or_default();
        if is_own_resource(resource) {
            let message = format!("the permissions of `{resource}` are the product's own");
            let mend = "give it another name, such as `wiki:read`";
            faults.push(Fault::new(file, &pointer, message, mend));
        }
        let mut hold = |pointer: String, role: &str| {
            if role_of(role).is_none() {
                let message = format!("`{}` is no role", printable(role));
                let mend = format!("use one of {}", ROLES.join(", "));
                faults.push(Fault::new(file, pointer, message, mend));
            }
        };
        for (role, grant) in roles.as_object().into_iter().flatten() {
            let place = format!("{pointer}/{role}");
            if let Some(by) = grant.get("approved_by").and_then(Value::as_str) {
                hold(format!("{place}/approved_by"), by);
            }
            hold(place, role);
        }
    }
}
