//! Chores that cargo lacks.
fn main() {}
