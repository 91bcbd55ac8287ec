//! Class methods that are bound once for each protocol class. Python's own class methods make a bound object at every
//! access, which costs a fifth of reading a small event.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::model::metaclass::{as_type, own_plan};
use crate::model::method::{Definition, Method};
use crate::model::plan::BOUND_METHODS;

/// The place of `model_validate_json`.
pub const VALIDATE_JSON: usize = 0;
/// The place of `model_validate`.
pub const VALIDATE: usize = 1;

/// The methods, to be bound to a class.
static DEFINITIONS: [PyOnceLock<Definition>; BOUND_METHODS] = [const { PyOnceLock::new() }; BOUND_METHODS];

/// Adds the method to the base of the protocol classes. Its function gets the class first.
pub fn lay<const PLACE: usize, M: Method>(base: &Bound<'_, PyType>) -> PyResult<()> {
    let py = base.py();
    let _ = DEFINITIONS[PLACE].set(py, Definition::of::<M>());
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_descr_get, pfunc: bind::<PLACE> as *mut c_void },
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
    base.setattr(M::NAME.to_string_lossy(), class.call0()?)
}

/// Returns the method bound to the class `owner`, or to that of `instance`.
unsafe extern "C" fn bind<const PLACE: usize>(
    _descriptor: *mut ffi::PyObject,
    instance: *mut ffi::PyObject,
    owner: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the descriptor stands on the base only, so `owner` is a subclass of it.
    unsafe {
        let py = Python::assume_attached();
        let owner = if owner.is_null() { ffi::Py_TYPE(instance).cast() } else { owner };
        let plan = own_plan(as_type(py, owner)).unwrap_or_default();
        if let Some(bound) = plan.and_then(|plan| plan.bound[PLACE].get()) {
            return bound.bind(py).clone().into_ptr();
        }
        let Some(definition) = DEFINITIONS[PLACE].get(py) else { return null_mut() };
        let bound = definition.bind(owner);
        if let (Some(plan), false) = (plan, bound.is_null()) {
            let _ = plan.bound[PLACE].set(Bound::from_borrowed_ptr(py, bound).unbind());
        }
        bound
    }
}
