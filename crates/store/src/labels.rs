//! Labels: what field a ruleset belongs to, in the words of whoever stored it. They are inert.

use assay_base::{RulesetHash, Timestamp};
use rusqlite::OptionalExtension as _;

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
        if let Some(kept) = self.label(workspace, hash)? {
            let same = Label { updated_at: kept.updated_at, ..label.clone() } == kept;
            if same {
                return Ok(kept);
            }
        }
        self.write(|transaction| {
            let key = Key { workspace, hash };
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
        })
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
        self.read(|connection| {
            let read = |row: &rusqlite::Row<'_>| {
                Ok(Label {
                    domain: row.get(0)?,
                    confidence: row.get(1)?,
                    declined: row.get(2)?,
                    updated_at: Timestamp::from_seconds(row.get(3)?),
                })
            };
            let mut statement = connection.prepare_cached(SELECT)?;
            statement.query_row(Key { workspace, hash }.columns(), read).optional()
        })
    }
}

const PUT: &str = "
    INSERT INTO label (workspace, hash, domain, confidence, declined, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (workspace, hash) DO UPDATE
        SET domain = ?3, confidence = ?4, declined = ?5, updated_at = ?6";
const SELECT: &str = "
    SELECT domain, confidence, declined, updated_at FROM label
    WHERE workspace = ?1 AND hash = ?2";
