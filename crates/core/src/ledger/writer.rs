//! The thread that commits groups.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_audit::Head;
use assay_store::{AuditCheckpoint, AuditHead, AuditRow, Store, StoreError};

use super::queue::{Item, Queue};
use super::sealer::Sealer;
use super::signer::Signer;

pub(crate) struct Writer {
    pub(crate) store: Arc<Store>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) sealer: Sealer,
    pub(crate) signer: Signer,
}

/// What a group came to: the number of each record, and the hashes that each chain grew by.
#[derive(Default)]
struct Written {
    numbers: Vec<u64>,
    grown: BTreeMap<String, Vec<AuditHead>>,
}

/// Lets go of everybody who waits, however the thread ends.
struct End(Arc<Queue>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Writer {
    pub(crate) fn run(mut self) {
        let _end = End(Arc::clone(&self.queue));
        loop {
            let taken = self.queue.take(self.signer.patience());
            self.signer.touched(taken.touched);
            // What has been committed is signed with the next group, so that both share its fsync.
            let last = taken.closing && taken.items.is_empty();
            let signed = self.signer.due(last);
            let lines: Vec<AuditCheckpoint> = signed.iter().map(|it| it.kept.clone()).collect();
            let sound = self.group(taken.items, &lines);
            if sound {
                self.signer.keep(signed);
            } else {
                self.signer.again(&signed);
            }
            if last || (taken.closing && !sound) {
                return;
            }
        }
    }

    /// Commits a group with the checkpoints over what was there before; whether it is on the disk.
    fn group(&mut self, items: Vec<Item>, lines: &[AuditCheckpoint]) -> bool {
        if items.is_empty() && lines.is_empty() {
            return true;
        }
        match self.commit(&items, lines) {
            Ok(Written { numbers, grown }) => {
                self.queue.written(items, &numbers);
                grown.iter().for_each(|(chain, hashes)| self.signer.grown(chain, hashes));
                true
            }
            Err(error) => {
                self.queue.failed(items, &format!("{error}: {}", error.help()));
                false
            }
        }
    }

    fn commit(&self, items: &[Item], lines: &[AuditCheckpoint]) -> Result<Written, StoreError> {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, item) in items.iter().enumerate() {
            places.entry(&item.chain).or_default().push(place);
        }
        let mut numbered: Vec<(usize, u64)> = Vec::with_capacity(items.len());
        let mut grown = BTreeMap::new();
        let seal = |chain: &str, last: Option<AuditHead>| {
            let mut head = Head::new(chain, last);
            let mut rows: Vec<AuditRow> = Vec::new();
            for place in places.get(chain).into_iter().flatten() {
                let Some(item) = items.get(*place) else { continue };
                // Records were checked before they were taken.
                let Ok(row) = self.sealer.seal(&mut head, &item.record) else { continue };
                numbered.push((*place, row.sequence));
                rows.push(row);
            }
            let hashes: Vec<AuditHead> = rows.iter().map(|it| (it.sequence, it.hash)).collect();
            grown.insert(chain.to_owned(), hashes);
            rows
        };
        self.store.append_audit_batch(places.keys().copied(), seal, lines)?;
        numbered.sort_unstable();
        let numbers = numbered.into_iter().map(|(_, number)| number).collect();
        Ok(Written { numbers, grown })
    }
}
