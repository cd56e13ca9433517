//! Checkpoints: how long each chain was, and the root over it, signed.
//!
//! The tree of a chain is kept as it grows and follows what other processes append. It is read out
//! of the store once, where the process did not see the chain from its beginning on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use assay_audit::{Checkpoint, Finding, FindingKind, Frontier, SigningKey};
use assay_base::EntryHash;
use assay_store::{AuditCheckpoint, AuditHead, MAX_AUDIT_ROWS, Store, StoreError};

use super::tail::Fault;
use super::{Shared, Told, folder};
use crate::world::World;

/// Records of a chain after which a checkpoint is due.
const RECORDS: u64 = 64;
/// How long a record waits for a checkpoint at most.
const TIME: Duration = Duration::from_secs(1);
/// Chains whose trees are kept. More are kept while they have something to sign.
const KEPT: usize = 1_024;
/// Pages of hashes that are read before the next group has its turn.
const PAGES: usize = 16;

/// A checkpoint that was signed and is not on the disk yet.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) kept: AuditCheckpoint,
    checkpoint: Checkpoint,
}

/// One chain as far as this process has followed it.
#[derive(Debug, Default)]
struct Chain {
    frontier: Frontier,
    /// The hash of the last entry in the tree.
    last: Option<EntryHash>,
    /// The number of the last entry that is known of.
    end: u64,
    /// The size of the largest checkpoint; unknown until the store was asked.
    signed: Option<u64>,
    /// Since when something waits for a checkpoint.
    since: Option<Instant>,
    /// When it was last used, counted in uses of any.
    used: u64,
}

impl Chain {
    fn is_due(&self, now: Instant) -> bool {
        let Some(since) = self.since else { return false };
        let unsigned = self.end.saturating_sub(self.signed.unwrap_or(0));
        unsigned >= RECORDS || now.saturating_duration_since(since) >= TIME
    }

    fn push(&mut self, (sequence, hash): AuditHead) {
        self.frontier.push(&hash);
        (self.last, self.end) = (Some(hash), self.end.max(sequence));
    }
}

pub(crate) struct Signer {
    store: Arc<Store>,
    key: SigningKey,
    /// Where copies go.
    folder: Option<PathBuf>,
    world: World,
    told: Shared,
    chains: BTreeMap<String, Chain>,
    uses: u64,
    /// By chain, the last line that could not be copied yet. It covers what the ones before did.
    uncopied: BTreeMap<String, String>,
}

impl Signer {
    pub(crate) fn new(
        store: Arc<Store>,
        (key, folder): (SigningKey, Option<PathBuf>),
        world: World,
        told: &Shared,
    ) -> Self {
        let (told, chains, uncopied) = (Arc::clone(told), BTreeMap::new(), BTreeMap::new());
        Self { store, key, folder, world, told, chains, uses: 0, uncopied }
    }

    /// How long until a checkpoint is due; `None` when nothing waits for one.
    pub(crate) fn patience(&self) -> Option<Duration> {
        let now = now();
        let left = |it: &Chain| {
            let since = it.since?;
            let left = TIME.saturating_sub(now.saturating_duration_since(since));
            Some(if it.is_due(now) { Duration::ZERO } else { left })
        };
        let copy = (!self.uncopied.is_empty()).then_some(TIME);
        self.chains.values().filter_map(left).chain(copy).min()
    }

    /// Somebody is about to append to these chains by himself.
    pub(crate) fn touched(&mut self, chains: BTreeSet<String>) {
        for name in chains {
            let chain = self.chain(&name);
            chain.since.get_or_insert_with(now);
        }
    }

    /// These entries were committed behind the end of a chain.
    pub(crate) fn grown(&mut self, name: &str, entries: &[AuditHead]) {
        let Some((first, _)) = entries.first() else { return };
        let chain = self.chain(name);
        let size = chain.frontier.size();
        chain.since.get_or_insert_with(now);
        if *first <= size {
            // What was there is gone, and the chain was written on from an earlier end.
            *chain = Chain { since: chain.since, used: chain.used, ..Chain::default() };
            chain.end = entries.last().map_or(0, |it| it.0);
            let finding = Finding { sequence: *first, kind: FindingKind::MissingTail };
            self.fault(name, finding);
        } else if *first == size + 1 {
            entries.iter().for_each(|it| chain.push(*it));
        } else {
            chain.end = entries.last().map_or(chain.end, |it| it.0);
        }
    }

    /// Signs what is due; at the end, everything that no checkpoint covers.
    pub(crate) fn due(&mut self, end: bool) -> Vec<Signed> {
        let now = now();
        let due =
            |(_, chain): &(&String, &Chain)| chain.since.is_some() && (end || chain.is_due(now));
        let names: Vec<String> = self.chains.iter().filter(due).map(|it| it.0.clone()).collect();
        let mut signed = Vec::new();
        for name in names {
            match self.sign(&name, if end { usize::MAX } else { PAGES }) {
                Ok(checkpoint) => signed.extend(checkpoint),
                Err(error) => {
                    self.chain(&name).since = Some(now);
                    self.tell(|it| it.unsigned = Some(format!("{error}: {}", error.help())));
                }
            }
        }
        self.forget();
        signed
    }

