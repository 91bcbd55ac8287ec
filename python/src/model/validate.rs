//! `model_validate` of the protocol classes, and their part in pydantic's validators: both build from plain dictionaries, and
//! leave the rest to pydantic.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use crate::c_api::{self, Obj};
use crate::model::class_method::{self, VALIDATE};
use crate::model::metaclass::own_plan;
use crate::model::method::{Call, Definition, Method};
use crate::model::plan::Plan;
use crate::model::{construct, handler, pydantic};
use crate::stats;

/// Adds the method to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    class_method::lay::<VALIDATE, ModelValidate>(base)
}

struct ModelValidate;

impl Method for ModelValidate {
    const NAME: &'static CStr = c"model_validate";
    const DOC: &'static CStr =
        c"A model from a dictionary or an instance: pydantic's method, native where only the object is given.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let py = call.py();
        let names = (intern!(py, "model_validate"), intern!(py, "validate_python"));
        run(call, names, |plan, value| {
            let made = construct::validate(plan, value)?;
            if made.is_some() {
                stats::CONSTRUCTED.add();
            }
            Ok(made)
        })
    }
}

/// Runs a class method that validates its only argument natively if it can. The names are those of pydantic's method, and of the
/// method of a validator that it calls.
pub fn run<'py>(
    call: &Call<'_, 'py>,
    (name, method): (&Bound<'py, PyString>, &Bound<'py, PyString>),
    native: impl FnOnce(&'static Plan, Obj<'_, 'py>) -> PyResult<Option<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = call.this().cast::<PyType>()?;
    let plan = own_plan(class).ok().flatten();
    let only = call.only();
    if let (Some(plan), Some(value)) = (plan, only)
        && let Some(made) = native(plan, value)?
    {
        return Ok(made);
    }
    let pydantic = || match only {
        Some(value) if pydantic::follows(&class, name) => {
            let validator = class.getattr(intern!(call.py(), "__pydantic_validator__"))?;
            c_api::call(&validator.getattr(method)?, &[&value])
        }
        _ => pydantic::call(call, name),
    };
    if only.is_some() && plan.is_some() { having_tried(pydantic) } else { pydantic() }
}

thread_local! {
    static IS_TRIED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, in which pydantic validates a value that was tried already.
#[inline]
pub fn having_tried<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_TRIED.replace(true);
    let result = work();
    IS_TRIED.set(before);
    result
}

/// Returns the function `(value, handler)` by which pydantic's validator of a class validates the members: natively if they
/// are plain and no option changes anything, otherwise by the handler.
pub fn members_validator<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    static FUNCTION: PyOnceLock<Definition> = PyOnceLock::new();
    let py = class.py();
    let definition = FUNCTION.get_or_init(py, Definition::of::<Members>);
    // SAFETY: the function takes a class.
    unsafe { Bound::from_owned_ptr_or_err(py, definition.bind(class.as_ptr())) }
}

/// The function `(value, handler)` of a class.
struct Members;

impl Method for Members {
    const NAME: &'static CStr = c"members";
    const DOC: &'static CStr =
        c"Validates the members of an instance: natively if they are plain and no option changes anything, or by the handler.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut arguments = call.positional();
        let (Some(value), Some(handler), None) = (arguments.next(), arguments.next(), arguments.next())
        else {
            return Err(PyTypeError::new_err("members() takes a value and a handler"));
        };
        if !IS_TRIED.take()
            && handler::is_usual(handler)
            && let Ok(Some(plan)) = own_plan(call.this().cast()?)
            && let Some(members) = construct::members(plan, value)?
        {
            return Ok(members);
        }
        c_api::call(&handler, &[&value])
    }
}
