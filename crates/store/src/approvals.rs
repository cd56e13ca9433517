//! Approvals: who signed for which exact revision, when, and under which unit library.
//!
//! An approval is only ever added. The tables refuse to change or remove one.

use assay_base::{LibraryHash, RulesetHash, Timestamp};
use rusqlite::Connection;

use crate::error::StoreError;
use crate::labels::{self, Label};
use crate::names;
use crate::refusal::Refusal;
use crate::rulesets::{Key, lineage};
use crate::store::Store;
use crate::workspaces::WorkspaceId;

/// Most approvals of one revision.
pub const MAX_APPROVALS: u32 = 1_000;

/// One approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The person who approved, in their own words.
    pub approver: String,
    /// What the person added.
    pub note: Option<String>,
    /// When it was recorded.
    pub approved_at: Timestamp,
    /// The unit library that was in force.
    pub library: Option<LibraryHash>,
}

/// An approval that is to be recorded.
#[derive(Debug, Clone, Copy)]
pub struct Sign<'a> {
    /// The revision.
    pub hash: RulesetHash,
    /// The name that is to point to it from now on.
    pub name: Option<&'a str>,
    /// The approval.
    pub approval: &'a Approval,
    /// The label that the revision gets, where one is given.
    pub label: Option<&'a Label>,
}

/// What recording an approval came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Every approval of the revision, oldest first; the new one is the last.
    pub approvals: Vec<Approval>,
    /// The name under which the revision is saved: the one given, or the first that it has.
    pub name: Option<String>,
    /// The label that the revision has now.
    pub label: Option<Label>,
}

impl Store {
    /// Records an approval of one revision, and in the same transaction points the name to that
    /// revision and gives it the label, where these are given.
    ///
    /// # Errors
    /// [`Refusal::UnknownRevision`], [`Refusal::TooMany`], and the errors that name a file.
    pub fn approve(
        &self,
        workspace: WorkspaceId,
        Sign { hash, name, approval, label }: Sign<'_>,
    ) -> Result<Recorded, StoreError> {
        let key = Key { workspace, hash };
        self.write(|transaction| {
            if lineage(transaction, key)?.is_none() {
                return Err(Refusal::UnknownRevision { hash }.into());
            }
            if let Some(name) = name {
                names::bind(transaction, key, name, approval.approved_at)?;
            }
            let mut approvals = of(transaction, key)?;
            let sequence = u32::try_from(approvals.len()).unwrap_or(u32::MAX);
            if sequence >= MAX_APPROVALS {
                return Err(Refusal::TooMany { what: "approvals", limit: MAX_APPROVALS }.into());
            }
            let (workspace, hash) = key.columns();
            transaction.prepare_cached(INSERT)?.execute((
                workspace,
                hash,
                sequence,
                &approval.approver,
                &approval.note,
                approval.approved_at.seconds(),
                approval.library.as_ref().map(LibraryHash::as_bytes),
            ))?;
            approvals.push(approval.clone());
            let name = match name {
                Some(name) => Some(name.to_owned()),
                None => names::name_of(transaction, key)?,
            };
            let label = labels::after(transaction, key, label)?;
            Ok(Recorded { approvals, name, label })
        })
    }

    /// Every approval of a revision, oldest first.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn approvals(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
    ) -> Result<Vec<Approval>, StoreError> {
        self.read(|connection| of(connection, Key { workspace, hash }))
    }
}

pub(crate) fn of(connection: &Connection, key: Key) -> rusqlite::Result<Vec<Approval>> {
    let mut statement = connection.prepare_cached(SELECT)?;
    let rows = statement.query_map(key.columns(), |row| {
        let library: Option<[u8; 32]> = row.get(3)?;
        Ok(Approval {
            approver: row.get(0)?,
            note: row.get(1)?,
            approved_at: Timestamp::from_seconds(row.get(2)?),
            library: library.map(LibraryHash::from_bytes),
        })
    })?;
    rows.collect()
}

const INSERT: &str = "
    INSERT INTO approval (workspace, hash, sequence, approver, note, approved_at, library)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const SELECT: &str = "
    SELECT approver, note, approved_at, library FROM approval
    WHERE workspace = ?1 AND hash = ?2 ORDER BY sequence";
