//! A caller at one of the doors.

use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, ErrorData};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use tokio::process::Child;
use tokio::runtime::Runtime;

use crate::firm::{Firm, get};
use crate::server::Server;

/// A door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Stdio,
    Http,
    Rest,
}

impl Door {
    pub(crate) const ALL: [Self; 3] = [Self::Stdio, Self::Http, Self::Rest];
}

/// Somebody who calls tools.
pub(crate) enum Client<'s> {
    Mcp(Box<Mcp>),
    Rest { server: &'s Server, headers: String },
}

/// A client of the protocol, with the process that it speaks to over pipes.
pub(crate) struct Mcp {
    service: RunningService<RoleClient, ()>,
    runtime: Runtime,
    child: Option<Child>,
}

/// Hangs up and waits until the process has ended by itself, so that its records are written.
impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.service.close());
        if let Some(child) = &mut self.child {
            let _ = self.runtime.block_on(child.wait());
        }
    }
}

impl<'s> Client<'s> {
    /// Goes to a door with a token; with none it is whoever is at the machine. What standard input
    /// and output lead to is a process of its own for this skill.
    pub(crate) fn enter(
        door: Door,
        firm: &Firm,
        server: &'s Server,
        (skill, token): (Option<&str>, Option<&str>),
    ) -> Self {
        if door == Door::Rest {
            let headers = token.map(|it| format!("authorization: Bearer {it}\r\n"));
            return Self::Rest { server, headers: headers.unwrap_or_default() };
        }
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(1).enable_all().build().unwrap();
        let (service, child) = runtime.block_on(async {
            if door == Door::Http {
                let url = format!("http://{}/mcp", server.address);
                let config = StreamableHttpClientTransportConfig::with_uri(url);
                let config = match token {
                    Some(token) => config.auth_header(token),
                    None => config,
                };
                let transport = StreamableHttpClientTransport::from_config(config);
                return (().serve(transport).await.unwrap(), None);
            }
            let mut stdio = firm.command(&["stdio", "--profile", firm.profile]);
            stdio.args(skill.iter().flat_map(|it| ["--skill", it]));
            stdio.envs(token.map(|it| ("ASSAY_SESSION", it)));
            let mut stdio = tokio::process::Command::from(stdio);
            stdio.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
            let mut child = stdio.spawn().unwrap();
            let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            (().serve(pipes).await.unwrap(), Some(child))
        });
        Self::Mcp(Box::new(Mcp { service, runtime, child }))
    }

    /// The answer: its payload, or what came in its place.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Value {
        match self {
            Self::Rest { server, headers } => {
                server.post(&format!("/v1/tools/{tool}"), headers, arguments)
            }
            Self::Mcp(it) => {
                let arguments = arguments.as_object().unwrap().clone();
                let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
                match it.runtime.block_on(it.service.call_tool(call)) {
                    Ok(result) => result.structured_content.unwrap(),
                    Err(ServiceError::McpError(ErrorData { data, .. })) => json!({ "error": data }),
                    Err(error) => panic!("{tool}: {error}"),
                }
            }
        }
    }

    /// The names of the tools that are listed.
    pub(crate) fn listed(&self) -> Vec<String> {
        match self {
            Self::Rest { server, headers } => {
                let tools = &get(server, "/v1/tools", headers)["tools"];
                let names = tools.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
                names.map(str::to_owned).collect()
            }
            Self::Mcp(it) => {
                let tools = it.runtime.block_on(it.service.list_all_tools()).unwrap();
                tools.into_iter().map(|it| it.name.into_owned()).collect()
            }
        }
    }
}
