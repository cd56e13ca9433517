//! The MCP door over streamable HTTP.

mod door;

use std::sync::Arc;

use assay_core::Service;
use axum::Router;

/// What the door accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// The hosts that a request may name, each with or without a port.
    pub hosts: Vec<String>,
    /// The origins that a browser may come from; `:*` stands for any port.
    pub origins: Vec<String>,
    /// The most bytes of a request body.
    pub max_body_bytes: usize,
}

impl Default for HttpSettings {
    /// This machine alone, and bodies up to 1 MiB.
    fn default() -> Self {
        let hosts = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            hosts: hosts.map(str::to_owned).to_vec(),
            origins: hosts.map(|host| format!("http://{host}:*")).to_vec(),
            max_body_bytes: 1024 * 1024,
        }
    }
}

/// The door at `/mcp` and at `/mcp/{profile}`. No session lives in it, and both eras of the
/// protocol are answered.
pub fn router(service: Arc<Service>, settings: HttpSettings) -> Router {
    door::router(service, settings)
}

#[cfg(test)]
mod tests;
