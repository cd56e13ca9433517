//! The audit log: chains of entries and their signed checkpoints, as text that this crate does not
//! interpret. Rows are added and read; the schema refuses everything else.

use assay_base::EntryHash;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};

use crate::error::StoreError;
use crate::store::Store;

mod find;

pub use find::{AuditChain, AuditFound, AuditSought};

/// Entries that one reading returns at most.
pub const MAX_AUDIT_ROWS: usize = 1_000;

/// One entry of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Its number within the chain, from one.
    pub sequence: u64,
    /// The hash of its text.
    pub hash: EntryHash,
    /// The text that was hashed.
    pub record: String,
}

/// A signed line over the first `size` entries of `chain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCheckpoint {
    /// Which chain.
    pub chain: String,
    /// How many entries it covers.
    pub size: u64,
    /// The line.
    pub line: String,
}

/// The number and hash of an entry of a chain, for the most part of the last one.
pub type AuditHead = (u64, EntryHash);

impl Store {
    /// Adds to `chain` the entries that `seal` makes of its end, all or none, and returns the new
    /// end. No other writer, of this process or another, comes between the end that `seal` was
    /// given and its entries.
    ///
    /// # Errors
    /// The errors that name a file, among them one for entries that do not follow the end.
    pub fn append_audit(
        &self,
        chain: &str,
        seal: impl FnOnce(Option<AuditHead>) -> Vec<AuditRow>,
    ) -> Result<Option<AuditHead>, StoreError> {
        self.write(|transaction| Ok(append(transaction, chain, seal)?))
    }

    /// As [`Store::append_audit`] for several chains and with checkpoints over what was there
    /// before, all in one transaction. A checkpoint that covers no more than one that is kept is
    /// left out: another process was faster.
    ///
    /// # Errors
    /// As [`Store::append_audit`].
    pub fn append_audit_batch<'c>(
        &self,
        chains: impl IntoIterator<Item = &'c str>,
        mut seal: impl FnMut(&str, Option<AuditHead>) -> Vec<AuditRow>,
        checkpoints: &[AuditCheckpoint],
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            for chain in chains {
                append(transaction, chain, |head| seal(chain, head))?;
            }
            let mut insert = transaction.prepare_cached(INSERT_LARGER_CHECKPOINT)?;
            for AuditCheckpoint { chain, size, line } in checkpoints {
                insert.execute((chain, integer(*size), line))?;
            }
            Ok(())
        })
    }

    /// The end of `chain`; none when it is empty.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn audit_head(&self, chain: &str) -> Result<Option<AuditHead>, StoreError> {
        self.read(|connection| head(connection, chain))
    }

    /// The entries of `chain` from number `from` on, in order, at most `limit` and at most
    /// [`MAX_AUDIT_ROWS`].
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn audit_entries(
        &self,
        chain: &str,
        from: u64,
        limit: usize,
    ) -> Result<Vec<AuditRow>, StoreError> {
        let limit = i64::try_from(limit.min(MAX_AUDIT_ROWS)).unwrap_or(i64::MAX);
        self.read(|connection| {
            let mut statement = connection.prepare_cached(SELECT)?;
            statement.query_map((chain, integer(from), limit), row)?.collect()
        })
    }

    /// As [`Store::audit_entries`], the numbers and hashes alone.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn audit_hashes(
        &self,
        chain: &str,
        from: u64,
        limit: usize,
    ) -> Result<Vec<AuditHead>, StoreError> {
        let limit = i64::try_from(limit.min(MAX_AUDIT_ROWS)).unwrap_or(i64::MAX);
        self.read(|connection| {
            let mut statement = connection.prepare_cached(SELECT_HASHES)?;
            statement.query_map((chain, integer(from), limit), audit_head)?.collect()
        })
    }

    /// Keeps the signed line of a checkpoint over the first `size` entries of `chain`, which must
    /// be more than the last one covers.
    ///
    /// # Errors
    /// The errors that name a file, among them one for a checkpoint that covers no more.
    pub fn add_audit_checkpoint(
        &self,
        chain: &str,
        size: u64,
        line: &str,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.prepare_cached(INSERT_CHECKPOINT)?.execute((chain, integer(size), line))?;
            Ok(())
        })
    }

    /// The signed line of `chain` that covers most.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn last_audit_checkpoint(&self, chain: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(SELECT_LAST_CHECKPOINT)?;
            statement.query_row((chain,), |row| row.get(0)).optional()
        })
    }

    /// The signed lines of `chain`, the smallest first.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn audit_checkpoints(&self, chain: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(SELECT_CHECKPOINTS)?;
            statement.query_map((chain,), |row| row.get(0))?.collect()
        })
    }
}

/// Adds to `chain`, within a transaction that writes, the entries that `seal` makes of its end.
pub(crate) fn append(
    transaction: &Transaction<'_>,
    chain: &str,
    seal: impl FnOnce(Option<AuditHead>) -> Vec<AuditRow>,
) -> rusqlite::Result<Option<AuditHead>> {
    let mut head = head(transaction, chain)?;
    let mut insert = transaction.prepare_cached(INSERT)?;
    for AuditRow { sequence, hash, record } in seal(head) {
        insert.execute((chain, integer(sequence), hash.as_bytes(), record))?;
        head = Some((sequence, hash));
    }
    Ok(head)
}

fn head(connection: &Connection, chain: &str) -> rusqlite::Result<Option<AuditHead>> {
    let mut statement = connection.prepare_cached(SELECT_HEAD)?;
    statement.query_row((chain,), audit_head).optional()
}

fn audit_head(row: &Row<'_>) -> rusqlite::Result<AuditHead> {
    Ok((sequence(row)?, EntryHash::from_bytes(row.get(1)?)))
}

fn row(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    Ok(AuditRow {
        sequence: sequence(row)?,
        hash: EntryHash::from_bytes(row.get(1)?),
        record: row.get(2)?,
    })
}

fn sequence(row: &Row<'_>) -> rusqlite::Result<u64> {
    let kept: i64 = row.get(0)?;
    u64::try_from(kept).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(0, kept))
}

/// A number as SQLite keeps it. One that is too large for it becomes the largest, behind which no
/// entry stands.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

const SELECT_HEAD: &str = "
    SELECT sequence, hash FROM audit_entry WHERE chain = ?1 ORDER BY sequence DESC LIMIT 1";
const SELECT: &str = "
    SELECT sequence, hash, record FROM audit_entry
    WHERE chain = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3";
const SELECT_HASHES: &str = "
    SELECT sequence, hash FROM audit_entry
    WHERE chain = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3";
const INSERT: &str =
    "INSERT INTO audit_entry (chain, sequence, hash, record) VALUES (?1, ?2, ?3, ?4)";
const SELECT_CHECKPOINTS: &str = "SELECT line FROM audit_checkpoint WHERE chain = ?1 ORDER BY size";
const SELECT_LAST_CHECKPOINT: &str =
    "SELECT line FROM audit_checkpoint WHERE chain = ?1 ORDER BY size DESC LIMIT 1";
const INSERT_LARGER_CHECKPOINT: &str = "
    INSERT INTO audit_checkpoint (chain, size, line) SELECT ?1, ?2, ?3
    WHERE ?2 > coalesce((SELECT max(size) FROM audit_checkpoint WHERE chain = ?1), 0)";
const INSERT_CHECKPOINT: &str =
    "INSERT INTO audit_checkpoint (chain, size, line) VALUES (?1, ?2, ?3)";

#[cfg(test)]
mod tests;
