//! Instances of pydantic models, made without pydantic's constructor.
//!
//! A pydantic instance is a dictionary and three slots. Filling them directly costs a fifth of the constructor; pyo3
//! has no safe way to do it. The set of given fields and the dictionary of undeclared members are made at
//! the first access, which saves 60 ns and 280 bytes per instance: until then their slots hold shared
//! markers, which native descriptors hide from programs.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pyo3::exceptions::PyAttributeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::metaclass::{self, Usual};
use super::registry;
use super::slots::{EXTRA, FIELDS_SET, ModelClass, PRIVATE, SLOTS, slot};
use crate::c_api::{self, Exclusive, Lent, NoMemory, Obj, Owned};
use crate::model::plan::{Family, Plan};

/// True if sets and dictionaries are made at once instead of at the first access.
static EAGER: AtomicBool = AtomicBool::new(false);

/// Sets whether the set of given fields and the dictionary of undeclared members are made at once.
pub fn set_eager(eager: bool) {
    EAGER.store(eager, Relaxed);
}

/// The value for the slot of undeclared members.
#[derive(Debug)]
pub enum Extra<'py> {
    /// No undeclared members.
    None,
    /// The undeclared members.
    Some(Bound<'py, PyAny>),
}

/// Makes an instance of `class` (a registered model) with the given `__dict__`.
#[inline]
pub fn make<'py>(
    class: &ModelClass,
    dict: &Bound<'py, PyAny>,
    fields_set: Bound<'py, PyAny>,
    extra: Extra<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    fill(class, dict, fields_set, extra, EAGER.load(Relaxed))
}

/// Makes an instance of the plan's class during exclusive access.
#[inline]
pub fn make_exclusively<'py>(
    exclusive: &Exclusive<'py>,
    plan: &Plan,
    dict: &Owned<'py>,
    mut fields_set: Owned<'py>,
    extra: Option<Owned<'py>>,
) -> Result<Owned<'py>, NoMemory> {
    // Classes of the official package have not our descriptors.
    let eager = EAGER.load(Relaxed) || plan.family == Family::Official;
    if eager {
        fields_set = exclusive.copy_names(fields_set.lent())?;
    }
    let extra = match extra {
        Some(extra) => extra,
        None if eager => exclusive.dict()?,
        None => exclusive.no_items(),
    };
    // SAFETY: the parts are live objects; allocating an instance and setting its dictionary run no Python code.
    unsafe {
        exclusive.made(assemble(&plan.class, dict.lent().as_ptr(), fields_set.into_ptr(), extra.into_ptr()))
    }
}

/// Makes an instance of a class without our descriptors, so none of its parts is made later.
pub fn make_eagerly<'py>(
    class: &ModelClass,
    dict: &Bound<'py, PyAny>,
    fields_set: Bound<'py, PyAny>,
    extra: Extra<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    fill(class, dict, fields_set, extra, true)
}

/// Returns what the slots of an instance of this package hold: the names of the given members, and the undeclared members.
pub fn slot_values<'py>(
    fields_set: Bound<'py, PyAny>,
    extra: Extra<'py>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    settled(fields_set, extra, EAGER.load(Relaxed))
}

#[inline]
fn settled<'py>(
    mut fields_set: Bound<'py, PyAny>,
    extra: Extra<'py>,
    eager: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = fields_set.py();
    if eager {
        fields_set = real_set(fields_set.as_borrowed())?;
    }
    let extra = match extra {
        Extra::Some(extra) => extra,
        Extra::None if eager => PyDict::new(py).into_any(),
        Extra::None => PyTuple::empty(py).into_any(),
    };
    Ok((fields_set, extra))
}

#[inline]
fn fill<'py>(
    class: &ModelClass,
    dict: &Bound<'py, PyAny>,
    fields_set: Bound<'py, PyAny>,
    extra: Extra<'py>,
    eager: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (fields_set, extra) = settled(fields_set, extra, eager)?;
    // SAFETY: the parts are live objects.
    unsafe {
        let object = assemble(class, dict.as_ptr(), fields_set.into_ptr(), extra.into_ptr());
        Bound::from_owned_ptr_or_err(dict.py(), object)
    }
}

