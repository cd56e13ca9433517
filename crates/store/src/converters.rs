//! The unit converters that a workspace added to the standards, as text that this crate does not
//! interpret. Who supplied a converter stands beside it and takes part in no hash.

use assay_base::Timestamp;
use rusqlite::Connection;

use crate::error::StoreError;
use crate::store::Store;
use crate::workspaces::WorkspaceId;

/// One converter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converter {
    /// The unit converted from.
    pub from: String,
    /// The unit converted to.
    pub to: String,
    /// The factor as a fraction.
    pub factor: String,
    /// The offset as a fraction.
    pub offset: String,
    /// Who supplied it, or which document.
    pub attribution: Option<String>,
}

impl Store {
    /// The converters of a workspace, sorted by their units.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn converters(&self, workspace: WorkspaceId) -> Result<Vec<Converter>, StoreError> {
        self.read(|connection| of(connection, workspace))
    }

    /// Replaces the converters of a workspace by `new`, unless they are no longer `old`: then
    /// nothing is written and `false` is returned, and the caller starts over.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn replace_converters(
        &self,
        workspace: WorkspaceId,
        old: &[Converter],
        new: &[Converter],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write_watched(|transaction| {
            if of(transaction, workspace)? != old {
                return Ok(false);
            }
            let gone = old.iter().filter(|it| !new.contains(it));
            for Converter { from, to, .. } in gone {
                transaction.prepare_cached(DELETE)?.execute((workspace.0, from, to))?;
            }
            for converter in new.iter().filter(|it| !old.contains(it)) {
                let Converter { from, to, factor, offset, attribution } = converter;
                let row = (workspace.0, from, to, factor, offset, attribution, now.seconds());
                transaction.prepare_cached(INSERT)?.execute(row)?;
            }
            Ok(true)
        })
    }
}

fn of(connection: &Connection, workspace: WorkspaceId) -> rusqlite::Result<Vec<Converter>> {
    let mut statement = connection.prepare_cached(SELECT)?;
    let rows = statement.query_map((workspace.0,), |row| {
        Ok(Converter {
            from: row.get(0)?,
            to: row.get(1)?,
            factor: row.get(2)?,
            offset: row.get(3)?,
            attribution: row.get(4)?,
        })
    })?;
    rows.collect()
}

const SELECT: &str = "
    SELECT from_unit, to_unit, factor, shift, attribution FROM converter
    WHERE workspace = ?1 ORDER BY from_unit, to_unit";
const DELETE: &str =
    "DELETE FROM converter WHERE workspace = ?1 AND from_unit = ?2 AND to_unit = ?3";
const INSERT: &str = "
    INSERT INTO converter (workspace, from_unit, to_unit, factor, shift, attribution, added_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
