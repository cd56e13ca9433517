//! The two transactions of a governed call: one before it leaves, one after it came back.

use crate::audit::{self, AuditHead, AuditRow};
use crate::error::StoreError;
use crate::evidence::{self, Evidence};
use crate::outcomes::{self, Outcome, OutcomeKey};
use crate::store::Store;
use crate::{requests, stops};

/// What has to hold when a call leaves, and what is kept of it then.
#[derive(Debug)]
pub struct Departure<'d> {
    /// Under what the call is kept, where it may happen only once.
    pub key: Option<OutcomeKey<'d>>,
    /// What is kept there.
    pub outcome: &'d Outcome,
    /// The stops that would hold it back.
    pub targets: &'d [String],
    /// The request that it uses up, where it waited for people.
    pub request: Option<&'d str>,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// Whether a call may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// It may, and everything is kept.
    Yes,
    /// Something that it needs was stopped meanwhile.
    Stopped,
    /// The same call left before it.
    Taken(Outcome),
    /// What people agreed to was used up meanwhile.
    Spent,
}

/// What is kept of a call that came back.
#[derive(Debug)]
pub struct Arrival<'a> {
    /// Under what the call is kept, and what is kept there; without an outcome it is forgotten.
    pub outcome: Option<(OutcomeKey<'a>, Option<&'a Outcome>)>,
    /// What it found, where it succeeded.
    pub evidence: Option<&'a Evidence>,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

impl Store {
    /// Lets a call leave: looks once more whether it is stopped, takes its key, uses up what people
    /// agreed to and appends what `seal` makes of the end of `chain`. All of it, or nothing.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn depart(
        &self,
        departure: &Departure<'_>,
        chain: &str,
        seal: impl FnOnce(Option<AuditHead>) -> Vec<AuditRow>,
    ) -> Result<Left, StoreError> {
        self.write(|transaction| {
            if stops::any(transaction, departure.targets)? {
                return Ok(Left::Stopped);
            }
            if let Some(key) = departure.key
                && let Some(kept) = outcomes::of(transaction, key, departure.now)?
            {
                return Ok(Left::Taken(kept));
            }
            if let Some(request) = departure.request
                && !requests::use_up(transaction, request)?
            {
                return Ok(Left::Spent);
            }
            if let Some(key) = departure.key {
                outcomes::put(transaction, key, departure.outcome, departure.now)?;
            }
            audit::append(transaction, chain, seal)?;
            Ok(Left::Yes)
        })
    }

    /// Keeps what became of a call, with its last entry in `chain`. All of it, or nothing.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn arrive(
        &self,
        arrival: &Arrival<'_>,
        chain: &str,
        seal: impl FnOnce(Option<AuditHead>) -> Vec<AuditRow>,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            match arrival.outcome {
                Some((key, Some(outcome))) => {
                    outcomes::put(transaction, key, outcome, arrival.now)?;
                }
                Some((key, None)) => outcomes::release(transaction, key)?,
                None => {}
            }
            audit::append(transaction, chain, seal)?;
            if let Some(found) = arrival.evidence {
                evidence::put(transaction, found)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
