//! Points in time in UTC, to the second and to the millisecond.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};

/// A point in time: whole seconds since 1970-01-01 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The point `seconds` after 1970-01-01.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Whole seconds since 1970-01-01.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// The point this many days later.
    #[must_use]
    pub const fn after_days(self, days: u32) -> Self {
        Self(self.0.saturating_add(days as i64 * 86_400))
    }

    /// The calendar month, as `2026-12`.
    #[must_use]
    pub fn month(self) -> String {
        self.date_time().format("%Y-%m").to_string()
    }

    /// A point that the calendar does not reach is shown as its end.
    fn date_time(self) -> DateTime<Utc> {
        let end = if self.0 < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC };
        DateTime::from_timestamp(self.0, 0).unwrap_or(end)
    }
}

/// As ISO 8601 writes it: `2026-12-01T03:05:32Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.date_time().to_rfc3339_opts(SecondsFormat::Secs, true))
    }
}

/// A point in time: whole milliseconds since 1970-01-01 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i64);

impl Moment {
    /// The point `milliseconds` after 1970-01-01.
    #[must_use]
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds)
    }
}

/// As ISO 8601 writes it: `2026-12-01T03:05:32.123Z`.
impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.0 < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC };
        let it = DateTime::from_timestamp_millis(self.0).unwrap_or(end);
        out.write_str(&it.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

#[cfg(test)]
mod tests {
    use super::{Moment, Timestamp};

    #[test]
    fn written_in_utc() {
        for (seconds, text, month) in [
            (0, "1970-01-01T00:00:00Z", "1970-01"),
            (951_782_400, "2000-02-29T00:00:00Z", "2000-02"),
            (1_796_094_332, "2026-12-01T03:05:32Z", "2026-12"),
            (-1, "1969-12-31T23:59:59Z", "1969-12"),
        ] {
            let time = Timestamp::from_seconds(seconds);
            assert_eq!((time.to_string().as_str(), time.month().as_str()), (text, month));
        }
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_796_094_332_007, "2026-12-01T03:05:32.007Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Moment::from_milliseconds(milliseconds).to_string(), text);
        }
        assert!(Moment::from_milliseconds(i64::MAX).to_string().starts_with("+26"));
        assert!(Timestamp::from_seconds(i64::MAX).after_days(1).to_string().starts_with("+26"));
        assert_eq!(Timestamp::from_seconds(1).after_days(2).seconds(), 172_801);
    }
}
