//! The encoder's methods that are called for every event.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::{Borrowed, ffi};

use super::EventEncoder;
use crate::c_api::{self, Obj};
use crate::model::method::{Arguments, Definition, finish};

/// Adds the methods to the encoder's class.
pub fn lay_methods(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<EventEncoder>();
    let doc = c"encode($self, event)\n--\n\nThe event as one frame: `data: `, its JSON, and a blank line.\n\n\
        Raises what `event.model_dump_json(by_alias=True)` raises, `pydantic_core.PydanticSerializationError` for one;\n\
        AGUIValidationError with the path of what is wrong in a dictionary, TypeError for what can be no event.";
    Definition::new(c"encode", encode_text, doc).lay(&class)?;
    let doc = c"encode_binary($self, event)\n--\n\nThe bytes of `encode`.";
    Definition::new(c"encode_binary", encode_bytes, doc).lay(&class)
}

/// Implements `encoder.encode(event)`.
unsafe extern "C" fn encode_text(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the descriptor has checked that `this` is an encoder; the arguments follow the protocol.
    unsafe { with_event(this, args, count, names, EventEncoder::text) }
}

/// Implements `encoder.encode_binary(event)`.
unsafe extern "C" fn encode_bytes(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe { with_event(this, args, count, names, EventEncoder::bytes) }
}

/// Calls a method of the encoder with its only argument, positional or by name.
///
/// # Safety
/// `this` is an encoder; `args` holds `count` values and one more for each of `names`, which is null or a tuple.
#[inline]
unsafe fn with_event(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
    method: impl for<'py> FnOnce(&EventEncoder, Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    // SAFETY: the caller guarantees it.
    unsafe {
        let py = Python::assume_attached();
        finish(py, || {
            let keyword_count = if names.is_null() { 0 } else { ffi::PyTuple_Size(names) };
            let is_event = count == 1 && keyword_count == 0
                || count == 0
                    && keyword_count == 1
                    && c_api::text(Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, 0))) == Some("event");
            if !is_event {
                return Err(pyo3::exceptions::PyTypeError::new_err("expected exactly one argument, event"));
            }
            let encoder = Borrowed::from_ptr(py, this).cast_unchecked::<EventEncoder>();
            method(encoder.get(), Borrowed::from_ptr(py, *args))
        })
    }
}
