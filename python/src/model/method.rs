//! Methods that are added without pyo3. pyo3 makes methods for its own classes only, and its bookkeeping at every call
//! costs as much as encoding a small event.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PySuper, PyTuple, PyType};

use crate::c_api::{self, Obj};
use crate::error;

/// The arguments of a call: the positional ones, followed by the named ones.
pub type Arguments = *const *mut ffi::PyObject;

/// A method's definition. Python keeps the pointer for ever, so the definition is never freed and never changed.
#[derive(Clone, Copy)]
pub struct Definition(*mut ffi::PyMethodDef);
// SAFETY: the definition is never written after it is made.
unsafe impl Send for Definition {}
// SAFETY: as above.
unsafe impl Sync for Definition {}

impl Definition {
    /// Takes positional and named arguments.
    pub fn new(name: &'static CStr, body: ffi::PyCFunctionFastWithKeywords, doc: &'static CStr) -> Self {
        let definition = ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: body },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: doc.as_ptr(),
        };
        Self(Box::leak(Box::new(definition)))
    }

    /// Adds the method to a class.
    pub fn lay(self, class: &Bound<'_, PyType>) -> PyResult<()> {
        // SAFETY: the definition is complete and lives for ever.
        let (name, descriptor) = unsafe {
            let descriptor = ffi::PyDescr_NewMethod(class.as_ptr().cast(), self.0);
            (CStr::from_ptr((*self.0).ml_name), Bound::from_owned_ptr_or_err(class.py(), descriptor)?)
        };
        class.setattr(name.to_string_lossy(), descriptor)
    }

    /// Returns the method bound to `this`, or null and an error.
    ///
    /// # Safety
    /// `this` is alive, and of the type of the function's first argument.
    pub unsafe fn bind(self, this: *mut ffi::PyObject) -> *mut ffi::PyObject {
        // SAFETY: the definition is complete and lives for ever; the caller guarantees the rest.
        unsafe { ffi::PyCFunction_NewEx(self.0, this, null_mut()) }
    }
}

/// The base of the protocol classes.
static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
/// Its parent, pydantic's `BaseModel`.
static MODEL: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Sets the class that gets the methods.
pub fn set_base(base: &Bound<'_, PyType>) -> PyResult<()> {
    let py = base.py();
    let model = py.import("pydantic")?.getattr("BaseModel")?.cast_into::<PyType>()?;
    let _ = (BASE.set(py, base.clone().unbind()), MODEL.set(py, model.unbind()));
    Ok(())
}

/// Runs `body`, and returns its result as C functions of Python do.
#[inline]
pub fn finish<'py>(
    py: Python<'py>,
    body: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    match error::guard(py, body) {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            null_mut()
        }
    }
}

/// Returns pydantic's `BaseModel` if an instance has its methods behind those of the base: no class of it has several parents.
/// Asking `super` costs as much as comparing two small objects.
pub fn only_parent<'py>(this: Obj<'_, 'py>) -> Option<&'py Bound<'py, PyAny>> {
    let py = this.py();
    let (base, model) = (BASE.get(py)?, MODEL.get(py)?);
    let mut class = c_api::class_of(this);
    // SAFETY: an object holds its class, and a class its parents; no Python code runs meanwhile.
    unsafe {
        while class.cast() != base.as_ptr() {
            let parents = ffi::PyType_GetSlot(class, ffi::Py_tp_bases).cast();
            if ffi::PyTuple_Size(parents) != 1 {
                return None;
            }
            class = ffi::PyTuple_GetItem(parents, 0).cast();
        }
    }
    Some(model.bind(py).as_any())
}

/// Calls pydantic's own method with the original arguments.
///
/// # Safety
/// `args` holds `count` values and one more for each of `names`, which is null or a tuple.
pub unsafe fn pydantics<'py>(
    py: Python<'py>,
    this: Obj<'_, 'py>,
    name: &str,
    args: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> PyResult<Bound<'py, PyAny>> {
    let base = BASE.get(py).expect("it is set before methods are added").bind(py);
    let count = count.cast_unsigned();
    // SAFETY: the caller guarantees it.
    let value = |at: usize| unsafe { Bound::from_borrowed_ptr(py, *args.add(at)) };
    let name = PyString::intern(py, name);
    let (method, first) = match only_parent(this) {
        Some(model) => (model.getattr(name)?, Some(this.to_owned())),
        None => (PySuper::new(base, &this.to_owned())?.getattr(name)?, None),
    };
    let positional: Vec<_> = first.into_iter().chain((0..count).map(value)).collect();
    if names.is_null() {
        return c_api::call(&method, &positional.iter().collect::<Vec<_>>());
    }
    let keywords = PyDict::new(py);
    // SAFETY: the caller guarantees a tuple.
    let names = unsafe { Bound::from_borrowed_ptr(py, names) }.cast_into::<PyTuple>()?;
    for (index, name) in names.iter().enumerate() {
        keywords.set_item(name, value(count + index))?;
    }
    method.call(PyTuple::new(py, positional)?, Some(&keywords))
}
