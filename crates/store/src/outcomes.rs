//! What became of calls that may happen only once, kept under the key that makes two calls the same.

use assay_base::CallHash;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};

use crate::audit::{self, AuditHead, AuditRow};
use crate::error::StoreError;
use crate::store::Store;

/// Rows past their time that one new row removes at most, so that none pile up.
const SWEPT: u32 = 4;

/// Under what a call is kept: the organisation, and the address of what makes it the same call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeKey<'k> {
    /// The organisation.
    pub organisation: &'k str,
    /// The address.
    pub key: CallHash,
}

/// What is kept of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How far it is.
    pub state: OutcomeState,
    /// Its arguments, in a form that this crate does not interpret.
    pub fingerprint: String,
    /// What people find it by.
    pub reference: String,
    /// The end of its lease where it is in flight, else until when it is kept: milliseconds since
    /// 1970.
    pub until: i64,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutcomeState {
    /// It is under way.
    InFlight,
    /// It has ended with this payload.
    Done(String),
    /// It was sent, and nobody knows what came of it.
    Unknown,
}

impl Store {
    /// What is kept under a key. What is past its time is not there any more, but for calls whose
    /// end is not known.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn outcome(&self, key: OutcomeKey<'_>, now: i64) -> Result<Option<Outcome>, StoreError> {
        self.read(|connection| of(connection, key, now))
    }

    /// Settles a call whose end is not known at `now`: with a payload it ended so and is kept until
    /// the time beside it, without one it never took place and may be repeated. Returns whether
    /// there was such a call; one that may still be under way is none. `seal` makes what is recorded
    /// of it in `chain`. Times are milliseconds since 1970.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn reconcile_outcome(
        &self,
        reference: &str,
        ended: Option<(&str, i64)>,
        now: i64,
        (chain, seal): (&str, impl FnOnce(Option<AuditHead>) -> Vec<AuditRow>),
    ) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let settled = match ended {
                Some((payload, until)) => {
                    transaction.prepare_cached(SETTLE)?.execute((reference, now, payload, until))?
                }
                None => transaction.prepare_cached(RETRACT)?.execute((reference, now))?,
            };
            if settled > 0 {
                audit::append(transaction, chain, seal)?;
            }
            Ok(settled > 0)
        })
    }
}

pub(crate) fn of(
    connection: &Connection,
    OutcomeKey { organisation, key }: OutcomeKey<'_>,
    now: i64,
) -> rusqlite::Result<Option<Outcome>> {
    let mut statement = connection.prepare_cached(SELECT)?;
    let kept = statement.query_row((organisation, key.as_bytes()), outcome).optional()?;
    Ok(kept.filter(|it| !matches!(it.state, OutcomeState::Done(_)) || now < it.until))
}

fn outcome(row: &Row<'_>) -> rusqlite::Result<Outcome> {
    let state = match row.get::<_, String>(0)?.as_str() {
        "in_flight" => OutcomeState::InFlight,
        "done" => OutcomeState::Done(row.get::<_, Option<String>>(2)?.unwrap_or_default()),
        _ => OutcomeState::Unknown,
    };
    let (fingerprint, reference, until) = (row.get(1)?, row.get(3)?, row.get(4)?);
    Ok(Outcome { state, fingerprint, reference, until })
}

/// Keeps `outcome` in place of what was kept before.
pub(crate) fn put(
    transaction: &Transaction<'_>,
    OutcomeKey { organisation, key }: OutcomeKey<'_>,
    outcome: &Outcome,
    now: i64,
) -> rusqlite::Result<()> {
    let (state, payload) = match &outcome.state {
        OutcomeState::InFlight => ("in_flight", None),
        OutcomeState::Done(payload) => ("done", Some(payload.as_str())),
        OutcomeState::Unknown => ("unknown", None),
    };
    let Outcome { fingerprint, reference, until, .. } = outcome;
    let row = (organisation, key.as_bytes(), state, fingerprint, payload, reference, until);
    transaction.prepare_cached(PUT)?.execute(row)?;
    transaction.prepare_cached(SWEEP)?.execute((now, SWEPT))?;
    Ok(())
}

/// Forgets a call that did not take place.
pub(crate) fn release(
    transaction: &Transaction<'_>,
    OutcomeKey { organisation, key }: OutcomeKey<'_>,
) -> rusqlite::Result<()> {
    transaction.prepare_cached(RELEASE)?.execute((organisation, key.as_bytes()))?;
    Ok(())
}

const SELECT: &str = "
    SELECT state, fingerprint, payload, reference, until FROM outcome
    WHERE organisation = ?1 AND key = ?2";
const PUT: &str = "
    INSERT OR REPLACE INTO outcome
        (organisation, key, state, fingerprint, payload, reference, until)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const SWEEP: &str = "
    DELETE FROM outcome WHERE (organisation, key) IN (
        SELECT organisation, key FROM outcome WHERE until <= ?1 AND state = 'done' LIMIT ?2)";
const SETTLE: &str = "
    UPDATE outcome SET state = 'done', payload = ?3, until = ?4
    WHERE reference = ?1 AND (state = 'unknown' OR state = 'in_flight' AND until <= ?2)";
const RETRACT: &str = "
    DELETE FROM outcome
    WHERE reference = ?1 AND (state = 'unknown' OR state = 'in_flight' AND until <= ?2)";
const RELEASE: &str = "DELETE FROM outcome WHERE organisation = ?1 AND key = ?2";
