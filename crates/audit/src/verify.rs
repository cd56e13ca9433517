//! Reads a chain once, entry by entry, and says what is wrong with it and where.
//!
//! Within the chain: each entry hashes to what was kept, carries the number it is kept under, and
//! names the hash of the one before. Against the checkpoints: each root is that of as many entries.
//! A consequence is not reported beside its cause: a checkpoint that covers a faulty entry differs,
//! and says nothing new.

use std::collections::BTreeMap;

use assay_base::{EntryHash, TreeHash, json};

use crate::chain;
use crate::checkpoint::{Checkpoint, VerifyingKey, number, text};
use crate::finding::{Finding, FindingKind};
use crate::tree::Frontier;

/// An entry as a store hands it over, not trusted.
#[derive(Debug, Clone, Copy)]
pub struct Stored<'a> {
    /// The number that it is kept under.
    pub sequence: u64,
    /// The hash that is kept beside it.
    pub hash: EntryHash,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What verifying found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The findings, by the entry that they concern.
    pub findings: Vec<Finding>,
    /// How many entries were read.
    pub entries: u64,
    /// The size of the largest checkpoint that agrees.
    pub signed: u64,
    /// The root over the entries that were read.
    pub root: TreeHash,
}

impl Report {
    /// Whether nothing shows tampering.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.findings.iter().all(|it| !it.kind.is_fault())
    }
}

/// Verifies one chain while it is read.
#[derive(Debug)]
pub struct Verifier {
    chain: String,
    /// What was signed of each size; more than one when two histories were signed.
    checkpoints: BTreeMap<u64, Vec<Checkpoint>>,
    frontier: Frontier,
    last: Option<Last>,
    findings: Vec<Finding>,
    /// The sizes of checkpoints that agree, and of those that do not, as they were met.
    agreed: Vec<u64>,
    differing: Vec<u64>,
    entries: u64,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    sequence: u64,
    hash: EntryHash,
    sound: bool,
}

