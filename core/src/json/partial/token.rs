//! Numbers and escape sequences that may be cut at any byte.

use crate::error::Code;
use crate::json::text;

/// The part of a number that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// Before the first digit.
    Start,
    /// After a leading zero.
    Zero,
    /// In the digits before the point.
    Whole,
    /// After the point.
    Point,
    /// In the digits after the point.
    Fraction,
    /// After the `e`.
    Mark,
    /// After the exponent's sign.
    Sign,
    /// In the exponent's digits.
    Exponent,
}

impl Digits {
    /// Returns the part that has been read with one more byte; `None` if the byte does not belong to the
    /// number.
    pub fn next(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Start, b'0') => Self::Zero,
            (Self::Start, b'1'..=b'9') | (Self::Whole, b'0'..=b'9') => Self::Whole,
            (Self::Zero | Self::Whole, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Self::Mark,
            (Self::Mark, b'+' | b'-') => Self::Sign,
            (Self::Mark | Self::Sign | Self::Exponent, b'0'..=b'9') => Self::Exponent,
            _ => return None,
        })
    }

    /// True if the number may end here.
    pub fn may_end(self) -> bool {
        matches!(self, Self::Zero | Self::Whole | Self::Fraction | Self::Exponent)
    }
}

/// The code of a bad escape sequence, the place of the wrong byte in it, and the expected text.
pub type BadEscape = (Code, usize, &'static str);

/// Returns the character that the sequence stands for; `None` if the sequence is cut. It begins with the backslash. A
/// character beyond U+FFFF takes two halves.
pub fn unescape(sequence: &[u8]) -> Result<Option<char>, BadEscape> {
    match sequence {
        [_, b'u', digits @ ..] => {
            let Some(first) = hex(digits, 2)? else { return Ok(None) };
            char::from_u32(first)
                .map_or_else(|| second_half(first, &digits[4..]), |character| Ok(Some(character)))
        }
        [_, kind, ..] => match text::unescaped(*kind) {
            Some(character) => Ok(Some(character)),
            None => Err((Code::InvalidJson, 1, "an escape sequence")),
        },
        _ => Ok(None),
    }
}

/// Returns the character of a surrogate and the half that must follow it.
fn second_half(first: u32, rest: &[u8]) -> Result<Option<char>, BadEscape> {
    let second = match rest {
        [] | [b'\\'] if first < 0xdc00 => return Ok(None),
        [b'\\', b'u', digits @ ..] if first < 0xdc00 => match hex(digits, 8)? {
            Some(second) => second,
            None => return Ok(None),
        },
        _ => 0,
    };
    if (0xdc00..0xe000).contains(&second) {
        return Ok(char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)));
    }
    Err((Code::LoneSurrogate, 0, "both halves of a surrogate pair"))
}

/// Returns the value of the first four of the digits, which start at byte `at` of their sequence; `None` if there are
/// fewer.
fn hex(digits: &[u8], at: usize) -> Result<Option<u32>, BadEscape> {
    let mut value = 0;
    for (index, &byte) in digits.iter().take(4).enumerate() {
        let Some(digit) = char::from(byte).to_digit(16) else {
            return Err((Code::InvalidJson, at + index, "four hexadecimal digits"));
        };
        value = value * 16 + digit;
    }
    Ok((digits.len() >= 4).then_some(value))
}
