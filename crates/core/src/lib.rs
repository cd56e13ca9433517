//! The service: one function per tool, admitted, run, recorded, returned as canonical bytes.

mod caller;
pub mod docs;
mod failure;
mod input;
mod problem;
mod reply;
mod rulesets;
mod service;
mod table;
mod tools;
mod versions;

pub use assay_base::Code;
pub use assay_engine::{Cancel, Settings as EngineSettings};
pub use assay_registry::Tool;
pub use caller::{Caller, Door};
pub use reply::{Reply, Started, Work};
pub use service::{Data, OpenError, Service, Settings};
