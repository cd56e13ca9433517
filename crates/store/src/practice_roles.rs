//! Roles of a practice: what a person is to governed tools within one workspace.

use rusqlite::Connection;

use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::workspaces::{PersonId, WorkspaceId};

/// Most roles of one person in one workspace.
pub const MAX_PRACTICE_ROLES: u32 = 16;

/// One role of one person.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PracticeRole {
    /// The address of the workspace.
    pub workspace: String,
    /// The subject of the person.
    pub person: String,
    /// The role, a word that this crate does not interpret.
    pub role: String,
}

impl Store {
    /// Gives a person a role; one that the person has already changes nothing.
    ///
    /// # Errors
    /// [`Refusal::TooMany`], and the errors that name a file.
    pub fn grant_practice_role(
        &self,
        workspace: WorkspaceId,
        person: PersonId,
        role: &str,
    ) -> Result<(), StoreError> {
        self.write_watched(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT OR IGNORE INTO practice_role (workspace, person, role)
                     VALUES (?1, ?2, ?3)",
                )?
                .execute((workspace.0, person.0, role))?;
            let held = of(transaction, workspace, person)?.len();
            let limit = MAX_PRACTICE_ROLES;
            if u32::try_from(held).unwrap_or(u32::MAX) > limit {
                return Err(Refusal::TooMany { what: "roles", limit }.into());
            }
            Ok(())
        })
    }

    /// Takes a role from a person; returns whether the person had it.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn revoke_practice_role(
        &self,
        workspace: WorkspaceId,
        person: PersonId,
        role: &str,
    ) -> Result<bool, StoreError> {
        self.write_watched(|transaction| {
            let removed = transaction
                .prepare_cached(
                    "DELETE FROM practice_role
                     WHERE workspace = ?1 AND person = ?2 AND role = ?3",
                )?
                .execute((workspace.0, person.0, role))?;
            Ok(removed > 0)
        })
    }

    /// The roles of a person in a workspace, in the order of their words.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn practice_roles(
        &self,
        workspace: WorkspaceId,
        person: PersonId,
    ) -> Result<Vec<String>, StoreError> {
        self.read(|connection| of(connection, workspace, person))
    }

    /// Every role of everyone.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn all_practice_roles(&self) -> Result<Vec<PracticeRole>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT workspace.address, person.subject, role FROM practice_role
                 JOIN workspace ON workspace.id = practice_role.workspace
                 JOIN person ON person.id = practice_role.person
                 ORDER BY 1, 2, 3",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(PracticeRole { workspace: row.get(0)?, person: row.get(1)?, role: row.get(2)? })
            })?;
            rows.collect()
        })
    }
}

/// A role counts for as long as its holder is in the workspace.
pub(crate) fn of(
    connection: &Connection,
    workspace: WorkspaceId,
    person: PersonId,
) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT practice_role.role FROM practice_role
         JOIN membership USING (workspace, person)
         WHERE workspace = ?1 AND person = ?2 ORDER BY practice_role.role",
    )?;
    statement.query_map((workspace.0, person.0), |row| row.get(0))?.collect()
}
