//! Calls of real servers: children, MCP over HTTP, and REST.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]
#![expect(clippy::indexing_slicing, reason = "what a test cannot do without fails the test")]
#![expect(clippy::disallowed_methods, reason = "it measures how long callers wait")]

mod http;
mod rest;
mod site;
mod stdio;
mod support;
mod tools;
