//! Which doors are open.

use std::net::IpAddr;
use std::sync::Arc;

use assay_core::Service;
use assay_http::HttpSettings;
use axum::Router;

/// The routes of the HTTP doors, as the launch line names them.
pub(crate) const ROUTES: &str = "/mcp /v1 /review /health /version /docs /openapi.json /llms.txt";

/// MCP and REST side by side, for callers that name what is listened on, one of `hosts`, or what
/// this machine is called anyway.
pub(crate) fn router(service: &Arc<Service>, listening: IpAddr, hosts: &[String]) -> Router {
    let host = if listening.is_ipv6() { format!("[{listening}]") } else { listening.to_string() };
    let mut settings = HttpSettings::default();
    for host in hosts.iter().chain([&host]) {
        if !settings.hosts.contains(host) {
            settings = settings.and_host(host);
        }
    }
    // Whoever listens on every address of the machine is reached by each of them.
    settings.any_address = listening.is_unspecified();
    let mcp = assay_mcp_http::router(Arc::clone(service), &settings);
    assay_rest::router(Arc::clone(service), &settings).merge(mcp)
}
