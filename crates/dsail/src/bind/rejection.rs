//! Every field that was refused, in bounded memory.

use assay_base::canonical::Slot;
use assay_base::json::printable;

use crate::budget::MAX_FAILURES_REPORTED;

/// Fields that were refused. The first fifty are kept and the rest counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rejection {
    /// The failures in the order in which the fields stand in the dictionary, then the missing
    /// fields in the order of declaration.
    pub failures: Vec<FieldFailure>,
    /// How many there are, those not kept included.
    pub total: usize,
}

/// One field that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFailure {
    /// The field as it was submitted, at most 80 printable characters of it.
    pub field: String,
    /// What is accepted there, and what to mend.
    pub expected: String,
    /// The JSON text that stood there, at most 80 printable characters of it.
    pub received: String,
}

impl Rejection {
    /// Whether another failure would be kept.
    pub(super) fn has_room(&self) -> bool {
        self.failures.len() < MAX_FAILURES_REPORTED
    }

    /// Counts a failure, and keeps it while there is room. `expected` is made only then.
    pub(super) fn add(&mut self, field: &str, received: &str, expected: impl FnOnce() -> String) {
        self.total += 1;
        if self.has_room() {
            let (field, received) = (printable(field), printable(received));
            self.failures.push(FieldFailure { field, expected: expected(), received });
        }
    }

    /// Writes the kept failures as `[{expected, field, received}]`.
    pub fn write_failures(&self, slot: Slot<'_>) {
        slot.array(|array| {
            for failure in &self.failures {
                array.item().object(|object| {
                    object.key("expected").string(&failure.expected);
                    object.key("field").string(&failure.field);
                    object.key("received").string(&failure.received);
                });
            }
        });
    }
}
