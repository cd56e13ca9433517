//! Everything kept: rulesets with their names and approvals, workspaces and who may use them.
//!
//! One SQLite file in write-ahead mode. A write that was acknowledged is on the disk: it survives a
//! killed process and a power cut. All SQL of the product stands in this crate, one module per
//! concern, so that another back end would be another set of these modules.

mod approvals;
mod audit;
mod connect;
mod converters;
mod credentials;
mod error;
mod labels;
mod names;
mod refusal;
mod rulesets;
mod schema;
mod store;
mod teams;
#[cfg(test)]
mod testing;
mod usage;
mod watch;
mod workspaces;

pub use approvals::{Approval, MAX_APPROVALS, Recorded, Sign};
pub use audit::{
    AuditChain, AuditCheckpoint, AuditFound, AuditHead, AuditRow, AuditSought, MAX_AUDIT_ROWS,
};
pub use converters::Converter;
pub use credentials::{Credential, ListedKey, MAX_KEYS, NewCredential};
pub use error::StoreError;
pub use labels::Label;
pub use names::{Listed, MAX_CHAIN, MAX_NAMES, Named, Save, Saved};
pub use refusal::Refusal;
pub use rulesets::{Lineage, Stored};
pub use store::{FILE_NAME, Store};
pub use teams::{Invitation, MAX_INVITATIONS, MAX_MEMBERS, MAX_TEAMS, Member};
pub use usage::Charge;
pub use workspaces::{PERSONAL, Person, PersonId, Role, Workspace, WorkspaceId};
