//! A record's place in its chain: a sequence number, and the hash of the entry before it.

use std::fmt;

use assay_base::{EntryHash, canonical};

use crate::event::{Event, Outcome};
use crate::record::Record;

/// Stands before the bytes of an entry, so that its hash is no other thing's.
const DOMAIN: &[u8] = b"assay audit entry 1\n";

/// The hash of an entry's bytes.
pub(crate) fn hash(bytes: &[u8]) -> EntryHash {
    EntryHash::of(&[DOMAIN, bytes].concat())
}

/// Where a chain ends now. One writer at a time may hold it: two would fork the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    chain: String,
    last: Option<(u64, EntryHash)>,
}

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from one.
    pub sequence: u64,
    /// The hash of its bytes.
    pub hash: EntryHash,
    /// Its canonical bytes, which name the chain, the number and the hash before.
    pub bytes: Vec<u8>,
}

/// Why a record may not stand in a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFault {
    /// A refused call was said to have succeeded.
    DenialWithoutFailure,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DenialWithoutFailure => {
                out.write_str("a refused call cannot be recorded as other than a failure")
            }
        }
    }
}

impl std::error::Error for RecordFault {}

impl Record {
    /// Whether it may stand in a chain.
    ///
    /// # Errors
    /// [`RecordFault`] when it contradicts itself.
    pub fn check(&self) -> Result<(), RecordFault> {
        if self.event == Event::ToolDenied && self.action.result != Outcome::Failure {
            return Err(RecordFault::DenialWithoutFailure);
        }
        Ok(())
    }
}

impl Head {
    /// The end of `chain`, whose last entry has this number and hash; none when it is empty.
    #[must_use]
    pub fn new(chain: &str, last: Option<(u64, EntryHash)>) -> Self {
        Self { chain: chain.to_owned(), last }
    }

    /// How many entries the chain has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.last.map_or(0, |(sequence, _)| sequence)
    }

    /// Puts `record` behind the end of the chain and moves the end.
    ///
    /// # Errors
    /// [`RecordFault`] when the record contradicts itself; the end stays where it was.
    pub fn seal(&mut self, record: &Record) -> Result<Entry, RecordFault> {
        record.check()?;
        let sequence = self.size() + 1;
        let bytes = canonical::to_bytes(|slot| {
            slot.object(|object| {
                record.write(object);
                object.key("chain").string(&self.chain);
                match self.last {
                    Some((_, hash)) => object.key("previous_hash").display(hash),
                    None => object.key("previous_hash").null(),
                }
                object.key("sequence").integer(sequence);
            });
        });
        let hash = hash(&bytes);
        self.last = Some((sequence, hash));
        Ok(Entry { sequence, hash, bytes })
    }
}
