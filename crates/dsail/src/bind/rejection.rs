//! Every field that was refused, in bounded memory.

use assay_base::canonical::{Slot, to_bytes};
use assay_base::json::{Raw, Scalar, printable, scalar};

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
    /// What stood there: a scalar as JSON, at most 80 printable characters of it, or the kind of
    /// anything else, or `nothing`.
    pub received: String,
}

fn nothing() -> String {
    "nothing".to_owned()
}

/// A value as a refusal shows it. Clients that write one value in several ways get one answer, so
/// escapes and white space do not show.
fn shown(raw: Raw<'_>) -> String {
    match scalar(raw) {
        Scalar::String(text) => {
            let bytes = to_bytes(|value| value.string(&text));
            printable(&String::from_utf8_lossy(&bytes))
        }
        value @ (Scalar::Array | Scalar::Object) => value.kind().to_owned(),
        Scalar::Null | Scalar::Boolean(_) | Scalar::Number(_) => printable(raw.get()),
    }
}

impl Rejection {
    /// Whether another failure would be kept.
    pub(super) fn has_room(&self) -> bool {
        self.failures.len() < MAX_FAILURES_REPORTED
    }

    /// Counts a failure, and keeps it while there is room. `expected` is made only then.
    pub(super) fn add(
        &mut self,
        field: &str,
        received: Option<Raw<'_>>,
        expected: impl FnOnce() -> String,
    ) {
        self.total += 1;
        if self.has_room() {
            let (field, received) = (printable(field), received.map_or_else(nothing, shown));
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
