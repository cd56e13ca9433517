//! Ruleset sources by their address, and the revisions that each workspace made of them.
//!
//! Sources are kept once for all workspaces and are never changed or removed. A workspace sees the
//! sources that it holds a revision of, and no other. A revision has at most one parent within its
//! workspace, the first that was given; its depth is 0 without a parent and one more than the
//! parent's with one.

use assay_base::RulesetHash;
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::{Store, WriteError};
use crate::workspaces::WorkspaceId;

/// What storing a source came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Whether the workspace holds these bytes for the first time.
    pub created: bool,
    /// Where the revision stands now.
    pub lineage: Lineage,
}

/// Where a revision stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lineage {
    /// The revision that it followed.
    pub parent: Option<RulesetHash>,
    /// How many revisions came before it.
    pub depth: u32,
}

impl Store {
    /// Stores a normalised source under its address; repeating it changes nothing and writes
    /// nothing. What this acknowledges is on the disk.
    ///
    /// A `parent` is linked when the revision has none yet. One that would make a revision its own
    /// ancestor is not linked, since the revision came first.
    ///
    /// # Errors
    /// [`Refusal::UnknownParent`] when the workspace does not hold the parent,
    /// [`StoreError::WrongAddress`] when `hash` is not the address of `source`, and the errors that
    /// name a file.
    pub fn put_source(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
        source: &str,
        parent: Option<RulesetHash>,
    ) -> Result<Stored, StoreError> {
        check_address(hash, source)?;
        // Most compiles repeat a stored source; a read spares them the lock and the disk.
        let key = Key { workspace, hash };
        let settled = self.read(|connection| settled(connection, key, parent))?;
        match settled {
            Some(lineage) => Ok(Stored { created: false, lineage }),
            None => self.write(|transaction| put(transaction, key, Some(source), parent)),
        }
    }

    /// The source under `hash`; `None` where the workspace holds no revision of it.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the text no longer hashes to its address, and the other errors
    /// that name a file.
    pub fn source(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
    ) -> Result<Option<String>, StoreError> {
        let key = Key { workspace, hash };
        let Some(bytes) = self.read(|connection| read_source(connection, key))? else {
            return Ok(None);
        };
        let intact = (RulesetHash::of(&bytes) == hash).then(|| String::from_utf8(bytes).ok());
        match intact.flatten() {
            Some(source) => Ok(Some(source)),
            None => Err(StoreError::Damaged {
                file: self.file().to_owned(),
                detail: format!("the source under `{hash}` has changed"),
            }),
        }
    }

    /// Where the revision under `hash` stands; `None` where the workspace holds none.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn lineage(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
    ) -> Result<Option<Lineage>, StoreError> {
        self.read(|connection| lineage(connection, Key { workspace, hash }))
    }
}

/// One revision: what a workspace made of a source.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) workspace: WorkspaceId,
    pub(crate) hash: RulesetHash,
}

impl Key {
    fn of(self, hash: RulesetHash) -> Self {
        Self { hash, ..self }
    }

    pub(crate) fn columns(&self) -> (i64, &[u8; 32]) {
        (self.workspace.0, self.hash.as_bytes())
    }
}

/// Refuses a source under an address that is not its own.
pub(crate) fn check_address(hash: RulesetHash, source: &str) -> Result<(), StoreError> {
    let actual = RulesetHash::of(source.as_bytes());
    if actual == hash { Ok(()) } else { Err(StoreError::WrongAddress { given: hash, actual }) }
}

/// The lineage of a stored revision to which `parent` adds nothing.
fn settled(
    connection: &Connection,
    key: Key,
    parent: Option<RulesetHash>,
) -> rusqlite::Result<Option<Lineage>> {
    let Some(lineage) = lineage(connection, key)? else { return Ok(None) };
    let Some(parent) = parent else { return Ok(Some(lineage)) };
    // An unknown parent is the writer's to refuse, whatever else is true.
    let adds_nothing = lineage_is_fixed(connection, key, lineage, parent)?;
    Ok(adds_nothing.then_some(lineage))
}

/// Whether `parent` is stored and is still not to be linked to the stored revision `hash`.
fn lineage_is_fixed(
    connection: &Connection,
    key: Key,
    lineage: Lineage,
    parent: RulesetHash,
) -> rusqlite::Result<bool> {
    if lineage.parent == Some(parent) || parent == key.hash {
        return Ok(true);
    }
    if self::lineage(connection, key.of(parent))?.is_none() {
        return Ok(false);
    }
    Ok(lineage.parent.is_some() || descends(connection, key.of(parent), key.hash)?)
}

