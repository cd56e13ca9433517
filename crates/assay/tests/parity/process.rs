//! The command under test, and a folder that goes with the test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::{fs, io};

/// The command that was built, without the settings of whoever runs the test.
pub(crate) fn assay() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASSAY_") {
            command.env_remove(name);
        }
    }
    command
}

/// A process that ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        // A process that has ended already is no problem here.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder below the target folder that is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        let folder = format!("{name}-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
