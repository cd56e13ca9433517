//! What stops a measurement.

use std::fmt::Display;

/// One line about what went wrong. It is no `Display` itself, so that every error becomes one.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Holds where both sides agree: a figure about different answers compares nothing.
///
/// # Errors
/// Names the entrant, with what it answered and what is right.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    entrant: &str,
    found: &T,
    right: &T,
) -> Result<(), Failure> {
    if found == right {
        return Ok(());
    }
    Err(Failure(format!("{entrant} answers {found:?} where {right:?} is right")))
}