/// Makes a revision of a source, which is given unless it is stored already.
pub(crate) fn put(
    transaction: &Transaction<'_>,
    key: Key,
    source: Option<&str>,
    parent: Option<RulesetHash>,
) -> Result<Stored, WriteError> {
    let Some(kept) = lineage(transaction, key)? else {
        return insert(transaction, key, source, parent);
    };
    let Some(parent) = parent else { return Ok(Stored { created: false, lineage: kept }) };
    if lineage_is_fixed(transaction, key, kept, parent)? {
        return Ok(Stored { created: false, lineage: kept });
    }
    let lineage = below(transaction, key.of(parent))?;
    let (workspace, hash) = key.columns();
    transaction.prepare_cached(LINK)?.execute((
        workspace,
        hash,
        parent.as_bytes(),
        lineage.depth,
    ))?;
    transaction.prepare_cached(DEEPEN)?.execute((workspace, hash, lineage.depth))?;
    Ok(Stored { created: false, lineage })
}

fn insert(
    transaction: &Transaction<'_>,
    key: Key,
    source: Option<&str>,
    parent: Option<RulesetHash>,
) -> Result<Stored, WriteError> {
    // A source that names itself as its parent names one that is not stored yet.
    let lineage = match parent {
        None => Lineage { parent, depth: 0 },
        Some(parent) => below(transaction, key.of(parent))?,
    };
    let parent = lineage.parent.as_ref().map(RulesetHash::as_bytes);
    let (workspace, hash) = key.columns();
    if let Some(source) = source {
        transaction.prepare_cached(INSERT_SOURCE)?.execute((hash, source))?;
    }
    transaction.prepare_cached(INSERT)?.execute((workspace, hash, parent, lineage.depth))?;
    Ok(Stored { created: true, lineage })
}

/// Where a revision stands that follows `parent`.
fn below(connection: &Connection, parent: Key) -> Result<Lineage, WriteError> {
    let Key { hash, .. } = parent;
    match lineage(connection, parent)? {
        Some(above) => Ok(Lineage { parent: Some(hash), depth: above.depth.saturating_add(1) }),
        None => Err(Refusal::UnknownParent { parent: hash }.into()),
    }
}

pub(crate) fn lineage(connection: &Connection, key: Key) -> rusqlite::Result<Option<Lineage>> {
    let mut statement = connection.prepare_cached(LINEAGE)?;
    let read = |row: &rusqlite::Row<'_>| {
        let parent: Option<[u8; 32]> = row.get(0)?;
        Ok(Lineage { parent: parent.map(RulesetHash::from_bytes), depth: row.get(1)? })
    };
    statement.query_row(key.columns(), read).optional()
}

pub(crate) fn read_source(connection: &Connection, key: Key) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare_cached(SOURCE)?;
    let read = |row: &rusqlite::Row<'_>| Ok(row.get_ref(0)?.as_bytes()?.to_vec());
    statement.query_row(key.columns(), read).optional()
}

/// Whether `ancestor` is among the revisions before `hash`.
fn descends(connection: &Connection, key: Key, ancestor: RulesetHash) -> rusqlite::Result<bool> {
    let (workspace, hash) = key.columns();
    connection.prepare_cached(DESCENDS)?.exists((workspace, hash, ancestor.as_bytes()))
}

const LINEAGE: &str = "SELECT parent, depth FROM revision WHERE workspace = ?1 AND hash = ?2";
const SOURCE: &str = "
    SELECT source.text FROM revision JOIN source USING (hash)
    WHERE revision.workspace = ?1 AND revision.hash = ?2";
const INSERT_SOURCE: &str =
    "INSERT INTO source (hash, text) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";
const INSERT: &str =
    "INSERT INTO revision (workspace, hash, parent, depth) VALUES (?1, ?2, ?3, ?4)";
const LINK: &str = "UPDATE revision SET parent = ?3, depth = ?4 WHERE workspace = ?1 AND hash = ?2";

const DESCENDS: &str = "
    WITH RECURSIVE before (hash) AS (
        SELECT parent FROM revision WHERE workspace = ?1 AND hash = ?2
        UNION
        SELECT revision.parent FROM revision JOIN before
            ON revision.workspace = ?1 AND revision.hash = before.hash
    )
    SELECT 1 FROM before WHERE hash = ?3";

/// Renews the depth of every revision after `?2`, whose own depth is `?3`.
const DEEPEN: &str = "
    WITH RECURSIVE after (hash, depth) AS (
        SELECT ?2, ?3
        UNION
        SELECT revision.hash, after.depth + 1 FROM revision JOIN after
            ON revision.workspace = ?1 AND revision.parent = after.hash
    )
    UPDATE revision SET depth = after.depth FROM after
    WHERE revision.workspace = ?1 AND revision.hash = after.hash";

#[cfg(test)]
mod tests;
