//! A folder for what a row keeps.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;

/// A folder on the disk that holds the build, removed with what it holds.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Result<Self, Failure> {
        let program = std::env::current_exe()?;
        let beside = program.parent().ok_or("the program lies in no folder")?;
        let path = beside.join(format!("bench-store-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
