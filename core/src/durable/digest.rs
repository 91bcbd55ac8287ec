//! The identity of an input.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::encoding::{decode, encode, text_serde};
use crate::encode::to_value;
use crate::error::{Code, Error};
use crate::json::{NumberStyle, Value, Writer};
use crate::types::RunAgentInput;

/// The SHA-256 of a run's input, in one spelling for all requests that mean the same. It is printed as 43 characters of
/// base64url.
///
/// ```
/// use ag_ui_native::durable::InputDigest;
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// assert_eq!(InputDigest::of(&input), InputDigest::of(&input.clone()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputDigest([u8; 32]);

impl InputDigest {
    /// The digest of an input: of its canonical JSON, with the keys of every object sorted. Inputs of older versions are
    /// translated before.
    pub fn of(input: &RunAgentInput) -> Self {
        let mut value = to_value(input);
        sort(&mut value);
        let mut writer = Writer::new(NumberStyle::JavaScript);
        writer.value(&value);
        Self::of_canonical(writer.out.as_bytes())
    }

    /// The digest of an input, as canonical JSON with sorted keys.
    ///
    /// ```
    /// use ag_ui_native::durable::InputDigest;
    /// use ag_ui_native::types::RunAgentInput;
    ///
    /// let canonical = br#"{"messages":[],"runId":"r1","threadId":"t1"}"#;
    /// assert_eq!(InputDigest::of_canonical(canonical), InputDigest::of(&RunAgentInput::new("t1", "r1", vec![])));
    /// ```
    pub fn of_canonical(json: &[u8]) -> Self {
        Self(Sha256::digest(json).into())
    }

    /// The digest of these bytes.
    #[cfg(feature = "sqlite")]
    pub(super) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[cfg(feature = "sqlite")]
    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Sorts the keys of all objects. The depth is that of an input, which is limited.
fn sort(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(sort),
        Value::Object(object) => {
            let mut members: Vec<(String, Value)> = std::mem::take(object).into_iter().collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            for (key, mut value) in members {
                sort(&mut value);
                object.insert(key, value);
            }
        }
        _ => {}
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
