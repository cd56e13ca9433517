//! The rule language: source text to typed ruleset, claim manifest, prompt pack, review text, and claims bound to a ruleset.

mod annotation;
mod answer;
pub mod arena;
mod ast;
pub mod bind;
pub mod budget;
pub mod changes;
pub mod claim_schema;
pub mod compile;
pub mod contract;
#[cfg(test)]
mod fixture;
pub mod grammar;
pub mod ir;
mod lexer;
mod lower;
pub mod manifest;
mod nearest;
pub mod normalize;
mod parse;
pub mod prompt;
mod question;
pub mod review;
mod token;
pub mod units;

pub use compile::{Compilation, Options, compile};
