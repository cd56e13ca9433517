//! The MCP door over streamable HTTP.

mod accept;
mod announce;
mod door;

use std::sync::Arc;

use assay_core::Service;
use assay_http::HttpSettings;
use axum::Router;

/// The door at `/mcp` and at `/mcp/{profile}`. No session lives in it, and both eras of the
/// protocol are answered.
pub fn router(service: Arc<Service>, settings: &HttpSettings) -> Router {
    door::router(service, settings)
}

#[cfg(test)]
mod tests;
