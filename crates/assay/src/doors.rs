//! Which doors are open.

use std::net::IpAddr;
use std::sync::Arc;

use assay_core::Service;
use assay_mcp_http::HttpSettings;
use assay_rest::RestSettings;
use axum::Router;

/// The routes of the HTTP doors, as the launch line names them.
pub(crate) const ROUTES: &str = "/mcp /v1 /health /version /docs /openapi.json /llms.txt";

/// MCP and REST side by side, for callers that name `host` or what this machine is called anyway.
pub(crate) fn router(service: &Arc<Service>, host: IpAddr) -> Router {
    let (mut mcp, mut rest) = (HttpSettings::default(), RestSettings::default());
    let host = if host.is_ipv6() { format!("[{host}]") } else { host.to_string() };
    for (hosts, origins) in
        [(&mut mcp.hosts, &mut mcp.origins), (&mut rest.hosts, &mut rest.origins)]
    {
        if !hosts.contains(&host) {
            hosts.push(host.clone());
            origins.push(format!("http://{host}:*"));
        }
    }
    let mcp = assay_mcp_http::router(Arc::clone(service), mcp);
    assay_rest::router(Arc::clone(service), rest).merge(mcp)
}
