//! The metaclass of the protocol classes: pydantic's, with room in each class for a native constructor.
//!
//! A call of a class goes through `type.__call__`, which costs more than making the instance. A class that has a
//! vectorcall function of its own is called directly; Python offers no other way to give it one. Subclasses do not
//! inherit the function, so they take pydantic's path by themselves.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};
use pyo3::{Borrowed, ffi};

use crate::c_api::Obj;
use crate::model::plan::Plan;
use crate::model::slots::ModelClass;

/// The vectorcall protocol's flag (PEP 590); the stable ABI names it from 3.12 on, as it does the function type.
const HAVE_VECTORCALL: std::ffi::c_ulong = 1 << 11;
/// A function that calls an object.
pub type VectorCall = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    usize,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// The data of our classes, after the data of every class.
#[repr(C)]
struct ClassData {
    call: Option<VectorCall>,
    plan: Option<&'static Plan>,
    /// The number of [`CHANGES`] when the class was examined, times four, plus the [`Usual`] that was found.
    examined: usize,
}

static META: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(null_mut());
/// The offset of a class's [`ClassData`].
static OFFSET: AtomicUsize = AtomicUsize::new(0);
/// The base metaclass's own functions.
static BASE_CALL: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static BASE_SETATTRO: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// pydantic's `__getattr__` for classes, if it has one.
static BASE_GETATTR: AtomicPtr<ffi::PyObject> = AtomicPtr::new(null_mut());
static TYPE_GETATTRO: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// True once classes have plans. Then assignments to the classes are watched.
static ENGAGED: AtomicBool = AtomicBool::new(false);
/// The number of changes of classes that the native paths depend on, from 1 on.
static CHANGES: AtomicUsize = AtomicUsize::new(1);
/// The plans of the classes that use the native engine.
static PLANS: OnceLock<&'static [&'static Plan]> = OnceLock::new();

/// Attributes that the native paths replace. An assignment to one of them switches its class back
/// to pydantic.
const WATCHED: &[&str] = &[
    "__bases__",
    "__class__",
    "__copy__",
    "__deepcopy__",
    "__dict__",
    "__eq__",
    "__getattribute__",
    "__init__",
    "__new__",
    "__pydantic_extra__",
    "__pydantic_fields_set__",
    "__pydantic_private__",
    "__setattr__",
    "__pydantic_validator__",
    "__pydantic_serializer__",
    "__signature__",
    "_omittable_keys",
    "model_config",
    "model_copy",
    "model_dump",
    "model_dump_json",
    "model_post_init",
    "model_validate",
    "model_validate_json",
];

/// Makes the metaclass, or returns the existing one.
pub fn metaclass(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let known = META.load(Relaxed);
    if !known.is_null() {
        // SAFETY: `META` keeps the class alive.
        return Ok(unsafe { as_type(py, known.cast()) }.to_owned());
    }
    let base = py.import("pydantic")?.getattr("BaseModel")?.get_type();
    let offset: usize = base.getattr("__basicsize__")?.extract()?;
    let size = offset + size_of::<ClassData>();
    let members = Box::leak(Box::new([
        ffi::PyMemberDef {
            // An absolute offset: 3.13 silently ignores a relative one of 0.
            name: c"__vectorcalloffset__".as_ptr(),
            type_code: ffi::Py_T_PYSSIZET,
            offset: offset.cast_signed(),
            flags: ffi::Py_READONLY,
            doc: std::ptr::null(),
        },
        ffi::PyMemberDef::default(),
    ]));
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_members, pfunc: members.as_mut_ptr().cast() },
        ffi::PyType_Slot { slot: ffi::Py_tp_setattro, pfunc: set_attribute as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_getattro, pfunc: get_attribute as *mut c_void },
        ffi::PyType_Slot { slot: 0, pfunc: null_mut() },
    ];
    let flags = ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE | HAVE_VECTORCALL;
    let mut spec = ffi::PyType_Spec {
        name: c"ag_ui_native._native.ModelMetaclass".as_ptr(),
        basicsize: c_int::try_from(size)?,
        itemsize: 0,
        flags: u32::try_from(flags)?,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the spec is complete; its size is that of the base and of one `ClassData`, where the member points.
    unsafe {
        let base_type = base.as_ptr().cast();
        BASE_CALL.store(ffi::PyType_GetSlot(base_type, ffi::Py_tp_call), Relaxed);
        BASE_SETATTRO.store(ffi::PyType_GetSlot(base_type, ffi::Py_tp_setattro), Relaxed);
        let hook = base.getattr_opt("__getattr__")?;
        BASE_GETATTR.store(hook.map_or(null_mut(), Bound::into_ptr), Relaxed);
        let of_type = ffi::PyType_GetSlot(&raw mut ffi::PyType_Type, ffi::Py_tp_getattro);
        TYPE_GETATTRO.store(of_type, Relaxed);
        let bases = PyTuple::new(py, [&base])?;
        let made = ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr());
        let made = Bound::from_owned_ptr_or_err(py, made)?.cast_into::<PyType>()?;
        OFFSET.store(offset, Relaxed);
        META.store(made.clone().into_ptr().cast(), Relaxed);
        Ok(made)
    }
}

