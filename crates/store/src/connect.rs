//! How a connection is opened: the file and its rights, the journal, and what every connection
//! shares.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;

/// The name by which errors know the database.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    assay_base::json::printable(&name.to_string_lossy())
}

/// Creates the file for its owner alone, and the folders that lead to it; an existing file keeps
/// its rights. SQLite gives its side files the rights of the database.
pub(crate) fn create(path: &Path, file: &str) -> Result<(), StoreError> {
    let io = |error| StoreError::from_io(file, &error);
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(io)?;
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        // The entry in the folder must outlive a power cut as well.
        Ok(_) => File::open(folder).and_then(|it| it.sync_all()).map_err(io),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => refuse_unwritable(path, file),
        Err(error) => Err(io(error)),
    }
}

/// Takes a file without any write permission at its word. The superuser could write it all the
/// same, and whoever took the permission away did not mean that.
fn refuse_unwritable(path: &Path, file: &str) -> Result<(), StoreError> {
    let metadata = path.metadata().map_err(|error| StoreError::from_io(file, &error))?;
    if metadata.permissions().readonly() {
        return Err(StoreError::ReadOnly { file: file.to_owned() });
    }
    Ok(())
}

/// The connection that writes, on an existing file.
pub(crate) fn writer(path: &Path, file: &str, wait: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || -> rusqlite::Result<(Connection, bool)> {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(wait)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let read_only = connection.is_readonly(rusqlite::MAIN_DB)?;
        if !read_only {
            write_ahead(&connection, wait)?;
            // An acknowledged write is on the disk, not in the memory of the operating system.
            connection.pragma_update(None, "synchronous", "full")?;
        }
        Ok((connection, read_only))
    };
    match open() {
        Ok((connection, false)) => Ok(connection),
        Ok((_, true)) => Err(StoreError::ReadOnly { file: file.to_owned() }),
        Err(error) => Err(StoreError::from_sqlite(file, &error)),
    }
}

/// Switches the file to write-ahead mode, which it then keeps.
///
/// SQLite does not wait for other processes here, and two that open a new file at once do meet.
fn write_ahead(connection: &Connection, wait: Duration) -> rusqlite::Result<()> {
    const PAUSE: Duration = Duration::from_millis(10);
    let mut left = wait;
    loop {
        let outcome = connection.pragma_update(None, "journal_mode", "wal");
        let busy = outcome
            .as_ref()
            .is_err_and(|it| it.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy));
        if !busy || left < PAUSE {
            return outcome;
        }
        std::thread::sleep(PAUSE);
        left -= PAUSE;
    }
}

/// A connection that reads, beside an open writer.
pub(crate) fn reader(path: &Path, file: &str, wait: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags)
        .and_then(|connection| connection.busy_timeout(wait).map(|()| connection))
        .map_err(|error| StoreError::from_sqlite(file, &error))
}

/// A database that ends with its connection.
pub(crate) fn memory(file: &str) -> Result<Connection, StoreError> {
    Connection::open_in_memory()
        .and_then(|connection| {
            connection.pragma_update(None, "foreign_keys", true)?;
            Ok(connection)
        })
        .map_err(|error| StoreError::from_sqlite(file, &error))
}
