//! `model_dump_json` and `model_validate_json` of the protocol classes.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{Borrowed, ffi};

use crate::c_api;
use crate::model::class_method::{self, VALIDATE_JSON};
use crate::model::documents;
use crate::model::encode;
use crate::model::metaclass::{as_type, own_plan};
use crate::model::method::{Arguments, Definition, finish, pydantics};
use crate::model::validate::{Left, leaving};

/// Adds the methods to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    let doc = c"The model as JSON: pydantic's method, written natively where only `by_alias=True` is given.";
    Definition::new(c"model_dump_json", model_dump_json, doc).lay(base)?;
    let doc = c"A model from JSON: pydantic's method, read natively where only the document is given.";
    let name = c"model_validate_json";
    class_method::lay::<VALIDATE_JSON>(base, name, Definition::new(name, model_validate_json, doc))
}

/// Implements `self.model_dump_json(...)`.
unsafe extern "C" fn model_dump_json(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the descriptor has checked that `this` is an instance of the base; the arguments follow the protocol.
    unsafe {
        let py = Python::assume_attached();
        let object = Borrowed::from_ptr(py, this);
        finish(py, || {
            if count == 0 && is_by_alias(py, args, names) {
                let made = encode::encode(object, None, "", "", |json| c_api::string(py, json))?;
                if let Some(json) = made {
                    return Ok(json);
                }
            }
            pydantics(py, object, "model_dump_json", args, count, names)
        })
    }
}

/// Implements `cls.model_validate_json(...)`.
unsafe extern "C" fn model_validate_json(
    class: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the function is only ever bound to a subclass of the base.
    unsafe {
        let py = Python::assume_attached();
        finish(py, || {
            let plan = own_plan(as_type(py, class)).ok().flatten();
            let is_plain = count == 1 && names.is_null();
            if is_plain
                && let Some(plan) = plan
                && let Some(made) = documents::instance(plan, Borrowed::from_ptr(py, *args))
            {
                return Ok(made);
            }
            let left = Left::by(is_plain, plan.is_some());
            leaving(left, || {
                pydantics(py, Borrowed::from_ptr(py, class), "model_validate_json", args, count, names)
            })
        })
    }
}

/// True if `by_alias=True` is the only named argument.
///
/// # Safety
/// `names` is null or a tuple of as many names as `args` has values.
unsafe fn is_by_alias(py: Python<'_>, args: Arguments, names: *mut ffi::PyObject) -> bool {
    // SAFETY: the caller guarantees it; the tuple has one name, so `args` has one value.
    unsafe {
        if names.is_null() || ffi::PyTuple_Size(names) != 1 || *args != ffi::Py_True() {
            return false;
        }
        c_api::text(Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, 0))) == Some("by_alias")
    }
}
