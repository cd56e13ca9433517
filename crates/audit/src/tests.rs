//! What the tests of this crate share: a small chain, and a key.

mod chain;
mod sanitise;
mod tree;
mod verify;

use assay_base::{Moment, Timestamp};

use crate::*;

pub(crate) const CHAIN: &str = "org_1";

pub(crate) fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

pub(crate) fn record(number: u64) -> Record {
    let result = Outcome::Success;
    let at = Moment::from_milliseconds(1_796_094_332_007);
    Record {
        actor: Actor { user_id: Some("usr_1".to_owned()), ..Actor::default() },
        action: Action { name: "invoke".to_owned(), result, error_code: None },
        ..Record::plain(format!("evt_{number}"), Event::ToolInvoked, at, result)
    }
}

/// A chain of `size` entries, whose records are numbered from `from`.
pub(crate) fn chain(from: u64, size: u64) -> Vec<Entry> {
    let mut head = Head::new(CHAIN, None);
    (0..size).map(|number| head.seal(&record(from + number)).unwrap()).collect()
}

pub(crate) fn checkpoint(entries: &[Entry], size: usize) -> Checkpoint {
    let hashes: Vec<_> = entries[..size].iter().map(|it| it.hash).collect();
    Checkpoint {
        chain: CHAIN.to_owned(),
        size: size as u64,
        root: root(&hashes),
        last_hash: hashes[size - 1],
        at: Timestamp::from_seconds(0),
    }
}
