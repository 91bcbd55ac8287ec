//! `model_dump`, `model_copy`, `copy.copy`, `copy.deepcopy` and `==` of the protocol classes.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyNotImplemented, PyType};
use pyo3::{Borrowed, ffi};

use crate::c_api::{self, Lent, Plain};
use crate::model::dump::{self, Form};
use crate::model::method::{self, Arguments, Definition, finish, pydantics};
use crate::model::{compare, deepcopy, instance};

/// Adds the methods to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    let doc = c"model_dump($self, *, mode='python', include=None, exclude=None, context=None, by_alias=None, exclude_unset=False, exclude_defaults=False, exclude_none=False, round_trip=False, warnings=True, fallback=None, serialize_as_any=False)
--

The model as a dictionary: pydantic's method, native for plain values and for `mode`, `by_alias`, `exclude_unset` and `exclude_none`.";
    Definition::new(c"model_dump", model_dump, doc).lay(base)?;
    let doc = c"model_copy($self, *, update=None, deep=False)
--

A copy of the model: pydantic's method, native without arguments.";
    Definition::new(c"model_copy", model_copy, doc).lay(base)?;
    let doc = c"__copy__($self, /)\n--\n\nA shallow copy of the model.";
    Definition::new(c"__copy__", shallow_copy, doc).lay(base)?;
    let doc = c"__deepcopy__($self, memo=None, /)\n--\n\nA deep copy of the model.";
    Definition::new(c"__deepcopy__", deep_copy, doc).lay(base)?;
    let doc = c"__eq__($self, other, /)\n--\n\nTrue if both are of one class and have equal members.";
    Definition::new(c"__eq__", eq, doc).lay(base)
}

/// Implements `self.model_dump(...)`.
unsafe extern "C" fn model_dump(
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
            if count == 0
                && let Some(form) = form(py, args, names)
                && let Some(dumped) = dump::dump(object, form)
            {
                return Ok(dumped);
            }
            pydantics(py, object, "model_dump", args, count, names)
        })
    }
}

/// Returns the form that named arguments ask for; `None` if pydantic has to read them.
///
/// # Safety
/// `names` is null or a tuple of as many names as `args` has values.
unsafe fn form(py: Python<'_>, args: Arguments, names: *mut ffi::PyObject) -> Option<Form> {
    let mut form = Form::default();
    if names.is_null() {
        return Some(form);
    }
    // SAFETY: the caller guarantees it.
    let arguments = unsafe {
        (0..ffi::PyTuple_Size(names)).map(|at| {
            let name = Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, at));
            (name, Lent::from(Borrowed::from_ptr(py, *args.offset(at))))
        })
    };
    for (name, value) in arguments {
        let switch = || (c_api::plain(value) == Plain::Bool).then(|| c_api::is_true(value));
        match c_api::text(name)? {
            "by_alias" if value.is_none() => form.by_alias = None,
            "by_alias" => form.by_alias = Some(switch()?),
            "exclude_none" => form.exclude_none = switch()?,
            "exclude_unset" => form.exclude_unset = switch()?,
            "mode" => {
                form.json = match c_api::text(value)? {
                    "json" => true,
                    "python" => false,
                    _ => return None,
                }
            }
            // Defaults, which callers pass on.
            "include" | "exclude" | "context" | "fallback" if value.is_none() => {}
            "exclude_defaults" | "round_trip" | "serialize_as_any" if switch() == Some(false) => {}
            "warnings" if switch() == Some(true) => {}
            _ => return None,
        }
    }
    Some(form)
}

/// Implements `self.model_copy(...)`.
unsafe extern "C" fn model_copy(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as for `model_dump`.
    unsafe { copied(this, "model_copy", args, count, names) }
}

/// Implements `copy.copy(self)`.
unsafe extern "C" fn shallow_copy(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as for `model_dump`.
    unsafe { copied(this, "__copy__", args, count, names) }
}

/// Copies an instance, by pydantic's method of this name if there are arguments.
///
/// # Safety
/// `this` is an instance of the base; the arguments follow the protocol.
unsafe fn copied(
    this: *mut ffi::PyObject,
    name: &str,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the caller guarantees it.
    unsafe {
        let py = Python::assume_attached();
        let object = Borrowed::from_ptr(py, this);
        finish(py, || {
            if count == 0
                && names.is_null()
                && let Some(copy) = instance::copy(&object)
            {
                return Ok(copy);
            }
            pydantics(py, object, name, args, count, names)
        })
    }
}

/// Implements `copy.deepcopy(self)`.
unsafe extern "C" fn deep_copy(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as for `model_dump`.
    unsafe {
        let py = Python::assume_attached();
        let object = Borrowed::from_ptr(py, this);
        finish(py, || {
            if count == 1
                && names.is_null()
                && let Ok(memo) = Borrowed::from_ptr(py, *args).cast_exact::<PyDict>()
                && let Some(copy) = deepcopy::deep_copy(&object, &memo)?
            {
                return Ok(copy);
            }
            pydantics(py, object, "__deepcopy__", args, count, names)
        })
    }
}

/// Implements `self == other`.
unsafe extern "C" fn eq(
    this: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as for `model_dump`.
    unsafe {
        let py = Python::assume_attached();
        let object = Borrowed::from_ptr(py, this);
        finish(py, || {
            if count == 1 && names.is_null() && method::only_parent(object).is_some() {
                let other = Borrowed::from_ptr(py, *args);
                if c_api::plain(other) != Plain::Other {
                    return Ok(PyNotImplemented::get(py).to_owned().into_any());
                }
                if let Some(equal) = compare::equal(object, other) {
                    return Ok(PyBool::new(py, equal).to_owned().into_any());
                }
            }
            pydantics(py, object, "__eq__", args, count, names)
        })
    }
}
