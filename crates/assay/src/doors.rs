//! Which doors are open.

use std::net::IpAddr;
use std::sync::Arc;

use assay_core::Service;
use assay_http::HttpSettings;
use axum::Router;

/// The routes of the HTTP doors, as the launch line names them.
pub(crate) const ROUTES: &str = "/mcp /v1 /review /health /version /docs /openapi.json /llms.txt";

/// MCP and REST side by side, for callers that name `host` or what this machine is called anyway.
pub(crate) fn router(service: &Arc<Service>, host: IpAddr) -> Router {
    let mut settings = HttpSettings::default();
    let host = if host.is_ipv6() { format!("[{host}]") } else { host.to_string() };
    if !settings.hosts.contains(&host) {
        settings.hosts.push(host.clone());
        settings.origins.push(format!("http://{host}:*"));
    }
    let mcp = assay_mcp_http::router(Arc::clone(service), &settings);
    assay_rest::router(Arc::clone(service), &settings).merge(mcp)
}
