//! The tables, as the list of steps that lead to them.
//!
//! INVARIANT: a step is never changed or removed once it was released; a change is a further step.
//! The database keeps the digest of every step that it took, so that a file which took other steps
//! is refused and not misread.

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::error::StoreError;

/// Marks a database as ours in its header: the letters `ASSY`.
const APPLICATION_ID: i32 = 0x4153_5359;

/// The steps in their order. The version of a database is the number of steps it took.
pub(crate) const MIGRATIONS: &[&str] = &[
    // 1: sources by hash, each with the revision that it followed.
    "CREATE TABLE ruleset (
        hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
        source TEXT NOT NULL,
        parent BLOB REFERENCES ruleset (hash),
        depth INTEGER NOT NULL CHECK (depth >= 0)
    ) STRICT;
    CREATE INDEX ruleset_parent ON ruleset (parent) WHERE parent IS NOT NULL;",
    include_str!("migrations/2.sql"),
    include_str!("migrations/3.sql"),
    include_str!("migrations/4.sql"),
    include_str!("migrations/5.sql"),
    include_str!("migrations/6.sql"),
    include_str!("migrations/7.sql"),
];

pub(crate) const LEDGER: &str = "CREATE TABLE IF NOT EXISTS migration (
    version INTEGER NOT NULL PRIMARY KEY,
    digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;";

/// Takes the steps that `connection` has not taken yet; a database that is up to date is only read.
pub(crate) fn migrate(connection: &mut Connection, file: &str) -> Result<(), StoreError> {
    let sql = |error| StoreError::from_sqlite(file, &error);
    let current = taken(&connection.transaction().map_err(sql)?, file)? == MIGRATIONS.len();
    if current {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sql)?;
    // Another process may have taken steps while this one waited for the lock.
    let taken = taken(&transaction, file)?;
    take_from(&transaction, taken).map_err(sql)?;
    transaction.commit().map_err(sql)
}

fn take_from(transaction: &Transaction<'_>, taken: usize) -> rusqlite::Result<()> {
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.execute_batch(LEDGER)?;
    for (version, step) in (1_i64..).zip(MIGRATIONS).skip(taken) {
        transaction.execute_batch(step)?;
        transaction.execute(
            "INSERT INTO migration (version, digest) VALUES (?1, ?2)",
            params![version, digest(step)],
        )?;
    }
    Ok(())
}

/// How many steps the database took, all of which this release knows.
///
/// It asks more than once, so it needs a transaction: a file that another process fills meanwhile
/// would look like one of another program.
fn taken(connection: &Transaction<'_>, file: &str) -> Result<usize, StoreError> {
    let sql = |error| StoreError::from_sqlite(file, &error);
    let id: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(sql)?;
    if id != APPLICATION_ID {
        return if is_empty(connection).map_err(sql)? {
            Ok(0)
        } else {
            Err(StoreError::NotADatabase { file: file.to_owned() })
        };
    }
    let digests = digests(connection).map_err(sql)?;
    if digests.len() > MIGRATIONS.len() {
        return Err(StoreError::NewerSchema {
            file: file.to_owned(),
            found: u32::try_from(digests.len()).unwrap_or(u32::MAX),
            known: u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX),
        });
    }
    let strange = digests.iter().zip(MIGRATIONS).position(|(kept, step)| *kept != digest(step));
    match strange {
        None => Ok(digests.len()),
        Some(index) => Err(StoreError::Damaged {
            file: file.to_owned(),
            detail: format!("step {} of its schema is not the released one", index + 1),
        }),
    }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let first = connection.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(()));
    first.optional().map(|it| it.is_none())
}

fn digests(connection: &Connection) -> rusqlite::Result<Vec<[u8; 32]>> {
    let mut statement = connection.prepare("SELECT digest FROM migration ORDER BY version")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn digest(step: &str) -> [u8; 32] {
    // The kind of address does not matter here, only that the same text has the same digest.
    *assay_base::RulesetHash::of(step.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, digest};

    /// Released steps do not change. A new step adds a line here.
    #[test]
    fn released_steps_are_as_they_were() {
        let released = [
            "b44edfbc95d34d84915bf9f7671cc1e7da9df519ea4ad1ac17d9c34c35c8968f",
            "f26280ba2060d0d1532c9c944ef13022e7b99d1d1d3f6212f6c4bc1b0709c983",
            "afbc194a32c4937b981cb7789acf0794132f259a56730d2689c806ddc3dbbed8",
            "1e462cade7b46b91d7403a6fc3b275edcfb5ecde795e27f99f5da600d7de0bd9",
            "29331c205b3db151f48ac271e0bc1141d831a370fe58d21b78a7c8ff0ea48e48",
            "55f049fddd13f1bdb184754cb204fd89e7d79ef24b10c36feea378c21195bf19",
            "8c9a56e9e8154801642cbe1b29528d10375585efdf809da90ab808c8155f5e5d",
        ];
        let now: Vec<String> = MIGRATIONS
            .iter()
            .map(|step| digest(step).iter().map(|byte| format!("{byte:02x}")).collect())
            .collect();
        assert_eq!(now, released);
    }
}
