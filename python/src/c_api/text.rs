//! Strings.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::{Lent, Obj, Owned, Plain, class_of, plain};

/// Returns the text of a `str`; `None` for other classes, and for text with lone surrogates.
#[inline]
pub fn text<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Option<&'a str> {
    let object = object.into();
    if plain(object) == Plain::Text { utf8(object) } else { None }
}

/// Returns the text of a `str` of any class; `None` for text with lone surrogates. The caller has checked the class.
#[inline]
pub fn utf8<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Option<&'a str> {
    let object = object.into();
    let mut size = 0;
    // SAFETY: the UTF-8 form belongs to the string and lives as long; CPython makes it valid. Other objects give an error.
    unsafe {
        let bytes = ffi::PyUnicode_AsUTF8AndSize(object.as_ptr(), &raw mut size);
        if bytes.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        let bytes = std::slice::from_raw_parts(bytes.cast::<u8>(), size.cast_unsigned());
        Some(std::str::from_utf8_unchecked(bytes))
    }
}

/// True if two objects are strings of the same text. Their classes' own comparison is not called.
#[inline]
pub fn same_text(one: Lent<'_, '_>, other: Lent<'_, '_>) -> bool {
    // SAFETY: compares the characters of two strings; for other objects it sets an error.
    unsafe {
        let order = ffi::PyUnicode_Compare(one.as_ptr(), other.as_ptr());
        if order == -1 && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
        }
        order == 0
    }
}

/// Makes a `str` of the text.
#[inline]
pub fn string<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
    PyString::new(py, text).into_any()
}

/// Appends `text` to `known`. A string with no other reference grows in place. An object that is no
/// `str` is replaced.
pub fn append<'py>(known: Bound<'py, PyAny>, text: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    if plain(known.as_borrowed()) != Plain::Text {
        return Ok(text.to_owned());
    }
    let py = known.py();
    let mut joined = known.into_ptr();
    // SAFETY: both are live strings; the call takes over the first and leaves the result in its place, or null.
    unsafe {
        ffi::PyUnicode_Append(&raw mut joined, text.as_ptr());
        Bound::from_owned_ptr_or_err(py, joined)
    }
}

/// Returns the name of an object's class in the interpreter, which the class itself cannot change.
pub fn class_name(object: Lent<'_, '_>) -> String {
    // SAFETY: the call takes a class and hands over its name, or null.
    let name = unsafe {
        let name = ffi::PyType_GetName(class_of(object));
        if name.is_null() {
            ffi::PyErr_Clear();
        }
        Owned::taken(object, name)
    };
    name.as_ref().and_then(|name| utf8(name.lent())).unwrap_or_default().to_owned()
}
