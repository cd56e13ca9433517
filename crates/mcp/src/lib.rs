//! The MCP shape of the core: list, call, instructions, error codes.

mod codes;
mod exchange;
mod handler;
mod pages;
mod prompt;

pub use exchange::{Exchange, Incoming, Refused, encode};
pub use handler::Handler;
