//! Numbers and booleans.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat};

use super::text::utf8;
use super::{Lent, Plain, plain};

/// Returns the value of an `int` that fits 64 bits; `None` for other classes.
#[inline]
pub fn int<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Option<i64> {
    let object = object.into();
    // SAFETY: it is exactly an int.
    if plain(object) == Plain::Int { unsafe { value_of(object) } } else { None }
}

/// Returns the value of an `int` of any class that fits 64 bits; `None` for other objects.
#[inline]
pub fn int64<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Option<i64> {
    let object = object.into();
    // SAFETY: the class is checked first.
    unsafe { if ffi::PyLong_Check(object.as_ptr()) == 0 { None } else { value_of(object) } }
}

/// Returns the value of an `int` of any class that fits 64 bits.
///
/// # Safety
/// The object is an `int`.
#[inline]
unsafe fn value_of(object: Lent<'_, '_>) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: for an int the call reads the digits without running Python code or setting an error.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// Returns the decimal digits of an `int` of any class; `None` for other objects, and for more than [`MAX_DIGITS`] digits.
/// (`str` runs Python code for long ones, and signal handlers for all.)
pub fn decimal<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Option<String> {
    let hex = digits(object, 16)?;
    let (sign, digits) = hex.strip_prefix('-').map_or(("", &*hex), |rest| ("-", rest));
    // Four binary digits each; a decimal digit takes more than three.
    if digits.len() * 4 > MAX_DIGITS * 3 {
        return None;
    }
    // Groups of nine digits, the lowest first.
    let mut groups: Vec<u64> = vec![0];
    for piece in digits.as_bytes().chunks(7) {
        let mut carry = u64::from_str_radix(std::str::from_utf8(piece).ok()?, 16).ok()?;
        for group in &mut groups {
            carry += *group << (4 * piece.len());
            *group = carry % GROUP;
            carry /= GROUP;
        }
        if carry > 0 {
            groups.push(carry);
        }
    }
    let highest = groups.pop().unwrap_or_default();
    let rest = groups.iter().rev().map(|group| format!("{group:09}"));
    Some(format!("{sign}{highest}{}", rest.collect::<String>()))
}

/// Maximum number of decimal digits that this module writes.
pub const MAX_DIGITS: usize = 5_000;
const GROUP: u64 = 1_000_000_000;

/// Returns the digits of an `int` of any class, to a base that is a power of two; `None` for other objects.
pub fn digits<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>, base: i32) -> Option<String> {
    let object = object.into().0;
    // SAFETY: the object is an int, whose digits the call reads; it hands over a new string, or null with an error.
    unsafe {
        if ffi::PyLong_Check(object.as_ptr()) == 0 {
            return None;
        }
        let digits = ffi::PyNumber_ToBase(object.as_ptr(), base);
        if digits.is_null() {
            ffi::PyErr_Clear();
        }
        let digits = Bound::from_owned_ptr_or_opt(object.py(), digits)?;
        // Python writes `-0x7f`.
        utf8(&digits).map(|digits| digits.replacen("0x", "", 1).replacen("0o", "", 1))
    }
}

/// Returns the value of a `float` of any class; NaN for other objects.
#[inline]
pub fn float<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> f64 {
    object.into().0.cast::<PyFloat>().map_or(f64::NAN, |float| float.value())
}

/// True if the object is `True`.
#[inline]
pub fn is_true<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> bool {
    let object = object.into().0;
    object.is(&*PyBool::new(object.py(), true))
}
