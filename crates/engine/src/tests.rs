//! The engine as a whole.

mod budget;
mod build;
mod depth;
mod limits;
mod random;
mod words;
