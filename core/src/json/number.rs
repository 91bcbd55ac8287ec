//! Numbers as they are written: integers of any size, and exact doubles.

use std::cmp::Ordering;
use std::fmt::Write as _;

/// A JSON number.
///
/// ```
/// use ag_ui_native::{Profile, Value, from_json, to_json};
///
/// let (value, _) = from_json::<Value>("[7, 1e-7, 123456789012345678901234567890]", Profile::Strict)?;
/// assert_eq!(to_json(&value), "[7,1e-7,123456789012345678901234567890]");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer that fits 64 bits.
    Int(i64),
    /// A number with a fraction or an exponent, and every result of arithmetic with one.
    Float(f64),
    /// The text of a number that fits neither of the others: an integer beyond 64 bits, or a number beyond
    /// the range of a double.
    Literal(Box<str>),
}

/// The spelling of doubles. The languages of the protocol differ, so a writer follows its peer's
/// language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberStyle {
    /// Python's: `1.0`, `-0.0`, `1e+16`, `1e-6`.
    #[default]
    Python,
    /// Python's with the exponents of pydantic before 2.13: `1e16`.
    PythonBarePlus,
    /// JavaScript's: `1`, `0` for minus zero, plain digits up to 1e21 and down to 1e-6.
    JavaScript,
}

impl Number {
    /// Reads the text of a JSON number, which the parser has checked.
    pub fn parse(text: &str) -> Self {
        let is_float = text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        if !is_float {
            if text == "-0" {
                return Self::Int(0);
            }
            return text.parse().map_or_else(|_| Self::Literal(text.into()), Self::Int);
        }
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Self::Float(float),
            _ => Self::Literal(text.into()),
        }
    }

    /// Returns the integer, if the number is one of 64 bits; `5.0` counts.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(int) => Some(*int),
            Self::Float(float) => whole(*float),
            Self::Literal(_) => None,
        }
    }

    /// True if the number is a whole one, of any size.
    #[doc(hidden)]
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float(float) => float.is_finite() && float.fract() == 0.0,
            Self::Literal(text) => decimal(text).2 >= 0,
        }
    }

    /// Returns the nearest double.
    #[allow(clippy::cast_precision_loss)] // The caller wants the nearest double.
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Int(int) => *int as f64,
            Self::Float(float) => *float,
            Self::Literal(text) => text.parse().unwrap_or(f64::NAN),
        }
    }

    /// True if the number is beyond the range of a double.
    pub(crate) fn is_infinite(&self) -> bool {
        matches!(self, Self::Literal(_)) && self.as_f64().is_infinite()
    }

    /// True if some languages read the number as infinite or not at all, and then could not write it again: it is infinite, and it
    /// is not an integer that Python reads.
    pub(crate) fn is_lost(&self) -> bool {
        let is_read = match self {
            Self::Literal(text) => {
                let digits = text.trim_start_matches('-');
                digits.len() <= MAX_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            _ => true,
        };
        !is_read && self.is_infinite()
    }

    /// True if the text of a number spells an infinite one.
    pub(super) fn is_infinite_text(text: &str) -> bool {
        let has_exponent = || text.bytes().any(|byte| matches!(byte, b'e' | b'E'));
        text.len() >= SHORTEST_INFINITE.len()
            && (text.len() > MAX_FINITE_DIGITS || has_exponent())
            && Self::parse(text).is_infinite()
    }

    /// True if both numbers have the same value in any spelling: `1` and `1.0` do.
    #[doc(hidden)]
    #[allow(clippy::float_cmp)] // The caller wants exact equality.
    pub fn same_value(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Float(one), Self::Float(other)) => one == other,
            (Self::Int(int), Self::Float(float)) | (Self::Float(float), Self::Int(int)) => {
                whole(*float) == Some(*int)
            }
            // A literal is beyond 64 bits, or beyond doubles.
            (Self::Literal(_), Self::Int(_)) | (Self::Int(_), Self::Literal(_)) => false,
            (Self::Literal(text), Self::Float(float)) | (Self::Float(float), Self::Literal(text)) => {
                float.fract() == 0.0 && format!("{float:.0}") == **text
            }
            (Self::Literal(one), Self::Literal(other)) => decimal(one) == decimal(other),
        }
    }

    /// Returns the exact order of two numbers: no integer is rounded to a double. NaN is neither less nor
    /// greater.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one.cmp(other),
            (Self::Int(int), Self::Float(float)) => int_to_float(*int, *float),
            (Self::Float(float), Self::Int(int)) => int_to_float(*int, *float).reverse(),
            (Self::Float(one), Self::Float(other)) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
            (Self::Literal(text), _) => literal_to(text, other),
            (_, Self::Literal(text)) => literal_to(text, self).reverse(),
        }
    }

    /// True if reading and writing the number as a double would change it.
    pub(crate) fn exceeds_double(&self) -> bool {
        match self {
            Self::Int(int) => int.unsigned_abs() > MAX_SAFE_INTEGER.unsigned_abs(),
            Self::Float(_) => false,
            Self::Literal(_) => true,
        }
    }
}

