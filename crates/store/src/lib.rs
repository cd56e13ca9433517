//! Everything kept: ruleset sources by hash, durable before they are acknowledged.
//!
//! One SQLite file in write-ahead mode. A write that was acknowledged is on the disk: it survives a
//! killed process and a power cut. All SQL of the product stands in this crate, one module per
//! concern, so that another back end would be another set of these modules.

mod connect;
mod error;
mod rulesets;
mod schema;
mod store;

pub use error::StoreError;
pub use rulesets::{Lineage, Stored};
pub use store::{FILE_NAME, Store};
