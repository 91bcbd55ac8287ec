//! Reading Python's own values without touching their reference counts.
//!
//! pyo3's safe views count references at every step. Under the stable ABI each of those is a call, and encoding
//! 100 messages takes twice as long. What a container lends stays alive while nothing of Python's runs: [`Still`] sees to
//! that, and lends nothing for longer. Whoever may hash, compare or call anything owns what he holds.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3::{Borrowed, ffi};

/// A borrowed object.
pub type Obj<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// Nobody else gets a turn: the lock is held, and the collector waits (that of CPython 3.11 runs whenever something is
/// allocated, and finalizers with it). While there is one, only what runs no Python code is called: nothing of the
/// caller's is hashed, compared, called, printed or let go of for the last time. So what containers lend stays.
pub struct Still<'py> {
    py: Python<'py>,
    collects: bool,
}

#[allow(clippy::unused_self)] // What is lent lives no longer.
impl<'py> Still<'py> {
    /// From now on.
    #[inline]
    pub fn new(py: Python<'py>) -> Self {
        // SAFETY: sets a flag of the interpreter whose lock is held, and returns what it was.
        Self { py, collects: unsafe { ffi::PyGC_Disable() } != 0 }
    }

    /// The interpreter's token.
    pub fn py(&self) -> Python<'py> {
        self.py
    }

    /// The members of a `dict`, in order.
    #[inline]
    pub fn members<'a>(&'a self, dict: Obj<'a, 'py>) -> Members<'a, 'py> {
        Members { dict, at: 0 }
    }

    /// The items of a `list` or `tuple`.
    #[inline]
    pub fn items<'a>(&'a self, list: Obj<'a, 'py>) -> Items<'a, 'py> {
        // SAFETY: asks for the class; the sizes are asked of what has that class.
        let (item, count): (ItemOf, _) = unsafe {
            if ffi::PyTuple_Check(list.as_ptr()) != 0 {
                (ffi::PyTuple_GetItem, ffi::PyTuple_Size(list.as_ptr()))
            } else {
                (ffi::PyList_GetItem, ffi::PyList_Size(list.as_ptr()))
            }
        };
        Items { list, item, at: 0, count }
    }
}

impl Drop for Still<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.collects {
            // SAFETY: sets the flag again; the lock is held still.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

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

/// The text of a `str` of any class; nothing for text with lone surrogates. The caller has asked for the class.
#[inline]
pub fn utf8<'a>(object: Obj<'a, '_>) -> Option<&'a str> {
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

/// Whether two objects are strings of the same text, whatever their classes say of it.
#[inline]
pub fn same_text(one: Obj<'_, '_>, other: Obj<'_, '_>) -> bool {
    // SAFETY: compares the characters of two strings; for other objects it sets an error.
    unsafe {
        let order = ffi::PyUnicode_Compare(one.as_ptr(), other.as_ptr());
        if order == -1 && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
        }
        order == 0
    }
}

/// The string itself if it is exactly a `str`; otherwise one of the same text, which hashes and compares as text does.
#[inline]
pub fn plain_text<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the call takes strings of any class and hands over a reference.
    unsafe { Bound::from_owned_ptr_or_err(text.py(), ffi::PyUnicode_FromObject(text.as_ptr())) }
}

/// The value of an `int` that fits 64 bits; nothing for other classes.
#[inline]
pub fn int(object: Obj<'_, '_>) -> Option<i64> {
    if plain(object) == Plain::Int { int64(object) } else { None }
}