impl Verifier {
    /// Begins with `chain`, its checkpoints as lines, and the key that signed them.
    pub fn new<'l>(
        chain: &str,
        key: &VerifyingKey,
        checkpoints: impl IntoIterator<Item = &'l str>,
    ) -> Self {
        let (mut signed, mut findings) = (BTreeMap::<u64, Vec<Checkpoint>>::new(), Vec::new());
        for (line_number, line) in (1..).zip(checkpoints) {
            match Checkpoint::read(line, key) {
                Ok(it) if it.chain == chain => signed.entry(it.size).or_default().push(it),
                Ok(_) | Err(_) => findings
                    .push(Finding { sequence: line_number, kind: FindingKind::BadCheckpoint }),
            }
        }
        Self {
            chain: chain.to_owned(),
            checkpoints: signed,
            frontier: Frontier::default(),
            last: None,
            findings,
            agreed: Vec::new(),
            differing: Vec::new(),
            entries: 0,
        }
    }

    /// Begins behind the entry with this number and hash, which is taken for sound. No checkpoint
    /// is compared.
    #[must_use]
    pub fn behind(chain: &str, (sequence, hash): (u64, EntryHash)) -> Self {
        Self {
            chain: chain.to_owned(),
            checkpoints: BTreeMap::new(),
            frontier: Frontier::default(),
            last: Some(Last { sequence, hash, sound: true }),
            findings: Vec::new(),
            agreed: vec![sequence],
            differing: Vec::new(),
            entries: 0,
        }
    }

    /// Takes the next entry, in the order of the numbers.
    pub fn entry(&mut self, stored: Stored<'_>) {
        let due = self.last.map_or(1, |last| last.sequence.saturating_add(1));
        if stored.sequence < due {
            self.find(stored.sequence, FindingKind::Fork);
            return;
        }
        self.entries += 1;
        let gap = stored.sequence > due;
        if gap {
            self.find(due, FindingKind::MissingMiddle);
        }
        let claims = Claims::of(stored.bytes);
        let sound = chain::hash(stored.bytes) == stored.hash
            && claims
                .as_ref()
                .is_some_and(|it| it.chain == self.chain && it.sequence == stored.sequence);
        if !sound {
            self.find(stored.sequence, FindingKind::Altered);
        }
        if let Some(claims) = claims.filter(|_| sound && !gap) {
            self.link(stored.sequence, claims.previous);
        }
        self.last = Some(Last { sequence: stored.sequence, hash: stored.hash, sound });
        self.frontier.push(&stored.hash);
        if self.frontier.size() == stored.sequence {
            self.compare(stored.sequence, stored.hash);
        }
    }

    /// Ends the reading.
    #[must_use]
    pub fn finish(mut self) -> Report {
        let end = self.last.map_or(0, |last| last.sequence);
        let faulty = self.first_fault();
        let differs = self.differing.iter().find(|it| faulty.is_none_or(|fault| **it < fault));
        if let Some(size) = differs.copied() {
            // Where two histories were signed with one size, the agreement is below it.
            let before = self.agreed.iter().rev().find(|it| **it < size).copied().unwrap_or(0);
            let kind = match self.agreed.last() {
                Some(_) => FindingKind::Fork,
                None => FindingKind::RewrittenFromStart,
            };
            self.find(before + 1, kind);
        }
        let signed = self.checkpoints.last_key_value().map_or(0, |(size, _)| *size);
        if signed > end {
            self.find(end + 1, FindingKind::MissingTail);
        }
        if signed < end {
            self.find(signed + 1, FindingKind::UnsignedRegion);
        }
        self.findings.sort_unstable();
        let root = self.frontier.root();
        let Self { findings, entries, agreed, .. } = self;
        Report { findings, entries, signed: agreed.last().copied().unwrap_or(0), root }
    }

    /// A broken link is a fork when the entries before it are the signed ones; else the entry
    /// before is not the one that this one followed.
    fn link(&mut self, sequence: u64, previous: Option<EntryHash>) {
        match self.last {
            Some(last) if last.sound && previous != Some(last.hash) => {
                if self.agreed.last() == Some(&last.sequence) {
                    self.find(sequence, FindingKind::Fork);
                } else {
                    self.find(last.sequence, FindingKind::Altered);
                }
            }
            None if previous.is_some() => self.find(sequence, FindingKind::Altered),
            Some(_) | None => {}
        }
    }

    fn compare(&mut self, size: u64, last_hash: EntryHash) {
        let Some(signed) = self.checkpoints.get(&size) else { return };
        let root = self.frontier.root();
        let agrees = |it: &&Checkpoint| it.root == root && it.last_hash == last_hash;
        let agreeing = signed.iter().filter(agrees).count();
        if agreeing < signed.len() {
            self.differing.push(size);
        }
        if agreeing > 0 && self.first_fault().is_none() {
            self.agreed.push(size);
        }
    }

    fn first_fault(&self) -> Option<u64> {
        let faults = self.findings.iter().filter(|it| it.kind != FindingKind::BadCheckpoint);
        faults.map(|it| it.sequence).min()
    }

    fn find(&mut self, sequence: u64, kind: FindingKind) {
        self.findings.push(Finding { sequence, kind });
    }
}

/// What an entry says of its own place.
struct Claims {
    chain: String,
    sequence: u64,
    previous: Option<EntryHash>,
}

impl Claims {
    fn of(bytes: &[u8]) -> Option<Self> {
        let members = json::object(std::str::from_utf8(bytes).ok()?).ok()?;
        let member = |key: &str| members.iter().find(|(it, _)| it == key).map(|(_, raw)| *raw);
        let previous = member("previous_hash")?;
        let previous = match previous.get() {
            "null" => None,
            _ => Some(EntryHash::parse(&text(previous)?)?),
        };
        let sequence = number(member("sequence")?)?.try_into().ok()?;
        Some(Self { chain: text(member("chain")?)?, sequence, previous })
    }
}
