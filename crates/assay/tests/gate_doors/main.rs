//! The gate through every door of the built command: over MCP by standard input and output and by
//! HTTP, and over REST, in front of a back end that is reached in each way there is.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where its setting fails"
)]

mod back_end;
mod client;
mod crashes;
mod facets;
mod firm;
mod flow;
mod lists;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../support/office.rs"]
mod office;
mod own;
mod parity;
mod refusals;
mod secrets;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../support/server.rs"]
mod server;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../support/mod.rs"]
mod support;
mod wire;
