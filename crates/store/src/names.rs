//! Names of rulesets within a workspace: where each points now, and where it ever pointed.

use assay_base::{RulesetHash, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::approvals::{self, Approval};
use crate::error::StoreError;
use crate::labels::{self, Label};
use crate::refusal::Refusal;
use crate::rulesets::{Key, Lineage, check_address, put};
use crate::store::{Store, WriteError};
use crate::workspaces::WorkspaceId;

/// Most names of one workspace.
pub const MAX_NAMES: u32 = 100_000;
/// Most revisions of a chain that are read; the depth tells how many there are.
pub const MAX_CHAIN: u32 = 1_000;

/// A revision that is to be saved under a name.
#[derive(Debug, Clone, Copy)]
pub struct Save<'a> {
    /// The name, which the caller has checked.
    pub name: &'a str,
    /// The address of `source`.
    pub hash: RulesetHash,
    /// The normalised source.
    pub source: &'a str,
    /// The revision that this one follows; without it, the one that the name points to.
    pub parent: Option<RulesetHash>,
    /// The label that the revision gets, where one is given.
    pub label: Option<&'a Label>,
    /// When this happens.
    pub now: Timestamp,
}

/// What saving under a name came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Whether the workspace holds these bytes for the first time.
    pub created: bool,
    /// Where the revision stands now.
    pub lineage: Lineage,
    /// Since when the name points to it.
    pub bound_at: Timestamp,
    /// The label that it has now.
    pub label: Option<Label>,
}

/// A saved ruleset as it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// What the name points to.
    pub hash: RulesetHash,
    /// Since when.
    pub bound_at: Timestamp,
    /// The revision itself and those before it, newest first, at most [`MAX_CHAIN`].
    pub chain: Vec<RulesetHash>,
    /// The approvals of this revision, oldest first.
    pub approvals: Vec<Approval>,
}

/// One row of a list of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// What it points to.
    pub hash: RulesetHash,
    /// Since when.
    pub bound_at: Timestamp,
    /// How many revisions came before it.
    pub depth: u32,
    /// How many approvals the revision has.
    pub approvals: u32,
}

impl Store {
    /// Stores a revision with its label and points a name to it, in one transaction. What the name pointed to
    /// before becomes the parent, unless another is given or the revision has one.
    ///
    /// # Errors
    /// [`Refusal::UnknownParent`], [`Refusal::TooMany`], and the errors that name a file.
    pub fn save(&self, workspace: WorkspaceId, save: Save<'_>) -> Result<Saved, StoreError> {
        check_address(save.hash, save.source)?;
        self.write(|transaction| {
            let key = Key { workspace, hash: save.hash };
            let current = current(transaction, workspace, save.name)?;
            let before = current.map(|it| it.hash).filter(|it| *it != save.hash);
            let stored = put(transaction, key, Some(save.source), save.parent.or(before))?;
            let bound_at = bind(transaction, key, save.name, save.now)?;
            let label = labels::after(transaction, key, save.label)?;
            Ok(Saved { created: stored.created, lineage: stored.lineage, bound_at, label })
        })
    }

    /// The ruleset under a name; `None` where the workspace has none.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn named(&self, workspace: WorkspaceId, name: &str) -> Result<Option<Named>, StoreError> {
        self.read(|connection| {
            let Some(Bound { hash, bound_at }) = current(connection, workspace, name)? else {
                return Ok(None);
            };
            let key = Key { workspace, hash };
            let approvals = approvals::of(connection, key)?;
            Ok(Some(Named { hash, bound_at, chain: chain(connection, key, MAX_CHAIN)?, approvals }))
        })
    }

    /// The first name, in the order of names, that points to a revision.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn name_of(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
    ) -> Result<Option<String>, StoreError> {
        self.read(|connection| name_of(connection, Key { workspace, hash }))
    }

    /// Every name of a workspace, in the order of the names.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn names(&self, workspace: WorkspaceId) -> Result<Vec<Listed>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(LIST)?;
            let rows = statement.query_map((workspace.0,), |row| {
                Ok(Listed {
                    name: row.get(0)?,
                    hash: RulesetHash::from_bytes(row.get(1)?),
                    bound_at: Timestamp::from_seconds(row.get(2)?),
                    depth: row.get(3)?,
                    approvals: row.get(4)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Copies what a name points to, with the revisions before it, into another workspace under a
    /// name that is new there. Approvals stay where they are. Returns the revision that was copied
    /// and how many came along, itself included.
    ///
    /// # Errors
    /// [`Refusal::UnknownName`], [`Refusal::NameTaken`], [`Refusal::TooMany`], and the errors that
    /// name a file.
    pub fn copy(
        &self,
        [from, to]: [WorkspaceId; 2],
        [name, new_name]: [&str; 2],
        now: Timestamp,
    ) -> Result<(RulesetHash, u32), StoreError> {
        self.write(|transaction| {
            let Some(bound) = current(transaction, from, name)? else {
                return Err(Refusal::UnknownName { name: name.to_owned() }.into());
            };
            if current(transaction, to, new_name)?.is_some() {
                return Err(Refusal::NameTaken { name: new_name.to_owned() }.into());
            }
            let mut chain =
                chain(transaction, Key { workspace: from, hash: bound.hash }, u32::MAX)?;
            chain.reverse();
            let mut parent = None;
            for &hash in &chain {
                put(transaction, Key { workspace: to, hash }, None, parent)?;
                parent = Some(hash);
            }
            bind(transaction, Key { workspace: to, hash: bound.hash }, new_name, now)?;
            Ok((bound.hash, u32::try_from(chain.len()).unwrap_or(u32::MAX)))
        })
    }
}

/// Where a name points.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    hash: RulesetHash,
    bound_at: Timestamp,
}

fn current(
    connection: &Connection,
    workspace: WorkspaceId,
    name: &str,
) -> rusqlite::Result<Option<Bound>> {
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Bound {
            hash: RulesetHash::from_bytes(row.get(0)?),
            bound_at: Timestamp::from_seconds(row.get(1)?),
        })
    };
    connection.prepare_cached(CURRENT)?.query_row((workspace.0, name), read).optional()
}

