//! Which chains there are, and entries by what they tell.
//!
//! What an entry tells is read out of its text by SQLite, for the index as for the question. An
//! entry whose text is no JSON any more tells nothing, and stands at the end of every list.

use assay_base::EntryHash;
use rusqlite::Row;

use super::{AuditRow, MAX_AUDIT_ROWS};
use crate::error::StoreError;
use crate::store::Store;

/// One chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditChain {
    /// Its name.
    pub name: String,
    /// The number of its last entry; zero when only checkpoints are left of it.
    pub size: u64,
}

/// What is asked of entries. What is `None` is not asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditSought<'q> {
    /// They stand in this chain.
    pub chain: Option<&'q str>,
    /// They carry this identifier.
    pub event_id: Option<&'q str>,
    /// They tell of this kind of event.
    pub event_type: Option<&'q str>,
    /// They tell of this tool.
    pub tool: Option<&'q str>,
    /// They tell of this point in time or of a later one: a day, or a second with its `Z`. Entries
    /// write parts of the second behind it, and older ones none.
    pub since: Option<&'q str>,
}

/// An entry with its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFound {
    /// The chain that it stands in.
    pub chain: String,
    /// The entry.
    pub row: AuditRow,
}

impl Store {
    /// Every chain that has entries or checkpoints, by name.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn audit_chains(&self) -> Result<Vec<AuditChain>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(SELECT_CHAINS)?;
            let chain = |row: &Row<'_>| {
                let size: i64 = row.get(1)?;
                Ok(AuditChain { name: row.get(0)?, size: u64::try_from(size).unwrap_or_default() })
            };
            statement.query_map((), chain)?.collect()
        })
    }

    /// The entries that are sought, the newest first, at most `limit` and at most
    /// [`MAX_AUDIT_ROWS`].
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn find_audit(
        &self,
        sought: AuditSought<'_>,
        limit: usize,
    ) -> Result<Vec<AuditFound>, StoreError> {
        let since = sought.since.map(|it| it.strip_suffix('Z').unwrap_or(it));
        let mut conditions = vec!["TRUE".to_owned()];
        let mut values: Vec<&str> = Vec::new();
        for (asked, condition) in [
            (sought.chain, "chain =".to_owned()),
            (sought.event_id, format!("{} =", told("$.event_id"))),
            (sought.event_type, format!("{} =", told("$.event_type"))),
            (sought.tool, format!("{} =", told("$.tool.tool_id"))),
            (since, format!("{} >=", told("$.timestamp"))),
        ] {
            if let Some(asked) = asked {
                values.push(asked);
                conditions.push(format!("{condition} ?{}", values.len()));
            }
        }
        let order = match sought.chain {
            Some(_) => "sequence DESC".to_owned(),
            None => format!("{} DESC, chain, sequence DESC", told("$.timestamp")),
        };
        let conditions = conditions.join(" AND ");
        let limit = limit.min(MAX_AUDIT_ROWS);
        let select = format!(
            "SELECT chain, sequence, hash, record FROM audit_entry WHERE {conditions}
             ORDER BY {order} LIMIT {limit}"
        );
        self.read(|connection| {
            let mut statement = connection.prepare(&select)?;
            statement.query_map(rusqlite::params_from_iter(values), found)?.collect()
        })
    }

    /// The entry of `chain` with this number.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn audit_entry(&self, chain: &str, sequence: u64) -> Result<Option<AuditRow>, StoreError> {
        let rows = self.audit_entries(chain, sequence, 1)?;
        Ok(rows.into_iter().next().filter(|it| it.sequence == sequence))
    }
}

/// What an entry tells under `path`, in the words of the indexes of step 5.
fn told(path: &str) -> String {
    format!("CASE WHEN json_valid(record) THEN json_extract(record, '{path}') END")
}

fn found(row: &Row<'_>) -> rusqlite::Result<AuditFound> {
    let sequence: i64 = row.get(1)?;
    let sequence = u64::try_from(sequence).unwrap_or_default();
    let (hash, record) = (EntryHash::from_bytes(row.get(2)?), row.get(3)?);
    Ok(AuditFound { chain: row.get(0)?, row: AuditRow { sequence, hash, record } })
}

/// Steps from one name to the next, since a chain may be long.
const SELECT_CHAINS: &str = "
    WITH RECURSIVE
    entries (name) AS (
        SELECT min(chain) FROM audit_entry UNION ALL
        SELECT (SELECT min(chain) FROM audit_entry WHERE chain > name) FROM entries
        WHERE name IS NOT NULL),
    checkpoints (name) AS (
        SELECT min(chain) FROM audit_checkpoint UNION ALL
        SELECT (SELECT min(chain) FROM audit_checkpoint WHERE chain > name) FROM checkpoints
        WHERE name IS NOT NULL)
    SELECT name, coalesce((SELECT max(sequence) FROM audit_entry WHERE chain = name), 0)
    FROM (SELECT name FROM entries UNION SELECT name FROM checkpoints)
    WHERE name IS NOT NULL ORDER BY name";
