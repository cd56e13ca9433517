//! What waits to be written: records in the order in which they were taken, some of them with
//! somebody who waits for the outcome.

use std::collections::{BTreeSet, VecDeque};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_audit::Record;

use super::Unavailable;

/// Records that wait at most before those who note one have to wait as well.
pub(crate) const ROOM: usize = 4_096;
/// How long a noted record waits for others to share its commit. A commit takes time of the disk
/// and of a core that calls need.
const GATHER: Duration = Duration::from_millis(10);
/// Records that wait at most for others to share their commit.
const GROUP: usize = 256;
/// How long noted records wait until they are tried again.
const AGAIN: Duration = Duration::from_millis(250);

/// A record on its way.
pub(crate) struct Item {
    /// Its place among all that were taken.
    ticket: u64,
    pub(crate) chain: String,
    pub(crate) record: Record,
    reply: Option<SyncSender<Result<u64, Unavailable>>>,
}

/// What the writer has to do next.
pub(crate) struct Taken {
    pub(crate) items: Vec<Item>,
    /// Chains to which somebody else appends within a transaction of his own.
    pub(crate) touched: BTreeSet<String>,
    /// Whether nothing comes after this.
    pub(crate) closing: bool,
}

/// How the writing goes.
pub(crate) struct Counts {
    pub(crate) durable: u64,
    pub(crate) groups: u64,
    pub(crate) queued: usize,
    pub(crate) failing: Option<String>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Item>,
    /// How many of those that wait have somebody who waits for them.
    urgent: usize,
    /// How many wait until everything that was taken is durable.
    flushing: usize,
    taken: u64,
    /// The first ticket of the group that is being written.
    writing: Option<u64>,
    touched: BTreeSet<String>,
    durable: u64,
    groups: u64,
    failing: Option<String>,
    closing: bool,
    /// Whether the writer is gone.
    ended: bool,
}

#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    /// There is something for the writer.
    work: Condvar,
    /// There may be room, or what was waited for has ended.
    progress: Condvar,
}

impl State {
    fn push(&mut self, chain: &str, record: Record, reply: Option<SyncSender<Reply>>) {
        self.taken += 1;
        self.urgent += usize::from(reply.is_some());
        let (ticket, chain) = (self.taken, chain.to_owned());
        self.waiting.push_back(Item { ticket, chain, record, reply });
    }

    /// Whether there is something to do that does not have to wait for its time.
    fn is_due(&self) -> bool {
        let tried = self.failing.is_some() && self.urgent == 0;
        self.closing || !self.touched.is_empty() || !(self.waiting.is_empty() || tried)
    }

    /// Whether what waits should not wait for more.
    fn is_pressing(&self) -> bool {
        let waited_for = self.urgent > 0 || self.flushing > 0 || self.closing;
        waited_for || self.waiting.len() >= GROUP
    }

    fn oldest(&self) -> Option<u64> {
        self.writing.or_else(|| self.waiting.front().map(|it| it.ticket))
    }

    fn gone(&self) -> Option<Unavailable> {
        self.ended.then(|| Unavailable("its writer has ended: restart the server".to_owned()))
    }
}

type Reply = Result<u64, Unavailable>;

impl Queue {
    pub(crate) fn write(&self, chain: &str, record: Record) -> Reply {
        record.check().map_err(|fault| Unavailable(fault.to_string()))?;
        let (reply, outcome) = sync_channel(1);
        {
            let mut state = self.lock();
            if let Some(gone) = state.gone() {
                return Err(gone);
            }
            state.push(chain, record, Some(reply));
        }
        self.work.notify_one();
        let lost = || Unavailable("its writer has ended: restart the server".to_owned());
        outcome.recv().unwrap_or_else(|_| Err(lost()))
    }

    pub(crate) fn note(&self, chain: &str, record: Record) -> Result<(), Unavailable> {
        record.check().map_err(|fault| Unavailable(fault.to_string()))?;
        {
            let full =
                |it: &mut State| it.waiting.len() >= ROOM && it.failing.is_none() && !it.ended;
            let waited = self.progress.wait_while(self.lock(), full);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            if let Some(gone) = state.gone() {
                return Err(gone);
            }
            if let Some(reason) = state.failing.clone().filter(|_| state.waiting.len() >= ROOM) {
                return Err(Unavailable(reason));
            }
            state.push(chain, record, None);
            // The writer has been told of those before.
            if state.waiting.len() != 1 && state.waiting.len() < GROUP {
                return Ok(());
            }
        }
        self.work.notify_one();
        Ok(())
    }

