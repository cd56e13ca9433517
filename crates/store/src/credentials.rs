//! Credentials: keys that name one workspace, and sessions that name a person. Their secrets are
//! kept as digests, so that nobody who reads the file can use them.

use assay_base::{SecretDigest, Timestamp};
use rusqlite::OptionalExtension as _;

use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::workspaces::{self, PersonId, Role, Workspace, WorkspaceId};

/// Most keys of one person for one workspace that are still valid.
pub const MAX_KEYS: u32 = 20;
/// Most sessions of one person that are still valid; a further one ends the oldest.
pub(crate) const MAX_SESSIONS: u32 = 20;

/// A credential that is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCredential<'a> {
    /// Stands for the secret.
    pub digest: SecretDigest,
    /// The address by which it is listed and revoked.
    pub address: &'a str,
    /// Who issued it, and whom a session stands for.
    pub person: PersonId,
    /// The workspace of a key; a session has none.
    pub workspace: Option<WorkspaceId>,
    /// What it is for.
    pub label: Option<&'a str>,
    /// What a key may do, as words that this crate does not interpret.
    pub scopes: &'a str,
    /// What its calls are bound to.
    pub bound: Bound,
    /// When it is issued.
    pub issued_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// What the calls of a credential are bound to, whatever they say of themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bound {
    /// The skill that works with it, as a word that this crate does not interpret.
    pub skill: Option<String>,
    /// The matter that the work is about.
    pub matter: Option<String>,
}

/// A credential that was presented and is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// The address by which it is listed and revoked.
    pub address: String,
    /// Who issued it, and whom a session stands for.
    pub person: PersonId,
    /// The workspace of a key as that person sees it; a session has none.
    pub workspace: Option<Workspace>,
    /// What a key may do.
    pub scopes: String,
    /// What its calls are bound to.
    pub bound: Bound,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// A key in a list of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// The address by which it is revoked.
    pub address: String,
    /// The address of its workspace.
    pub workspace: String,
    /// What it is for.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: String,
    /// What its calls are bound to.
    pub bound: Bound,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl Store {
    /// Keeps a credential.
    ///
    /// # Errors
    /// [`Refusal::TooMany`] for a key, and the errors that name a file.
    pub fn put_credential(&self, new: &NewCredential<'_>) -> Result<(), StoreError> {
        self.write_watched(|transaction| {
            let now = new.issued_at.seconds();
            if let Some(workspace) = new.workspace {
                let valid: u32 = transaction
                    .prepare_cached(COUNT)?
                    .query_row((new.person.0, workspace.0, now), |row| row.get(0))?;
                if valid >= MAX_KEYS {
                    return Err(Refusal::TooManyKeys { limit: MAX_KEYS }.into());
                }
            } else {
                let row = (new.person.0, now, MAX_SESSIONS - 1);
                transaction.prepare_cached(END_OLDEST)?.execute(row)?;
            }
            transaction.prepare_cached(INSERT)?.execute((
                new.digest.as_bytes(),
                new.address,
                new.person.0,
                new.workspace.map(|it| it.0),
                new.label,
                new.scopes,
                now,
                new.expires_at.map(Timestamp::seconds),
                &new.bound.skill,
                &new.bound.matter,
            ))?;
            Ok(())
        })
    }

    /// The credential behind a digest; `None` where there is none, or where it was revoked. Whether
    /// it has expired is the caller's to see, who knows the time.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn credential(&self, digest: SecretDigest) -> Result<Option<Credential>, StoreError> {
        self.read(|connection| {
            let read = |row: &rusqlite::Row<'_>| {
                let workspace = match row.get::<_, Option<i64>>(3)? {
                    None => None,
                    Some(id) => Some(Workspace {
                        id: WorkspaceId(id),
                        address: row.get(4)?,
                        name: row.get(5)?,
                        role: match row.get::<_, Option<String>>(6)? {
                            Some(_) => workspaces::role(row, 6)?,
                            None => Role::Member,
                        },
                    }),
                };
                let expires_at: Option<i64> = row.get(2)?;
                Ok(Credential {
                    person: PersonId(row.get(0)?),
                    workspace,
                    scopes: row.get(1)?,
                    address: row.get(7)?,
                    bound: Bound { skill: row.get(8)?, matter: row.get(9)? },
                    issued_at: Timestamp::from_seconds(row.get(10)?),
                    expires_at: expires_at.map(Timestamp::from_seconds),
                })
            };
            connection.prepare_cached(SELECT)?.query_row((digest.as_bytes(),), read).optional()
        })
    }

    /// How many valid keys a person has for a workspace.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn count_keys(
        &self,
        person: PersonId,
        workspace: WorkspaceId,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        self.read(|connection| {
            let row = (person.0, workspace.0, now.seconds());
            connection.prepare_cached(COUNT)?.query_row(row, |row| row.get(0))
        })
    }

    /// Every key that was issued, oldest first.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn keys(&self) -> Result<Vec<ListedKey>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(KEYS)?;
            let time = |it: Option<i64>| it.map(Timestamp::from_seconds);
            let rows = statement.query_map([], |row| {
                Ok(ListedKey {
                    address: row.get(0)?,
                    workspace: row.get(1)?,
                    label: row.get(2)?,
                    scopes: row.get(3)?,
                    bound: Bound { skill: row.get(7)?, matter: row.get(8)? },
                    issued_at: Timestamp::from_seconds(row.get(4)?),
                    expires_at: time(row.get(5)?),
                    revoked_at: time(row.get(6)?),
                })
            })?;
            rows.collect()
        })
    }

    /// Ends a credential.
    ///
    /// # Errors
    /// [`Refusal::UnknownCredential`] where there is no valid one at the address, and the errors
    /// that name a file.
    pub fn revoke(&self, address: &str, now: Timestamp) -> Result<(), StoreError> {
        self.write_watched(|transaction| {
            let revoked = transaction
                .prepare_cached(
                    "UPDATE credential SET revoked_at = ?2
                     WHERE address = ?1 AND revoked_at IS NULL",
                )?
                .execute((address, now.seconds()))?;
            if revoked == 0 { Err(Refusal::UnknownCredential.into()) } else { Ok(()) }
        })
    }
}

const COUNT: &str = "
    SELECT count(*) FROM credential
    WHERE person = ?1 AND workspace = ?2 AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ?3)";
const END_OLDEST: &str = "
    UPDATE credential SET revoked_at = ?2
    WHERE workspace IS NULL AND person = ?1 AND revoked_at IS NULL AND digest NOT IN (
        SELECT digest FROM credential
        WHERE workspace IS NULL AND person = ?1 AND revoked_at IS NULL
        ORDER BY issued_at DESC, rowid DESC LIMIT ?3)";
const INSERT: &str = "
    INSERT INTO credential
        (digest, address, person, workspace, label, scopes, issued_at, expires_at, skill, matter)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
const SELECT: &str = "
    SELECT credential.person, credential.scopes, credential.expires_at,
        workspace.id, workspace.address, workspace.name, membership.role,
        credential.address, credential.skill, credential.matter, credential.issued_at
    FROM credential
    LEFT JOIN workspace ON workspace.id = credential.workspace
    LEFT JOIN membership
        ON membership.workspace = workspace.id AND membership.person = credential.person
    WHERE credential.digest = ?1 AND credential.revoked_at IS NULL";
const KEYS: &str = "
    SELECT credential.address, workspace.address, label, scopes, issued_at, expires_at, revoked_at,
        skill, matter
    FROM credential JOIN workspace ON workspace.id = credential.workspace
    ORDER BY issued_at, credential.rowid";

#[cfg(test)]
mod tests;
