//! At most so many calls in any sixty seconds, counted exactly.

use std::collections::VecDeque;

use serde_json::json;

use crate::gate::{Code, Refusal};

const WINDOW_MS: i64 = 60_000;

/// When the calls of one key were let through, oldest first, in milliseconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window(VecDeque<i64>);

impl Window {
    /// Counts a call at `now`, if `limit` lets it through. A changed limit judges the calls that
    /// were counted before it.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the whole seconds after which a call goes through; none where no call
    /// ever does.
    pub fn take(&mut self, limit: u32, now: i64) -> Result<(), Refusal> {
        // A clock that steps back must not let more through.
        let now = self.0.back().map_or(now, |latest| now.max(*latest));
        while self.0.front().is_some_and(|it| now - it >= WINDOW_MS) {
            self.0.pop_front();
        }
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let Some(over) = self.0.len().checked_sub(limit) else {
            self.0.push_back(now);
            return Ok(());
        };
        // The call that must leave the window before another one fits in.
        let wait = self.0.get(over).map(|it| (it + WINDOW_MS - now + 999) / 1000);
        Err(Refusal::new(Code::RateLimited, [("retry_after", json!(wait))]))
    }

    /// Takes back a call that was counted at `now` and did not leave after all.
    pub fn give_back(&mut self, now: i64) {
        if let Some(at) = self.0.iter().rposition(|it| *it <= now) {
            self.0.remove(at);
        }
    }

    /// How many calls count at `now`.
    #[must_use]
    pub fn used(&self, now: i64) -> usize {
        self.0.iter().filter(|it| now - **it < WINDOW_MS).count()
    }

    /// Whether nothing is counted any more, so that the window may be forgotten.
    #[must_use]
    pub fn is_idle(&self, now: i64) -> bool {
        self.0.back().is_none_or(|it| now - it >= WINDOW_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::Window;

    /// Limit, time, and the seconds to wait; `None` where the call goes through.
    const CALLS: &[(u32, i64, Option<i64>)] = &[
        (2, 0, None),
        (2, 500, None),
        (2, 500, Some(60)),
        (2, 59_001, Some(1)),
        (2, 59_999, Some(1)),
        (2, 60_000, None),
        (2, 60_000, Some(1)),
        (2, 60_500, None),
        // The clock steps back.
        (2, 0, Some(60)),
        // The limit is lowered, then raised; what was counted stays counted.
        (1, 60_600, Some(60)),
        (3, 60_600, None),
        (3, 60_600, Some(60)),
        (3, 200_000, None),
    ];

    #[test]
    fn exact() {
        let mut window = Window::default();
        for (index, (limit, now, wait)) in CALLS.iter().enumerate() {
            let found =
                window.take(*limit, *now).err().map(|it| it.details["retry_after"].as_i64());
            assert_eq!(found, wait.map(Some), "call {index}");
        }
        assert!(!window.is_idle(259_999) && window.is_idle(260_000));
    }

    #[test]
    fn zero_lets_none_through() {
        let refusal = Window::default().take(0, 0).unwrap_err();
        assert!(refusal.details["retry_after"].is_null());
    }

    #[test]
    fn never_more_in_any_minute() {
        let mut window = Window::default();
        let passed: Vec<i64> =
            (0..4000).map(|it| it * 97).filter(|now| window.take(7, *now).is_ok()).collect();
        assert!(passed.len() > 30);
        for pair in passed.windows(8) {
            assert!(pair[7] - pair[0] >= 60_000, "{pair:?}");
        }
    }

    /// What a refusal says is neither too much nor too little, whenever calls arrive.
    #[test]
    fn the_wait_is_exact_to_the_second() {
        let mut random: u64 = 7;
        for limit in [1, 3, 8] {
            let (mut window, mut now, mut passed, mut refused) =
                (Window::default(), 1_000_000, Vec::new(), 0);
            for _ in 0..2000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // Some calls come at once, most a little later, a few after a pause.
                now += match (random >> 60, i64::try_from((random >> 50) & 0xfff).unwrap()) {
                    (0..=2, _) => 0,
                    (3..=14, pause) => pause,
                    (_, pause) => pause * 20,
                };
                let Err(refusal) = window.take(limit, now) else {
                    passed.push(now);
                    continue;
                };
                refused += 1;
                let wait = refusal.details["retry_after"].as_i64().unwrap();
                let later = |seconds: i64| window.clone().take(limit, now + seconds * 1000);
                assert!(wait >= 1 && later(wait).is_ok(), "{limit} at {now}: {wait}");
                assert!(wait == 1 || later(wait - 1).is_err(), "{limit} at {now}: {wait}");
            }
            let limit = usize::try_from(limit).unwrap();
            for calls in passed.windows(limit + 1) {
                assert!(calls[limit] - calls[0] >= 60_000, "{calls:?}");
            }
            assert!(passed.len() > 20 && refused > 20, "{} {refused}", passed.len());
        }
    }
}
