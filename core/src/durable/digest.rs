//! The identity of an input.

use sha2::{Digest, Sha256};

use super::encoding::encode;

/// The SHA-256 of a run's input, in one spelling for all requests that mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputDigest([u8; 32]);

impl InputDigest {
    /// The digest of an input, as canonical JSON with sorted keys.
    pub fn of_canonical(json: &[u8]) -> Self {
        Self(Sha256::digest(json).into())
    }

    /// The digest in base64url.
    pub fn to_text(self) -> String {
        encode(&self.0)
    }
}
