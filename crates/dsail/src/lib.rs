//! The rule language: source text to typed ruleset, claim manifest, prompt pack, review text, and claims bound to a ruleset.

pub mod arena;
pub mod bind;
pub mod budget;
pub mod ir;
pub mod units;
