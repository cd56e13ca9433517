//! One file for each tool, named as the tool is on the wire.

pub(crate) mod dsail;
