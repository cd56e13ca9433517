//! The service: one function per tool, admitted, run, recorded, returned as canonical bytes.

mod admission;
mod audit;
mod caller;
mod desk;
pub mod docs;
mod ending;
mod failure;
mod gateway;
mod governance;
mod health;
mod input;
mod instructions;
mod invitations;
mod label;
mod ledger;
mod meter;
mod names;
mod operator;
mod origin;
mod problem;
mod reply;
mod rulesets;
mod service;
mod sessions;
mod summaries;
mod switches;
mod table;
mod tally;
mod tools;
mod units;
mod versions;
mod world;

pub use admission::Lists;
pub use assay_audit::{
    Checkpoint, Event, Finding, FindingKind, Record, RecordFault, Report, VerifyingKey,
};
pub use assay_base::{Code, SecretDigest};
pub use assay_engine::{Cancel, Settings as EngineSettings};
pub use assay_registry::gate;
pub use assay_registry::gate::snapshot::{Governed, SkillName, Snapshot};
pub use assay_registry::gate::switch::Target;
pub use assay_registry::{Catalog, Facet, Fault as ProfileFault, Profile, Scope, Scopes, Tool};
pub use assay_store::{
    AuditChain, AuditFound, AuditRow, AuditSought, Lift, ListedKey, Person, PracticeRole, Stop,
    Word,
};
pub use audit::{AuditLog, Copies, Verified};
pub use caller::{Caller, Credentials, Door};
pub use gateway::{Drafts, Limits, Prompt, Prompted, RegistrySource, draft, read_registry};
pub use governance::{LiveDefinition, StageWord};
pub use instructions::HeadSource;
pub use ledger::{
    AuditSettings, AuditStatus, INSTALLATION, Ledger, OnFailure, Sealer, Unavailable,
};
pub use operator::{IssuedKey, KeyRequest, OperatorError};
pub use origin::Origin;
pub use reply::{Reply, Started, Work};
pub use service::{Access, Data, OpenError, Service, Settings};
pub use world::World;
