//! `model_dump_json` and `model_validate_json` of the protocol classes.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PySuper, PyTuple, PyType};
use pyo3::{Borrowed, ffi};

use crate::c_api::{self, Obj};
use crate::model::documents;
use crate::model::encode;
use crate::model::metaclass::{as_type, own_plan};
use crate::model::method::{Arguments, Definition, finish};

/// The base of the protocol classes, which has these methods.
static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
/// `model_validate_json`, to be bound to a class.
static VALIDATE: PyOnceLock<Definition> = PyOnceLock::new();

/// Adds the methods to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    let py = base.py();
    let _ = BASE.set(py, base.clone().unbind());
    let doc = c"The model as JSON: pydantic's method, written natively where only `by_alias=True` is given.";
    Definition::new(c"model_dump_json", model_dump_json, doc).lay(base)?;
    let doc = c"A model from JSON: pydantic's method, read natively where only the document is given.";
    let _ = VALIDATE.set(py, Definition::new(c"model_validate_json", model_validate_json, doc));
    base.setattr("model_validate_json", class_method_descriptor(py)?)
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
            if count == 1
                && names.is_null()
                && let Ok(Some(plan)) = own_plan(as_type(py, class))
                && let Some(made) = documents::instance(plan, Borrowed::from_ptr(py, *args))
            {
                return Ok(made);
            }
            pydantics(py, Borrowed::from_ptr(py, class), "model_validate_json", args, count, names)
        })
    }
}

/// Makes a descriptor that returns a cached bound method for a protocol class. Python's own class methods make a
/// bound object at every access, which costs a fifth of reading a small event.
fn class_method_descriptor(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_descr_get, pfunc: bind_validate as *mut std::ffi::c_void },
        ffi::PyType_Slot { slot: 0, pfunc: null_mut() },
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"ag_ui_native._native.ClassMethod".as_ptr(),
        basicsize: 0,
        itemsize: 0,
        flags: u32::try_from(ffi::Py_TPFLAGS_DEFAULT)?,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the spec is complete.
    let class = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec))? };
    class.call0()
}

/// Returns `cls.model_validate_json`.
unsafe extern "C" fn bind_validate(
    _descriptor: *mut ffi::PyObject,
    instance: *mut ffi::PyObject,
    owner: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the descriptor stands on the base only, so `owner` is a subclass of it.
    unsafe {
        let py = Python::assume_attached();
        let owner = if owner.is_null() { ffi::Py_TYPE(instance).cast() } else { owner };
        let plan = own_plan(as_type(py, owner)).unwrap_or_default();
        if let Some(bound) = plan.and_then(|plan| plan.validate_json.get()) {
            return bound.bind(py).clone().into_ptr();
        }
        let Some(definition) = VALIDATE.get(py) else { return null_mut() };
        let bound = definition.bind(owner);
        if let (Some(plan), false) = (plan, bound.is_null()) {
            let _ = plan.validate_json.set(Bound::from_borrowed_ptr(py, bound).unbind());
        }
        bound
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

/// Calls pydantic's own method with the original arguments.
///
/// # Safety
/// `args` holds `count` values and one more for each of `names`, which is null or a tuple.
unsafe fn pydantics<'py>(
    py: Python<'py>,
    this: Obj<'_, 'py>,
    name: &str,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> PyResult<Bound<'py, PyAny>> {
    let base = BASE.get(py).expect("the methods are laid onto it").bind(py);
    let count = count.cast_unsigned();
    // SAFETY: the caller guarantees it.
    let (positional, keywords) = unsafe {
        let value = |at: usize| Bound::from_borrowed_ptr(py, *args.add(at));
        let positional = PyTuple::new(py, (0..count).map(value).collect::<Vec<_>>())?;
        let keywords = PyDict::new(py);
        if !names.is_null() {
            let names = Bound::from_borrowed_ptr(py, names).cast_into::<PyTuple>()?;
            for (index, name) in names.iter().enumerate() {
                keywords.set_item(name, value(count + index))?;
            }
        }
        (positional, keywords)
    };
    PySuper::new(base, &this.to_owned())?.getattr(name)?.call(positional, Some(&keywords))
}
