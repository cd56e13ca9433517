//! Which permissions there are, and what each role has of them: those of the practice, which are
//! part of the program, and those that an operator adds for tools of other servers.

use std::collections::BTreeMap;

use crate::scope::Scope;

use Cell::{Approved, Held, No, Signed};

/// The roles that hold permissions, in the order of the columns of [`GRANTS`].
pub const ROLES: [&str; 4] = ["associate", "partner", "finance", "admin"];

/// What one role has of one permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    No,
    /// All of it.
    Held,
    /// With the approval of one person of this role, who is not the one who asks.
    Approved(&'static str),
    /// With the signatures of two persons of this role, which is the role itself.
    Signed(&'static str),
}

impl Cell {
    /// How much it takes; the less, the better for whoever asks.
    pub(crate) const fn rank(self) -> u8 {
        match self {
            Held => 0,
            Approved(_) => 1,
            Signed(_) => 2,
            No => 3,
        }
    }
}

/// What each of [`ROLES`] has of one permission.
pub type Row = [Cell; ROLES.len()];

/// Every permission of the practice, and what each of [`ROLES`] has of it.
pub const GRANTS: &[(&str, Row)] = &[
    ("matter:read", [Held, Held, No, No]),
    ("client:read", [Held, Held, No, No]),
    ("client:create", [Held, Held, No, No]),
    ("billing:read", [Held, Held, Held, No]),
    ("matter:create", [Approved("partner"), Held, No, No]),
    ("matter:delete", [No, Held, No, No]),
    ("billing:write", [No, Held, Held, No]),
    ("trust-account:read", [No, Held, Held, No]),
    ("trust-account:write", [No, No, Signed("finance"), No]),
    ("admin:*", [No, No, No, Held]),
];

/// Whether the permissions of `resource` are the product's own, as `matter` is of `matter:read`.
/// They grow with the product alone, so that nothing an operator added changes its meaning.
#[must_use]
pub fn is_own_resource(resource: &str) -> bool {
    let mut own = GRANTS.iter().filter_map(|(name, _)| name.split(':').next());
    super::SCOPE.strip_suffix(':') == Some(resource) || own.any(|it| it == resource)
}

/// The permissions of the practice and those that an operator added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants(BTreeMap<String, Row>);

/// The permissions of the practice alone.
pub static PRACTICE: Grants = Grants(BTreeMap::new());

impl Grants {
    /// The permissions of the practice and these. One that is called like one of the practice's own
    /// changes nothing.
    #[must_use]
    pub const fn with(added: BTreeMap<String, Row>) -> Self {
        Self(added)
    }

    /// The permissions that were added.
    pub fn added(&self) -> impl Iterator<Item = (&str, &Row)> {
        self.0.iter().map(|(name, row)| (name.as_str(), row))
    }

    /// Whether `permission` is one that some role may hold, or some credential carry.
    #[must_use]
    pub fn is_known(&self, permission: &str) -> bool {
        let scope = permission.strip_prefix(super::SCOPE).and_then(Scope::parse);
        scope.is_some() || self.row(permission).is_some()
    }

    /// The row of a permission; `admin:*` stands for every action of an administrator.
    fn row(&self, permission: &str) -> Option<&Row> {
        let name = if permission.starts_with("admin:") { "admin:*" } else { permission };
        let own = GRANTS.iter().find(|(it, _)| *it == name).map(|(_, row)| row);
        own.or_else(|| self.0.get(permission))
    }

    /// What a holder of `roles` has of `permission`: the best that one of them has.
    #[must_use]
    pub fn held(&self, permission: &str, roles: &[&str]) -> Cell {
        let cells = self.row(permission).into_iter().flatten().zip(ROLES);
        let own = cells.filter(|(_, role)| roles.contains(role)).map(|(cell, _)| *cell);
        own.min_by_key(|cell| cell.rank()).unwrap_or(No)
    }
}
