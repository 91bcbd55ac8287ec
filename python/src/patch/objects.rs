//! Python's dicts and lists as the holder of a document.

use std::cell::Cell;
use std::collections::HashSet;

use ag_ui_native::patch::{Access, Holder, Key, Kind, Removed, Room, Tree as CoreTree};
use ag_ui_native::read::Build;
use ag_ui_native::{Code, Error, Value};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::build::Dicts;
use crate::keys::Keys;
use crate::raw::{self, Obj};

/// Patches Python objects.
pub struct Objects<'py> {
    py: Python<'py>,
    /// Change what is there, instead of copying what lies along the way.
    in_place: bool,
    /// Addresses of the containers copied so far. None of them is gone: what is taken out is kept for undoing.
    copied: HashSet<usize>,
    /// Addresses of the dicts whose order is on record.
    ordered: HashSet<usize>,
    keys: Box<Keys>,
}

thread_local! {
    /// The names in pointers come again and again.
    static KEYS: Cell<Option<Box<Keys>>> = const { Cell::new(None) };
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        KEYS.set(Some(std::mem::take(&mut self.keys)));
    }
}

/// The value of an operation.
#[derive(Clone, Copy)]
pub enum Given<'p, 'py> {
    /// Python's.
    Object(Obj<'p, 'py>),
    /// Core's, from an event.
    Value(&'p Value),
}

impl<'py> Objects<'py> {
    /// The holder for one patch.
    pub fn new(py: Python<'py>, in_place: bool) -> Self {
        let keys = KEYS.take().unwrap_or_default();
        Self { py, in_place, copied: HashSet::new(), ordered: HashSet::new(), keys }
    }

    /// A copy of a container that must not be changed itself.
    fn copy_to_write(&mut self, container: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyAny>>, Error> {
        let mine = self.in_place || self.copied.contains(&address(container));
        let copy = if let Ok(dict) = container.cast::<PyDict>() {
            if mine {
                return Ok(None);
            }
            dict.copy().map_err(failed)?.into_any()
        } else if let Ok(list) = container.cast::<PyList>() {
            if mine {
                return Ok(None);
            }
            list.get_slice(0, list.len()).into_any()
        } else if let Ok(tuple) = container.cast::<PyTuple>() {
            tuple.to_list().into_any()
        } else {
            return Ok(None);
        };
        self.copied.insert(address(&copy));
        Ok(Some(copy))
    }

    fn python_of(&mut self, value: &Value) -> Bound<'py, PyAny> {
        Dicts::new(self.py, &mut self.keys).json(value)
    }

    /// The key as a Python object.
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
    type Given<'p> = Given<'p, 'py>;
    type At<'v> = Bound<'py, PyAny>;
    /// The dict before the first removal; restoring that restores the order.
    type Place = Option<Bound<'py, PyDict>>;

    fn null(&mut self) -> Self::Value {
        self.py.None().into_bound(self.py)
    }

