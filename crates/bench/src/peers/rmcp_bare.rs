//! rmcp without Assay: a handler with one tool, served as the product serves its own.

use std::sync::Arc;

use axum::Router;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::{RoleServer, ServerHandler};

/// What the tool answers.
#[derive(Debug, Clone)]
pub(crate) enum BareTool {
    /// Its arguments as text.
    Echo,
    /// Always this text.
    Constant(Arc<str>),
}

impl ServerHandler for BareTool {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = match self {
            Self::Echo => {
                let mut bytes = Vec::new();
                serde_json::to_writer(&mut bytes, &request.arguments)
                    .map_err(|it| ErrorData::internal_error(it.to_string(), None))?;
                String::from_utf8(bytes)
                    .map_err(|it| ErrorData::internal_error(it.to_string(), None))?
            }
            Self::Constant(text) => str::to_owned(text),
        };
        let result = CallToolResult::success(vec![ContentBlock::text(text)]);
        Ok(CallToolResponse::Complete(result))
    }
}

impl BareTool {
    /// The tool at `/mcp`, without sessions and with plain JSON answers.
    pub(crate) fn router(self) -> Router {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true);
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(self.clone()), sessions, config);
        Router::new().route_service("/mcp", service)
    }
}
