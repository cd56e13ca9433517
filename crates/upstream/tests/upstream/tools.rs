//! The tools of the MCP server that the tests call.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};

/// What a server says where it must not be repeated.
pub(crate) const CANARY: &str = "canary-7f3a";

/// Clones are one server.
#[derive(Clone, Default)]
pub(crate) struct Tools {
    description: Arc<Mutex<String>>,
    cancelled: Arc<AtomicUsize>,
}

impl Tools {
    async fn call(
        &self,
        tool: &str,
        arguments: &JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let number = |name: &str| arguments.get(name).and_then(Value::as_u64).unwrap_or_default();
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let structured = CallToolResult::structured;
        Ok(match tool {
            "echo" => structured(json!({
                "arguments": arguments,
                "headers": headers(context),
                "meta": &context.meta.0.0,
            })),
            "environment" => structured(json!(std::env::vars().collect::<BTreeMap<_, _>>())),
            "pid" => structured(json!({ "pid": std::process::id() })),
            "offspring" => {
                let child = tokio::process::Command::new("sleep").arg("600").spawn().unwrap();
                structured(json!({ "pid": child.id() }))
            }
            "sleep" => {
                let time = Duration::from_millis(number("ms"));
                tokio::select! {
                    () = tokio::time::sleep(time) => {}
                    () = context.ct.cancelled() => {
                        self.cancelled.fetch_add(1, Ordering::SeqCst);
                    }
                }
                structured(json!({ "slept": number("ms") }))
            }
            "cancelled" => structured(json!({ "calls": self.cancelled.load(Ordering::SeqCst) })),
            "exit" => std::process::exit(3),
            "huge" => structured(json!({ "x": "x".repeat(number("bytes").try_into().unwrap()) })),
            "fail" => CallToolResult::error(vec![ContentBlock::text("no such matter")]),
            "text" => CallToolResult::success(vec![ContentBlock::text(text("text"))]),
            "nothing" => CallToolResult::success(Vec::new()),
            "describe" => {
                text("text").clone_into(&mut self.description.lock().unwrap());
                structured(json!({}))
            }
            _ => return Err(ErrorData::invalid_params(CANARY, None)),
        })
    }
}

fn headers(context: &RequestContext<RoleServer>) -> BTreeMap<String, String> {
    let parts = context.extensions.get::<http::request::Parts>();
    let headers = parts.into_iter().flat_map(|it| &it.headers);
    headers.map(|(name, it)| (name.to_string(), it.to_str().unwrap().to_owned())).collect()
}

fn tool(name: &'static str, description: String) -> Tool {
    let schema = json!({ "type": "object" });
    Tool::new(name, Cow::Owned(description), schema.as_object().unwrap().clone())
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.and_then(|it| it.cursor).is_some() {
            let description = self.description.lock().unwrap().clone();
            return Ok(ListToolsResult::with_all_items(vec![tool("text", description)]));
        }
        let first = vec![tool("echo", "Says what it was told.".to_owned())];
        let mut page = ListToolsResult::with_all_items(first);
        page.next_cursor = Some("second".to_owned());
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        self.call(&request.name, &arguments, &context).await.map(CallToolResponse::Complete)
    }
}
