//! The MCP server that the tests start as a child.
//!
//! `DELAY_MS` in its environment makes it slow to start, `STUBBORN` makes it stay when told to go.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::time::Duration;

use rmcp::ServiceExt as _;
use tokio::signal::unix::{SignalKind, signal};

#[path = "../tests/upstream/tools.rs"]
mod tools;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let setting =
        |name: &str| std::env::vars().find_map(|(it, value)| (it == name).then_some(value));
    let is_stubborn = setting("STUBBORN").is_some();
    let _term = is_stubborn.then(|| signal(SignalKind::terminate()));
    let delay = setting("DELAY_MS").and_then(|it| it.parse().ok()).unwrap_or_default();
    tokio::time::sleep(Duration::from_millis(delay)).await;
    eprintln!("{}", format!("{} ", tools::CANARY).repeat(8192));
    if let Ok(service) = tools::Tools::default().serve(rmcp::transport::stdio()).await {
        let _ = service.waiting().await;
    }
    if is_stubborn {
        std::future::pending::<()>().await;
    }
}
