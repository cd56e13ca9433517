//! Calls of real servers: children, MCP over HTTP, and REST.

mod http;
mod rest;
mod site;
mod stdio;
mod support;
mod tools;
