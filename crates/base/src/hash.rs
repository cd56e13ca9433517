//! Content addresses: BLAKE3-256 over exact bytes, written as 64 lower-case hexadecimal digits.

use std::fmt;

/// What a string must be to name content: said in every refusal, so that it is worded once.
pub const FORMAT: &str = "64 lower-case hexadecimal digits";

/// Defines one kind of content address, so that a hash of one thing cannot stand for another.
macro_rules! content_hash {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The address of `bytes`.
            #[must_use]
            pub fn of(bytes: &[u8]) -> Self {
                Self(*blake3::hash(bytes).as_bytes())
            }

            /// Reads 64 lower-case hexadecimal digits; anything else is `None`.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                from_hex(text).map(Self)
            }

            /// The address that these 32 bytes are.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes of the address.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(std::str::from_utf8(&to_hex(&self.0)).unwrap_or_default())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!(stringify!($name), "({})"), self)
            }
        }
    };
}

content_hash! {
    /// Addresses one governed call: who asks for what, exactly.
    CallHash
}

content_hash! {
    /// Addresses a ruleset by its normalised source.
    RulesetHash
}

content_hash! {
    /// Addresses a project's unit library by the arithmetic that it defines.
    LibraryHash
}

content_hash! {
    /// Stands for a secret that is not kept: a credential, or an invitation with its address.
    SecretDigest
}

content_hash! {
    /// Addresses an entry of an audit chain by its canonical bytes.
    EntryHash
}

content_hash! {
    /// Addresses a leaf, a node or the root of a tree over audit entries.
    TreeHash
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0_u8; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let &[high, low] = pair else { return None };
        *byte = nibble(high)? << 4 | nibble(low)?;
    }
    Some(bytes)
}

fn to_hex(bytes: &[u8; 32]) -> [u8; 64] {
    let digit = |nibble: u8| if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 };
    let mut digits = [0_u8; 64];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        if let [high, low] = pair {
            (*high, *low) = (digit(byte >> 4), digit(byte & 15));
        }
    }
    digits
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RulesetHash;

    #[test]
    fn text_and_back() {
        let hash = RulesetHash::of(b"version 1.3;\n");
        let text = hash.to_string();
        assert_eq!(text.len(), 64);
        assert_eq!(RulesetHash::parse(&text), Some(hash));
    }

    #[test]
    fn other_spellings_are_refused() {
        let text = RulesetHash::of(b"").to_string();
        assert_eq!(text, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
        assert_eq!(RulesetHash::parse(&text.to_uppercase()), None);
        let short = text.strip_prefix('a').unwrap();
        assert_eq!(RulesetHash::parse(short), None);
        assert_eq!(RulesetHash::parse(&format!(" {short}")), None);
    }
}
