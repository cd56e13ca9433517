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
mod evidence;
mod governed;
mod labels;
mod names;
mod outcomes;
mod practice_roles;
mod refusal;
mod requests;
mod rulesets;
mod schema;
mod stops;
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
pub use credentials::{Bound, Credential, ListedKey, MAX_KEYS, NewCredential};
pub use error::StoreError;
pub use evidence::{Evidence, Found, MAX_EVIDENCE, Sought};
pub use governed::{Arrival, Departure, Left};
pub use labels::Label;
pub use names::{Listed, MAX_CHAIN, MAX_NAMES, Named, Save, Saved};
pub use outcomes::{Outcome, OutcomeKey, OutcomeState};
pub use practice_roles::{MAX_PRACTICE_ROLES, PracticeRole};
pub use refusal::Refusal;
pub use requests::{MAX_REQUESTS, Request, RequestState, Said, Word};
pub use rulesets::{Lineage, Stored};
pub use stops::{Lift, MAX_STOPS, Stop};
pub use store::{FILE_NAME, Store};
pub use teams::{Invitation, MAX_INVITATIONS, MAX_MEMBERS, MAX_TEAMS, Member};
pub use usage::Charge;
pub use workspaces::{PERSONAL, Person, PersonId, Role, Workspace, WorkspaceId};
