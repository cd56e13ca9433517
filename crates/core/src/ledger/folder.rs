//! Copies of checkpoints in a folder that should be out of reach of whoever may write the data: one
//! file for each chain, to which lines are appended.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// How the files end.
const ENDING: &str = ".checkpoints";

/// Makes the folder where it is missing.
pub(crate) fn prepare(folder: &Path) -> Result<(), String> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| refused(folder, "written", &error))
}

/// Appends one line to the file of `chain`. It is on the disk when this returns `Ok`.
pub(crate) fn append(folder: &Path, chain: &str, line: &str) -> Result<(), String> {
    let path = folder.join(file_name(chain));
    let append = || {
        let is_new = !path.exists();
        // One write for the whole line, so that those of two processes do not mix.
        let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_data()?;
        if is_new { File::open(folder)?.sync_all() } else { Ok(()) }
    };
    append().map_err(|error: io::Error| refused(&path, "written", &error))
}

/// Every line of the folder, by chain.
pub(crate) fn read(folder: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
    let read = || {
        let mut lines = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Some(chain) = entry.file_name().to_str().and_then(chain_of) else { continue };
            let text = fs::read_to_string(entry.path())?;
            lines.insert(chain, text.lines().map(str::to_owned).collect());
        }
        Ok(lines)
    };
    read().map_err(|error: io::Error| refused(folder, "read", &error))
}

/// The file of a chain. Every byte of the name that is no plain letter, digit, `-` or `_` is
/// written as `%` and two digits, so that a name leads to no other folder.
fn file_name(chain: &str) -> String {
    let mut name = String::new();
    for byte in chain.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            name.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(name, "%{byte:02x}");
        }
    }
    name + ENDING
}

fn chain_of(file_name: &str) -> Option<String> {
    let mut rest = file_name.strip_suffix(ENDING)?.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn refused(path: &Path, what: &str, error: &io::Error) -> String {
    let shown = path.display();
    format!("`{shown}` with copies of checkpoints cannot be {what}: {error}: look at its rights")
}

#[cfg(test)]
mod tests {
    use super::{chain_of, file_name};

    #[test]
    fn names_lead_to_files_and_back() {
        for (chain, name) in [
            ("org_1", "org_1.checkpoints"),
            ("../a.b", "%2e%2e%2fa%2eb.checkpoints"),
            ("ü%", "%c3%bc%25.checkpoints"),
            ("", ".checkpoints"),
        ] {
            assert_eq!((file_name(chain).as_str(), chain_of(name).as_deref()), (name, Some(chain)));
        }
        for other in ["org_1", "%.checkpoints", "%zz.checkpoints", "%ff.checkpoints"] {
            assert_eq!(chain_of(other), None, "{other}");
        }
    }
}
