//! Carries a governed call to the server behind it, and its answer back.
//!
//! Whoever calls waits: the functions block, and the runtime below is this crate's own. What a
//! failed call says is exact about one thing, namely whether the server may have acted on it.
//! Nothing here decides whether a call may be made, and nothing is sent again that a server may
//! have acted on.

mod call;
mod child;
mod circuit;
mod connection;
mod exchange;
mod failure;
mod http;
mod rest;
mod route;
mod template;
mod upstream;
mod upstreams;

pub use call::{Answer, Call, CallError, Context, Definition};
pub use circuit::{REST_SECONDS, State};
pub use route::{Method, Route, Secret, StartError};
pub use upstreams::Upstreams;
