//! How often calls were made and refused, by whom and of which tool. Kept by this process alone.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_registry::gate::Refusal;
use assay_registry::gate::rate::{Limit, Window};
use assay_registry::gate::record::{RateKey, RateLimit};

use crate::caller::{Session, Standing};

/// How often one caller may be refused within a minute before it is refused unheard.
pub(crate) const MAX_REFUSALS: u32 = 60;

const REFUSALS: Limit = Limit { per_minute: MAX_REFUSALS, burst: None };

/// Keys that are kept before idle ones are looked for.
const SWEEP_FROM: usize = 256;
/// For how long idle keys are kept however few there are, in milliseconds.
const SWEEP_EVERY: u64 = 60_000;

/// How often which calls were made, and who was refused: the windows of one process.
#[derive(Debug, Default)]
pub struct Limits {
    calls: Mutex<Windows>,
    refusals: Mutex<Windows>,
}

#[derive(Debug, Default)]
struct Windows {
    by_key: BTreeMap<String, Window>,
    /// How many keys there may be before the next sweep.
    sweep_at: usize,
    /// When the last sweep was, in milliseconds since 1970.
    swept_at: i64,
}

impl Windows {
    fn window(&mut self, key: &str, now: i64) -> &mut Window {
        self.sweep(now);
        self.by_key.entry(key.to_owned()).or_default()
    }

    fn check(&mut self, key: &str, limit: Limit, now: i64) -> Result<(), Refusal> {
        self.sweep(now);
        match self.by_key.get(key) {
            Some(window) => window.check(limit, now),
            None => Window::default().check(limit, now),
        }
    }

    /// Forgets what is idle, where it is time for that or there is much of it.
    fn sweep(&mut self, now: i64) {
        let is_time = now.abs_diff(self.swept_at) >= SWEEP_EVERY;
        if is_time || self.by_key.len() >= self.sweep_at.max(SWEEP_FROM) {
            self.by_key.retain(|_, window| {
                window.trim(now);
                !window.is_idle(now)
            });
            self.swept_at = now;
            // Each key is looked at a bounded number of times for each one that comes.
            self.sweep_at = self.by_key.len() * 2;
        }
    }
}

impl Limits {
    /// Whether the calls that were counted under a key leave room for another one.
    pub(crate) fn check(&self, key: &str, limit: RateLimit, now: i64) -> Result<(), Refusal> {
        lock(&self.calls).check(key, limit.into(), now)
    }

    /// How many calls count under a key.
    pub(crate) fn used(&self, key: &str, now: i64) -> usize {
        lock(&self.calls).by_key.get(key).map_or(0, |it| it.used(now))
    }

    /// Counts a call under a key, at `now` in milliseconds since 1970.
    ///
    /// # Errors
    /// `RATE_LIMITED` where the limit leaves no room for it, with the seconds until it does.
    pub fn take(&self, key: &str, limit: RateLimit, now: i64) -> Result<(), Refusal> {
        lock(&self.calls).window(key, now).take(limit.into(), now)
    }

    /// Takes back a call that was counted and did not leave after all.
    pub(crate) fn give_back(&self, key: &str, now: i64) {
        lock(&self.calls).window(key, now).give_back(now);
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, standing: &Standing, now: i64) {
        // One that no longer counts is one that need not be counted.
        let _ = lock(&self.refusals).window(&caller(standing), now).take(REFUSALS, now);
    }

    /// Whether a caller was refused too often to be heard.
    pub(crate) fn hears(&self, standing: &Standing, now: i64) -> Result<(), Refusal> {
        let mut refusals = lock(&self.refusals);
        if refusals.by_key.is_empty() {
            return Ok(());
        }
        refusals.check(&caller(standing), REFUSALS, now)
    }

    /// How many keys are kept.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.calls).by_key.len() + lock(&self.refusals).by_key.len()
    }
}

/// Whose refusals are counted together.
fn caller(standing: &Standing) -> String {
    format!("{}\n{}", standing.id, standing.subject)
}

/// Whose calls of a tool are counted together.
pub(crate) fn key(tool: &str, limit: Option<RateLimit>, session: &Session) -> String {
    let organisation = &session.workspace.address;
    let standing = &session.standing;
    match limit.map(|it| it.key).unwrap_or_default() {
        RateKey::Org => format!("{organisation}\n{tool}"),
        RateKey::OrgUser => format!("{organisation}\n{tool}\n{}", standing.subject),
        RateKey::OrgSession => format!("{organisation}\n{tool}\n{}", standing.id),
    }
}

fn lock(windows: &Mutex<Windows>) -> MutexGuard<'_, Windows> {
    windows.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use assay_registry::gate::record::{RateKey, RateLimit};

    use super::{Limits, MAX_REFUSALS};
    use crate::caller::Standing;

    fn by(id: &str) -> Standing {
        Standing { id: id.to_owned(), ..Standing::default() }
    }

    #[test]
    fn ten_thousand_keys_idle_out() {
        let limits = Limits::default();
        let limit = RateLimit { requests_per_minute: 5, burst: None, key: RateKey::Org };
        for number in 0..10_000 {
            assert!(limits.take(&format!("o{number}"), limit, 1_000).is_ok());
        }
        assert_eq!(limits.len(), 10_000);
        for number in 0..20_000 {
            assert!(limits.take(&format!("p{number}"), limit, 100_000 + number).is_ok());
        }
        assert_eq!(limits.len(), 20_000);
        for number in 0..20_001 {
            assert!(
                limits
                    .take(
                        "q",
                        RateLimit { requests_per_minute: 100_000, ..limit },
                        200_000 + number
                    )
                    .is_ok()
            );
            limits.refused(&by(&format!("r{}", number % 3)), 200_000);
        }
        let left = limits.len();
        assert!(limits.take("one more", limit, 400_000).is_ok());
        assert!(limits.len() <= left + 1);
        for number in 0..20_000 {
            assert!(limits.take(&format!("s{number}"), limit, 500_000).is_ok());
        }
        assert!(limits.len() <= 20_010, "{}", limits.len());
        // Nobody new comes, and what is idle goes all the same.
        assert!(limits.check("s0", limit, 559_999).is_ok());
        assert!(limits.len() >= 20_000, "{}", limits.len());
        assert!(limits.check("s0", limit, 560_000).is_ok());
        assert!(limits.hears(&by("r0"), 560_000).is_ok());
        assert_eq!(limits.len(), 0);
    }

    #[test]
    fn asking_counts_nothing_and_a_burst_is_held() {
        let limits = Limits::default();
        let limit = RateLimit { requests_per_minute: 60, burst: Some(2), key: RateKey::Org };
        let wait = |now| {
            let refusal = limits.check("a", limit, now).err()?;
            refusal.details["retry_after"].as_i64()
        };
        for _ in 0..2 {
            assert_eq!((wait(0), wait(0)), (None, None));
            assert!(limits.take("a", limit, 0).is_ok());
        }
        assert_eq!((wait(0), wait(999), wait(1_000)), (Some(1), Some(1), None));
        assert!(limits.take("a", limit, 0).is_err());
        limits.give_back("a", 0);
        assert!(limits.take("a", limit, 0).is_ok());
    }

    #[test]
    fn whoever_probes_is_heard_no_longer() {
        let limits = Limits::default();
        let (a, b) = (by("a"), by("b"));
        for _ in 0..MAX_REFUSALS {
            assert!(limits.hears(&a, 0).is_ok());
            limits.refused(&a, 0);
        }
        assert!(limits.hears(&a, 0).is_err() && limits.hears(&b, 0).is_ok());
        assert!(limits.hears(&a, 60_000).is_ok());
    }
}
