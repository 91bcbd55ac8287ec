//! The engine for the official package's classes: a metaclass that replaces pydantic's and makes instances natively.
//! It has the same size as pydantic's, otherwise the classes could not switch; their plans are in the registry.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{Borrowed, ffi};

use crate::model::construct::construct;
use crate::model::metaclass::{as_type, base_call, base_setattro, is_engaged, is_watched};
use crate::model::plan::{Family, Plan};
use crate::model::registry::{self, cached_plan, forget, plan_of};
use crate::patch::owned_members;
use crate::{error, stats};

/// Returns the metaclass; None if the engine does not run.
pub fn metaclass(py: Python<'_>) -> PyResult<Option<Bound<'_, PyType>>> {
    static META: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if !is_engaged() {
        return Ok(None);
    }
    META.get_or_try_init(py, || make(py).map(Bound::unbind)).map(|class| Some(class.bind(py).clone()))
}

fn make(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let base = py.import("pydantic")?.getattr("BaseModel")?.get_type();
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_call, pfunc: call as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_setattro, pfunc: set_attribute as *mut c_void },
        ffi::PyType_Slot { slot: 0, pfunc: null_mut() },
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"ag_ui_native._native.AcceleratedModelMetaclass".as_ptr(),
        basicsize: 0,
        itemsize: 0,
        flags: u32::try_from(ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE)?,
        slots: slots.as_mut_ptr(),
    };
    let bases = PyTuple::new(py, [&base])?;
    // SAFETY: the spec is complete; sizes are the base's.
    let made = unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr()))?
    };
    Ok(made.cast_into()?)
}

/// Switches native instances of a class on or off. Returns False for classes that are not known ones of the official
/// package.
pub fn accelerate(class: &Bound<'_, PyType>, on: bool) -> PyResult<bool> {
    let plan = plan_of(class)?;
    let Some(plan) = plan.filter(|plan| plan.family == Family::Official) else { return Ok(false) };
    registry::accelerate(plan, on);
    Ok(true)
}

/// Calls a class.
unsafe extern "C" fn call(
    class: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python hands over a live class, a tuple, and a dictionary or null.
    unsafe {
        let py = Python::assume_attached();
        if !keywords.is_null()
            && ffi::PyTuple_Size(arguments) == 0
            && let Some(plan) = cached_plan(as_type(py, class)).filter(|plan| plan.constructs())
        {
            let keywords = Borrowed::from_ptr(py, keywords).cast_unchecked::<PyDict>();
            match error::guard(py, || construct_from(plan, keywords)) {
                Ok(Some(made)) => {
                    stats::CONSTRUCTED.add();
                    return made.into_ptr();
                }
                Ok(None) => {}
                Err(error) => {
                    error.restore(py);
                    return null_mut();
                }
            }
        }
        base_call()(class, arguments, keywords)
    }
}

/// Makes an instance of the plan's class, if the arguments are plain. The caller may still use the dictionary, so its
/// values are kept alive meanwhile.
fn construct_from<'py>(
    plan: &Plan,
    keywords: Borrowed<'_, 'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let arguments = owned_members(&keywords);
    let arguments = arguments.iter().map(|(name, value)| (name.into(), value.into()));
    construct(keywords.py(), plan, arguments)
}

/// Sets an attribute of a class. Setting one that the native paths replace switches the class back to
/// pydantic.
unsafe extern "C" fn set_attribute(
    class: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: Python hands over live objects.
    unsafe {
        let result = base_setattro()(class, name, value);
        let py = Python::assume_attached();
        if result == 0 && is_watched(Borrowed::from_ptr(py, name)) {
            forget(&as_type(py, class));
        }
        result
    }
}
