//! Places in a log.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::encoding::{decode, encode, text_serde};
use crate::error::{Code, Error};

/// The identity of a log, printed as 22 characters of base64url. A log that was deleted and created again has another
/// one, so it refuses cursors of the earlier log. It is no credential.
///
/// ```
/// use ag_ui_native::durable::Incarnation;
///
/// assert_ne!(Incarnation::new_random(), Incarnation::new_random());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Incarnation([u8; 16]);

impl Incarnation {
    /// A new random incarnation.
    pub fn new_random() -> Self {
        Self(Uuid::new_v4().into_bytes())
    }

    /// The incarnation of these random bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[cfg(feature = "sqlite")]
    pub(super) fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for Incarnation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&encode(&self.0))
    }
}

impl FromStr for Incarnation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        decode(text).map(Self).ok_or_else(invalid)
    }
}

/// A place in a log: behind the frame of this number. Frames count from 1, so 0 is the beginning.
///
/// It is printed as `<incarnation>-<number>`: the id of an SSE event, and the value of `AG-UI-Cursor`.
///
/// ```
/// use ag_ui_native::durable::{Cursor, Incarnation};
///
/// let cursor = Cursor { incarnation: Incarnation::from_bytes([7; 16]), number: 3 };
/// assert_eq!(cursor.number, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The log.
    pub incarnation: Incarnation,
    /// The number of the last frame before the place.
    pub number: u64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.incarnation, self.number)
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // The alphabet of incarnations has the hyphen, too.
        let (incarnation, number) = text.rsplit_once('-').ok_or_else(invalid)?;
        let is_canonical = number == "0" || number.starts_with(|digit: char| ('1'..='9').contains(&digit));
        let number = number.parse().ok().filter(|_| is_canonical).ok_or_else(invalid)?;
        Ok(Self { incarnation: incarnation.parse()?, number })
    }
}

text_serde!(Incarnation);
text_serde!(Cursor);

fn invalid() -> Error {
    Error::new(Code::CursorInvalid, "expected a cursor: 22 characters of base64url, a hyphen and a number")
}