    /// Says that somebody is about to append to `chain` by himself.
    pub(crate) fn touch(&self, chain: &str) {
        self.lock().touched.insert(chain.to_owned());
        self.work.notify_one();
    }

    pub(crate) fn flush(&self) {
        let mut state = self.lock();
        state.flushing += 1;
        let last = state.taken;
        let pending = |it: &mut State| !it.ended && it.oldest().is_some_and(|it| it <= last);
        self.work.notify_one();
        let waited = self.progress.wait_while(state, pending);
        waited.unwrap_or_else(PoisonError::into_inner).flushing -= 1;
    }

    pub(crate) fn close(&self) {
        self.lock().closing = true;
        self.work.notify_one();
    }

    pub(crate) fn counts(&self) -> Counts {
        let state = self.lock();
        Counts {
            durable: state.durable,
            groups: state.groups,
            queued: state.waiting.len(),
            failing: state.failing.clone(),
        }
    }

    /// Waits for something to do, no longer than `patience`, and takes all of it.
    pub(crate) fn take(&self, patience: Option<Duration>) -> Taken {
        let mut state = self.lock();
        let again = (state.failing.is_some() && !state.waiting.is_empty()).then_some(AGAIN);
        let patience = [patience, again].into_iter().flatten().min();
        let idle = |it: &mut State| !it.is_due();
        state = match patience {
            None => self.work.wait_while(state, idle).unwrap_or_else(PoisonError::into_inner),
            Some(patience) => {
                let waited = self.work.wait_timeout_while(state, patience, idle);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        if !state.waiting.is_empty() && !state.is_pressing() {
            let alone = |it: &mut State| !it.is_pressing();
            let waited = self.work.wait_timeout_while(state, GATHER, alone);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let items: Vec<Item> = state.waiting.drain(..).collect();
        state.urgent = 0;
        state.writing = items.first().map(|it| it.ticket);
        let touched = std::mem::take(&mut state.touched);
        let closing = state.closing;
        drop(state);
        self.progress.notify_all();
        Taken { items, touched, closing }
    }

    /// Tells those who wait that their records are durable. `numbers` are in the order of `items`.
    pub(crate) fn written(&self, items: Vec<Item>, numbers: &[u64]) {
        {
            let mut state = self.lock();
            state.durable += u64::try_from(items.len()).unwrap_or_default();
            state.groups += u64::from(!items.is_empty());
            (state.writing, state.failing) = (None, None);
        }
        self.progress.notify_all();
        for (item, number) in items.into_iter().zip(numbers) {
            if let Some(reply) = item.reply {
                // Whoever went away meanwhile needs no answer.
                let _ = reply.send(Ok(*number));
            }
        }
    }

    /// Tells those who wait that their records were not written, and so do those who came behind
    /// them meanwhile: they would wait in vain as long again. The others go on waiting, in order.
    pub(crate) fn failed(&self, items: Vec<Item>, reason: &str) {
        let (mut urgent, noted): (Vec<_>, Vec<_>) =
            items.into_iter().partition(|it| it.reply.is_some());
        {
            let mut state = self.lock();
            let (behind, waiting): (VecDeque<_>, VecDeque<_>) =
                state.waiting.drain(..).partition(|it| it.reply.is_some());
            urgent.extend(behind);
            (state.waiting, state.urgent) = (waiting, 0);
            state.writing = None;
            state.failing = Some(reason.to_owned());
            for item in noted.into_iter().rev() {
                state.waiting.push_front(item);
            }
        }
        self.progress.notify_all();
        for reply in urgent.into_iter().filter_map(|it| it.reply) {
            let _ = reply.send(Err(Unavailable(reason.to_owned())));
        }
    }

    /// Lets go of everybody, because nothing will be written any more.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        (state.ended, state.writing) = (true, None);
        state.waiting.clear();
        drop(state);
        self.progress.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
