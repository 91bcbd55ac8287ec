//! Calls with few arguments, which the interpreter takes without a tuple.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Calls `function(*arguments)`.
#[inline]
pub fn call<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &[&Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let (py, f) = (function.py(), function.as_ptr());
    let end = null_mut::<ffi::PyObject>();
    // SAFETY: all pointers are to live objects, null ends them, and the call returns an owned
    // reference.
    let result = unsafe {
        match *arguments {
            [a] => ffi::PyObject_CallFunctionObjArgs(f, a.as_ptr(), end),
            [a, b] => ffi::PyObject_CallFunctionObjArgs(f, a.as_ptr(), b.as_ptr(), end),
            [a, b, c] => ffi::PyObject_CallFunctionObjArgs(f, a.as_ptr(), b.as_ptr(), c.as_ptr(), end),
            _ => return function.call1(PyTuple::new(py, arguments)?),
        }
    };
    // SAFETY: as above.
    unsafe { Bound::from_owned_ptr_or_err(py, result) }
}
