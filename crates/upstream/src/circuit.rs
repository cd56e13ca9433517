//! Whether a server is worth asking, from how the last calls went.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::call::CallError;

/// So many calls in a row that reach nothing open the circuit.
const MISSES: u32 = 5;
/// How many seconds an open circuit refuses, before one call tries again.
pub const REST_SECONDS: u64 = 30;
const REST: Duration = Duration::from_secs(REST_SECONDS);

/// How a server is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing was asked of it yet, or its connection ended.
    Idle,
    /// It has a connection, or answered the last request.
    Connected,
    /// The last call did not reach it.
    Failed {
        /// What an operator should know.
        reason: String,
        /// How long ago that was.
        since: Duration,
    },
    /// The last calls did not reach it, so it is left alone.
    Open {
        /// How long until one call tries again.
        retry_in: Duration,
    },
}

/// The present moment, for pauses alone.
#[expect(clippy::disallowed_methods, reason = "pauses are measured here and reach no payload")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The memory behind one upstream's circuit.
#[derive(Debug, Default)]
pub(crate) struct Circuit {
    misses: u32,
    opened: Option<Instant>,
    probing: bool,
    failure: Option<(Instant, String)>,
    answered: bool,
}

/// What a finished call says of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Reached,
    Missed(String),
    /// The caller gave up, which says nothing.
    Untold,
}

impl Outcome {
    pub(crate) fn of<T>(result: &Result<T, CallError>) -> Self {
        match result {
            Err(
                error @ (CallError::NotSent(_)
                | CallError::Unavailable
                | CallError::TimedOut { .. }),
            ) => Self::Missed(error.to_string()),
            Err(CallError::Cancelled { .. } | CallError::UnknownUpstream) => Self::Untold,
            Ok(_) | Err(CallError::Broken(_) | CallError::TooLarge) => Self::Reached,
        }
    }
}

impl Circuit {
    /// Whether a call may go out, and if so whether it is the one that tries again.
    fn admit(&mut self, now: Instant) -> Option<bool> {
        match self.opened {
            None => Some(false),
            Some(opened) if !self.probing && now.duration_since(opened) >= REST => {
                self.probing = true;
                Some(true)
            }
            Some(_) => None,
        }
    }

    fn settle(&mut self, now: Instant, probe: bool, outcome: Outcome) {
        self.probing &= !probe;
        match outcome {
            Outcome::Reached => *self = Self { answered: true, ..Self::default() },
            Outcome::Missed(reason) => {
                self.misses = self.misses.saturating_add(1);
                self.failure = Some((now, reason));
                self.answered = false;
                // A call that was under way when the circuit opened does not prolong the rest.
                if probe || (self.misses >= MISSES && self.opened.is_none()) {
                    self.opened = Some(now);
                }
            }
            Outcome::Untold => {}
        }
    }

    fn state(&self, now: Instant, connected: bool) -> State {
        match (self.opened, &self.failure) {
            (Some(opened), _) => {
                State::Open { retry_in: REST.saturating_sub(now.duration_since(opened)) }
            }
            (None, Some((at, reason))) => {
                State::Failed { reason: reason.clone(), since: now.duration_since(*at) }
            }
            (None, None) if connected => State::Connected,
            (None, None) => State::Idle,
        }
    }
}

/// A circuit that calls share.
#[derive(Debug, Default)]
pub(crate) struct Health(Mutex<Circuit>);

impl Health {
    fn lock(&self) -> MutexGuard<'_, Circuit> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leave to make one call.
    pub(crate) fn admit(&self) -> Result<Ticket<'_>, CallError> {
        let probe = self.lock().admit(now()).ok_or(CallError::Unavailable)?;
        Ok(Ticket { health: self, probe, outcome: Outcome::Untold })
    }

    /// The state, where `connected` says whether there is a connection, if the route has any.
    pub(crate) fn state(&self, connected: Option<bool>) -> State {
        let circuit = self.lock();
        circuit.state(now(), connected.unwrap_or(circuit.answered))
    }
}

/// Leave to make one call; given back with what the call showed, also when a panic ends it.
#[derive(Debug)]
pub(crate) struct Ticket<'h> {
    health: &'h Health,
    probe: bool,
    outcome: Outcome,
}

impl Ticket<'_> {
    pub(crate) fn settle<T>(mut self, result: &Result<T, CallError>) {
        self.outcome = Outcome::of(result);
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let outcome = std::mem::replace(&mut self.outcome, Outcome::Untold);
        self.health.lock().settle(now(), self.probe, outcome);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Circuit, Outcome, State, now};

    #[test]
    fn five_misses_open_it_and_one_probe_closes_it() {
        let start = now();
        let mut circuit = Circuit::default();
        let missed = || Outcome::Missed("gone".to_owned());
        // Seconds, what is asked or told, and what the circuit says: leave, and whether to probe.
        let steps = [
            (0, None, Some(false)),
            (0, Some((false, missed())), Some(false)),
            (1, Some((false, missed())), Some(false)),
            (1, Some((false, Outcome::Reached)), Some(false)),
            (2, Some((false, missed())), Some(false)),
            (2, Some((false, missed())), Some(false)),
            (2, Some((false, Outcome::Untold)), Some(false)),
            (2, Some((false, missed())), Some(false)),
            (2, Some((false, missed())), Some(false)),
            (3, Some((false, missed())), None),
            (20, Some((false, missed())), None),
            (32, None, None),
            (33, None, Some(true)),
            (34, None, None),
            // A probe that its caller gave up leaves the next call to probe.
            (35, Some((true, Outcome::Untold)), Some(true)),
            (36, Some((true, missed())), None),
            (65, None, None),
            (66, None, Some(true)),
            (67, Some((true, Outcome::Reached)), Some(false)),
        ];
        for (seconds, told, expected) in steps {
            let at = start + Duration::from_secs(seconds);
            if let Some((probe, outcome)) = told {
                circuit.settle(at, probe, outcome);
            }
            assert_eq!(circuit.admit(at), expected, "at {seconds}");
        }
    }

    #[test]
    fn states() {
        let start = now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut circuit = Circuit::default();
        assert_eq!(circuit.state(start, false), State::Idle);
        assert_eq!(circuit.state(start, true), State::Connected);
        circuit.settle(start, false, Outcome::Missed("gone".to_owned()));
        let (reason, since) = ("gone".to_owned(), Duration::from_secs(3));
        assert_eq!(circuit.state(at(3), true), State::Failed { reason, since });
        for _ in 0..4 {
            circuit.settle(at(4), false, Outcome::Missed("gone".to_owned()));
        }
        assert_eq!(circuit.state(at(10), true), State::Open { retry_in: Duration::from_secs(24) });
    }
}
