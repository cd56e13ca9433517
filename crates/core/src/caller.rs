//! Who calls, and through which door.

/// The way in which a call arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Door {
    /// The command line.
    CommandLine,
    /// The Model Context Protocol, over any transport.
    Mcp,
    /// Plain HTTP.
    Rest,
}

/// The facts of one call that its arguments do not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The way in which the call arrived.
    pub door: Door,
}
