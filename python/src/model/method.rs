//! Methods that are added without pyo3. pyo3 makes methods for its own classes only, and its bookkeeping at every call
//! costs as much as encoding a small event.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use pyo3::{Borrowed, ffi};

use crate::c_api::Obj;
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

    /// The definition of a method of the protocol classes.
    pub fn of<M: Method>() -> Self {
        Self::new(M::NAME, enter::<M>, M::DOC)
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

/// A method of the protocol classes. It is bound to an instance of them, or to a class.
pub trait Method {
    /// Its name.
    const NAME: &'static CStr;
    /// Its signature and description.
    const DOC: &'static CStr;

    /// Runs it.
    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>>;
}

/// Runs a method for Python.
unsafe extern "C" fn enter<M: Method>(
    this: *mut ffi::PyObject,
    values: Arguments,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python holds the lock, and the objects during the call; `names` is null or a tuple, and `values` has a value for each
    // name behind the `count` positional ones.
    unsafe {
        let py = Python::assume_attached();
        let this = Borrowed::from_ptr(py, this);
        let names = (!names.is_null()).then(|| Borrowed::from_ptr(py, names).cast_unchecked());
        finish(py, || M::run(&Call { this, values, count: count.cast_unsigned(), names }))
    }
}

/// A call of a method.
pub struct Call<'a, 'py> {
    this: Obj<'a, 'py>,
    values: Arguments,
    count: usize,
    names: Option<Borrowed<'a, 'py, PyTuple>>,
}

impl<'a, 'py> Call<'a, 'py> {
    /// Returns the interpreter's token.
    pub fn py(&self) -> Python<'py> {
        self.this.py()
    }

    /// Returns the object that the method is bound to.
    pub fn this(&self) -> Obj<'a, 'py> {
        self.this
    }

    /// True if there are no arguments.
    pub fn is_bare(&self) -> bool {
        self.count == 0 && self.names.is_none()
    }

    /// Returns the argument if it is the only one, and positional.
    pub fn only(&self) -> Option<Obj<'a, 'py>> {
        (self.count == 1 && self.names.is_none()).then(|| self.value(0))
    }

    /// Returns the positional arguments.
    pub fn positional(&self) -> impl ExactSizeIterator<Item = Obj<'a, 'py>> {
        (0..self.count).map(|at| self.value(at))
    }

    /// Returns the named arguments; `None` if there are none.
    pub fn named(&self) -> Option<impl ExactSizeIterator<Item = (Obj<'a, 'py>, Obj<'a, 'py>)>> {
        let names = self.names?;
        // SAFETY: the caller holds the tuple, which holds its items.
        let name =
            move |at| unsafe { Borrowed::from_ptr(names.py(), ffi::PyTuple_GetItem(names.as_ptr(), at)) };
        Some((0..names.len()).map(move |at| (name(at.cast_signed()), self.value(self.count + at))))
    }

    #[inline]
    fn value(&self, at: usize) -> Obj<'a, 'py> {
        // SAFETY: there are as many values as positional and named arguments; the caller holds them.
        unsafe { Borrowed::from_ptr(self.py(), *self.values.add(at)) }
    }
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
