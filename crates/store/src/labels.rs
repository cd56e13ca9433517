//! Labels: what field a ruleset belongs to, in the words of whoever stored it. They are inert.

use assay_base::{RulesetHash, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::error::StoreError;
use crate::rulesets::Key;
use crate::store::Store;
use crate::workspaces::WorkspaceId;

/// The label of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The field, as its id in the vocabulary.
    pub domain: Option<String>,
    /// How certain the field is.
    pub confidence: Option<String>,
    /// Whether a label was declined.
    pub declined: bool,
    /// When it was given.
    pub updated_at: Timestamp,
}

impl Label {
    /// Whether both say the same, whenever they were given.
    fn says(&self, other: &Self) -> bool {
        Self { updated_at: self.updated_at, ..other.clone() } == *self
    }
}

impl Store {
    /// Gives a stored revision its label, in place of an earlier one; the same label again changes
    /// nothing. Returns the label that it has then.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn put_label(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
        label: &Label,
    ) -> Result<Label, StoreError> {
        let key = Key { workspace, hash };
        match self.read(|connection| of(connection, key))? {
            Some(kept) if kept.says(label) => Ok(kept),
            _ => self.write(|transaction| Ok(put(transaction, key, label)?)),
        }
    }

    /// The label of a revision.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn label(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
    ) -> Result<Option<Label>, StoreError> {
        self.read(|connection| of(connection, Key { workspace, hash }))
    }
}

/// The label that a revision has after a call that may have given one.
pub(crate) fn after(
    transaction: &Transaction<'_>,
    key: Key,
    given: Option<&Label>,
) -> rusqlite::Result<Option<Label>> {
    match (of(transaction, key)?, given) {
        (Some(kept), Some(label)) if kept.says(label) => Ok(Some(kept)),
        (_, Some(label)) => put(transaction, key, label).map(Some),
        (kept, None) => Ok(kept),
    }
}

fn put(transaction: &Transaction<'_>, key: Key, label: &Label) -> rusqlite::Result<Label> {
    let (workspace, hash) = key.columns();
    transaction.prepare_cached(PUT)?.execute((
        workspace,
        hash,
        &label.domain,
        &label.confidence,
        label.declined,
        label.updated_at.seconds(),
    ))?;
    Ok(label.clone())
}

fn of(connection: &Connection, key: Key) -> rusqlite::Result<Option<Label>> {
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Label {
            domain: row.get(0)?,
            confidence: row.get(1)?,
            declined: row.get(2)?,
            updated_at: Timestamp::from_seconds(row.get(3)?),
        })
    };
    connection.prepare_cached(SELECT)?.query_row(key.columns(), read).optional()
}

const PUT: &str = "
    INSERT INTO label (workspace, hash, domain, confidence, declined, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (workspace, hash) DO UPDATE
        SET domain = ?3, confidence = ?4, declined = ?5, updated_at = ?6";
const SELECT: &str = "
    SELECT domain, confidence, declined, updated_at FROM label
    WHERE workspace = ?1 AND hash = ?2";
