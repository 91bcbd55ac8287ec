//! Calls of the protocol classes by Python's vectorcall protocol. Pydantic makes the instances that the native constructor
//! does not.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{Borrowed, ffi};

use crate::c_api::Obj;
use crate::model::construct::construct;
use crate::model::metaclass::{as_type, base_call, own_plan};
use crate::model::validate::having_tried;
use crate::{error, stats};

/// Calls a registered class.
pub unsafe extern "C" fn call(
    class: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    nargsf: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the vectorcall protocol: `args` are the positional and then the named arguments, `names` a tuple or
    // null. The function is set only in registered classes.
    unsafe {
        let py = Python::assume_attached();
        let positional = nargsf & !(1 << (usize::BITS - 1));
        if positional == 0
            && let Ok(Some(plan)) = own_plan(as_type(py, class))
        {
            let names = Arguments { names, values: args, count: count(names), at: 0, py, lent: PhantomData };
            let names = names.map(|(name, value)| (name.into(), value.into()));
            match error::guard(py, || construct(py, plan, names)) {
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
        ordinary_call(py, class, args, positional, names)
    }
}

/// Returns the number of named arguments.
///
/// # Safety
/// `names` is null or a live tuple.
unsafe fn count(names: *mut ffi::PyObject) -> isize {
    // SAFETY: the caller guarantees a tuple if it is not null.
    if names.is_null() { 0 } else { unsafe { ffi::PyTuple_Size(names) } }
}

/// Named arguments of a call.
struct Arguments<'a, 'py> {
    names: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    count: isize,
    at: isize,
    py: Python<'py>,
    lent: PhantomData<&'a ()>,
}

impl<'a, 'py> Iterator for Arguments<'a, 'py> {
    type Item = (Obj<'a, 'py>, Obj<'a, 'py>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.count {
            return None;
        }
        // SAFETY: the caller of the class keeps names and values alive during the call, as many of one as of the other.
        unsafe {
            let name = ffi::PyTuple_GetItem(self.names, self.at);
            let value = *self.values.offset(self.at);
            self.at += 1;
            Some((Borrowed::from_ptr(self.py, name), Borrowed::from_ptr(self.py, value)))
        }
    }
}

/// Calls the class as its base metaclass does, with the original arguments.
///
/// # Safety
/// `class` is a live class of this metaclass; the arguments follow the vectorcall protocol.
unsafe fn ordinary_call(
    py: Python<'_>,
    class: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    positional: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as for `call`; the base gets a class, a tuple and a dictionary.
    unsafe {
        let arguments = (0..positional).map(|at| Bound::from_borrowed_ptr(py, *args.add(at)));
        let made = PyTuple::new(py, arguments.collect::<Vec<_>>()).and_then(|arguments| {
            let keywords = PyDict::new(py);
            let values = args.add(positional);
            for (name, value) in
                (Arguments { names, values, count: count(names), at: 0, py, lent: PhantomData })
            {
                keywords.set_item(name, value)?;
            }
            Ok((arguments, keywords))
        });
        match made {
            Ok((arguments, keywords)) => {
                having_tried(|| base_call()(class, arguments.as_ptr(), keywords.as_ptr()))
            }
            Err(error) => {
                error.restore(py);
                null_mut()
            }
        }
    }
}
