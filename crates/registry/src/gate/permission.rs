//! Which role holds which permission, on which condition, and what a session must be.
//!
//! Roles are sets and no ladder: finance staff stand neither above nor below an associate, and an
//! administrator holds nothing of the practice.

mod grants;
#[cfg(test)]
mod tests;

use assay_base::Timestamp;
use serde_json::json;

use crate::gate::record::{Approval, Effect, Principal, Record};
use crate::gate::{Code, Refusal};
use crate::scope::{Scope, Scopes};

use Cell::{Approved, Held, No, Signed};

pub use grants::{Cell, GRANTS, Grants, PRACTICE, ROLES, Row, is_own_resource};

/// What the permissions begin with that a credential carries, and no role gives.
pub const SCOPE: &str = "scope:";

/// For how long an approval counts that a grant asks for.
pub const TTL_SECONDS: u32 = 86_400;

/// What a credential must carry for a call of the tool: what the record names, else what follows
/// from its effect.
#[must_use]
pub fn scope(record: &Record) -> Scope {
    let named = record.permissions_required.iter().filter_map(|it| it.strip_prefix(SCOPE));
    let follows = if record.effect() == Effect::Read { Scope::Read } else { Scope::Write };
    named.filter_map(Scope::parse).max().unwrap_or(follows)
}

/// Who calls, as far as permissions go.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'s> {
    /// Which role holds which permission.
    pub grants: &'s Grants,
    /// The roles; those that nobody knows count for nothing.
    pub roles: &'s [&'s str],
    /// Whether a person stands behind the session, and not a service.
    pub is_person: bool,
    /// When the person signed in.
    pub signed_in_at: Timestamp,
    /// What the credential lets its bearer do.
    pub scopes: Scopes,
    /// What the token is limited to; none for no limit.
    pub token: Option<&'s [&'s str]>,
    /// What the skill is limited to; none for no limit.
    pub skill: Option<&'s [&'s str]>,
}

impl Holder<'_> {
    /// What this caller has of a permission, within the limits of the token and the skill. What
    /// the credential carries is no matter of roles and skills.
    fn has(&self, permission: &str) -> Cell {
        if let Some(word) = permission.strip_prefix(SCOPE) {
            let has = Scope::parse(word).is_some_and(|it| self.scopes.contains(it));
            return if has { Held } else { No };
        }
        let within = |limit: Option<&[&str]>| limit.is_none_or(|it| it.contains(&permission));
        if within(self.token) && within(self.skill) {
            self.grants.held(permission, self.roles)
        } else {
            No
        }
    }
}

/// Holds the caller to the permissions and to the session that the tool needs, and returns the
/// approvals that the caller's grants ask for beside the record's own.
///
/// # Errors
/// `PERMISSION_DENIED` with what is missing and the roles that have it, else
/// `ROLE_SESSION_REQUIRED` with what the session must be.
pub fn check(
    record: &Record,
    holder: &Holder<'_>,
    now: Timestamp,
) -> Result<Vec<Approval>, Refusal> {
    let scope = scope(record).permission();
    let needed = record.permissions_required.iter().map(String::as_str);
    let needed = needed.filter(|it| *it != scope).chain([scope]);
    let missing: Vec<&str> = needed.filter(|it| holder.has(it) == No).collect();
    if !missing.is_empty() {
        let helps = |role: &&str| missing.iter().all(|it| holder.grants.held(it, &[role]) != No);
        let helpers: Vec<&str> = ROLES.into_iter().filter(helps).collect();
        let details = [("missing", json!(missing)), ("who_can_help", json!(helpers))];
        return Err(Refusal::new(Code::PermissionDenied, details));
    }
    let session = &record.session_requirements;
    let person = session.principal == Principal::Any || holder.is_person;
    let role = session.roles_any.is_empty()
        || session.roles_any.iter().any(|it| holder.roles.contains(&it.as_str()));
    let fresh = session.max_auth_age_s.is_none_or(|limit| {
        // A sign-in that lies ahead of the clock is no fresh one: the clock or the token is wrong.
        let age = now.seconds().saturating_sub(holder.signed_in_at.seconds());
        (0..=i64::from(limit)).contains(&age)
    });
    if !(person && role && fresh) {
        let details = [
            ("roles_any", json!(session.roles_any)),
            ("max_auth_age_s", json!(session.max_auth_age_s)),
        ];
        return Err(Refusal::new(Code::RoleSessionRequired, details));
    }
    let needed = record.permissions_required.iter();
    Ok(needed.filter_map(|it| approval(holder.has(it))).collect())
}

/// Every rule of approval that a call by a holder of `roles` meets: the record's own, and those that
/// the grants of these roles ask for.
#[must_use]
pub fn approvals(record: &Record, grants: &Grants, roles: &[&str]) -> Vec<Approval> {
    let excused =
        |it: &Approval| it.unless_requester_role.iter().any(|it| roles.contains(&it.as_str()));
    let needed = record.permissions_required.iter();
    let granted = needed.filter_map(|it| approval(grants.held(it, roles)));
    granted.chain(record.approval.clone()).filter(|it| !excused(it)).collect()
}

/// The approval that a condition stands for.
fn approval(cell: Cell) -> Option<Approval> {
    let (count, role, exclude_requester) = match cell {
        No | Held => return None,
        Approved(role) => (1, role, true),
        Signed(role) => (2, role, false),
    };
    Some(Approval {
        count,
        roles_any: vec![role.to_owned()],
        exclude_requester,
        unless_requester_role: Vec::new(),
        ttl_s: TTL_SECONDS,
    })
}
