//! Reading dicts, lists and tuples without owning what they hold.

use pyo3::prelude::*;
use pyo3::{Borrowed, ffi};

use super::Obj;

/// Nobody else gets a turn: the lock is held, and the collector waits (that of CPython 3.11 runs whenever something is
/// allocated, and finalizers with it). While there is one, only what runs no Python code is called: nothing of the
/// caller's is hashed, compared, called, printed or let go of for the last time. So what containers lend stays.
pub struct Still<'py> {
    py: Python<'py>,
    collects: bool,
}

#[allow(clippy::unused_self)] // What is lent lives no longer.
impl<'py> Still<'py> {
    /// From now on.
    #[inline]
    pub fn new(py: Python<'py>) -> Self {
        // SAFETY: sets a flag of the interpreter whose lock is held, and returns what it was.
        Self { py, collects: unsafe { ffi::PyGC_Disable() } != 0 }
    }

    /// The interpreter's token.
    pub fn py(&self) -> Python<'py> {
        self.py
    }

    /// The members of a `dict`, in order.
    #[inline]
    pub fn members<'a>(&'a self, dict: Obj<'a, 'py>) -> Members<'a, 'py> {
        Members { dict, at: 0 }
    }

    /// The items of a `list` or `tuple`.
    #[inline]
    pub fn items<'a>(&'a self, list: Obj<'a, 'py>) -> Items<'a, 'py> {
        // SAFETY: asks for the class; the sizes are asked of what has that class.
        let (item, count): (ItemOf, _) = unsafe {
            if ffi::PyTuple_Check(list.as_ptr()) != 0 {
                (ffi::PyTuple_GetItem, ffi::PyTuple_Size(list.as_ptr()))
            } else {
                (ffi::PyList_GetItem, ffi::PyList_Size(list.as_ptr()))
            }
        };
        Items { list, item, at: 0, count }
    }
}

impl Drop for Still<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.collects {
            // SAFETY: sets the flag again; the lock is held still.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// See [`Still::members`].
#[derive(Debug)]
pub struct Members<'a, 'py> {
    dict: Obj<'a, 'py>,
    at: ffi::Py_ssize_t,
}

impl Members<'_, '_> {
    /// Those from the entry at an index on: a guess, unless no key was ever taken out. What is found there has to be looked
    /// at.
    #[inline]
    pub fn from(self, index: usize) -> Self {
        Self { at: index.cast_signed(), ..self }
    }

    /// How many there are in all.
    #[inline]
    pub fn len(&self) -> usize {
        // SAFETY: the call checks for a dict.
        unsafe { ffi::PyDict_Size(self.dict.as_ptr()).cast_unsigned() }
    }
}

impl<'a, 'py> Iterator for Members<'a, 'py> {
    type Item = (Obj<'a, 'py>, Obj<'a, 'py>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        let py = self.dict.py();
        // SAFETY: the call checks for a dict and for its end; what the dict lends stays while all is still.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), &raw mut self.at, &raw mut key, &raw mut value) == 0 {
                return None;
            }
            Some((Borrowed::from_ptr(py, key), Borrowed::from_ptr(py, value)))
        }
    }
}

type ItemOf = unsafe extern "C" fn(*mut ffi::PyObject, ffi::Py_ssize_t) -> *mut ffi::PyObject;

/// See [`Still::items`].
#[derive(Debug)]
pub struct Items<'a, 'py> {
    list: Obj<'a, 'py>,
    item: ItemOf,
    at: isize,
    count: isize,
}

impl<'a, 'py> Iterator for Items<'a, 'py> {
    type Item = Obj<'a, 'py>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.count {
            return None;
        }
        // SAFETY: there is an item at the index, for the list has not changed; what it lends stays while all is still.
        let item = unsafe { Borrowed::from_ptr(self.list.py(), (self.item)(self.list.as_ptr(), self.at)) };
        self.at += 1;
        Some(item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.count - self.at).cast_unsigned();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Items<'_, '_> {}
