//! At most so many calls in any sixty seconds, and at most so many at once, both counted exactly.
//!
//! `requests_per_minute` is exact at every size: the times of all calls of the last minute are kept,
//! sixteen bytes each. So all windows together take as much as there were calls in a minute, however
//! many keys and however high the limits.
//!
//! `burst` says how many calls may come at once. Each call owes `60 / requests_per_minute` seconds,
//! what is owed falls away as time passes, and a call is let through while no more is owed than
//! `burst - 1` calls owe. (Elsewhere this is called GCRA.) A call needs both: room within the minute,
//! and no more owed than that.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use serde_json::json;

use crate::gate::record::RateLimit;
use crate::gate::{Code, Refusal};

const WINDOW_MS: i64 = 60_000;

/// What one call owes. Counted so, a limit of `n` calls in a minute lets `n` fall away in each
/// millisecond, and everything is an integer.
const CALL: i64 = WINDOW_MS;

/// How often calls may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// At most this many in any sixty seconds; zero lets none through.
    pub per_minute: u32,
    /// At most this many at once; none for as many as come within the minute.
    pub burst: Option<u32>,
}

impl From<RateLimit> for Limit {
    fn from(limit: RateLimit) -> Self {
        Self { per_minute: limit.requests_per_minute, burst: limit.burst }
    }
}

/// The calls of one key that were let through within the last minute, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window(VecDeque<Call>);

/// A call that was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Call {
    /// When, in milliseconds since 1970.
    at: i64,
    /// What the calls before it still owed then.
    owed: i64,
}

impl Window {
    /// Whether `limit` lets a call through at `now`, which is not counted. A changed limit judges
    /// the calls that were counted before it.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the whole seconds after which a call goes through; none where no call
    /// ever does.
    pub fn check(&self, limit: Limit, now: i64) -> Result<(), Refusal> {
        let now = self.no_earlier(now);
        let wait = match (self.full_for(limit, now), self.owing_for(limit, now)) {
            (None, None) => return Ok(()),
            // Whoever waits for the one waits for the other at the same time.
            (full, owing) => full.unwrap_or(Some(0)).map(|it| it.max(owing.unwrap_or(0))),
        };
        let seconds = wait.map(|it| (it + 999) / 1000);
        Err(Refusal::new(Code::RateLimited, [("retry_after", json!(seconds))]))
    }

    /// Counts a call at `now`, if `limit` lets it through.
    ///
    /// # Errors
    /// As [`Window::check`].
    pub fn take(&mut self, limit: Limit, now: i64) -> Result<(), Refusal> {
        self.check(limit, now)?;
        let now = self.no_earlier(now);
        let owed = self.owed(limit.per_minute, now);
        self.trim(now);
        self.0.push_back(Call { at: now, owed });
        Ok(())
    }

    /// Takes back a call that was counted at `now` and did not leave after all.
    pub fn give_back(&mut self, now: i64) {
        let Some(index) = self.0.iter().rposition(|it| it.at <= now) else { return };
        self.0.remove(index);
        // The calls after it came while it was owed, as far as it was not over by then.
        let mut less = CALL;
        for later in self.0.iter_mut().skip(index) {
            less = less.min(later.owed);
            later.owed -= less;
        }
    }

    /// Forgets the calls that are over, and the room that they took.
    pub fn trim(&mut self, now: i64) {
        self.0.drain(..self.over(now));
        if self.0.capacity() > 64 && self.0.capacity() / 4 > self.0.len() {
            self.0.shrink_to(self.0.len() * 2);
        }
    }

    /// How many calls count at `now`.
    #[must_use]
    pub fn used(&self, now: i64) -> usize {
        self.0.len() - self.over(now)
    }

    /// Whether nothing is counted any more, so that the window may be forgotten.
    #[must_use]
    pub fn is_idle(&self, now: i64) -> bool {
        self.0.back().is_none_or(|it| now - it.at >= WINDOW_MS)
    }

    /// A clock that steps back must not let more through.
    fn no_earlier(&self, now: i64) -> i64 {
        self.0.back().map_or(now, |latest| now.max(latest.at))
    }

    /// How many of the calls no longer count.
    fn over(&self, now: i64) -> usize {
        self.0.partition_point(|it| now - it.at >= WINDOW_MS)
    }

    /// For how long the minute is full, in milliseconds: none where there is room, and no time
    /// where there is never any.
    fn full_for(&self, limit: Limit, now: i64) -> Option<Option<i64>> {
        let most = usize::try_from(limit.per_minute).unwrap_or(usize::MAX);
        let over = self.over(now);
        let excess = (self.0.len() - over).checked_sub(most)?;
        // The call that must leave the window before another one fits in.
        Some(self.0.get(over + excess).map(|it| it.at + WINDOW_MS - now))
    }

    /// For how long too many calls are owed, in milliseconds; none where one more may come.
    fn owing_for(&self, limit: Limit, now: i64) -> Option<i64> {
        let most = i64::from(limit.burst?.saturating_sub(1)) * CALL;
        let excess = self.owed(limit.per_minute, now).checked_sub(most).filter(|it| *it > 0)?;
        let rate = i64::from(limit.per_minute.max(1));
        let over = self.0.back().map_or(0, |it| it.at + WINDOW_MS - now);
        Some(((excess + rate - 1) / rate).min(over))
    }

    /// What is still owed. After a minute without calls that is nothing: no more than a minute's
    /// calls can have come in the minute before, unless the limit was lowered since.
    fn owed(&self, per_minute: u32, now: i64) -> i64 {
        let Some(latest) = self.0.back().filter(|it| now - it.at < WINDOW_MS) else { return 0 };
        (latest.owed + CALL - (now - latest.at) * i64::from(per_minute)).max(0)
    }
}
