//! Emergency stops: what is switched off, by whom and why, and who asks for it to be lifted.

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};

use crate::audit::{self, AuditHead, AuditRow};
use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::workspaces::PersonId;

/// Most stops that are set at one time.
pub const MAX_STOPS: u32 = 1_000;

/// One stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// What is stopped, as a word that this crate does not interpret.
    pub target: String,
    /// Who set it.
    pub set_by: String,
    /// Why.
    pub reason: String,
    /// When, in milliseconds since 1970.
    pub set_at: i64,
    /// The first of the two people who lift it, where one has asked.
    pub lift: Option<Lift>,
}

/// A person's word that a stop may be lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift {
    /// The person.
    pub by: PersonId,
    /// Where the repair is written down.
    pub fix: String,
    /// Why the stop is no longer needed.
    pub reason: String,
    /// When it was given, in milliseconds since 1970.
    pub at: i64,
}

impl Store {
    /// Every stop, in the order of the targets.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn stops(&self) -> Result<Vec<Stop>, StoreError> {
        self.read(all)
    }

    /// Sets a stop. One that is set already stays as it was set, and loses its word for a lift.
    ///
    /// # Errors
    /// [`Refusal::TooMany`], and the errors that name a file.
    pub fn set_stop(&self, stop: &Stop) -> Result<(), StoreError> {
        self.write_watched(|transaction| {
            let set: u32 =
                transaction.query_row("SELECT count(*) FROM stop", [], |row| row.get(0))?;
            if set >= MAX_STOPS {
                return Err(Refusal::TooMany { what: "stops", limit: MAX_STOPS }.into());
            }
            transaction.prepare_cached(SET)?.execute((
                &stop.target,
                &stop.set_by,
                &stop.reason,
                stop.set_at,
            ))?;
            Ok(())
        })
    }

    /// Notes a person's word for lifting a stop, or lifts it where `decide` says so of the stop
    /// that is set. `seal` makes what is recorded in `chain` of either, without which neither is
    /// done. Returns the stop as it was, and whether it is lifted.
    ///
    /// # Errors
    /// [`Refusal::UnknownStop`], what `decide` refuses, and the errors that name a file.
    pub fn lift_stop(
        &self,
        target: &str,
        lift: &Lift,
        decide: impl FnOnce(&Stop) -> Result<bool, Refusal>,
        (chain, seal): (&str, impl FnOnce(Option<AuditHead>, bool) -> Vec<AuditRow>),
    ) -> Result<(Stop, bool), StoreError> {
        self.write_watched(|transaction| {
            let stop = one(transaction, target)?.ok_or(Refusal::UnknownStop)?;
            let lifted = decide(&stop)?;
            if lifted {
                transaction.execute("DELETE FROM stop WHERE target = ?1", (target,))?;
            } else {
                let row = (target, lift.by.0, &lift.fix, &lift.reason, lift.at);
                transaction.prepare_cached(ASK)?.execute(row)?;
            }
            audit::append(transaction, chain, |head| seal(head, lifted))?;
            Ok((stop, lifted))
        })
    }

    /// How often what is stopped changed since the database was made. It never goes back.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn stop_changes(&self) -> Result<u64, StoreError> {
        let number: i64 = self.read(|connection| {
            connection.query_row("SELECT number FROM stop_change", [], |row| row.get(0))
        })?;
        Ok(u64::try_from(number).unwrap_or_default())
    }

    /// Makes everybody look again at what is kept in memory of stops and callers, since what is
    /// stopped elsewhere changed, and counts that.
    ///
    /// # Errors
    /// The errors that name a file; everybody looks again all the same.
    pub fn stops_changed(&self) -> Result<(), StoreError> {
        self.watched();
        self.write_watched(|transaction| {
            transaction.execute("UPDATE stop_change SET number = number + 1", [])?;
            Ok(())
        })
    }
}

/// Whether one of `targets` is stopped.
pub(crate) fn any(transaction: &Transaction<'_>, targets: &[String]) -> rusqlite::Result<bool> {
    let mut statement = transaction.prepare_cached("SELECT 1 FROM stop WHERE target = ?1")?;
    for target in targets {
        if statement.exists((target,))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn all(connection: &Connection) -> rusqlite::Result<Vec<Stop>> {
    let mut statement = connection.prepare_cached(ALL)?;
    statement.query_map([], stop)?.collect()
}

fn one(transaction: &Transaction<'_>, target: &str) -> rusqlite::Result<Option<Stop>> {
    transaction.prepare_cached(ONE)?.query_row((target,), stop).optional()
}

fn stop(row: &Row<'_>) -> rusqlite::Result<Stop> {
    let lift = match row.get::<_, Option<i64>>(4)? {
        None => None,
        Some(by) => {
            Some(Lift { by: PersonId(by), fix: row.get(5)?, reason: row.get(6)?, at: row.get(7)? })
        }
    };
    Ok(Stop {
        target: row.get(0)?,
        set_by: row.get(1)?,
        reason: row.get(2)?,
        set_at: row.get(3)?,
        lift,
    })
}

const ALL: &str = "
    SELECT target, set_by, reason, set_at, lift_by, lift_fix, lift_reason, lift_at
    FROM stop ORDER BY target";
const ONE: &str = "
    SELECT target, set_by, reason, set_at, lift_by, lift_fix, lift_reason, lift_at
    FROM stop WHERE target = ?1";
const SET: &str = "
    INSERT INTO stop (target, set_by, reason, set_at) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (target) DO UPDATE
        SET lift_by = NULL, lift_fix = NULL, lift_reason = NULL, lift_at = NULL";
const ASK: &str = "
    UPDATE stop SET lift_by = ?2, lift_fix = ?3, lift_reason = ?4, lift_at = ?5
    WHERE target = ?1";
