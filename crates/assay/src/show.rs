//! Payloads as a person reads them.

pub(crate) mod diagnostic;
pub(crate) mod refusal;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod word;
