//! The identity of an input.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::encoding::{decode, encode, text_serde};
use crate::error::{Code, Error};

/// The SHA-256 of a run's input, in one spelling for all requests that mean the same. It is printed as 43 characters of
/// base64url.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputDigest([u8; 32]);

impl InputDigest {
    /// The digest of an input, as canonical JSON with sorted keys.
    pub fn of_canonical(json: &[u8]) -> Self {
        Self(Sha256::digest(json).into())
    }
}

impl fmt::Display for InputDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&encode(&self.0))
    }
}

impl FromStr for InputDigest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let message = "expected a digest: 43 characters of base64url";
        decode(text).map(Self).ok_or_else(|| Error::new(Code::InvalidValue, message))
    }
}

text_serde!(InputDigest);