pub(crate) fn name_of(connection: &Connection, key: Key) -> rusqlite::Result<Option<String>> {
    connection.prepare_cached(NAME_OF)?.query_row(key.columns(), |row| row.get(0)).optional()
}

/// Points a name to a stored revision; since when it does, which is earlier where it did before.
pub(crate) fn bind(
    transaction: &Transaction<'_>,
    key: Key,
    name: &str,
    now: Timestamp,
) -> Result<Timestamp, WriteError> {
    let (workspace, hash) = key.columns();
    match current(transaction, key.workspace, name)? {
        Some(bound) if bound.hash == key.hash => return Ok(bound.bound_at),
        Some(_) => {}
        None => {
            let count: u32 = transaction
                .prepare_cached("SELECT count(*) FROM name WHERE workspace = ?1")?
                .query_row((workspace,), |row| row.get(0))?;
            if count >= MAX_NAMES {
                return Err(Refusal::TooMany { what: "names", limit: MAX_NAMES }.into());
            }
        }
    }
    let row = (workspace, name, hash, now.seconds());
    let sequence: i64 = transaction.prepare_cached(BIND)?.query_row(row, |row| row.get(0))?;
    let row = (workspace, name, sequence, hash, now.seconds());
    transaction.prepare_cached(LOG)?.execute(row)?;
    Ok(now)
}

/// A revision and those before it, newest first.
fn chain(connection: &Connection, key: Key, most: u32) -> rusqlite::Result<Vec<RulesetHash>> {
    let (workspace, hash) = key.columns();
    let mut statement = connection.prepare_cached(CHAIN)?;
    let rows = statement.query_map((workspace, hash, most), |row| row.get(0))?;
    rows.map(|it| it.map(RulesetHash::from_bytes)).collect()
}

const CURRENT: &str = "SELECT hash, bound_at FROM name WHERE workspace = ?1 AND name = ?2";
const NAME_OF: &str =
    "SELECT name FROM name WHERE workspace = ?1 AND hash = ?2 ORDER BY name LIMIT 1";
const BIND: &str = "
    INSERT INTO name (workspace, name, hash, bound_at, bindings) VALUES (?1, ?2, ?3, ?4, 1)
    ON CONFLICT (workspace, name) DO UPDATE
        SET hash = ?3, bound_at = ?4, bindings = bindings + 1
    RETURNING bindings";
const LOG: &str = "
    INSERT INTO binding (workspace, name, sequence, hash, bound_at) VALUES (?1, ?2, ?3, ?4, ?5)";
const LIST: &str = "
    SELECT name.name, name.hash, name.bound_at, revision.depth,
        (SELECT count(*) FROM approval
         WHERE approval.workspace = name.workspace AND approval.hash = name.hash)
    FROM name JOIN revision ON revision.workspace = name.workspace AND revision.hash = name.hash
    WHERE name.workspace = ?1 ORDER BY name.name";

/// The revisions from `?2` back to the first, newest first.
const CHAIN: &str = "
    WITH RECURSIVE before (hash, parent, distance) AS (
        SELECT hash, parent, 0 FROM revision WHERE workspace = ?1 AND hash = ?2
        UNION ALL
        SELECT revision.hash, revision.parent, before.distance + 1 FROM before JOIN revision
            ON revision.workspace = ?1 AND revision.hash = before.parent
        WHERE before.distance + 1 < ?3
    )
    SELECT hash FROM before ORDER BY distance";

#[cfg(test)]
mod tests;
