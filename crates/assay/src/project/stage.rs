//! New contents that wait beside their places until all of them may be put there.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;

/// The name by which a file begins that was left behind, should the machine stop half-way.
const PREFIX: &str = ".assay-";

/// One new content.
#[derive(Debug)]
pub(super) struct Staged {
    file: NamedTempFile,
    real: PathBuf,
    shown: PathBuf,
}

impl Staged {
    /// Writes `text` beside `real`. Folders that are missing are still missing afterwards.
    pub(super) fn write(real: &Path, shown: &Path, text: &str) -> Result<Self, Failure> {
        let write = || {
            let file = beside(real, text)?;
            Ok(Self { file, real: real.to_owned(), shown: shown.to_owned() })
        };
        write().map_err(|error| unwritable(shown, &error))
    }

    /// Puts the content in its place, at once.
    pub(super) fn place(self) -> Result<(), Failure> {
        let Self { file, real, shown } = self;
        let folders = real.parent().map_or(Ok(()), fs::create_dir_all);
        let placed = folders.and_then(|()| Ok(file.persist(&real)?));
        placed.map(drop).map_err(|error| unwritable(&shown, &error))
    }
}

fn beside(real: &Path, text: &str) -> io::Result<NamedTempFile> {
    let permissions = match fs::metadata(real) {
        Ok(it) => {
            // A rename would replace a file that its owner has closed to writing.
            OpenOptions::new().append(true).open(real)?;
            Some(it.permissions())
        }
        Err(_) => None,
    };
    let folder = real.ancestors().skip(1).find(|it| it.is_dir()).unwrap_or(Path::new("/"));
    // A new file is made as any other program would make it, and the user's mask applies.
    let new = Permissions::from_mode(0o666);
    let mut file = Builder::new().prefix(PREFIX).permissions(new).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

fn unwritable(shown: &Path, error: &io::Error) -> Failure {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let message = format!("`{}` cannot be written: {error}", shown.display());
    match error.kind() {
        PermissionDenied | ReadOnlyFilesystem => Failure::usage(message)
            .help("see that this user may write the file and the folder that it is in"),
        _ => Failure::unavailable(message),
    }
}
