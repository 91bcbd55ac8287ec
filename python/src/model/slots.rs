//! The slots of pydantic's models: their offsets in an instance, and the classes that have them.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Names of the slots, in the order of [`OFFSETS`].
pub const SLOTS: [&CStr; 3] = [c"__pydantic_fields_set__", c"__pydantic_extra__", c"__pydantic_private__"];
/// The set of given fields.
pub const FIELDS_SET: usize = 0;
/// The dictionary of undeclared members.
pub const EXTRA: usize = 1;
/// The dictionary of private attributes.
pub const PRIVATE: usize = 2;

/// The offsets of the slots in an instance, in bytes. All models share them, since they are those of
/// `BaseModel`.
static OFFSETS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
/// The class that defines the slots.
static MODEL: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Reads the offsets of the slots from the definitions that Python made of `BaseModel.__slots__`.
pub fn find_slots(py: Python<'_>) -> PyResult<()> {
    let base = py.import("pydantic")?.getattr("BaseModel")?.cast_into::<PyType>()?;
    // SAFETY: a class made of Python code has such a table, which lives as long as the class.
    let first = unsafe { ffi::PyType_GetSlot(base.as_ptr().cast(), ffi::Py_tp_members) };
    let first = first.cast::<ffi::PyMemberDef>().cast_const();
    if first.is_null() {
        return Err(PyRuntimeError::new_err("pydantic's BaseModel has no slots"));
    }
    for (slot, offset) in SLOTS.iter().zip(&OFFSETS) {
        // SAFETY: a definition without a name ends the table; names are C strings.
        let definitions =
            (0..).map(|at| unsafe { &*first.add(at) }).take_while(|member| !member.name.is_null());
        let found = { definitions }.find(|member| unsafe { CStr::from_ptr(member.name) } == *slot);
        let Some(found) = found.filter(|member| member.type_code == ffi::Py_T_OBJECT_EX) else {
            return Err(PyRuntimeError::new_err(format!("pydantic's BaseModel has no slot {slot:?}")));
        };
        offset.store(usize::try_from(found.offset)?, Relaxed);
    }
    let _ = MODEL.set(py, base.unbind());
    Ok(())
}

/// A class whose instances have the slots.
#[derive(Debug)]
pub struct ModelClass(Py<PyType>);

impl ModelClass {
    /// Checks a class, by Python's own list of its bases. `None` if its instances have no slots.
    pub fn of(class: &Bound<'_, PyType>) -> Option<Self> {
        let model = MODEL.get(class.py())?;
        // SAFETY: both are classes; the call reads their lists of bases and runs no Python code.
        let is_model = unsafe { ffi::PyType_IsSubtype(class.as_ptr().cast(), model.as_ptr().cast()) != 0 };
        is_model.then(|| Self(class.clone().unbind()))
    }
}

impl Deref for ModelClass {
    type Target = Py<PyType>;

    fn deref(&self) -> &Py<PyType> {
        &self.0
    }
}

/// Returns the address of a slot.
///
/// # Safety
/// `object` is an instance of a [`ModelClass`].
#[inline]
pub unsafe fn slot(object: *mut ffi::PyObject, which: usize) -> *mut *mut ffi::PyObject {
    // SAFETY: the offset is that of the slot's definition, and every class that derives from the defining one has it there.
    unsafe { object.byte_add(OFFSETS[which].load(Relaxed)).cast() }
}
