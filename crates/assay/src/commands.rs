//! One command, one file, named as it is typed.

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod docs;
pub(crate) mod init;
pub(crate) mod key;
pub(crate) mod person;
pub(crate) mod profile;
pub(crate) mod prompt_pack;
pub(crate) mod role;
pub(crate) mod serve;
pub(crate) mod stdio;
pub(crate) mod tool;
pub(crate) mod version;
