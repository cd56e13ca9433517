//! What each workspace spent of its allowance, by period.

use crate::error::StoreError;
use crate::store::Store;
use crate::workspaces::WorkspaceId;

/// What charging came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charge {
    /// The units were spent.
    Spent,
    /// They exceed what is left, so nothing was spent.
    Exceeds {
        /// What was spent before.
        used: u64,
    },
}

impl Store {
    /// Spends `units` of an allowance of `limit` units, or nothing where less is left.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn charge(
        &self,
        workspace: WorkspaceId,
        period: &str,
        units: u64,
        limit: u64,
    ) -> Result<Charge, StoreError> {
        self.write(|transaction| {
            let used = used(transaction, workspace, period)?;
            let sum = used.saturating_add(units);
            if sum > limit {
                return Ok(Charge::Exceeds { used });
            }
            let sum = i64::try_from(sum).unwrap_or(i64::MAX);
            transaction.prepare_cached(SET)?.execute((workspace.0, period, sum))?;
            Ok(Charge::Spent)
        })
    }

    /// Gives back what a call was charged that then got no answer.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn refund(
        &self,
        workspace: WorkspaceId,
        period: &str,
        units: u64,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let rest = used(transaction, workspace, period)?.saturating_sub(units);
            let rest = i64::try_from(rest).unwrap_or(i64::MAX);
            transaction.prepare_cached(SET)?.execute((workspace.0, period, rest))?;
            Ok(())
        })
    }

    /// What a workspace spent in a period.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn used(&self, workspace: WorkspaceId, period: &str) -> Result<u64, StoreError> {
        self.read(|connection| used(connection, workspace, period))
    }
}

fn used(
    connection: &rusqlite::Connection,
    workspace: WorkspaceId,
    period: &str,
) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached(USED)?;
    let used: i64 = statement.query_row((workspace.0, period), |row| row.get(0))?;
    Ok(u64::try_from(used).unwrap_or_default())
}

const USED: &str = "SELECT coalesce(
    (SELECT used FROM usage WHERE workspace = ?1 AND period = ?2), 0)";
const SET: &str = "
    INSERT INTO usage (workspace, period, used) VALUES (?1, ?2, ?3)
    ON CONFLICT (workspace, period) DO UPDATE SET used = ?3";
