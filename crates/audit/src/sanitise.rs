//! What of a call's fields may stand in the log: only what a list allows, each field in the form
//! that its class gives it. A field that the list does not name leaves nothing behind, not even its
//! name, because names tell too.

use std::collections::BTreeMap;
use std::fmt;

use assay_base::canonical::{Fragment, Slot};
use assay_base::json::{self, JsonError, Raw, Scalar};

/// Characters that are kept of an internal text.
const INTERNAL: usize = 200;
/// What a key is derived for, so that the secret serves other purposes as well.
const KEY_CONTEXT: &str = "assay audit field key 1";

/// How a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// As it is.
    Public,
    /// As it is, cut to 200 characters.
    Internal,
    /// As a keyed digest: equal values can be joined, and none can be guessed without the key.
    Pii,
    /// As its length in characters.
    Privileged,
    /// As a fixed mark.
    Secret,
}

/// Which fields may be logged, and how.
#[derive(Debug, Clone, Default)]
pub struct Classes(BTreeMap<String, Class>);

impl<N: Into<String>> FromIterator<(N, Class)> for Classes {
    fn from_iter<I: IntoIterator<Item = (N, Class)>>(fields: I) -> Self {
        Self(fields.into_iter().map(|(name, class)| (name.into(), class)).collect())
    }
}

/// The key of an organisation's digests. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct FieldKey([u8; 32]);

impl FieldKey {
    /// The key that these bytes are.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key of `organisation`, as it follows from the secret of the installation. Whoever knows
    /// one such key learns nothing of the others or of the secret.
    #[must_use]
    pub fn derive(secret: &[u8; 32], organisation: &str) -> Self {
        let material = [secret, organisation.as_bytes()].concat();
        Self(blake3::derive_key(KEY_CONTEXT, &material))
    }
}

impl fmt::Debug for FieldKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("FieldKey(..)")
    }
}

/// Fields that may stand in the log. Only [`Classes::sanitise`] makes some of what others wrote, so
/// nothing of that reaches a record past the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanitised(Fragment);

/// A value of this program's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// How many.
    Count(u64),
    /// One of its words.
    Word(&'static str),
}

impl Sanitised {
    /// No fields.
    #[must_use]
    pub fn empty() -> Self {
        Self(Fragment::new(|slot| slot.object(|_| {})))
    }

    /// Fields that this program itself fills, which need no list.
    #[must_use]
    pub fn own(fields: &[(&'static str, Own)]) -> Self {
        Self(Fragment::new(|slot| {
            slot.object(|object| {
                for (name, value) in fields {
                    match value {
                        Own::Count(count) => object.key(name).integer(*count),
                        Own::Word(word) => object.key(name).string(word),
                    }
                }
            });
        }))
    }

    pub(crate) fn fragment(&self) -> &Fragment {
        &self.0
    }

    /// The canonical bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Classes {
    /// The members of the JSON object `text` that the list names, each in the form of its class.
    ///
    /// An array or object with the class public or internal is written as a mark that says which
    /// of both it is: what it holds has no class of its own.
    ///
    /// # Errors
    /// [`JsonError`] when `text` holds no object or names a key twice. The caller then records
    /// without the fields, and says so by [`Event::RedactionFailed`](crate::Event).
    pub fn sanitise(&self, text: &str, key: &FieldKey) -> Result<Sanitised, JsonError> {
        let members = json::object(text)?;
        Ok(Sanitised(Fragment::new(|slot| {
            slot.object(|object| {
                for (name, value) in &members {
                    if let Some(class) = self.0.get(name.as_ref()) {
                        write(object.key(name), *class, value, key);
                    }
                }
            });
        })))
    }
}

/// The keyed digest by which `bytes` can be joined and not guessed.
#[must_use]
pub fn digest(key: &FieldKey, bytes: &[u8]) -> String {
    format!("keyed:{}", blake3::keyed_hash(&key.0, bytes).to_hex())
}

fn write(slot: Slot<'_>, class: Class, value: Raw<'_>, key: &FieldKey) {
    let scalar = json::scalar(value);
    match class {
        Class::Public => plain(slot, &scalar, usize::MAX),
        Class::Internal => plain(slot, &scalar, INTERNAL),
        Class::Pii => slot.string(&digest(key, text_of(&scalar, value).as_bytes())),
        Class::Privileged => {
            let length = text_of(&scalar, value).chars().count();
            slot.display(format_args!("[privileged len={length}]"));
        }
        Class::Secret => slot.string("[secret]"),
    }
}

/// Integers stay numbers; another number keeps the digits that were written, as a string, since
/// the same number can be written in many ways.
fn plain(slot: Slot<'_>, scalar: &Scalar<'_>, limit: usize) {
    match scalar {
        Scalar::Null => slot.null(),
        Scalar::Boolean(value) => slot.boolean(*value),
        Scalar::Number(digits) => match digits.parse::<i64>() {
            Ok(value) => slot.integer(value),
            Err(_) => slot.string(&cut(digits, limit)),
        },
        Scalar::String(text) => slot.string(&cut(text, limit)),
        Scalar::Array => slot.string("[array]"),
        Scalar::Object => slot.string("[object]"),
    }
}

/// The text that is meant: a string without quotes and escapes, so that two spellings of it are
/// one.
fn text_of(scalar: &Scalar<'_>, value: Raw<'_>) -> String {
    match scalar {
        Scalar::String(text) => text.to_string(),
        Scalar::Null | Scalar::Boolean(_) | Scalar::Number(_) | Scalar::Array | Scalar::Object => {
            value.get().to_owned()
        }
    }
}

fn cut(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}
