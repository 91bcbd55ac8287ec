//! Python's dicts and lists as the holder of a document.

use std::cell::Cell;
use std::collections::HashMap;

use ag_ui_native::bindings::patch::{Budget, Holder, InPlace, Key, Purpose, Removed, Shape};
use ag_ui_native::bindings::validate::Build;
use ag_ui_native::{Code, Error, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::containers::{address, child, delete, dict_of, is_missing, list_of, put};
use super::value::{copied, equal, measured};
use crate::build::Dicts;
use crate::c_api::{Exclusive, Obj};
use crate::keys::Keys;

/// Patches Python objects. It uses the built-in operations of `dict` and `list`, without overrides of their subclasses, so
/// that everything can be undone.
pub struct Objects<'py> {
    py: Python<'py>,
    /// True if containers are changed in place. Otherwise those along the paths are copied.
    in_place: bool,
    /// The containers copied so far, by their addresses.
    copied: HeldObjects<'py>,
    /// The dicts whose order is recorded, by their addresses.
    ordered: HeldObjects<'py>,
    /// Tuples that were replaced by lists: the container, the key, and the tuple.
    tuples: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    /// The exception of Python code. It is raised after everything is undone.
    raised: Option<PyErr>,
    keys: Box<Keys>,
}

/// Objects by their addresses. They are held, so no other object can get the same address.
type HeldObjects<'py> = HashMap<usize, Bound<'py, PyAny>>;

thread_local! {
    /// The cache of names in pointers, which repeat.
    static KEYS: Cell<Option<Box<Keys>>> = const { Cell::new(None) };
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        KEYS.set(Some(std::mem::take(&mut self.keys)));
    }
}

/// The value of an operation.
#[derive(Clone, Copy)]
pub enum Operand<'p, 'py> {
    /// A Python object.
    Object(Obj<'p, 'py>),
    /// Core's value, from an event.
    Value(&'p Value),
}

impl<'py> Objects<'py> {
    /// Creates the holder for one patch.
    pub fn new(py: Python<'py>, in_place: bool) -> Self {
        let keys = KEYS.take().unwrap_or_default();
        let (copied, ordered) = (HeldObjects::new(), HeldObjects::new());
        Self { py, in_place, copied, ordered, tuples: Vec::new(), raised: None, keys }
    }

    /// Puts back the tuples after a failure, after everything else is undone. Returns the exception of
    /// Python code.
    pub fn give_up(&mut self) -> Option<PyErr> {
        while let Some((container, key, tuple)) = self.tuples.pop() {
            let _ = put(&container, &key, &tuple).map_err(|raised| self.failed(raised));
        }
        self.raised.take()
    }

    /// Keeps an exception of Python code.
    pub fn failed(&mut self, raised: PyErr) -> Error {
        self.raised.get_or_insert(raised);
        Error::new(Code::Internal, "Python raised an exception")
    }

    /// Returns a copy of a container that must not be changed itself.
    fn copy_to_write(&mut self, container: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyAny>>, Error> {
        let mine = self.in_place || self.copied.contains_key(&address(container));
        let copy = match container.cast::<PyDict>() {
            Ok(_) if mine => return Ok(None),
            Ok(dict) => dict_of(dict).map(Bound::into_any),
            _ if mine && container.is_instance_of::<PyList>() => return Ok(None),
            _ if container.is_instance_of::<PyList>() || container.is_instance_of::<PyTuple>() => {
                list_of(container).map(Bound::into_any)
            }
            _ => return Ok(None),
        };
        let copy = copy.map_err(|raised| self.failed(raised))?;
        self.copied.insert(address(&copy), copy.clone());
        Ok(Some(copy))
    }

    /// Returns the member or item, if it exists.
    fn child(
        &mut self,
        container: &Bound<'py, PyAny>,
        key: &Bound<'py, PyAny>,
    ) -> Result<Option<Bound<'py, PyAny>>, Error> {
        child(container, key).map_err(|raised| self.failed(raised))
    }

    fn put(
        &mut self,
        container: &Bound<'py, PyAny>,
        key: &Bound<'py, PyAny>,
        value: &Bound<'py, PyAny>,
    ) -> Result<(), Error> {
        put(container, key, value).map_err(|raised| self.failed(raised))
    }

    fn python_of(&mut self, value: &Value) -> Bound<'py, PyAny> {
        Dicts::new(self.py, &mut self.keys).json(value)
    }

    /// Returns the key as a Python object.
    fn key(&mut self, key: &Key<'_>) -> Result<Bound<'py, PyAny>, Error> {
        match key {
            Key::Member(name) => Ok(self.keys.get(self.py, name).into_any()),
            Key::Item(index) => {
                index.into_pyobject(self.py).map(Bound::into_any).map_err(|never| match never {})
            }
        }
    }
}

impl<'py> Holder for Objects<'py> {
    type Value = Bound<'py, PyAny>;
    type Operand<'p> = Operand<'p, 'py>;
    type Location<'v> = Bound<'py, PyAny>;
    /// The dict before the first removal. Restoring it restores the order.
    type Position = Option<Bound<'py, PyDict>>;

