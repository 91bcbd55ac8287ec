//! Borrowed objects that can only be inspected. No method here runs Python code.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use pyo3::{Borrowed, ffi};

/// A borrowed object.
pub type Obj<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// Returns the address of an object's class.
#[inline]
pub fn class_of<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> *mut ffi::PyTypeObject {
    object.into().0.get_type_ptr()
}

/// The built-in class of a value with a JSON form; exact classes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// `None`
    None,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `str`
    Text,
    /// `list`
    List,
    /// `dict`
    Dict,
    /// Anything else.
    Other,
}

/// Returns the built-in class of a value.
#[inline]
pub fn plain<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Plain {
    let object = object.into();
    let class = class_of(object).cast_const();
    if class == &raw const ffi::PyUnicode_Type {
        Plain::Text
    } else if class == &raw const ffi::PyDict_Type {
        Plain::Dict
    } else if class == &raw const ffi::PyLong_Type {
        Plain::Int
    } else if class == &raw const ffi::PyList_Type {
        Plain::List
    } else if class == &raw const ffi::PyBool_Type {
        Plain::Bool
    } else if class == &raw const ffi::PyFloat_Type {
        Plain::Float
    } else if object.is_none() {
        Plain::None
    } else {
        Plain::Other
    }
}

/// A borrowed object without the interpreter's token, so it cannot be used to call Python.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Lent<'a, 'py>(pub(super) Obj<'a, 'py>);

impl<'a, 'py> From<Obj<'a, 'py>> for Lent<'a, 'py> {
    #[inline]
    fn from(object: Obj<'a, 'py>) -> Self {
        Self(object)
    }
}

impl<'a, 'py, T> From<&'a Bound<'py, T>> for Lent<'a, 'py> {
    #[inline]
    fn from(object: &'a Bound<'py, T>) -> Self {
        Self(object.as_any().as_borrowed())
    }
}

impl<'a, 'py: 'a> Lent<'a, 'py> {
    /// Returns the address of the object.
    #[inline]
    pub fn as_ptr(self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// True if this is the object `object`.
    #[inline]
    pub fn is<T>(self, object: &Py<T>) -> bool {
        self.as_ptr() == object.as_ptr()
    }

    /// True if it is `None`.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0.is_none()
    }

    /// True if it is a `str` of any class.
    #[inline]
    pub fn is_text(self) -> bool {
        self.0.is_instance_of::<PyString>()
    }

    /// Returns the JSON kind of a value: of a built-in class or a class derived from it; tuples count as lists.
    #[inline]
    pub fn json(self) -> Plain {
        match plain(self) {
            Plain::Other => self.derived(),
            plain => plain,
        }
    }

    /// Returns the JSON kind of a value of a derived class, or of a tuple.
    fn derived(self) -> Plain {
        let object = self.0;
        if object.is_instance_of::<PyString>() {
            Plain::Text
        } else if object.is_instance_of::<PyDict>() {
            Plain::Dict
        } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            Plain::List
        } else if object.is_instance_of::<PyInt>() {
            Plain::Int
        } else if object.is_instance_of::<PyFloat>() {
            Plain::Float
        } else {
            Plain::Other
        }
    }

    /// Returns the object's class.
    ///
    /// # Safety
    /// No Python code runs while the class is borrowed. It could change the object's class and free the former one.
    #[inline]
    pub unsafe fn class(self) -> Borrowed<'a, 'py, PyType> {
        // SAFETY: an object holds its class, and keeps it while nothing of Python's runs, as the caller promises.
        unsafe { Borrowed::from_ptr(self.0.py(), class_of(self).cast()).cast_unchecked() }
    }

    /// Lends an object that this one holds.
    ///
    /// # Safety
    /// It is a live object, and stays one as long as this one is lent.
    #[inline]
    pub unsafe fn another(self, object: *mut ffi::PyObject) -> Self {
        // SAFETY: the caller guarantees it.
        Self(unsafe { Borrowed::from_ptr(self.0.py(), object) })
    }
}

/// An object that was created or is held during exclusive access. It can be used afterwards.
pub struct Owned<'py>(pub(super) Bound<'py, PyAny>);

impl<'py> Owned<'py> {
    /// Takes over a reference that a call returned; `None` for null.
    ///
    /// # Safety
    /// It is a reference to a live object, and the caller's to give.
    ///
    #[inline]
    pub unsafe fn taken(beside: Lent<'_, 'py>, object: *mut ffi::PyObject) -> Option<Self> {
        // SAFETY: the caller guarantees it.
        unsafe { Bound::from_owned_ptr_or_opt(beside.0.py(), object) }.map(Self)
    }

    /// Returns the object as a borrowed one.
    #[inline]
    pub fn lent(&self) -> Lent<'_, 'py> {
        Lent(self.0.as_borrowed())
    }

    /// Hands over the reference.
    #[inline]
    pub fn into_ptr(self) -> *mut ffi::PyObject {
        self.0.into_ptr()
    }

    /// Returns the object, to be kept.
    #[inline]
    pub fn keep(&self) -> Py<PyAny> {
        self.0.clone().unbind()
    }

    /// Returns the object, for use when Python code may run again.
    #[inline]
    pub fn release(self, _: Python<'py>) -> Bound<'py, PyAny> {
        self.0
    }
}
