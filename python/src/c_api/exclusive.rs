//! Reads dicts, lists and tuples without owning their content.

use std::hint::assert_unchecked;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{Borrowed, ffi};

#[cfg(feature = "watched")]
use super::lock_monitor::LockMonitor;
use super::{Lent, Obj, Owned};

/// Exclusive access: while this value exists, the interpreter lock is held and the garbage collector is off, so no
/// Python code runs. (The collector of CPython 3.11 runs at any allocation, and finalizers with it.) Objects can only
/// be read, and only exact dicts, lists and strings are made, by the methods here: what containers lend stays alive.
///
/// Call nothing else of Python's or pyo3's: the first use of `intern!`, of a `PyOnceLock` or of an exception gives up the lock. The
/// build `watched` ends the process if another thread has had the lock meanwhile.
pub struct Exclusive<'py> {
    py: Python<'py>,
    collects: bool,
    #[cfg(feature = "watched")]
    _monitor: LockMonitor,
}

/// The error if there is no memory for a new object.
#[derive(Clone, Copy, Debug)]
pub struct NoMemory;

#[allow(clippy::unused_self)] // The lent objects borrow `self`.
impl<'py> Exclusive<'py> {
    /// Begins exclusive access.
    #[inline]
    pub fn new(py: Python<'py>) -> Self {
        Self {
            py,
            // SAFETY: sets a flag of the interpreter whose lock is held, and returns the former value.
            collects: unsafe { ffi::PyGC_Disable() } != 0,
            #[cfg(feature = "watched")]
            _monitor: LockMonitor::begin(),
        }
    }

    /// Returns the members of a `dict`, in order.
    #[inline]
    pub fn members<'a>(&'a self, dict: Lent<'a, 'py>) -> Members<'a, 'py> {
        Members { dict: dict.0, at: 0 }
    }

    /// Returns the items of a `list` or `tuple`.
    #[inline]
    pub fn items<'a>(&'a self, list: Lent<'a, 'py>) -> Items<'a, 'py> {
        let list = list.0;
        // Most are exact lists, which a comparison tells; a check of derived classes is a call.
        let is_list = super::plain(list) == super::Plain::List;
        // SAFETY: checks the class first; each size is read from an object of that class.
        let (item, count): (ItemOf, _) = unsafe {
            if !is_list && ffi::PyTuple_Check(list.as_ptr()) != 0 {
                (ffi::PyTuple_GetItem, ffi::PyTuple_Size(list.as_ptr()))
            } else {
                (ffi::PyList_GetItem, ffi::PyList_Size(list.as_ptr()))
            }
        };
        Items { list, item, at: 0, count }
    }

    /// Returns an owned reference to a borrowed object.
    #[inline]
    pub fn own(&self, object: Lent<'_, 'py>) -> Owned<'py> {
        Owned(object.0.to_owned())
    }

    /// Lends a kept object.
    #[inline]
    pub fn lend<'a, T>(&'a self, object: &'a Py<T>) -> Lent<'a, 'py> {
        Lent(object.as_any().bind_borrowed(self.py))
    }

    /// Returns an owned reference to a kept object.
    #[inline]
    pub fn share(&self, object: &Py<PyAny>) -> Owned<'py> {
        Owned(object.bind(self.py).clone())
    }

    /// Returns the elements of a `set` or `frozenset`; `None` for objects of other classes, also of derived ones.
    pub fn elements(&self, set: Lent<'_, 'py>) -> Option<Vec<Owned<'py>>> {
        let class = super::class_of(set).cast_const();
        if class != &raw const ffi::PySet_Type && class != &raw const ffi::PyFrozenSet_Type {
            return None;
        }
        // SAFETY: the iterator of these classes runs no Python code; it hands over each element, and null at its end.
        unsafe {
            let rest = self.made(ffi::PyObject_GetIter(set.0.as_ptr())).ok()?;
            let next = || Bound::from_owned_ptr_or_opt(self.py, ffi::PyIter_Next(rest.0.as_ptr()));
            Some(std::iter::from_fn(next).map(Owned).collect())
        }
    }

    /// Makes an empty `dict`.
    pub fn dict(&self) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the call hands over a new dict, or null.
        unsafe { self.made(ffi::PyDict_New()) }
    }

    /// Makes an empty `tuple`.
    pub fn no_items(&self) -> Owned<'py> {
        Owned(PyTuple::empty(self.py).into_any())
    }

    /// Makes a `frozenset` of strings. Each is exactly a `str`, see [`Exclusive::text`].
    pub fn names<'a>(&self, names: impl Iterator<Item = Lent<'a, 'py>>) -> Result<Owned<'py>, NoMemory>
    where
        'py: 'a,
    {
        // SAFETY: the call hands over a new set, or null.
        let set = unsafe { self.made(ffi::PyFrozenSet_New(std::ptr::null_mut())) }?;
        for name in names {
            // SAFETY: both are live objects, and nothing else has the new set yet; hashing and comparing exact strings runs
            // nothing.
            self.done(unsafe { ffi::PySet_Add(set.0.as_ptr(), name.0.as_ptr()) })?;
        }
        Ok(set)
    }

    /// Returns a `set` of the items of a `frozenset` made by [`Exclusive::names`].
    pub fn copy_names(&self, names: Lent<'_, 'py>) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the call takes a set and hands over a new one, or null; its items have their hashes.
        unsafe { self.made(ffi::PySet_New(names.0.as_ptr())) }
    }

    /// Sets a member of a `dict` made here. The key is exactly a `str`, see [`Exclusive::text`].
    #[inline]
    pub fn set(&self, dict: &Owned<'py>, key: Lent<'_, 'py>, value: Lent<'_, 'py>) -> Result<(), NoMemory> {
        // SAFETY: all three are live objects, and the call checks for a dict; its keys are exact strings, so that hashing and
        // comparing them runs nothing.
        self.done(unsafe { ffi::PyDict_SetItem(dict.0.as_ptr(), key.0.as_ptr(), value.0.as_ptr()) })
    }

    /// Makes a `list` of the items.
    pub fn list(&self, items: Vec<Owned<'py>>) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the call hands over a new list with as many empty places, or null.
        let list = unsafe { self.made(ffi::PyList_New(items.len().cast_signed())) }?;
        for (item, at) in items.into_iter().zip(0..) {
            self.set_item(&list, at, item)?;
        }
        Ok(list)
    }

    /// Sets an item of a `list` made here.
    pub fn set_item(&self, list: &Owned<'py>, at: isize, item: Owned<'py>) -> Result<(), NoMemory> {
        // SAFETY: the call checks for a list and the index, and takes over the reference; an item that it replaces
        // is still held by the list that was copied, so nothing is freed.
        self.done(unsafe { ffi::PyList_SetItem(list.0.as_ptr(), at, item.0.into_ptr()) })
    }

    /// Returns the string itself if it is exactly a `str`; otherwise one of the same text, which hashes and compares as
    /// text does.
    pub fn text(&self, text: Lent<'_, 'py>) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the call takes strings of any class and hands over a reference.
        unsafe { self.made(ffi::PyUnicode_FromObject(text.0.as_ptr())) }
    }

    /// Returns a shallow copy of a `dict`.
    #[inline]
    pub fn copy_dict(&self, dict: Lent<'_, 'py>) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the call checks for a dict and hands over a new one.
        unsafe { self.made(ffi::PyDict_Copy(dict.0.as_ptr())) }
    }

    /// Returns a shallow copy of a `list`.
    #[inline]
    pub fn copy_list(&self, list: Lent<'_, 'py>) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the call checks for a list and hands over a new one.
        unsafe { self.made(ffi::PyList_GetSlice(list.0.as_ptr(), 0, isize::MAX)) }
    }

    /// Takes over the new object that a call has returned.
    ///
    /// # Safety
    /// `object` is a reference that the caller owns, or null with an error set.
    #[inline]
    pub unsafe fn made(&self, object: *mut ffi::PyObject) -> Result<Owned<'py>, NoMemory> {
        // SAFETY: the caller guarantees it.
        let object = unsafe { Bound::from_owned_ptr_or_opt(self.py, object) };
        object.map(Owned).ok_or_else(forget_error)
    }

    #[inline]
    fn done(&self, status: i32) -> Result<(), NoMemory> {
        if status == 0 { Ok(()) } else { Err(forget_error()) }
    }
}

