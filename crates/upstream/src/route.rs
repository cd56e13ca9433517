//! Where the servers are, and what each of them is given.

use std::collections::BTreeMap;
use std::{error, fmt};

/// Text that stands in no log: only the server that it is meant for gets to see it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret")
    }
}

/// The HTTP method by which a REST tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Arguments go into the query.
    Get,
    /// Arguments are the JSON body.
    Post,
    /// Arguments are the JSON body.
    Put,
    /// Arguments are the JSON body.
    Patch,
    /// Arguments go into the query.
    Delete,
}

/// How a server is reached.
#[derive(Clone)]
pub enum Route {
    /// An MCP server that is started as a child and spoken to over its pipes.
    Stdio {
        /// The program: a path, or a name that is looked for in `PATH`.
        command: String,
        /// What follows the program's name.
        arguments: Vec<String>,
        /// What the child gets besides `PATH`, `HOME`, `TMPDIR` and `LANG`; it gets nothing else.
        environment: BTreeMap<String, Secret>,
    },
    /// An MCP server behind streamable HTTP.
    Http {
        /// The address of its one endpoint.
        url: String,
        /// Headers of every request, by name.
        headers: BTreeMap<String, Secret>,
    },
    /// An ordinary HTTP interface.
    Rest {
        /// The address that the paths of the tools continue.
        url: String,
        /// Headers of every request, by name.
        headers: BTreeMap<String, Secret>,
        /// The method and the path of each tool. `{name}` in a path stands for an argument.
        tools: BTreeMap<String, (Method, String)>,
    },
}

/// Names only: command lines and addresses can hold what is secret too.
impl fmt::Debug for Route {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { environment, .. } => {
                let names: Vec<&String> = environment.keys().collect();
                out.debug_struct("Stdio").field("environment", &names).finish_non_exhaustive()
            }
            Self::Http { headers, .. } => {
                let names: Vec<&String> = headers.keys().collect();
                out.debug_struct("Http").field("headers", &names).finish_non_exhaustive()
            }
            Self::Rest { headers, tools, .. } => {
                let names: Vec<&String> = headers.keys().collect();
                let mut rest = out.debug_struct("Rest");
                rest.field("headers", &names).field("tools", tools).finish_non_exhaustive()
            }
        }
    }
}

/// Why the servers cannot be served from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartError {
    /// A route cannot be followed.
    Route {
        /// The name of the upstream.
        upstream: String,
        /// What is wrong with its route, and what to write instead.
        fault: String,
    },
    /// The system gives no threads or no network.
    System(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Route { upstream, fault } => write!(out, "upstream `{upstream}`: {fault}"),
            Self::System(fault) => write!(out, "upstreams cannot be reached: {fault}"),
        }
    }
}

impl error::Error for StartError {}
