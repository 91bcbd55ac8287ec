//! Reading Python's own values without touching their reference counts.
//!
//! pyo3's safe views count references at every step. Under the stable ABI each of those is a call, and encoding
//! 100 messages takes twice as long. Nothing here runs Python code or allocates what the collector tracks, so what
//! is borrowed stays alive.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::{Borrowed, ffi};

/// A borrowed object.
pub type Obj<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// The address of an object's class.
#[inline]
pub fn class_of(object: Obj<'_, '_>) -> *mut ffi::PyTypeObject {
    // SAFETY: every object has a class.
    unsafe { ffi::Py_TYPE(object.as_ptr()) }
}

/// What a value is, if it is one of Python's own that JSON has a spelling for: exactly that class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// `None`
    None,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `str`
    Text,
    /// `list`
    List,
    /// `dict`
    Dict,
    /// Anything else.
    Other,
}

/// What a value is.
#[inline]
pub fn plain(object: Obj<'_, '_>) -> Plain {
    let class = class_of(object).cast_const();
    if class == &raw const ffi::PyUnicode_Type {
        Plain::Text
    } else if class == &raw const ffi::PyDict_Type {
        Plain::Dict
    } else if class == &raw const ffi::PyLong_Type {
        Plain::Int
    } else if class == &raw const ffi::PyList_Type {
        Plain::List
    } else if class == &raw const ffi::PyBool_Type {
        Plain::Bool
    } else if class == &raw const ffi::PyFloat_Type {
        Plain::Float
    } else if object.is_none() {
        Plain::None
    } else {
        Plain::Other
    }
}

/// The text of a `str`; nothing for other classes, and for text with lone surrogates.
#[inline]
pub fn text<'a>(object: Obj<'a, '_>) -> Option<&'a str> {
    if plain(object) == Plain::Text { utf8(object) } else { None }
}

/// The text of a `str` of any class; nothing for other objects, and for text with lone surrogates.
#[inline]
pub fn utf8<'a>(object: Obj<'a, '_>) -> Option<&'a str> {
    let mut size = 0;
    // SAFETY: what is no str gives an error. The UTF-8 form belongs to it and lives as long; CPython makes it valid.
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

/// The value of an `int` that fits 64 bits; nothing for other classes.
#[inline]
pub fn int(object: Obj<'_, '_>) -> Option<i64> {
    if plain(object) != Plain::Int {
        return None;
    }
    let mut overflow = 0;
    // SAFETY: the object is an int, for which the call sets no error.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// The value of a `float`; the caller has asked for the class.
#[inline]
pub fn float(object: Obj<'_, '_>) -> f64 {
    // SAFETY: reads a float, and fails for other objects.
    unsafe { ffi::PyFloat_AsDouble(object.as_ptr()) }
}

/// Whether a `bool` is true; the caller has asked for the class.
#[inline]
pub fn is_true(object: Obj<'_, '_>) -> bool {
    // SAFETY: compares addresses.
    object.as_ptr() == unsafe { ffi::Py_True() }
}

/// The members of a `dict`, in order. Nothing may change it meanwhile.
#[inline]
pub fn members<'a, 'py>(dict: Obj<'a, 'py>) -> Members<'a, 'py> {
    Members { dict, at: 0 }
}

/// See [`members`].
#[derive(Debug)]
pub struct Members<'a, 'py> {
    dict: Obj<'a, 'py>,
    at: ffi::Py_ssize_t,
}

impl Members<'_, '_> {
    /// How many there are in all.
    #[inline]
    pub fn len(&self) -> usize {
        // SAFETY: the call checks for a dict.
        unsafe { ffi::PyDict_Size(self.dict.as_ptr()).cast_unsigned() }
    }
}

impl<'a, 'py> Iterator for Members<'a, 'py> {
    type Item = (Obj<'a, 'py>, Obj<'a, 'py>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        let py = self.dict.py();
        // SAFETY: the call checks for a dict and for its end; what it lends belongs to the dict.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), &raw mut self.at, &raw mut key, &raw mut value) == 0 {
                return None;
            }
            Some((Borrowed::from_ptr(py, key), Borrowed::from_ptr(py, value)))
        }
    }
}

/// The items of a `list`.
#[inline]
pub fn items<'a, 'py>(list: Obj<'a, 'py>) -> Items<'a, 'py> {
    Items { list, at: 0, count: len(list) }
}

/// Number of items of a `list`, which the object must be.
#[inline]
pub fn len(list: Obj<'_, '_>) -> isize {
    // SAFETY: the call checks for a list.
    unsafe { ffi::PyList_Size(list.as_ptr()) }
}

/// See [`items`].
#[derive(Debug)]
pub struct Items<'a, 'py> {
    list: Obj<'a, 'py>,
    at: isize,
    count: isize,
}

impl<'a, 'py> Iterator for Items<'a, 'py> {
    type Item = Obj<'a, 'py>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.count {
            return None;
        }
        // SAFETY: the call checks class and index; what it lends belongs to the list.
        unsafe {
            let item = ffi::PyList_GetItem(self.list.as_ptr(), self.at);
            self.at += 1;
            if item.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            Some(Borrowed::from_ptr(self.list.py(), item))
        }
    }
}

/// The value under `key` of a `dict`.
#[inline]
pub fn get<'a, 'py>(dict: Obj<'a, 'py>, key: &Py<pyo3::types::PyString>) -> Option<Obj<'a, 'py>> {
    // SAFETY: the call checks for a dict; a str as key raises nothing, and what is lent belongs to the dict.
    unsafe {
        let value = ffi::PyDict_GetItemWithError(dict.as_ptr(), key.as_ptr());
        if value.is_null() { None } else { Some(Borrowed::from_ptr(dict.py(), value)) }
    }
}

/// Sets a member of a `dict` that only the caller knows.
#[inline]
pub fn set(dict: &Bound<'_, PyAny>, key: &Py<pyo3::types::PyString>, value: Obj<'_, '_>) -> bool {
    // SAFETY: all three are live objects, and the call checks for a dict.
    unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) == 0 }
}

/// A copy of a `dict`, its values shared.
#[inline]
pub fn copy_dict<'py>(dict: Obj<'_, 'py>) -> Option<Bound<'py, PyAny>> {
    // SAFETY: the call checks for a dict and hands over a new one.
    unsafe { Bound::from_owned_ptr_or_opt(dict.py(), ffi::PyDict_Copy(dict.as_ptr())) }
}

/// A `str` of the text.
#[inline]
pub fn string<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
    pyo3::types::PyString::new(py, text).into_any()
}

/// `text` behind `known`; a string that nobody else holds grows in place. What is no `str` gives way.
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