/// Clears the error, since it needs memory and exact strings: taking it by pyo3 would create a class at its
/// first use.
#[cold]
fn forget_error() -> NoMemory {
    // SAFETY: clears a flag of this thread, which holds the lock.
    unsafe { ffi::PyErr_Clear() };
    NoMemory
}

impl Drop for Exclusive<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.collects {
            // SAFETY: sets the flag again; the lock is still held.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// See [`Exclusive::members`].
pub struct Members<'a, 'py> {
    dict: Obj<'a, 'py>,
    at: ffi::Py_ssize_t,
}

impl Members<'_, '_> {
    /// Returns the members from an index on. If keys were removed, the index is a guess, so the caller checks the key
    /// it finds.
    #[inline]
    pub fn from(self, index: usize) -> Self {
        Self { at: index.cast_signed(), ..self }
    }

    /// Returns the number of all members.
    #[inline]
    pub fn len(&self) -> usize {
        // SAFETY: the call checks for a dict.
        unsafe { ffi::PyDict_Size(self.dict.as_ptr()).cast_unsigned() }
    }
}

impl<'a, 'py> Iterator for Members<'a, 'py> {
    type Item = (Lent<'a, 'py>, Lent<'a, 'py>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        let py = self.dict.py();
        // SAFETY: the call checks for a dict and for its end, and finds a key and a value before that; what the dict lends
        // stays as long as access is exclusive.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), &raw mut self.at, &raw mut key, &raw mut value) == 0 {
                return None;
            }
            assert_unchecked(!key.is_null() && !value.is_null());
            Some((Lent(Borrowed::from_ptr(py, key)), Lent(Borrowed::from_ptr(py, value))))
        }
    }
}

type ItemOf = unsafe extern "C" fn(*mut ffi::PyObject, ffi::Py_ssize_t) -> *mut ffi::PyObject;

/// See [`Exclusive::items`].
pub struct Items<'a, 'py> {
    list: Obj<'a, 'py>,
    item: ItemOf,
    at: isize,
    count: isize,
}

impl<'a, 'py> Iterator for Items<'a, 'py> {
    type Item = Lent<'a, 'py>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.count {
            return None;
        }
        // SAFETY: the list has not changed, so the item exists; objects lent by the list stay alive during exclusive access.
        let item = unsafe { Borrowed::from_ptr(self.list.py(), (self.item)(self.list.as_ptr(), self.at)) };
        self.at += 1;
        Some(Lent(item))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.count - self.at).cast_unsigned();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Items<'_, '_> {}
