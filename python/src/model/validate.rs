//! `model_validate` of the protocol classes, and their part in pydantic's validators: both build from plain dictionaries, and
//! leave the rest to pydantic.
#![allow(unsafe_code)]

use std::cell::Cell;

use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::c_api;
use crate::model::class_method::{self, VALIDATE};
use crate::model::construct;
use crate::model::metaclass::{as_type, own_plan};
use crate::model::method::{Arguments, Definition, finish, pydantics};
use crate::stats;

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
            let plan = own_plan(as_type(py, class)).ok().flatten();
            let is_plain = count == 1 && names.is_null();
            if is_plain
                && let Some(plan) = plan
                && let Some(made) = construct::validate(plan, Borrowed::from_ptr(py, *args))?
            {
                stats::CONSTRUCTED.add();
                return Ok(made);
            }
            let left = Left::by(is_plain, plan.is_some());
            leaving(left, || {
                pydantics(py, Borrowed::from_ptr(py, class), "model_validate", args, count, names)
            })
        })
    }
}

/// The values that are left to pydantic without trying to build them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// None.
    None,
    /// The next one, which was tried already.
    Next,
    /// All, since pydantic was given arguments that change its rules.
    All,
}

impl Left {
    /// The values that are left when a method of pydantic's is called. `is_tried` tells that its value was tried.
    pub fn by(is_plain: bool, is_tried: bool) -> Self {
        match (is_plain, is_tried) {
            (false, _) => Self::All,
            (true, true) => Self::Next,
            (true, false) => Self::None,
        }
    }
}

thread_local! {
    static LEFT: Cell<Left> = const { Cell::new(Left::None) };
}

/// Runs `work`, in which pydantic builds some values itself.
#[inline]
pub fn leaving<T>(left: Left, work: impl FnOnce() -> T) -> T {
    let before = LEFT.replace(left);
    let result = work();
    LEFT.set(before);
    result
}

/// Returns the function `(value, handler)` by which pydantic's validator of a class validates the members: natively if they
/// are plain, otherwise by the handler.
pub fn members_validator<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    static FUNCTION: PyOnceLock<Definition> = PyOnceLock::new();
    let doc = c"Validates the members of an instance: natively if they are plain, otherwise by the handler.";
    let py = class.py();
    let definition = FUNCTION.get_or_init(py, || Definition::new(c"members", members, doc));
    // SAFETY: the function takes a class.
    unsafe { Bound::from_owned_ptr_or_err(py, definition.bind(class.as_ptr())) }
}

/// Implements `(value, handler)` of a class.
unsafe extern "C" fn members(
    class: *mut ffi::PyObject,
    args: Arguments,
    count: ffi::Py_ssize_t,
    _names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the function is only ever bound to a class; the arguments follow the protocol.
    unsafe {
        let py = Python::assume_attached();
        finish(py, || {
            if count != 2 {
                return Err(PyTypeError::new_err("members() takes a value and a handler"));
            }
            let (value, handler) = (Borrowed::from_ptr(py, *args), Borrowed::from_ptr(py, *args.add(1)));
            let left = LEFT.get();
            if left == Left::Next {
                LEFT.set(Left::None);
            }
            if left == Left::None
                && let Ok(Some(plan)) = own_plan(as_type(py, class))
                && let Some(members) = construct::members(plan, value)?
            {
                return Ok(members);
            }
            c_api::call(&handler, &[&value])
        })
    }
}
