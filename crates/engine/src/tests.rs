//! The engine as a whole.

mod build;
mod depth;
mod limits;
mod random;
mod words;
