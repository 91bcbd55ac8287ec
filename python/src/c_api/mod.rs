//! Python's C API behind safe functions: values are read without touching their reference counts.
//!
//! pyo3's safe views count references at every step. Under the stable ABI each of those is a call, and encoding
//! 100 messages takes twice as long. What a container lends stays alive while nothing of Python's runs: [`Still`] sees to
//! that, and lends nothing for longer. Whoever may hash, compare or call anything owns what he holds.
#![allow(unsafe_code)] // Each block says why it holds.

mod call;
mod container;
mod lent;
mod number;
mod still;
mod text;
#[cfg(feature = "watched")]
pub mod watch;

use pyo3::prelude::*;
use pyo3::{Borrowed, ffi};

pub use call::call;
pub use container::{copy_dict, get, len, remove_item, set};
pub use lent::{Lent, Owned};
pub use number::{MAX_DIGITS, decimal, digits, float, int, int64, is_true};
pub use still::{Items, Members, NoMemory, Still};
pub use text::{append, same_text, string, text, utf8};

/// A borrowed object.
pub type Obj<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// The address of an object's class.
#[inline]
pub fn class_of<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> *mut ffi::PyTypeObject {
    // SAFETY: every object has a class.
    unsafe { ffi::Py_TYPE(object.into().as_ptr()) }
}

/// What a value is, if it is one of Python's own that JSON has a spelling for: exactly that class.
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

/// What a value is.
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