/// Makes an instance of its parts. Returns null and an error if memory runs out.
///
/// # Safety
/// The parts are live objects. The references to the last two are the caller's to give.
#[inline]
unsafe fn assemble(
    class: &ModelClass,
    dict: *mut ffi::PyObject,
    fields_set: *mut ffi::PyObject,
    extra: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the instances of a `ModelClass` have a dictionary and the three slots. These are empty in a new instance, and take over
    // the references handed to them.
    unsafe {
        let object = ffi::PyType_GenericAlloc(class.as_ptr().cast(), 0);
        if object.is_null() || ffi::PyObject_GenericSetDict(object, dict, std::ptr::null_mut()) != 0 {
            for part in [object, fields_set, extra] {
                ffi::Py_XDECREF(part);
            }
            return std::ptr::null_mut();
        }
        slot(object, FIELDS_SET).write(fields_set);
        slot(object, EXTRA).write(extra);
        let none = ffi::Py_None();
        ffi::Py_INCREF(none);
        slot(object, PRIVATE).write(none);
        object
    }
}

/// Returns an instance's `__dict__`.
#[inline]
pub fn dict<'a, 'py: 'a>(object: impl Into<Lent<'a, 'py>>) -> Option<Owned<'py>> {
    let object = object.into();
    // SAFETY: the call takes any object and hands over its dictionary; one without makes it fail.
    unsafe {
        let dict = ffi::PyObject_GenericGetDict(object.as_ptr(), std::ptr::null_mut());
        if dict.is_null() {
            ffi::PyErr_Clear();
        }
        Owned::taken(object, dict)
    }
}

/// An instance with pydantic's slots and rules: its class has a plan, or is a usual subclass of one that has. Python lets an object
/// change its class only for one of the same layout.
#[derive(Clone, Copy)]
pub struct Instance<'a, 'py> {
    object: Lent<'a, 'py>,
}

impl<'a, 'py: 'a> Instance<'a, 'py> {
    /// Returns the object, if its class is known to be usual. Runs no Python code.
    #[inline]
    pub fn usual(object: impl Into<Lent<'a, 'py>>) -> Option<Self> {
        let object = object.into();
        // SAFETY: nothing of Python's runs while the class is looked at.
        let is_usual = metaclass::usual(unsafe { object.class() }) >= Some(Usual::ButCopies);
        is_usual.then_some(Self { object })
    }

    /// Returns the object.
    #[inline]
    pub fn object(self) -> Lent<'a, 'py> {
        self.object
    }

    /// Returns the undeclared members: a dictionary, `()` for none, or `None` if the slot is empty.
    #[inline]
    pub fn extra(self, _: &'a Exclusive<'py>) -> Option<Lent<'a, 'py>> {
        self.slot(EXTRA)
    }

    /// Returns the names of the given members, or `None` if the slot is empty.
    #[inline]
    pub fn fields_set(self, _: &'a Exclusive<'py>) -> Option<Lent<'a, 'py>> {
        self.slot(FIELDS_SET)
    }

    /// Returns the private attributes, or `None` if the slot is empty.
    #[inline]
    pub fn private(self, _: &'a Exclusive<'py>) -> Option<Lent<'a, 'py>> {
        self.slot(PRIVATE)
    }

    #[inline]
    fn slot(self, which: usize) -> Option<Lent<'a, 'py>> {
        // SAFETY: instances of such a class have the slots; the slot owns the value, and the caller has exclusive access.
        unsafe {
            let value = *slot(self.object.as_ptr(), which);
            if value.is_null() { None } else { Some(self.object.another(value)) }
        }
    }
}

/// An instance of a class that has a plan.
#[derive(Clone, Copy)]
pub struct Model<'a, 'py> {
    instance: Instance<'a, 'py>,
    plan: &'static Plan,
}

impl<'a, 'py: 'a> Model<'a, 'py> {
    /// Returns the object, if the plan of its class exists already. Runs no Python code.
    #[inline]
    pub fn cached(object: impl Into<Lent<'a, 'py>>) -> Option<Self> {
        let object = object.into();
        // SAFETY: nothing of Python's runs while the plan is looked up.
        let plan = registry::cached_plan(unsafe { object.class() })?;
        Some(Self { instance: Instance { object }, plan })
    }

    /// Returns the object, if its class has a plan. The plan of a new class is made, which runs Python code.
    #[inline]
    pub fn of(object: Obj<'a, 'py>) -> PyResult<Option<Self>> {
        if let Some(model) = Self::cached(object) {
            return Ok(Some(model));
        }
        let plan = registry::plan_of(&object.get_type())?;
        Ok(plan.map(|plan| Self { instance: Instance { object: object.into() }, plan }))
    }

    /// Returns the plan of its class.
    #[inline]
    pub fn plan(self) -> &'static Plan {
        self.plan
    }
}

