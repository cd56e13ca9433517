//! A signed statement of how long a chain was and what it held: one line of canonical JSON, small
//! enough to be printed into somebody else's log.

use std::fmt;

use assay_base::canonical::{self, Object};
use assay_base::json::{self, Raw, Scalar};
use assay_base::{EntryHash, Timestamp, TreeHash};
use ed25519_dalek::{Signature, Signer as _};

/// Stands before what is signed, so that a signature is good for nothing else.
const DOMAIN: &[u8] = b"assay audit checkpoint 1\n";

/// Signs checkpoints. It is never shown.
#[derive(Clone)]
pub struct SigningKey(ed25519_dalek::SigningKey);

/// Says whether a checkpoint was signed by the key that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyingKey(ed25519_dalek::VerifyingKey);

impl SigningKey {
    /// The key of these 32 secret bytes.
    #[must_use]
    pub fn from_bytes(secret: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(secret))
    }

    /// What others need to check signatures.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.verifying_key())
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SigningKey(..)")
    }
}

impl VerifyingKey {
    /// The key that these 32 bytes are; `None` when they are no point of the curve.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        ed25519_dalek::VerifyingKey::from_bytes(bytes).ok().map(Self)
    }

    /// The 32 bytes of the key.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }
}

/// What a chain held when it had `size` entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which chain.
    pub chain: String,
    /// How many entries it had.
    pub size: u64,
    /// The root of the tree over them.
    pub root: TreeHash,
    /// The hash of the last of them.
    pub last_hash: EntryHash,
    /// When it was signed.
    pub at: Timestamp,
}

/// Why a line is no checkpoint to rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckpointFault {
    /// It is not written as a checkpoint is.
    Malformed,
    /// The key did not sign it.
    Signature,
}

impl fmt::Display for CheckpointFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Malformed => "the line is not a checkpoint",
            Self::Signature => "the checkpoint is not signed by this key",
        })
    }
}

impl std::error::Error for CheckpointFault {}

impl Checkpoint {
    /// The signed line, without a line end.
    #[must_use]
    pub fn sign(&self, key: &SigningKey) -> String {
        let signature = key.0.sign(&self.signed_bytes());
        let bytes = canonical::to_bytes(|slot| {
            slot.object(|object| {
                self.write(object);
                object.key("signature").display(format_args!("{signature:x}"));
            });
        });
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Reads a line that `key` signed. Only the exact bytes that [`Checkpoint::sign`] writes pass.
    ///
    /// # Errors
    /// [`CheckpointFault`] when it is malformed or not signed by this key.
    pub fn read(line: &str, key: &VerifyingKey) -> Result<Self, CheckpointFault> {
        let (checkpoint, signature) = parse(line).ok_or(CheckpointFault::Malformed)?;
        key.0
            .verify_strict(&checkpoint.signed_bytes(), &signature)
            .map_err(|_| CheckpointFault::Signature)?;
        Ok(checkpoint)
    }

    fn signed_bytes(&self) -> Vec<u8> {
        let body = canonical::to_bytes(|slot| slot.object(|object| self.write(object)));
        [DOMAIN, &body].concat()
    }

    fn write(&self, object: &mut Object<'_>) {
        object.key("chain").string(&self.chain);
        object.key("last_hash").display(self.last_hash);
        object.key("root").display(self.root);
        object.key("seconds").integer(self.at.seconds());
        object.key("size").integer(self.size);
    }
}

fn parse(line: &str) -> Option<(Checkpoint, Signature)> {
    let members = json::object(line).ok()?;
    let [(_, chain), (_, last), (_, root), (_, seconds), (_, signature), (_, size)] =
        members.as_slice()
    else {
        return None;
    };
    let checkpoint = Checkpoint {
        chain: text(chain)?,
        size: number(size)?.try_into().ok()?,
        root: TreeHash::parse(&text(root)?)?,
        last_hash: EntryHash::parse(&text(last)?)?,
        at: Timestamp::from_seconds(number(seconds)?),
    };
    let signature: Signature = text(signature)?.parse().ok()?;
    let again = canonical::to_bytes(|slot| {
        slot.object(|object| {
            checkpoint.write(object);
            object.key("signature").display(format_args!("{signature:x}"));
        });
    });
    (again == line.as_bytes()).then_some((checkpoint, signature))
}

pub(crate) fn text(raw: Raw<'_>) -> Option<String> {
    if let Scalar::String(text) = json::scalar(raw) { Some(text.into_owned()) } else { None }
}

pub(crate) fn number(raw: Raw<'_>) -> Option<i64> {
    if let Scalar::Number(digits) = json::scalar(raw) { digits.parse().ok() } else { None }
}
