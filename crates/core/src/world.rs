//! What a service takes from the world outside its inputs: the time, and chance.
//!
//! Only calls that store a time or issue a secret ask for them, so every other payload is a
//! function of its inputs. Tests put their own in place.

use std::time::{SystemTime, UNIX_EPOCH};

use assay_base::{Moment, SecretDigest, Timestamp};

/// Where a service takes the time and chance from.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// The present time.
    pub now: fn() -> Timestamp,
    /// The present time in milliseconds since 1970, by which governed calls are timed and entries of
    /// the log are dated.
    pub milliseconds: fn() -> i64,
    /// Fills the bytes with chance that nobody can guess; `false` where there is none.
    pub random: fn(&mut [u8; 32]) -> bool,
}

impl Default for World {
    /// The clock of the machine and the random source of its operating system.
    fn default() -> Self {
        Self { now: system_time, milliseconds, random: |bytes| getrandom::fill(bytes).is_ok() }
    }
}

impl World {
    /// The present time as it stands in the log.
    pub(crate) fn moment(&self) -> Moment {
        Moment::from_milliseconds((self.milliseconds)())
    }
}

#[expect(clippy::disallowed_methods, reason = "the one clock of the product, for stored times")]
fn milliseconds() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_millis());
    i64::try_from(elapsed).unwrap_or(i64::MAX)
}

fn system_time() -> Timestamp {
    Timestamp::from_seconds(milliseconds().div_euclid(1000))
}

/// 256 bits of chance as 64 lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: [u8; 32]) -> String {
    SecretDigest::from_bytes(bytes).to_string()
}