/// Maximum number of digits of an integer that Python reads.
const MAX_DIGITS: usize = 4_300;

/// The shortest text of an infinite number.
const SHORTEST_INFINITE: &str = "1e309";

/// Without an exponent, an infinite number has more digits than this.
const MAX_FINITE_DIGITS: usize = 308;

/// The detail of the error for a double that JSON cannot express.
pub(crate) const NO_NUMBER: &str = "expected a finite number";

/// The detail of the warning about a number beyond the range of doubles.
pub const BEYOND_DOUBLES: &str = "no double is this large";

/// The largest integer that every language of the protocol holds exactly: 2^53 - 1.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// Returns the parts of a number's text: its sign, its significant digits, and the power of ten after them. Powers
/// that do not fit in 64 bits are replaced by one limit value.
fn decimal(text: &str) -> (bool, String, i128) {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let dropped = digits.len() - significant.len();
    let limit = if exponent.starts_with('-') { i128::MIN / 2 } else { i128::MAX / 2 };
    let power = exponent.trim_start_matches('+').parse::<i64>().map_or(limit, i128::from)
        + i128::try_from(dropped).unwrap_or(0)
        - i128::try_from(fraction.len()).unwrap_or(0);
    (negative, significant.trim_start_matches('0').to_owned(), power)
}

/// Returns the order of an integer and a double.
fn int_to_float(int: i64, float: f64) -> Ordering {
    let (whole, rest) = match whole(float.trunc()) {
        Some(whole) => (int.cmp(&whole), float.fract()),
        // The double is beyond 64 bits.
        None => (Ordering::Equal, float),
    };
    whole.then(0.0.partial_cmp(&rest).unwrap_or(Ordering::Equal))
}

/// Returns the order of a literal, which is beyond 64 bits or beyond doubles, and any other number.
fn literal_to(text: &str, other: &Number) -> Ordering {
    let other = match other {
        Number::Literal(other) => decimal(other),
        // A double as large as a literal is whole.
        Number::Float(float) if float.is_finite() && whole(float.trunc()).is_none() => {
            decimal(&format!("{float:.0}"))
        }
        Number::Float(float) if !float.is_finite() => {
            return 0.0.partial_cmp(float).unwrap_or(Ordering::Equal);
        }
        _ if text.starts_with('-') => return Ordering::Less,
        _ => return Ordering::Greater,
    };
    let one = decimal(text);
    let magnitude = |digits: &str, power: i128| power + i128::try_from(digits.len()).unwrap_or(0);
    let order = magnitude(&one.1, one.2).cmp(&magnitude(&other.1, other.2)).then_with(|| one.1.cmp(&other.1));
    match (one.0, other.0) {
        (false, false) => order,
        (true, true) => order.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

#[allow(clippy::cast_possible_truncation)] // The range is checked first.
fn whole(float: f64) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    (float.fract() == 0.0 && (-BEYOND..BEYOND).contains(&float)).then_some(float as i64)
}

/// Appends `float`, which is finite, in the spelling of `style`.
pub fn write_float(out: &mut String, float: f64, style: NumberStyle) {
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(float);
    match style {
        NumberStyle::Python => out.push_str(shortest),
        NumberStyle::PythonBarePlus => match shortest.split_once('+') {
            Some((digits, exponent)) => {
                out.push_str(digits);
                out.push_str(exponent);
            }
            None => out.push_str(shortest),
        },
        NumberStyle::JavaScript => write_javascript(out, shortest),
    }
}

/// Writes a double as ECMAScript's `Number::toString` does (section 6.1.6.1.20), from the shortest digits that round-trip.
fn write_javascript(out: &mut String, shortest: &str) {
    let (sign, magnitude) = shortest.strip_prefix('-').map_or(("", shortest), |rest| ("-", rest));
    let (mantissa, exponent) = magnitude.split_once('e').unwrap_or((magnitude, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let leading_zeros = all.len() - significant.len();
    let digits = significant.trim_end_matches('0');
    if digits.is_empty() {
        out.push('0');
        return;
    }
    // The value is 0.digits times ten to the power of `point`.
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point =
        i32::try_from(whole.len()).unwrap_or(0) - i32::try_from(leading_zeros).unwrap_or(0) + exponent;
    let count = i32::try_from(digits.len()).unwrap_or(0);
    out.push_str(sign);
    if count <= point && point <= 21 {
        out.push_str(digits);
        out.extend(std::iter::repeat_n('0', usize::try_from(point - count).unwrap_or(0)));
    } else if 0 < point && point <= 21 {
        let (before, after) = digits.split_at(usize::try_from(point).unwrap_or(0));
        let _ = write!(out, "{before}.{after}");
    } else if -6 < point && point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', usize::try_from(-point).unwrap_or(0)));
        out.push_str(digits);
    } else {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let plus = if point > 0 { "+" } else { "" };
        let _ = write!(out, "{first}{dot}{rest}e{plus}{}", point - 1);
    }
}
