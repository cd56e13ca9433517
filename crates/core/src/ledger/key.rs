//! The secret of the log: it signs checkpoints, and the keys of organisations follow from it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use assay_audit::{SigningKey, VerifyingKey};
use assay_base::SecretDigest;

use crate::world::{World, hexadecimal};

/// What the secret stands behind in its file, so that nothing else is taken for one.
const SECRET: &str = "assay audit secret ";
/// What the public half stands behind in the file beside it.
const PUBLIC: &str = "assay audit public ";

/// The secret in `file`, which is made where it is missing; a fresh one without a file.
pub(crate) fn secret(file: Option<&Path>, world: World) -> Result<[u8; 32], String> {
    let fresh = || {
        let mut secret = [0; 32];
        let drawn = (world.random)(&mut secret);
        drawn.then_some(secret).ok_or("the operating system gave no random numbers: start again")
    };
    let Some(file) = file else { return Ok(fresh()?) };
    let secret = match fs::read_to_string(file) {
        Ok(text) => read(&text, SECRET).ok_or_else(|| wrong(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => made(file, fresh()?),
        Err(error) => Err(refused(file, "read", &error)),
    }?;
    publish(file, &secret).map_err(|error| refused(&public(file), "written", &error))?;
    Ok(secret)
}

/// The key that checks signatures: the public half in `file`, or that of the secret in it.
pub(crate) fn verifying_key(file: &Path) -> Result<VerifyingKey, String> {
    let text = fs::read_to_string(file).map_err(|error| refused(file, "read", &error))?;
    if let Some(secret) = read(&text, SECRET) {
        return Ok(SigningKey::from_bytes(&secret).verifying_key());
    }
    read(&text, PUBLIC).and_then(|it| VerifyingKey::from_bytes(&it)).ok_or_else(|| wrong(file))
}

fn public(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".pub");
    name.into()
}

/// Writes the secret aside and links it to its name, so that of two processes that meet here one
/// makes the file, and both read it whole.
fn made(file: &Path, secret: [u8; 32]) -> Result<[u8; 32], String> {
    let mut aside = file.as_os_str().to_owned();
    aside.push(format!(".{}", std::process::id()));
    let aside = PathBuf::from(aside);
    let make = || {
        let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(folder)?;
        let text = format!("{SECRET}{}\n", hexadecimal(secret));
        let _ = fs::remove_file(&aside);
        let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&aside)?;
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
        match fs::hard_link(&aside, file) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            Ok(()) | Err(_) => File::open(folder)?.sync_all(),
        }
    };
    let outcome = make();
    let _ = fs::remove_file(&aside);
    outcome.map_err(|error: io::Error| refused(file, "written", &error))?;
    let text = fs::read_to_string(file).map_err(|error| refused(file, "read", &error))?;
    read(&text, SECRET).ok_or_else(|| wrong(file))
}

/// Keeps the public half beside the secret, for whoever verifies and must not sign.
fn publish(file: &Path, secret: &[u8; 32]) -> io::Result<()> {
    let key = SigningKey::from_bytes(secret).verifying_key();
    let text = format!("{PUBLIC}{}\n", hexadecimal(key.to_bytes()));
    let path = public(file);
    if fs::read_to_string(&path).is_ok_and(|it| it == text) {
        return Ok(());
    }
    fs::write(path, text)
}

fn read(text: &str, kind: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix(kind)?.strip_suffix('\n')?;
    SecretDigest::parse(digits).map(|it| *it.as_bytes())
}

fn wrong(file: &Path) -> String {
    let shown = file.display();
    format!("`{shown}` holds no key of an audit log: name the file with the key, or restore it")
}

fn refused(file: &Path, what: &str, error: &io::Error) -> String {
    let shown = file.display();
    format!("the key file `{shown}` cannot be {what}: {error}: look at the rights on its folder")
}
