//! The two native methods of the protocol classes. pyo3 makes methods for its own classes only, so these two are
//! laid onto a pydantic class by hand.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PySuper, PyTuple, PyType};
use pyo3::{Borrowed, ffi};

use crate::plan::plan_of;
use crate::raw;
use crate::{documents, encode, error};

type Arguments = *const *mut ffi::PyObject;

/// The base of the protocol classes, whose methods these are.
static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Puts the methods onto `base`.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    let py = base.py();
    let _ = BASE.set(py, base.clone().unbind());
    let flags: c_int = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;
    let definition = |name: &'static std::ffi::CStr, body, doc: &'static std::ffi::CStr| {
        Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: body },
            ml_flags: flags,
            ml_doc: doc.as_ptr(),
        }))
    };
    let dump = definition(
        c"model_dump_json",
        model_dump_json,
        c"The model as JSON: pydantic's method, written natively where only `by_alias=True` is given.",
    );
    let validate = definition(
        c"model_validate_json",
        model_validate_json,
        c"A model from JSON: pydantic's method, read natively where only the document is given.",
    );
    // SAFETY: the definitions are complete and live for ever.
    unsafe {
        let class = base.as_ptr().cast();
        base.setattr(
            "model_dump_json",
            Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class, dump))?,
        )?;
        base.setattr(
            "model_validate_json",
            Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewClassMethod(class, validate))?,
        )
    }
}

/// `self.model_dump_json(...)`
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
                let made = encode::encode(object, None, "", "", |json| raw::string(py, json));
                if let Some(json) = made {
                    return Ok(json);
                }
            }
            pydantics(py, object, "model_dump_json", args, count, names)
        })
    }
}

/// `cls.model_validate_json(...)`
unsafe extern "C" fn model_validate_json(
    class: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as above, with a subclass of the base.
    unsafe {
        let py = Python::assume_attached();
        finish(py, || {
            if count == 1
                && names.is_null()
                && let Some(plan) = plan_of(py, class.cast())
                && let Some(made) = documents::instance(plan, Borrowed::from_ptr(py, *args))
            {
                return Ok(made);
            }
            pydantics(py, Borrowed::from_ptr(py, class), "model_validate_json", args, count, names)
        })
    }
}

/// Whether `by_alias=True` is the only named argument.
unsafe fn is_by_alias(py: Python<'_>, args: Arguments, names: *mut ffi::PyObject) -> bool {
    // SAFETY: `names` is null or a tuple of as many names as `args` has values.
    unsafe {
        if names.is_null() || ffi::PyTuple_Size(names) != 1 || *args != ffi::Py_True() {
            return false;
        }
        raw::text(Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, 0))) == Some("by_alias")
    }
}

/// What the method behind ours does with the original arguments.
unsafe fn pydantics<'py>(
    py: Python<'py>,
    this: raw::Obj<'_, 'py>,
    name: &str,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> PyResult<Bound<'py, PyAny>> {
    let base = BASE.get(py).expect("the methods are laid onto it").bind(py);
    let count = count.cast_unsigned();
    // SAFETY: `args` holds `count` values and one more for each of `names`.
    let (positional, named) = unsafe {
        let value = |at: usize| Bound::from_borrowed_ptr(py, *args.add(at));
        let positional = PyTuple::new(py, (0..count).map(value).collect::<Vec<_>>())?;
        let named = PyDict::new(py);
        if !names.is_null() {
            let names = Bound::from_borrowed_ptr(py, names).cast_into::<PyTuple>()?;
            for (index, name) in names.iter().enumerate() {
                named.set_item(name, value(count + index))?;
            }
        }
        (positional, named)
    };
    PySuper::new(base, &this.to_owned())?.getattr(name)?.call(positional, Some(&named))
}

/// Runs `body` and answers as C functions of Python do.
fn finish<'py>(py: Python<'py>, body: impl FnOnce() -> PyResult<Bound<'py, PyAny>>) -> *mut ffi::PyObject {
    match error::guard(py, body) {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            null_mut()
        }
    }
}
