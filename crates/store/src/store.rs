//! The open store: one connection that writes, and a few that read beside it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::watch::Watch;
use crate::{connect, schema};

/// What the database file is called within a data directory.
pub const FILE_NAME: &str = "assay.db";

/// How long a call waits for another process before it gives up.
const WAIT: Duration = Duration::from_secs(5);

/// Reading connections that are kept for the next reader. More are opened when more read at once.
const KEPT_READERS: usize = 8;

/// Everything that the product keeps. Shared between threads as it is.
pub struct Store {
    file: String,
    // INVARIANT: readers close before the writer, because the last connection to close moves the
    // journal into the database, and one that only reads cannot.
    readers: Option<Readers>,
    watch: Watch,
    writer: Mutex<Connection>,
    /// How long a call waits for another process.
    wait: Duration,
    /// How many writes waited in vain for another process.
    vain: AtomicU64,
}

/// Where reading connections come from. A store in memory has none and reads as it writes.
struct Readers {
    path: PathBuf,
    wait: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl Store {
    /// Opens the database file at `path`, creating it (mode 0600) and its folder (mode 0700) where
    /// they are missing, and brings its schema up to date.
    ///
    /// # Errors
    /// Every [`StoreError`] that names a file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_waiting(path, WAIT)
    }

    /// As [`Store::open`], waiting no longer than `wait` for other processes.
    pub(crate) fn open_waiting(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let file = connect::file_name(path);
        connect::create(path, &file)?;
        let mut writer = connect::writer(path, &file, wait)?;
        schema::migrate(&mut writer, &file)?;
        let watch = Watch::new(Some(connect::reader(path, &file, wait)?))
            .map_err(|error| StoreError::from_sqlite(&file, &error))?;
        let readers = Readers { path: path.to_owned(), wait, idle: Mutex::default() };
        let (writer, vain) = (Mutex::new(writer), AtomicU64::new(0));
        Ok(Self { file, writer, watch, readers: Some(readers), wait, vain })
    }

    /// Opens a store that ends with the process.
    ///
    /// # Errors
    /// [`StoreError::Io`] when there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        let file = "memory".to_owned();
        let mut writer = connect::memory(&file)?;
        schema::migrate(&mut writer, &file)?;
        let watch = Watch::new(None).map_err(|error| StoreError::from_sqlite(&file, &error))?;
        let (writer, vain) = (Mutex::new(writer), AtomicU64::new(0));
        Ok(Self { file, writer, watch, readers: None, wait: Duration::ZERO, vain })
    }

    /// A number that differs once a workspace, a team, a credential or a unit library may have
    /// changed since it was asked for: at once for a write of this process, within a moment for one
    /// of another process.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.watch.generation()
    }

    /// The name by which errors know the database.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Reads one consistent state.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let Some(readers) = &self.readers else {
            return read(&lock(&self.writer)).map_err(|error| self.error(&error));
        };
        let idle = lock(&readers.idle).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect::reader(&readers.path, &self.file, readers.wait)?,
        };
        let outcome = read(&connection).map_err(|error| self.error(&error));
        let mut idle = lock(&readers.idle);
        if idle.len() < KEPT_READERS {
            idle.push(connection);
        }
        outcome
    }

    /// Runs `write` as one transaction, which is on the disk when this returns `Ok`.
    pub(crate) fn write<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, WriteError>,
    ) -> Result<T, StoreError> {
        let vain = self.vain.load(Ordering::Acquire);
        let mut connection = lock(&self.writer);
        // Whoever stood behind a write that waited in vain has waited with it, and tries once.
        let waited = self.vain.load(Ordering::Acquire) != vain;
        let run = || {
            connection.busy_timeout(if waited { Duration::ZERO } else { self.wait })?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let outcome = write(&transaction)?;
            transaction.commit()?;
            Ok(outcome)
        };
        run().map_err(|error| {
            let error = match error {
                WriteError::Sqlite(error) => self.error(&error),
                WriteError::Store(error) => error,
            };
            if matches!(error, StoreError::Locked { .. }) {
                self.vain.fetch_add(1, Ordering::AcqRel);
            }
            error
        })
    }

    /// As [`Store::write`], for what decides who may do what and with which units.
    pub(crate) fn write_watched<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> Result<T, WriteError>,
    ) -> Result<T, StoreError> {
        let outcome = self.write(write);
        self.watch.wrote();
        outcome
    }

    /// Notes a change of what is watched that no transaction made.
    pub(crate) fn watched(&self) {
        self.watch.wrote();
    }

    fn error(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.file, error)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Store").field("file", &self.file).finish_non_exhaustive()
    }
}

/// Why a transaction was given up.
pub(crate) enum WriteError {
    /// SQLite refused a statement.
    Sqlite(rusqlite::Error),
    /// The statement would have broken a rule of ours.
    Store(StoreError),
}

impl From<Refusal> for WriteError {
    fn from(refusal: Refusal) -> Self {
        Self::Store(StoreError::Refused(refusal))
    }
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// A panic while the lock was held rolled its transaction back, so the connection stays usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
