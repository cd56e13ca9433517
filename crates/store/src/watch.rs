//! Whether what was read before may have changed.
//!
//! Callers keep what they read about workspaces, teams, credentials and unit libraries, and ask for
//! the generation before they rely on it: it differs as soon as this process wrote any of these, and
//! at most [`LOOK_EVERY`] after another process wrote anything.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// How long what another process wrote may go unseen.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Counts the states of the database as far as they are known.
pub(crate) struct Watch {
    generation: AtomicU64,
    opened: Instant,
    /// Milliseconds after `opened` from which a look is due.
    due: AtomicU64,
    /// A connection that never writes, and what it saw last. A store in memory has none: nobody
    /// else can write to it.
    seen: Option<Mutex<(Connection, i64)>>,
}

impl Watch {
    pub(crate) fn new(connection: Option<Connection>) -> rusqlite::Result<Self> {
        let seen = connection.map(|it| version(&it).map(|seen| Mutex::new((it, seen)))).transpose();
        Ok(Self {
            generation: AtomicU64::new(0),
            opened: now(),
            due: AtomicU64::new(0),
            seen: seen?,
        })
    }

    /// Notes that this process wrote.
    pub(crate) fn wrote(&self) {
        self.generation.fetch_add(1, Ordering::Release);
    }

    pub(crate) fn generation(&self) -> u64 {
        if let Some(seen) = &self.seen {
            let elapsed = milliseconds(now().saturating_duration_since(self.opened));
            // Whoever looks already spares the others the wait.
            if elapsed >= self.due.load(Ordering::Relaxed)
                && let Ok(mut seen) = seen.try_lock()
            {
                // What cannot be read cannot be relied on either.
                let found = version(&seen.0).unwrap_or(seen.1.wrapping_add(1));
                if found != seen.1 {
                    seen.1 = found;
                    self.wrote();
                }
                self.due.store(elapsed + milliseconds(LOOK_EVERY), Ordering::Relaxed);
            }
        }
        self.generation.load(Ordering::Acquire)
    }
}

/// A number that differs after another connection wrote.
fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0))
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[expect(clippy::disallowed_methods, reason = "it says when to look again and reaches no payload")]
fn now() -> Instant {
    Instant::now()
}