/// The value of an `int` of any class that fits 64 bits. The caller has asked for the class.
#[inline]
pub fn int64(object: Obj<'_, '_>) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: for an int of any class the call reads its digits, and sets no error.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// The decimal digits of an `int` of any class; nothing if they are more than [`MAX_DIGITS`]. The caller has asked for the
/// class. (`str` runs Python code for long ones, and signal handlers for all.)
pub fn decimal(object: Obj<'_, '_>) -> Option<String> {
    let hex = digits(object, 16)?;
    let (sign, digits) = hex.strip_prefix('-').map_or(("", &*hex), |rest| ("-", rest));
    // Four binary digits each; a decimal one is more than three.
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

/// Most decimal digits that are written here.
pub const MAX_DIGITS: usize = 5_000;
const GROUP: u64 = 1_000_000_000;

/// The digits of an `int` of any class, to a base that is a power of two. The caller has asked for the class.
pub fn digits(object: Obj<'_, '_>, base: i32) -> Option<String> {
    // SAFETY: for an int of any class the call reads its digits and hands over a new string, or sets an error.
    unsafe {
        let digits = ffi::PyNumber_ToBase(object.as_ptr(), base);
        if digits.is_null() {
            ffi::PyErr_Clear();
        }
        let digits = Bound::from_owned_ptr_or_opt(object.py(), digits)?;
        // Python writes `-0x7f`.
        utf8(digits.as_borrowed()).map(|digits| digits.replacen("0x", "", 1).replacen("0o", "", 1))
    }
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

/// See [`Still::members`].
#[derive(Debug)]
pub struct Members<'a, 'py> {
    dict: Obj<'a, 'py>,
    at: ffi::Py_ssize_t,
}

impl Members<'_, '_> {
    /// Those from the entry at an index on: a guess, unless no key was ever taken out. What is found there has to be looked
    /// at.
    #[inline]
    pub fn from(self, index: usize) -> Self {
        Self { at: index.cast_signed(), ..self }
    }

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
        // SAFETY: the call checks for a dict and for its end; what the dict lends stays while all is still.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), &raw mut self.at, &raw mut key, &raw mut value) == 0 {
                return None;
            }
            Some((Borrowed::from_ptr(py, key), Borrowed::from_ptr(py, value)))
        }
    }
}

/// Number of items of a `list`, which the object must be.
#[inline]
pub fn len(list: Obj<'_, '_>) -> isize {
    // SAFETY: the call checks for a list.
    unsafe { ffi::PyList_Size(list.as_ptr()) }
}

type ItemOf = unsafe extern "C" fn(*mut ffi::PyObject, ffi::Py_ssize_t) -> *mut ffi::PyObject;

/// See [`Still::items`].
#[derive(Debug)]
pub struct Items<'a, 'py> {
    list: Obj<'a, 'py>,
    item: ItemOf,
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
        // SAFETY: there is an item at the index, for the list has not changed; what it lends stays while all is still.
        let item = unsafe { Borrowed::from_ptr(self.list.py(), (self.item)(self.list.as_ptr(), self.at)) };
        self.at += 1;
        Some(item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.count - self.at).cast_unsigned();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Items<'_, '_> {}

/// The value under `key` of a `dict`. Comparing `key` with the dict's own keys may run Python code, and fail with it.
#[inline]
pub fn get<'py>(dict: Obj<'_, 'py>, key: &Py<PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = dict.py();
    // SAFETY: the call checks for a dict; what it lends is owned at once.
    unsafe {
        let value = ffi::PyDict_GetItemWithError(dict.as_ptr(), key.as_ptr());
        if value.is_null() && !ffi::PyErr_Occurred().is_null() {
            return Err(PyErr::fetch(py));
        }
        Ok(Bound::from_borrowed_ptr_or_opt(py, value))
    }
}

/// Sets a member of a `dict` that only the caller knows.
#[inline]
pub fn set(dict: &Bound<'_, PyAny>, key: &Py<PyString>, value: Obj<'_, '_>) -> bool {
    // SAFETY: all three are live objects, and the call checks for a dict.
    unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) == 0 }
}

/// Takes out an item of a `list`, if there is one at the index.
pub fn remove_item(list: &Bound<'_, PyList>, index: isize) -> PyResult<()> {
    // SAFETY: the object is a list, and without another list in its place the slice is taken out.
    let result = unsafe { ffi::PyList_SetSlice(list.as_ptr(), index, index + 1, std::ptr::null_mut()) };
    if result == 0 { Ok(()) } else { Err(PyErr::fetch(list.py())) }
}

/// A copy of a `dict`, its values shared.
#[inline]
pub fn copy_dict<'py>(dict: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the call checks for a dict and hands over a new one.
    unsafe { Bound::from_owned_ptr_or_err(dict.py(), ffi::PyDict_Copy(dict.as_ptr())) }
}

/// A `str` of the text.
#[inline]
pub fn string<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
    PyString::new(py, text).into_any()
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