/// Returns the class at an address.
///
/// # Safety
/// It is a class, which is alive as long as it is borrowed.
#[inline]
pub unsafe fn as_type<'a>(py: Python<'_>, class: *mut ffi::PyObject) -> Borrowed<'a, '_, PyType> {
    // SAFETY: the caller guarantees it.
    unsafe { Borrowed::from_ptr(py, class).cast_unchecked() }
}

/// The error for a class with a foreign metaclass.
#[derive(Debug)]
pub struct Foreign;

/// Returns the plan of a class with our metaclass; `None` if it is no protocol class.
#[inline]
pub fn own_plan(class: Borrowed<'_, '_, PyType>) -> Result<Option<&'static Plan>, Foreign> {
    // SAFETY: a class whose metaclass is exactly ours has a `ClassData`, zeroed when the class was made.
    unsafe {
        if ffi::Py_TYPE(class.as_ptr()) == META.load(Relaxed) {
            Ok((*class_data(class.as_ptr().cast())).plan)
        } else {
            Err(Foreign)
        }
    }
}

/// Returns our data of a class.
///
/// # Safety
/// The class's metaclass is exactly ours.
#[inline]
unsafe fn class_data(class: *mut ffi::PyTypeObject) -> *mut ClassData {
    // SAFETY: the metaclass's instances are this much larger than its base's.
    unsafe { class.byte_add(OFFSET.load(Relaxed)).cast() }
}

/// True if the engine is attached to a class.
#[inline]
pub fn is_attached(class: &ModelClass) -> bool {
    // SAFETY: as for `own_plan`.
    unsafe {
        ffi::Py_TYPE(class.as_ptr()) == META.load(Relaxed)
            && (*class_data(class.as_ptr().cast())).plan.is_some()
    }
}

/// Returns how often classes have changed.
pub fn changes() -> usize {
    CHANGES.load(Relaxed)
}

/// How far pydantic's methods have their usual effect on instances of a class, so that native ones may stand for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usual {
    /// Not at all.
    No,
    /// All except copies.
    ButCopies,
    /// All.
    Yes,
}

impl Usual {
    const ALL: [Self; 3] = [Self::No, Self::ButCopies, Self::Yes];
}

/// Returns how usual a class is: entirely if it has a plan; `None` if it has not been examined since the last change.
#[inline]
pub fn usual(class: Borrowed<'_, '_, PyType>) -> Option<Usual> {
    // SAFETY: as for `own_plan`.
    unsafe {
        if ffi::Py_TYPE(class.as_ptr()) != META.load(Relaxed) || !ENGAGED.load(Relaxed) {
            return Some(Usual::No);
        }
        let data = class_data(class.as_ptr().cast());
        if (*data).plan.is_some() {
            return Some(Usual::Yes);
        }
        let examined = (*data).examined;
        if examined >> 2 == changes() { Usual::ALL.get(examined & 3).copied() } else { None }
    }
}

/// Stores how usual a class is, as it was after so many changes.
pub fn set_usual(class: &Bound<'_, PyType>, changes: usize, usual: Usual) {
    // SAFETY: as for `own_plan`; nothing else writes there while Python holds the lock.
    unsafe {
        if ffi::Py_TYPE(class.as_ptr()) == META.load(Relaxed) {
            (*class_data(class.as_ptr().cast())).examined = changes << 2 | usual as usize;
        }
    }
}

