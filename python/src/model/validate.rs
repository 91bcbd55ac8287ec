//! `model_validate` of the protocol classes: it builds instances from plain dictionaries, and leaves the rest to
//! pydantic.
#![allow(unsafe_code)]

use pyo3::Borrowed;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::model::class_method::{self, VALIDATE};
use crate::model::construct;
use crate::model::metaclass::{as_type, own_plan};
use crate::model::method::{Arguments, Definition, finish, pydantics};

/// Adds the method to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    let doc = c"A model from a dictionary or an instance: pydantic's method, native where only the object is given.";
    let name = c"model_validate";
    class_method::lay::<VALIDATE>(base, name, Definition::new(name, model_validate, doc))
}

/// Implements `cls.model_validate(...)`.
unsafe extern "C" fn model_validate(
    class: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the function is only ever bound to a subclass of the base; the arguments follow the protocol.
    unsafe {
        let py = Python::assume_attached();
        finish(py, || {
            if count == 1
                && names.is_null()
                && let Ok(Some(plan)) = own_plan(as_type(py, class))
                && let Some(made) = construct::validate(plan, Borrowed::from_ptr(py, *args))?
            {
                return Ok(made);
            }
            pydantics(py, Borrowed::from_ptr(py, class), "model_validate", args, count, names)
        })
    }
}
