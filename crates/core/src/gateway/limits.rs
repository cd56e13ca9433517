//! How often calls were made and refused, by whom and of which tool. Kept by this process alone.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_registry::gate::Refusal;
use assay_registry::gate::rate::Window;
use assay_registry::gate::record::{RateKey, RateLimit};

use crate::caller::Session;

/// How often one caller may be refused within a minute before it is refused unheard.
pub(crate) const MAX_REFUSALS: u32 = 60;

/// Keys that are kept before idle ones are looked for.
const SWEEP_FROM: usize = 256;

/// The windows of one process.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    calls: Mutex<Windows>,
    refusals: Mutex<Windows>,
}

#[derive(Debug, Default)]
struct Windows {
    by_key: BTreeMap<String, Window>,
    /// How many keys there may be before the next sweep.
    sweep_at: usize,
}

impl Windows {
    fn window(&mut self, key: &str, now: i64) -> &mut Window {
        if self.by_key.len() >= self.sweep_at.max(SWEEP_FROM) {
            self.by_key.retain(|_, window| !window.is_idle(now));
            // Each key is looked at a bounded number of times for each one that comes.
            self.sweep_at = self.by_key.len() * 2;
        }
        self.by_key.entry(key.to_owned()).or_default()
    }
}

impl Limits {
    /// The calls that were counted under a key.
    pub(crate) fn window(&self, key: &str) -> Window {
        lock(&self.calls).by_key.get(key).cloned().unwrap_or_default()
    }

    /// How many calls count under a key.
    pub(crate) fn used(&self, key: &str, now: i64) -> usize {
        lock(&self.calls).by_key.get(key).map_or(0, |it| it.used(now))
    }

    /// Counts a call.
    pub(crate) fn take(&self, key: &str, limit: RateLimit, now: i64) -> Result<(), Refusal> {
        lock(&self.calls).window(key, now).take(limit.requests_per_minute, now)
    }

    /// Takes back a call that was counted and did not leave after all.
    pub(crate) fn give_back(&self, key: &str, now: i64) {
        lock(&self.calls).window(key, now).give_back(now);
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, caller: &str, now: i64) {
        // One that no longer counts is one that need not be counted.
        let _ = lock(&self.refusals).window(caller, now).take(MAX_REFUSALS, now);
    }

    /// Whether a caller was refused too often to be heard.
    pub(crate) fn hears(&self, caller: &str, now: i64) -> Result<(), Refusal> {
        let mut window = lock(&self.refusals).by_key.get(caller).cloned().unwrap_or_default();
        window.take(MAX_REFUSALS, now)
    }

    /// How many keys are kept.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.calls).by_key.len() + lock(&self.refusals).by_key.len()
    }
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
            limits.refused(&format!("r{}", number % 3), 200_000);
        }
        let left = limits.len();
        assert!(limits.take("one more", limit, 400_000).is_ok());
        assert!(limits.len() <= left + 1);
        for number in 0..20_000 {
            assert!(limits.take(&format!("s{number}"), limit, 500_000).is_ok());
        }
        assert!(limits.len() <= 20_010, "{}", limits.len());
    }

    #[test]
    fn whoever_probes_is_heard_no_longer() {
        let limits = Limits::default();
        for _ in 0..MAX_REFUSALS {
            assert!(limits.hears("a", 0).is_ok());
            limits.refused("a", 0);
        }
        assert!(limits.hears("a", 0).is_err() && limits.hears("b", 0).is_ok());
        assert!(limits.hears("a", 60_000).is_ok());
    }
}
