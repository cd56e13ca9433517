//! What the tests of this crate share.

use std::fs;
use std::path::PathBuf;

use assay_base::RulesetHash;

use crate::store::FILE_NAME;
use crate::workspaces::WorkspaceId;

/// The owner's own workspace.
pub(crate) const OWN: WorkspaceId = WorkspaceId(1);

/// A folder of its own for one test, removed with its contents when the test ends.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-store-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.join(FILE_NAME)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The address of a source.
pub(crate) fn hash(source: &str) -> RulesetHash {
    RulesetHash::of(source.as_bytes())
}
