//! The HTTP shape of the core.

mod call;
mod guard;
mod openapi;
mod pages;
mod routes;

use std::sync::Arc;

use assay_core::Service;
use axum::Router;

/// What the door accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestSettings {
    /// The hosts that a request may name, each with or without a port.
    pub hosts: Vec<String>,
    /// The origins that a browser may come from; `:*` stands for any port.
    pub origins: Vec<String>,
    /// The most bytes of a request body.
    pub max_body_bytes: usize,
}

impl Default for RestSettings {
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

/// Every route of the door. It answers unknown paths too, so it is the router that others are
/// merged into.
pub fn router(service: Arc<Service>, settings: RestSettings) -> Router {
    routes::router(service, settings)
}

#[cfg(test)]
mod tests;