/// Sets the native constructor and the encoder's plan of a class, or removes them.
fn set_class_data(class: &Bound<'_, PyType>, call: Option<VectorCall>, plan: Option<&'static Plan>) {
    let class = class.as_ptr().cast::<ffi::PyTypeObject>();
    // SAFETY: the metaclass is checked; nothing else writes there while Python holds the lock.
    unsafe {
        if ffi::Py_TYPE(class.cast()) == META.load(Relaxed) {
            (*class_data(class)).call = call;
            (*class_data(class)).plan = plan;
        }
    }
}

/// Attaches the engine to the classes of the plans. `call` is the constructor of those with native
/// construction.
pub fn engage(py: Python<'_>, plans: &'static [&'static Plan], call: VectorCall) {
    for plan in *PLANS.get_or_init(|| plans) {
        set_class_data(plan.class.bind(py), plan.constructs().then_some(call), Some(*plan));
    }
    ENGAGED.store(true, Relaxed);
}

/// True if the engine runs.
pub fn is_engaged() -> bool {
    ENGAGED.load(Relaxed)
}

/// Detaches the engine from every class, which leaves plain pydantic.
pub fn disengage(py: Python<'_>) {
    for plan in PLANS.get().into_iter().copied().flatten() {
        set_class_data(plan.class.bind(py), None, None);
    }
    ENGAGED.store(false, Relaxed);
}

/// Returns the base metaclass's function that calls a class.
pub fn base_call() -> ffi::ternaryfunc {
    // SAFETY: the slot holds a function of this type; it is filled before a class with this metaclass can exist.
    unsafe { std::mem::transmute(BASE_CALL.load(Relaxed)) }
}

thread_local! {
    static UNWATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, in which pydantic completes classes: its assignments replace nothing that a native path stands for.
pub fn unwatched<T>(work: impl FnOnce() -> T) -> T {
    let before = UNWATCHED.replace(true);
    let result = work();
    UNWATCHED.set(before);
    result
}

/// True if the native paths replace the attribute of this name.
pub fn is_watched(name: Obj<'_, '_>) -> bool {
    let name = name.cast::<PyString>().ok();
    name.is_some_and(|name| name.to_str().is_ok_and(|name| WATCHED.contains(&name)))
}

/// Returns the base metaclass's function that sets an attribute of a class.
pub fn base_setattro() -> ffi::setattrofunc {
    // SAFETY: as for `base_call`.
    unsafe { std::mem::transmute(BASE_SETATTRO.load(Relaxed)) }
}

/// Sets an attribute of a class. Setting one that the native paths replace switches the class back to
/// pydantic.
unsafe extern "C" fn set_attribute(
    class: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: Python hands over live objects; the function pointer is the base's own.
    unsafe {
        let result = base_setattro()(class, name, value);
        if result == 0 && ENGAGED.load(Relaxed) && !UNWATCHED.get() {
            let py = Python::assume_attached();
            if is_watched(Borrowed::from_ptr(py, name)) {
                let class = as_type(py, class);
                CHANGES.fetch_add(1, Relaxed);
                for plan in PLANS.get().into_iter().copied().flatten() {
                    let registered = plan.class.bind(py);
                    if registered.is_subclass(&class).unwrap_or(true) {
                        set_class_data(registered, None, None);
                    }
                }
            }
        }
        result
    }
}

/// Reads an attribute of a class. pydantic's metaclass looks up missing ones in Python, which slows down every
/// access; here that happens only for attributes that `type` does not find.
unsafe extern "C" fn get_attribute(
    class: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python hands over live objects; the function pointer is that of `type`, the hook is never freed.
    unsafe {
        let of_type: ffi::getattrofunc = std::mem::transmute(TYPE_GETATTRO.load(Relaxed));
        let found = of_type(class, name);
        let hook = BASE_GETATTR.load(Relaxed);
        if !found.is_null() || hook.is_null() || ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) == 0 {
            return found;
        }
        ffi::PyErr_Clear();
        ffi::PyObject_CallFunctionObjArgs(hook, class, name, null_mut::<ffi::PyObject>())
    }
}
