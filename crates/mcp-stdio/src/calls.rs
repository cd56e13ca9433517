//! The requests that are not answered yet.

use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_mcp::Exchange;
use rmcp::model::RequestId;
use tokio::sync::Notify;

/// The requests that are not answered yet, each with its exchange. They are few.
#[derive(Default)]
pub(crate) struct Calls {
    open: Mutex<Vec<(RequestId, Exchange)>>,
    closed: Notify,
}

impl Calls {
    pub(crate) fn open(&self, id: RequestId, exchange: Exchange) {
        self.lock().push((id, exchange));
    }

    /// Forgets a request that was answered or cancelled, and every other of its id: a client that
    /// uses an id twice at once gets one answer.
    pub(crate) fn close(&self, id: &RequestId) -> Option<Exchange> {
        let mut open = self.lock();
        let exchange = open.iter().find(|it| it.0 == *id).map(|it| it.1.clone());
        open.retain(|it| it.0 != *id);
        drop(open);
        self.closed.notify_one();
        exchange
    }

    /// Waits until every request is answered.
    pub(crate) async fn all_closed(&self) {
        while !self.lock().is_empty() {
            self.closed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(RequestId, Exchange)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
