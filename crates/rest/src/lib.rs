//! The HTTP shape of the core.

mod arguments;
mod call;
mod desk;
mod openapi;
mod pages;
mod routes;
mod table;

use std::sync::Arc;

use assay_core::Service;
use assay_http::HttpSettings;
use axum::Router;

/// Every route of the door. It answers unknown paths too, so it is the router that others are
/// merged into.
pub fn router(service: Arc<Service>, settings: &HttpSettings) -> Router {
    routes::router(service, settings)
}

#[cfg(test)]
mod tests;
