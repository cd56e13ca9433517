//! Ruleset sources by their address, each with the revision that it followed.
//!
//! Sources are never changed or removed. A revision has at most one parent, the first that was
//! given; its depth is 0 without a parent and one more than the parent's with one.

use assay_base::RulesetHash;
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::error::StoreError;
use crate::store::{Store, WriteError};

/// What storing a source came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Whether these bytes were stored for the first time.
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
    /// [`StoreError::UnknownParent`] when the parent is not stored, [`StoreError::WrongAddress`]
    /// when `hash` is not the address of `source`, and the errors that name a file.
    pub fn put_source(
        &self,
        hash: RulesetHash,
        source: &str,
        parent: Option<RulesetHash>,
    ) -> Result<Stored, StoreError> {
        let actual = RulesetHash::of(source.as_bytes());
        if actual != hash {
            return Err(StoreError::WrongAddress { given: hash, actual });
        }
        // Most compiles repeat a stored source; a read spares them the lock and the disk.
        let settled = self.read(|connection| settled(connection, hash, parent))?;
        match settled {
            Some(lineage) => Ok(Stored { created: false, lineage }),
            None => self.write(|transaction| put(transaction, hash, source, parent)),
        }
    }

    /// The source under `hash`; `None` where nothing is stored there.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the text no longer hashes to its address, and the other errors
    /// that name a file.
    pub fn source(&self, hash: RulesetHash) -> Result<Option<String>, StoreError> {
        let Some(bytes) = self.read(|connection| read_source(connection, hash))? else {
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

    /// Where the revision under `hash` stands; `None` where nothing is stored there.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn lineage(&self, hash: RulesetHash) -> Result<Option<Lineage>, StoreError> {
        self.read(|connection| lineage(connection, hash))
    }
}

/// The lineage of a stored revision to which `parent` adds nothing.
fn settled(
    connection: &Connection,
    hash: RulesetHash,
    parent: Option<RulesetHash>,
) -> rusqlite::Result<Option<Lineage>> {
    let Some(lineage) = lineage(connection, hash)? else { return Ok(None) };
    let Some(parent) = parent else { return Ok(Some(lineage)) };
    // An unknown parent is the writer's to refuse, whatever else is true.
    let adds_nothing = lineage_is_fixed(connection, hash, lineage, parent)?;
    Ok(adds_nothing.then_some(lineage))
}

/// Whether `parent` is stored and is still not to be linked to the stored revision `hash`.
fn lineage_is_fixed(
    connection: &Connection,
    hash: RulesetHash,
    lineage: Lineage,
    parent: RulesetHash,
) -> rusqlite::Result<bool> {
    if lineage.parent == Some(parent) || parent == hash {
        return Ok(true);
    }
    if self::lineage(connection, parent)?.is_none() {
        return Ok(false);
    }
    Ok(lineage.parent.is_some() || descends(connection, parent, hash)?)
}

fn put(
    transaction: &Transaction<'_>,
    hash: RulesetHash,
    source: &str,
    parent: Option<RulesetHash>,
) -> Result<Stored, WriteError> {
    let Some(kept) = lineage(transaction, hash)? else {
        return insert(transaction, hash, source, parent);
    };
    let Some(parent) = parent else { return Ok(Stored { created: false, lineage: kept }) };
    if lineage_is_fixed(transaction, hash, kept, parent)? {
        return Ok(Stored { created: false, lineage: kept });
    }
    let lineage = below(transaction, parent)?;
    transaction.prepare_cached(LINK)?.execute((
        hash.as_bytes(),
        parent.as_bytes(),
        lineage.depth,
    ))?;
    transaction.prepare_cached(DEEPEN)?.execute((hash.as_bytes(), lineage.depth))?;
    Ok(Stored { created: false, lineage })
}

fn insert(
    transaction: &Transaction<'_>,
    hash: RulesetHash,
    source: &str,
    parent: Option<RulesetHash>,
) -> Result<Stored, WriteError> {
    // A source that names itself as its parent names one that is not stored yet.
    let lineage = match parent {
        None => Lineage { parent, depth: 0 },
        Some(parent) => below(transaction, parent)?,
    };
    let parent = lineage.parent.as_ref().map(RulesetHash::as_bytes);
    transaction.prepare_cached(INSERT)?.execute((
        hash.as_bytes(),
        source,
        parent,
        lineage.depth,
    ))?;
    Ok(Stored { created: true, lineage })
}

/// Where a revision stands that follows `parent`.
fn below(connection: &Connection, parent: RulesetHash) -> Result<Lineage, WriteError> {
    match lineage(connection, parent)? {
        Some(above) => Ok(Lineage { parent: Some(parent), depth: above.depth.saturating_add(1) }),
        None => Err(WriteError::Store(StoreError::UnknownParent { parent })),
    }
}

fn lineage(connection: &Connection, hash: RulesetHash) -> rusqlite::Result<Option<Lineage>> {
    let mut statement = connection.prepare_cached(LINEAGE)?;
    let read = |row: &rusqlite::Row<'_>| {
        let parent: Option<[u8; 32]> = row.get(0)?;
        Ok(Lineage { parent: parent.map(RulesetHash::from_bytes), depth: row.get(1)? })
    };
    statement.query_row((hash.as_bytes(),), read).optional()
}

fn read_source(connection: &Connection, hash: RulesetHash) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare_cached(SOURCE)?;
    let read = |row: &rusqlite::Row<'_>| Ok(row.get_ref(0)?.as_bytes()?.to_vec());
    statement.query_row((hash.as_bytes(),), read).optional()
}

/// Whether `ancestor` is among the revisions before `hash`.
fn descends(
    connection: &Connection,
    hash: RulesetHash,
    ancestor: RulesetHash,
) -> rusqlite::Result<bool> {
    connection.prepare_cached(DESCENDS)?.exists((hash.as_bytes(), ancestor.as_bytes()))
}

const LINEAGE: &str = "SELECT parent, depth FROM ruleset WHERE hash = ?1";
const SOURCE: &str = "SELECT source FROM ruleset WHERE hash = ?1";
const INSERT: &str = "INSERT INTO ruleset (hash, source, parent, depth) VALUES (?1, ?2, ?3, ?4)";
const LINK: &str = "UPDATE ruleset SET parent = ?2, depth = ?3 WHERE hash = ?1";

const DESCENDS: &str = "
    WITH RECURSIVE before (hash) AS (
        SELECT parent FROM ruleset WHERE hash = ?1
        UNION
        SELECT ruleset.parent FROM ruleset JOIN before ON ruleset.hash = before.hash
    )
    SELECT 1 FROM before WHERE hash = ?2";

/// Renews the depth of every revision after `?1`, whose own depth is `?2`.
const DEEPEN: &str = "
    WITH RECURSIVE after (hash, depth) AS (
        SELECT ?1, ?2
        UNION
        SELECT ruleset.hash, after.depth + 1 FROM ruleset JOIN after ON ruleset.parent = after.hash
    )
    UPDATE ruleset SET depth = after.depth FROM after WHERE ruleset.hash = after.hash";

#[cfg(test)]
mod tests;
