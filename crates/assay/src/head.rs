//! The file by which an operator swaps the head of the instructions while the service runs.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use assay_core::HeadSource;

use crate::output;
use crate::show::text::visible;

/// Most bytes of a head. What follows it is sent as well, and a client reads both.
const MOST_BYTES: u64 = 64 * 1024;

/// By what a change of the file is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    modified: (i64, i64),
    /// Moves with every change, even where the time of modification was set back.
    changed: (i64, i64),
    length: u64,
    inode: u64,
}

/// What the last look found.
#[derive(Debug, Default)]
struct Seen {
    /// The stamp of the file, or why there is none.
    stamp: Option<Result<Stamp, String>>,
    /// The last text that could be read.
    text: Option<Arc<str>>,
}

/// A head that is read from `path` whenever the file changed.
pub(crate) fn source(path: PathBuf) -> HeadSource {
    let name = visible(&path.display().to_string());
    let warn = move |reason: &str| {
        output::notice(&format!("the head of the instructions in `{name}` is not used: {reason}"));
    };
    let refused = warn.clone();
    let seen = Mutex::new(Seen::default());
    HeadSource::new(
        move || look(&path, &mut seen.lock().unwrap_or_else(PoisonError::into_inner), &warn),
        move |faults| refused(&faults.join("; ")),
    )
}

/// The text of the file, read again where its stamp is another than before. Where it cannot be
/// read, the text before stays, and the reason is told once.
fn look(path: &Path, seen: &mut Seen, warn: &impl Fn(&str)) -> Option<Arc<str>> {
    let stamp = stamp(path);
    if seen.stamp.as_ref() != Some(&stamp) {
        match stamp.clone().and_then(|it| read(path, &it)) {
            Ok(text) => seen.text = Some(text.into()),
            Err(reason) => warn(&reason),
        }
        seen.stamp = Some(stamp);
    }
    seen.text.clone()
}

fn stamp(path: &Path) -> Result<Stamp, String> {
    let found = fs::metadata(path).map_err(|error| unreadable(&error))?;
    // Opening anything else could wait for ever.
    if !found.is_file() {
        return Err("it is no ordinary file".to_owned());
    }
    Ok(Stamp {
        modified: (found.mtime(), found.mtime_nsec()),
        changed: (found.ctime(), found.ctime_nsec()),
        length: found.len(),
        inode: found.ino(),
    })
}

fn read(path: &Path, stamp: &Stamp) -> Result<String, String> {
    let too_large = || format!("it is larger than {MOST_BYTES} bytes");
    if stamp.length > MOST_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let opened = File::open(path).map_err(|error| unreadable(&error))?;
    opened.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(too_large());
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    // Editors put a mark before the text that belongs to nobody's words.
    match text.strip_prefix('\u{feff}') {
        Some(marked) => Ok(marked.to_owned()),
        None => Ok(text),
    }
}

fn unreadable(error: &io::Error) -> String {
    format!("it cannot be read: {error}")
}