    /// Follows one chain to its end and signs there; `None` when the end is signed or still ahead.
    fn sign(&mut self, name: &str, pages: usize) -> Result<Option<Signed>, StoreError> {
        let (store, verifying) = (Arc::clone(&self.store), self.key.verifying_key());
        let at = (self.world.now)();
        let chain = self.chain(name);
        let signed = match chain.signed {
            Some(signed) => signed,
            None => {
                let line = store.last_audit_checkpoint(name)?;
                let read = line.and_then(|it| Checkpoint::read(&it, &verifying).ok());
                read.map_or(0, |it| it.size)
            }
        };
        chain.signed = Some(signed);
        match follow(&store, name, chain, pages)? {
            Followed::Further => return Ok(None),
            Followed::End => {}
            Followed::Gap(sequence) => {
                // A tree over what is left would sign the gap. Whoever verifies finds it.
                chain.since = None;
                self.fault(name, Finding { sequence, kind: FindingKind::MissingMiddle });
                return Ok(None);
            }
        }
        let (size, root) = (chain.frontier.size(), chain.frontier.root());
        (chain.end, chain.since) = (size, None);
        let Some(last_hash) = chain.last.filter(|_| size > signed) else { return Ok(None) };
        chain.signed = Some(size);
        let checkpoint = Checkpoint { chain: name.to_owned(), size, root, last_hash, at };
        let line = checkpoint.sign(&self.key);
        let kept = AuditCheckpoint { chain: name.to_owned(), size, line };
        Ok(Some(Signed { kept, checkpoint }))
    }

    /// These are on the disk: copies them, and tells of the last.
    pub(crate) fn keep(&mut self, signed: Vec<Signed>) {
        for Signed { kept, checkpoint } in signed {
            if self.folder.is_some() {
                self.uncopied.insert(kept.chain, kept.line);
            }
            self.tell(|it| (it.checkpoint, it.unsigned) = (Some(checkpoint), None));
        }
        let Some(folder) = &self.folder else { return };
        if self.uncopied.is_empty() {
            return;
        }
        let mut failure = None;
        self.uncopied.retain(|chain, line| match folder::append(folder, chain, line) {
            Ok(()) => false,
            Err(error) => {
                failure = Some(error);
                true
            }
        });
        self.tell(|it| it.unsigned = failure);
    }

    /// These did not reach the disk, and are due again in a while.
    pub(crate) fn again(&mut self, signed: &[Signed]) {
        for Signed { kept, .. } in signed {
            let chain = self.chain(&kept.chain);
            (chain.signed, chain.since) = (None, Some(now()));
        }
    }

    fn chain(&mut self, name: &str) -> &mut Chain {
        self.uses += 1;
        let used = self.uses;
        let chain = self.chains.entry(name.to_owned()).or_default();
        chain.used = used;
        chain
    }

    /// Lets the trees go that were not used for longest.
    fn forget(&mut self) {
        while self.chains.len() > KEPT {
            let idle = self.chains.iter().filter(|it| it.1.since.is_none());
            let Some((name, _)) = idle.min_by_key(|it| it.1.used) else { return };
            let name = name.clone();
            self.chains.remove(&name);
        }
    }

    fn fault(&self, chain: &str, finding: Finding) {
        let fault = Fault { chain: chain.to_owned(), finding };
        self.tell(|it| it.faults.push(fault.to_string()));
    }

    fn tell(&self, tell: impl FnOnce(&mut Told)) {
        tell(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// How far a chain was followed.
enum Followed {
    /// To its end.
    End,
    /// There is more to read.
    Further,
    /// To an entry, with this number, that is not there while later ones are.
    Gap(u64),
}

/// Reads on from where the tree ends, at most so many pages.
fn follow(
    store: &Store,
    name: &str,
    chain: &mut Chain,
    pages: usize,
) -> Result<Followed, StoreError> {
    for _ in 0..pages {
        let hashes = store.audit_hashes(name, chain.frontier.size() + 1, MAX_AUDIT_ROWS)?;
        let read = hashes.len();
        for entry in hashes {
            let due = chain.frontier.size() + 1;
            if entry.0 != due {
                return Ok(Followed::Gap(due));
            }
            chain.push(entry);
        }
        if read < MAX_AUDIT_ROWS {
            return Ok(Followed::End);
        }
    }
    Ok(Followed::Further)
}

#[expect(clippy::disallowed_methods, reason = "paces checkpoints; no payload depends on it")]
fn now() -> Instant {
    Instant::now()
}