    fn enter<'v>(&mut self, document: &'v mut Self::Value, access: Access) -> Result<Self::At<'v>, Error> {
        if access == Access::Write
            && let Some(copy) = self.copy_to_write(document)?
        {
            *document = copy;
        }
        Ok(document.clone())
    }

    fn kind(&mut self, at: &Self::At<'_>) -> Result<Kind, Error> {
        Ok(if at.is_instance_of::<PyDict>() {
            Kind::Object
        } else if let Ok(list) = at.cast::<PyList>() {
            Kind::List(list.len())
        } else if let Ok(tuple) = at.cast::<PyTuple>() {
            Kind::List(tuple.len())
        } else {
            Kind::Scalar
        })
    }

    fn step<'v>(
        &mut self,
        at: Self::At<'v>,
        key: &Key<'_>,
        access: Access,
    ) -> Result<Option<Self::At<'v>>, Error> {
        let key = self.key(key)?;
        let Some(child) = child(&at, &key) else { return Ok(None) };
        if access == Access::Write
            && let Some(copy) = self.copy_to_write(&child)?
        {
            at.set_item(key, &copy).map_err(failed)?;
            return Ok(Some(copy));
        }
        Ok(Some(child))
    }

    fn insert(
        &mut self,
        at: Self::At<'_>,
        key: &Key<'_>,
        value: Self::Value,
        place: Option<Self::Place>,
    ) -> Result<(), Error> {
        match (at.cast::<PyList>(), key, place.flatten()) {
            (Ok(list), Key::Item(index), _) => list.insert(*index, value),
            (_, _, Some(before)) => {
                at.call_method0("clear").and_then(|_| at.call_method1("update", (before,))).map(drop)
            }
            _ => at.set_item(self.key(key)?, value),
        }
        .map_err(failed)
    }

    fn set(
        &mut self,
        at: Self::At<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error> {
        let key = self.key(key)?;
        let old = child(&at, &key);
        at.set_item(key, value).map_err(failed)?;
        Ok(old)
    }

    fn replace(
        &mut self,
        at: Self::At<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error> {
        let key = self.key(key)?;
        let Some(old) = child(&at, &key) else { return Ok(None) };
        at.set_item(key, value).map_err(failed)?;
        Ok(Some(old))
    }

    fn remove(&mut self, at: Self::At<'_>, key: &Key<'_>) -> Result<Option<Removed<Self>>, Error> {
        let key = self.key(key)?;
        let Some(value) = child(&at, &key) else { return Ok(None) };
        let place = match at.cast::<PyDict>() {
            Ok(dict) if self.in_place && self.ordered.insert(address(&at)) => {
                Some(dict.copy().map_err(failed)?)
            }
            _ => None,
        };
        at.del_item(key).map_err(failed)?;
        Ok(Some((value, place)))
    }

    fn copy(&mut self, at: &Self::At<'_>, room: &mut Room) -> Result<Self::Value, Error> {
        copied(at, room)
    }

    fn adopt(&mut self, given: Given<'_, 'py>, room: &mut Room) -> Result<Self::Value, Error> {
        match given {
            Given::Object(object) => copied(&object, room),
            Given::Value(value) => {
                CoreTree.measure(value, room)?;
                Ok(self.python_of(value))
            }
        }
    }

    fn measure(&mut self, value: &Self::Value, room: &mut Room) -> Result<(), Error> {
        room.take(1)?;
        match shape(value)? {
            Shape::Dict(dict) => {
                room.open()?;
                dict.iter().try_for_each(|(_, member)| self.measure(&member, room))?;
                room.close();
            }
            Shape::List(items) => {
                room.open()?;
                items.iter().try_for_each(|item| self.measure(&item, room))?;
                room.close();
            }
            _ => {}
        }
        Ok(())
    }

    fn equals(&mut self, at: &Self::At<'_>, given: Given<'_, 'py>, room: &mut Room) -> Result<bool, Error> {
        match given {
            Given::Object(object) => equal(at, &object, room),
            Given::Value(value) => equal(at, &self.python_of(value), room),
        }
    }
}

/// What a JSON value is, in Python.
enum Shape<'s, 'py> {
    Null,
    Bool,
    Number,
    Text,
    List(Bound<'py, PyList>),
    Dict(&'s Bound<'py, PyDict>),
}

fn shape<'s, 'py>(value: &'s Bound<'py, PyAny>) -> Result<Shape<'s, 'py>, Error> {
    Ok(if value.is_instance_of::<PyString>() {
        Shape::Text
    } else if let Ok(dict) = value.cast::<PyDict>() {
        Shape::Dict(dict)
    } else if let Ok(list) = value.cast::<PyList>() {
        Shape::List(list.clone())
    } else if value.is_instance_of::<PyBool>() {
        Shape::Bool
    } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        Shape::Number
    } else if value.is_none() {
        Shape::Null
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        Shape::List(tuple.to_list())
    } else {
        return Err(no_json(value));
    })
}

/// A deep copy: of containers, for the rest cannot be changed.
pub fn copied<'py>(value: &Bound<'py, PyAny>, room: &mut Room) -> Result<Bound<'py, PyAny>, Error> {
    room.take(1)?;
    match shape(value)? {
        Shape::Dict(dict) => {
            room.open()?;
            let copy = PyDict::new(value.py());
            for (key, member) in dict {
                copy.set_item(key, copied(&member, room)?).map_err(failed)?;
            }
            room.close();
            Ok(copy.into_any())
        }
        Shape::List(items) => {
            room.open()?;
            let items = items.iter().map(|item| copied(&item, room)).collect::<Result<Vec<_>, _>>()?;
            room.close();
            PyList::new(value.py(), items).map(Bound::into_any).map_err(failed)
        }
        _ => Ok(value.clone()),
    }
}

fn equal<'py>(one: &Bound<'py, PyAny>, other: &Bound<'py, PyAny>, room: &mut Room) -> Result<bool, Error> {
    match (shape(one)?, shape(other)?) {
        (Shape::Dict(ones), Shape::Dict(others)) if ones.len() == others.len() => {
            room.open()?;
            for (key, one) in ones {
                match others.get_item(key).map_err(failed)? {
                    Some(other) if equal(&one, &other, room)? => {}
                    _ => return Ok(false),
                }
            }
            room.close();
            Ok(true)
        }
        (Shape::List(ones), Shape::List(others)) if ones.len() == others.len() => {
            room.open()?;
            for (one, other) in ones.iter().zip(others) {
                if !equal(&one, &other, room)? {
                    return Ok(false);
                }
            }
            room.close();
            Ok(true)
        }
        // Python compares integers and doubles by their exact values.
        (Shape::Null, Shape::Null)
        | (Shape::Bool, Shape::Bool)
        | (Shape::Number, Shape::Number)
        | (Shape::Text, Shape::Text) => one.eq(other).map_err(failed),
        _ => Ok(false),
    }
}

/// The member or item, if it is there.
fn child<'py>(container: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if let Ok(name) = key.cast_exact::<PyString>() {
        return raw::get(container.as_borrowed(), name.as_unbound()).map(Borrowed::to_owned);
    }
    let index = key.extract::<usize>().ok()?;
    match (container.cast::<PyList>(), container.cast::<PyTuple>()) {
        (Ok(list), _) if index < list.len() => list.get_item(index).ok(),
        (_, Ok(tuple)) if index < tuple.len() => tuple.get_item(index).ok(),
        _ => None,
    }
}

fn address(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr() as usize
}

/// What is no JSON value, by the name of its class.
pub fn no_json(value: &Bound<'_, PyAny>) -> Error {
    let class = value.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    Error::new(Code::WrongType, format!("expected a JSON value, not {class}"))
}

/// Something that Python raised where JSON values raise nothing. What it says may show contents.
#[allow(clippy::needless_pass_by_value)] // As `map_err` hands it over.
fn failed(_: PyErr) -> Error {
    Error::new(Code::Internal, "Python raised an exception")
}
