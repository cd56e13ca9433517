//! Entries for the end of a chain.

use std::fmt;
use std::sync::Arc;

use assay_audit::{Entry, Head, Record, RecordFault};
use assay_store::{AuditHead, AuditRow};

use super::queue::Queue;

/// Makes entries of records. It is cheap to clone.
#[derive(Clone)]
pub struct Sealer {
    environment: Arc<str>,
    queue: Arc<Queue>,
}

impl Sealer {
    pub(crate) fn new(environment: String, queue: Arc<Queue>) -> Self {
        Self { environment: environment.into(), queue }
    }

    /// The rows that put `records` behind `head`, the end of `chain`. Whoever appends them has read
    /// the end within the same transaction. A checkpoint over them follows within two seconds.
    ///
    /// # Errors
    /// [`RecordFault`] when a record contradicts itself; then there is no row.
    pub fn rows(
        &self,
        chain: &str,
        head: Option<AuditHead>,
        records: impl IntoIterator<Item = Record>,
    ) -> Result<Vec<AuditRow>, RecordFault> {
        let mut head = Head::new(chain, head);
        let rows: Result<Vec<_>, _> =
            records.into_iter().map(|it| self.seal(&mut head, &it)).collect();
        self.queue.touch(chain);
        rows
    }

    pub(crate) fn seal(&self, head: &mut Head, record: &Record) -> Result<AuditRow, RecordFault> {
        let Entry { sequence, hash, bytes } = match record.scope.environment {
            Some(_) => head.seal(record)?,
            None => {
                let mut named = record.clone();
                named.scope.environment = Some(self.environment.to_string());
                head.seal(&named)?
            }
        };
        // Canonical bytes are UTF-8 already.
        let record = String::from_utf8_lossy(&bytes).into_owned();
        Ok(AuditRow { sequence, hash, record })
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Sealer").field("environment", &self.environment).finish_non_exhaustive()
    }
}
