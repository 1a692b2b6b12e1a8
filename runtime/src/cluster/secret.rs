//! What all processes of a search know, and nobody else: a key of 32 bytes.

use crate::refusal::Refusal;
use crate::text::place;
use snow::params::HashChoice;
use snow::resolvers::{CryptoResolver, DefaultResolver};
use std::fmt;
use std::path::Path;

pub const KEY_BYTES: usize = 32;
/// A shorter secret can be guessed.
const LEAST: usize = 16;
const MOST: u64 = 64 << 10;
/// Sets this use of a secret apart from any other.
const PURPOSE: &[u8] = b"mcc cluster, version 1: pre-shared key\0";

/// The key with which processes prove that they belong together.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; KEY_BYTES]);

/// A key is not printed.
impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret")
    }
}

impl Secret {
    /// The key of the secret in a file.
    pub fn read(path: &Path) -> Result<Secret, Refusal> {
        let refuse = |why: String| {
            let instead = "head -c 32 /dev/urandom | base64 > FILE, and the same FILE for all processes";
            Refusal::of("--secret", why).instead(instead)
        };
        let unreadable = |error| refuse(format!("{} cannot be read: {error}", place(path)));
        let length = std::fs::metadata(path).map_err(unreadable)?.len();
        if length > MOST {
            return Err(refuse(format!("{} is too large for a secret", place(path))));
        }
        let text = std::fs::read(path).map_err(unreadable)?;
        let text = text.trim_ascii();
        if text.len() < LEAST {
            let why = format!("{} has less than {LEAST} bytes, which can be guessed", place(path));
            return Err(refuse(why));
        }
        Secret::of(text).ok_or_else(|| refuse("there is no hash function for it".to_owned()))
    }

    fn of(text: &[u8]) -> Option<Secret> {
        let mut hash = DefaultResolver.resolve_hash(&HashChoice::Blake2s)?;
        let mut key = [0; KEY_BYTES];
        hash.input(PURPOSE);
        hash.input(text);
        hash.result(&mut key);
        Some(Secret(key))
    }

    /// A new key, from the system's random numbers.
    pub fn random() -> Option<Secret> {
        let mut key = [0; KEY_BYTES];
        DefaultResolver.resolve_rng()?.try_fill_bytes(&mut key).ok()?;
        Some(Secret(key))
    }

    pub fn in_hexadecimal(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn from_hexadecimal(text: &str) -> Option<Secret> {
        let mut key = [0; KEY_BYTES];
        if text.len() != 2 * KEY_BYTES || !text.is_ascii() {
            return None;
        }
        for (at, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Secret(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_follows_from_the_secret_alone() {
        let one = Secret::of(b"sixteen bytes or more").unwrap();
        assert_eq!(Secret::of(b"sixteen bytes or more").unwrap(), one);
        assert_ne!(Secret::of(b"sixteen bytes or more!").unwrap(), one);
        assert_eq!(Secret::from_hexadecimal(&one.in_hexadecimal()).unwrap(), one);
        assert_ne!(Secret::random().unwrap(), Secret::random().unwrap());
        assert!(Secret::from_hexadecimal("00").is_none());
    }
}