impl<'a, 'py> Deref for Model<'a, 'py> {
    type Target = Instance<'a, 'py>;

    #[inline]
    fn deref(&self) -> &Instance<'a, 'py> {
        &self.instance
    }
}

/// True if the slot of undeclared members holds the marker for none.
#[inline]
pub fn is_no_extra(value: Lent<'_, '_>) -> bool {
    c_api::class_of(value).cast_const() == &raw const ffi::PyTuple_Type
}

/// Makes an instance of `class` (a usual subclass of a registered model, or one itself) of copied parts.
pub fn make_copy<'py>(
    class: &ModelClass,
    dict: &Bound<'py, PyAny>,
    fields_set: Bound<'py, PyAny>,
    extra: Extra<'py>,
    private: Option<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = make(class, dict, fields_set, extra)?;
    if let Some(private) = private {
        // SAFETY: the instance is new and has the slot, which takes over the reference; what it held is `None`.
        unsafe { ffi::Py_DECREF(slot(made.as_ptr(), PRIVATE).replace(private.into_ptr())) }
    }
    Ok(made)
}

/// Makes a `set` of the items of a `frozenset` or `set`.
pub fn real_set<'py>(marker: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: a set of either class can be iterated; the call hands over a new set.
    unsafe { Bound::from_owned_ptr_or_err(marker.py(), ffi::PySet_New(marker.as_ptr())) }
}

/// Adds descriptors for the two lazy slots to `base`, the base of all protocol classes.
pub fn lay_descriptors(base: &Bound<'_, PyType>) -> PyResult<()> {
    for which in [FIELDS_SET, EXTRA] {
        // The descriptor refers to its definition for as long as the class lives.
        let definition = Box::leak(Box::new(ffi::PyGetSetDef {
            name: SLOTS[which].as_ptr(),
            get: Some(get_slot),
            set: Some(set_slot),
            doc: std::ptr::null(),
            closure: std::ptr::without_provenance_mut(which),
        }));
        // SAFETY: the definition is complete and lives for ever.
        let descriptor = unsafe {
            let descriptor = ffi::PyDescr_NewGetSet(base.as_ptr().cast(), definition);
            Bound::from_owned_ptr_or_err(base.py(), descriptor)?
        };
        base.setattr(SLOTS[which].to_string_lossy(), descriptor)?;
    }
    Ok(())
}

/// Reads a lazy slot. A marker in it is replaced by the real object.
unsafe extern "C" fn get_slot(object: *mut ffi::PyObject, closure: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the descriptor has checked that `object` is an instance of the base, the caller holds it and the lock, and
    // the object in the slot is owned before any other is made.
    unsafe {
        let py = Python::assume_attached();
        let which = closure.addr();
        let place = slot(object, which);
        let current = *place;
        if current.is_null() {
            PyAttributeError::new_err(SLOTS[which].to_string_lossy().into_owned()).restore(py);
            return std::ptr::null_mut();
        }
        let current = Bound::from_borrowed_ptr(py, current);
        let real = if which == FIELDS_SET && ffi::PyFrozenSet_CheckExact(current.as_ptr()) != 0 {
            ffi::PySet_New(current.as_ptr())
        } else if which == EXTRA && ffi::PyTuple_CheckExact(current.as_ptr()) != 0 {
            ffi::PyDict_New()
        } else {
            return current.into_ptr();
        };
        // Making the object may have run the collector, whose code may have read or set the slot.
        if !real.is_null() && *place == current.as_ptr() {
            ffi::Py_INCREF(real);
            *place = real;
            ffi::Py_DECREF(current.as_ptr());
        } else if !real.is_null() {
            ffi::Py_DECREF(real);
            return get_slot(object, closure);
        }
        real
    }
}

/// Sets or deletes a lazy slot.
unsafe extern "C" fn set_slot(
    object: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    closure: *mut c_void,
) -> c_int {
    // SAFETY: as for `get_slot`; the old value is let go of after the slot has changed.
    unsafe {
        let which = closure.addr();
        let place = slot(object, which);
        let old = *place;
        if value.is_null() && old.is_null() {
            let py = Python::assume_attached();
            PyAttributeError::new_err(SLOTS[which].to_string_lossy().into_owned()).restore(py);
            return -1;
        }
        ffi::Py_XINCREF(value);
        *place = value;
        ffi::Py_XDECREF(old);
        0
    }
}
