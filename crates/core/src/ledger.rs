//! The one writer of the audit log in a process.
//!
//! A thread takes what callers hand over and commits it in groups: what arrives while one group is
//! on its way to the disk goes into the next, whichever chains it belongs to. Another process may
//! write to the same chains, since the end of a chain is read within the transaction that moves it.

mod folder;
mod key;
mod queue;
mod sealer;
mod signer;
mod tail;
#[cfg(test)]
mod tests;
mod writer;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use assay_audit::{Checkpoint, FieldKey, Record};
use assay_store::Store;

use crate::world::World;
use queue::Queue;
use signer::Signer;
use tail::recorded;
use writer::Writer;

pub(crate) use folder::read as read_copies;
pub(crate) use key::verifying_key;
pub use sealer::Sealer;

/// The chain of what belongs to no organisation.
pub const INSTALLATION: &str = "installation";

/// Where the audit log has its key and the copies of its checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditSettings {
    /// The file with the secret that signs checkpoints and derives the keys of organisations. It is
    /// made (mode 0600) where it is missing, with its public half beside it. `None` takes a fresh
    /// secret, which nobody else can ask about the signatures afterwards.
    pub key_file: Option<PathBuf>,
    /// The folder to which every signed checkpoint is appended as well, one file for each chain.
    /// `None` keeps them in the store alone.
    pub checkpoints: Option<PathBuf>,
    /// The name of the installation, which every entry carries that names none itself.
    pub environment: String,
}

impl Default for AuditSettings {
    /// A fresh secret and no copies, for an installation that ends with the process.
    fn default() -> Self {
        Self { key_file: None, checkpoints: None, environment: "local".to_owned() }
    }
}

/// What becomes of a call whose record cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// It waits until the record is durable, and does not go on without it.
    FailClosed,
    /// It goes on while its record waits for the disk, for as long as there is room to wait.
    Buffer,
}

/// Why a record was not taken: one line for the caller's error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable(pub(crate) String);

impl fmt::Display for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the audit log takes no record: {}", self.0)
    }
}

impl std::error::Error for Unavailable {}

/// How the log is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditStatus {
    /// How many records this process made durable.
    pub durable: u64,
    /// In how many groups, each of which was one transaction.
    pub groups: u64,
    /// How many records wait for the disk.
    pub queued: usize,
    /// Why the last group was not written; `None` while all goes well.
    pub failing: Option<String>,
    /// The checkpoint that this process signed last.
    pub checkpoint: Option<Checkpoint>,
    /// Why the last checkpoint was not signed or copied; `None` while all goes well.
    pub unsigned: Option<String>,
    /// What was found wrong with the ends of chains, each as `CHAIN: FINDING`.
    pub faults: Vec<String>,
}

/// What the signer tells of itself.
#[derive(Debug, Default)]
struct Told {
    checkpoint: Option<Checkpoint>,
    unsigned: Option<String>,
    faults: Vec<String>,
}

type Shared = Arc<Mutex<Told>>;

/// Writes the audit log. When it is dropped it writes what is queued, signs, and ends its thread.
pub struct Ledger {
    queue: Arc<Queue>,
    sealer: Sealer,
    secret: [u8; 32],
    told: Shared,
    thread: Option<JoinHandle<()>>,
}

impl Ledger {
    /// Reads or makes the key, looks at the end of every chain, and starts the thread.
    ///
    /// # Errors
    /// One line that says which file or folder does not serve and what mends it. A chain with a
    /// faulty end is no error: it is recorded, and [`Ledger::status`] tells of it, as of a log that
    /// cannot be read.
    pub fn start(store: Arc<Store>, settings: AuditSettings, world: World) -> Result<Self, String> {
        let AuditSettings { key_file, checkpoints, environment } = settings;
        let secret = key::secret(key_file.as_deref(), world)?;
        let signing = assay_audit::SigningKey::from_bytes(&secret);
        if let Some(folder) = &checkpoints {
            folder::prepare(folder)?;
        }
        // A log that cannot be read stops no call that does not write to it.
        let (faults, unread) = match tail::faults(&store, &signing.verifying_key()) {
            Ok(faults) => (faults, None),
            Err(error) => (Vec::new(), Some(format!("the log cannot be read: {error}"))),
        };
        let told = Arc::new(Mutex::new(Told {
            faults: faults.iter().map(ToString::to_string).chain(unread).collect(),
            ..Told::default()
        }));
        let queue = Arc::new(Queue::default());
        let sealer = Sealer::new(environment, Arc::clone(&queue));
        let signer = Signer::new(Arc::clone(&store), (signing, checkpoints), world, &told);
        let writer = Writer { store, queue: Arc::clone(&queue), sealer: sealer.clone(), signer };
        let thread = std::thread::Builder::new()
            .name("audit".to_owned())
            .spawn(move || writer.run())
            .map_err(|error| format!("the audit log has no thread: {error}"))?;
        let ledger = Self { queue, sealer, secret, told, thread: Some(thread) };
        for fault in &faults {
            // Where it cannot be recorded now, the status tells of it all the same.
            let _ = ledger.note(INSTALLATION, recorded(fault, world));
        }
        Ok(ledger)
    }

    /// Puts `record` behind the end of `chain` and returns its number once it is on the disk.
    ///
    /// # Errors
    /// [`Unavailable`] when it was not written; it never will be.
    pub fn write(&self, chain: &str, record: Record) -> Result<u64, Unavailable> {
        self.queue.write(chain, record)
    }

    /// Takes `record` for `chain` and returns at once, or as soon as there is room to wait in.
    ///
    /// # Errors
    /// [`Unavailable`] when records cannot be written and there is no room to wait in, or when the
    /// record contradicts itself.
    pub fn note(&self, chain: &str, record: Record) -> Result<(), Unavailable> {
        self.queue.note(chain, record)
    }

    /// [`Ledger::write`] or [`Ledger::note`], as the call behind the record demands.
    ///
    /// # Errors
    /// [`Unavailable`] as those two have it.
    pub fn record(
        &self,
        chain: &str,
        record: Record,
        on_failure: OnFailure,
    ) -> Result<(), Unavailable> {
        match on_failure {
            OnFailure::FailClosed => self.write(chain, record).map(drop),
            OnFailure::Buffer => self.note(chain, record),
        }
    }

    /// Waits until everything that was taken before is on the disk, however long that takes.
    pub fn flush(&self) {
        self.queue.flush();
    }

    /// The key of an organisation's digests.
    #[must_use]
    pub fn field_key(&self, organisation: &str) -> FieldKey {
        FieldKey::derive(&self.secret, organisation)
    }

    /// What makes entries for somebody who appends them within a transaction of his own.
    #[must_use]
    pub fn sealer(&self) -> Sealer {
        self.sealer.clone()
    }

    /// How the log is doing.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let counts = self.queue.counts();
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        AuditStatus {
            durable: counts.durable,
            groups: counts.groups,
            queued: counts.queued,
            failing: counts.failing,
            checkpoint: told.checkpoint.clone(),
            unsigned: told.unsigned.clone(),
            faults: told.faults.clone(),
        }
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has let go of everybody who waited for it.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Ledger").field("status", &self.status()).finish_non_exhaustive()
    }
}