    fn null(&mut self) -> Self::Value {
        self.py.None().into_bound(self.py)
    }

    fn enter<'v>(
        &mut self,
        document: &'v mut Self::Value,
        access: Purpose,
    ) -> Result<Self::Location<'v>, Error> {
        if access == Purpose::Write
            && let Some(copy) = self.copy_to_write(document)?
        {
            *document = copy;
        }
        Ok(document.clone())
    }

    fn kind(&mut self, at: &Self::Location<'_>) -> Result<Shape, Error> {
        Ok(if at.is_instance_of::<PyDict>() {
            Shape::Object
        } else if let Ok(list) = at.cast::<PyList>() {
            Shape::List(list.len())
        } else if let Ok(tuple) = at.cast::<PyTuple>() {
            Shape::List(tuple.len())
        } else {
            Shape::Scalar
        })
    }

    fn step<'v>(
        &mut self,
        at: Self::Location<'v>,
        key: &Key<'_>,
        access: Purpose,
    ) -> Result<Option<Self::Location<'v>>, Error> {
        let key = self.key(key)?;
        let Some(child) = self.child(&at, &key)? else { return Ok(None) };
        if access == Purpose::Write
            && let Some(copy) = self.copy_to_write(&child)?
        {
            self.put(&at, &key, &copy)?;
            if self.in_place {
                self.tuples.push((at, key, child));
            }
            return Ok(Some(copy));
        }
        Ok(Some(child))
    }

    fn insert(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
        place: Option<Self::Position>,
    ) -> Result<(), Error> {
        match (at.cast::<PyList>(), key, place.flatten()) {
            (Ok(list), Key::Item(index), _) => list.insert(*index, value),
            (_, _, Some(before)) => at.cast::<PyDict>().map_err(PyErr::from).and_then(|dict| {
                dict.clear();
                dict.update(before.as_mapping())
            }),
            _ => {
                let key = self.key(key)?;
                put(&at, &key, &value)
            }
        }
        .map_err(|raised| self.failed(raised))
    }

    fn set(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error> {
        let key = self.key(key)?;
        let old = self.child(&at, &key)?;
        self.put(&at, &key, &value)?;
        Ok(old)
    }

    fn replace(
        &mut self,
        at: Self::Location<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error> {
        let key = self.key(key)?;
        let Some(old) = self.child(&at, &key)? else { return Ok(None) };
        self.put(&at, &key, &value)?;
        Ok(Some(old))
    }

    fn remove(&mut self, at: Self::Location<'_>, key: &Key<'_>) -> Result<Option<Removed<Self>>, Error> {
        let key = self.key(key)?;
        let Some(value) = self.child(&at, &key)? else { return Ok(None) };
        let place = match at.cast::<PyDict>() {
            Ok(dict) if self.in_place && self.ordered.insert(address(&at), at.clone()).is_none() => {
                Some(dict_of(dict).map_err(|raised| self.failed(raised))?)
            }
            _ => None,
        };
        match delete(&at, &key) {
            // The comparison with other keys has removed it.
            Err(raised) if is_missing(&raised, &key) => Ok(None),
            Err(raised) => Err(self.failed(raised)),
            Ok(()) => Ok(Some((value, place))),
        }
    }

    fn copy(&mut self, at: &Self::Location<'_>, room: &mut Budget) -> Result<Self::Value, Error> {
        copied(&Exclusive::new(self.py), at.into(), room).map(|copy| copy.release(self.py))
    }

    fn adopt(&mut self, given: Operand<'_, 'py>, room: &mut Budget) -> Result<Self::Value, Error> {
        match given {
            Operand::Object(object) => {
                copied(&Exclusive::new(self.py), object.into(), room).map(|copy| copy.release(self.py))
            }
            Operand::Value(value) => {
                InPlace.measure(value, room)?;
                Ok(self.python_of(value))
            }
        }
    }

    fn measure(&mut self, value: &Self::Value, room: &mut Budget) -> Result<(), Error> {
        measured(&Exclusive::new(self.py), value.into(), room)
    }

    fn equals(
        &mut self,
        at: &Self::Location<'_>,
        given: Operand<'_, 'py>,
        room: &mut Budget,
    ) -> Result<bool, Error> {
        let made;
        let given = match given {
            Operand::Object(object) => object,
            Operand::Value(value) => {
                made = self.python_of(value);
                made.as_borrowed()
            }
        };
        equal(&Exclusive::new(self.py), at.into(), given.into(), room)
    }
}
