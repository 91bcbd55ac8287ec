//! Access to dicts and lists, one entry at a time.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::{Lent, Obj};

/// Returns the number of items of a `list`; 0 for other objects.
#[inline]
pub fn len(list: Lent<'_, '_>) -> usize {
    list.0.cast::<PyList>().map_or(0, |list| list.len())
}

/// Returns the value under `key` of a `dict`. Comparing `key` with the dict's own keys may run Python code, and fail
/// with it.
#[inline]
pub fn get<'py>(dict: Obj<'_, 'py>, key: &Py<PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = dict.py();
    // SAFETY: the call checks for a dict; the borrowed result is owned at once.
    unsafe {
        let value = ffi::PyDict_GetItemWithError(dict.as_ptr(), key.as_ptr());
        if value.is_null() && !ffi::PyErr_Occurred().is_null() {
            return Err(PyErr::fetch(py));
        }
        Ok(Bound::from_borrowed_ptr_or_opt(py, value))
    }
}

/// Sets a member of a `dict` that no other code can reach.
#[inline]
pub fn set<'a, 'py: 'a>(
    dict: &Bound<'_, PyAny>,
    key: &Py<PyString>,
    value: impl Into<Lent<'a, 'py>>,
) -> bool {
    // SAFETY: all three are live objects, and the call checks for a dict.
    unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.into().as_ptr()) == 0 }
}

/// Removes the item of a `list` at the index, if there is one.
pub fn remove_item(list: &Bound<'_, PyList>, index: isize) -> PyResult<()> {
    // SAFETY: the object is a list, and a null value deletes the slice.
    let result = unsafe { ffi::PyList_SetSlice(list.as_ptr(), index, index + 1, std::ptr::null_mut()) };
    if result == 0 { Ok(()) } else { Err(PyErr::fetch(list.py())) }
}
