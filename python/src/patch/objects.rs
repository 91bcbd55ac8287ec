//! Python's dicts and lists as the holder of a document.

use std::cell::Cell;
use std::collections::HashMap;

use ag_ui_native::host::patch::{Access, Holder, Key, Kind, Removed, Room, Tree as CoreTree};
use ag_ui_native::host::read::Build;
use ag_ui_native::{Code, Error, Value};
use pyo3::Borrowed;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::tree::number;
use crate::build::Dicts;
use crate::keys::Keys;
use crate::raw::{self, Obj, Still};

/// Patches Python objects. Containers are changed by what `dict` and `list` do themselves, whatever their classes put over
/// it, so that all can be undone.
pub struct Objects<'py> {
    py: Python<'py>,
    /// Change what is there, instead of copying what lies along the way.
    in_place: bool,
    /// The containers copied so far, by their addresses.
    copied: Known<'py>,
    /// The dicts whose order is on record, by their addresses.
    ordered: Known<'py>,
    /// Tuples that gave way to lists: where, and what stood there.
    tuples: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    /// What Python code raised. It goes on when everything is as it was.
    raised: Option<PyErr>,
    keys: Box<Keys>,
}

/// Objects by their addresses, which stay theirs as long as they are held.
type Known<'py> = HashMap<usize, Bound<'py, PyAny>>;

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
        let (copied, ordered) = (Known::new(), Known::new());
        Self { py, in_place, copied, ordered, tuples: Vec::new(), raised: None, keys }
    }

    /// After a failure, when all else is undone: puts back the tuples. Returns what Python code raised.
    pub fn give_up(&mut self) -> Option<PyErr> {
        while let Some((container, key, tuple)) = self.tuples.pop() {
            let _ = put(&container, &key, &tuple).map_err(|raised| self.failed(raised));
        }
        self.raised.take()
    }

    /// Keeps what Python code raised.
    fn failed(&mut self, raised: PyErr) -> Error {
        self.raised.get_or_insert(raised);
        Error::new(Code::Internal, "Python raised an exception")
    }

    /// A copy of a container that must not be changed itself.
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

    /// The member or item, if it is there.
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
        let Some(child) = self.child(&at, &key)? else { return Ok(None) };
        if access == Access::Write
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
        at: Self::At<'_>,
        key: &Key<'_>,
        value: Self::Value,
        place: Option<Self::Place>,
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
        at: Self::At<'_>,
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
        at: Self::At<'_>,
        key: &Key<'_>,
        value: Self::Value,
    ) -> Result<Option<Self::Value>, Error> {
        let key = self.key(key)?;
        let Some(old) = self.child(&at, &key)? else { return Ok(None) };
        self.put(&at, &key, &value)?;
        Ok(Some(old))
    }

    fn remove(&mut self, at: Self::At<'_>, key: &Key<'_>) -> Result<Option<Removed<Self>>, Error> {
        let key = self.key(key)?;
        let Some(value) = self.child(&at, &key)? else { return Ok(None) };
        let place = match at.cast::<PyDict>() {
            Ok(dict) if self.in_place && self.ordered.insert(address(&at), at.clone()).is_none() => {
                Some(dict_of(dict).map_err(|raised| self.failed(raised))?)
            }
            _ => None,
        };
        match delete(&at, &key) {
            // Comparing it with other keys has taken it out.
            Err(raised) if is_missing(&raised, &key) => Ok(None),
            Err(raised) => Err(self.failed(raised)),
            Ok(()) => Ok(Some((value, place))),
        }
    }

    fn copy(&mut self, at: &Self::At<'_>, room: &mut Room) -> Result<Self::Value, Error> {
        copied(&Still::new(self.py), at.as_borrowed(), room)
    }

    fn adopt(&mut self, given: Given<'_, 'py>, room: &mut Room) -> Result<Self::Value, Error> {
        match given {
            Given::Object(object) => copied(&Still::new(self.py), object, room),
            Given::Value(value) => {
                CoreTree.measure(value, room)?;
                Ok(self.python_of(value))
            }
        }
    }

    fn measure(&mut self, value: &Self::Value, room: &mut Room) -> Result<(), Error> {
        measured(&Still::new(self.py), value.as_borrowed(), room)
    }

    fn equals(&mut self, at: &Self::At<'_>, given: Given<'_, 'py>, room: &mut Room) -> Result<bool, Error> {
        let made;
        let given = match given {
            Given::Object(object) => object,
            Given::Value(value) => {
                made = self.python_of(value);
                made.as_borrowed()
            }
        };
        equal(&Still::new(self.py), at.as_borrowed(), given, room)
    }
}

/// What a JSON value is, in Python.
enum Shape<'s, 'py> {
    Null,
    Bool(bool),
    Number,
    Text,
    List(raw::Items<'s, 'py>),
    Dict(raw::Members<'s, 'py>),
}

fn shape<'s, 'py>(still: &'s Still<'py>, value: Obj<'s, 'py>) -> Result<Shape<'s, 'py>, Error> {
    Ok(if value.is_instance_of::<PyString>() {
        Shape::Text
    } else if value.is_instance_of::<PyDict>() {
        Shape::Dict(still.members(value))
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        Shape::List(still.items(value))
    } else if value.is_instance_of::<PyBool>() {
        Shape::Bool(raw::is_true(value))
    } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        Shape::Number
    } else if value.is_none() {
        Shape::Null
    } else {
        return Err(no_json(&value));
    })
}

/// A deep copy: of containers, for the rest cannot be changed. Its keys are exactly `str`. All of it is of one moment.
pub fn copied<'py>(
    still: &Still<'py>,
    value: Obj<'_, 'py>,
    room: &mut Room,
) -> Result<Bound<'py, PyAny>, Error> {
    let py = value.py();
    room.take(1)?;
    match shape(still, value)? {
        Shape::Dict(members) => {
            room.open()?;
            let copy = PyDict::new(py);
            for (key, member) in members {
                let key = key.cast::<PyString>().map_err(|_| no_json(&key))?;
                let key = raw::plain_text(&key).map_err(no_memory)?;
                copy.set_item(key, copied(still, member, room)?).map_err(no_memory)?;
            }
            room.close();
            Ok(copy.into_any())
        }
        Shape::List(items) => {
            room.open()?;
            let items = items.map(|item| copied(still, item, room)).collect::<Result<Vec<_>, _>>()?;
            room.close();
            PyList::new(py, items).map(Bound::into_any).map_err(no_memory)
        }
        _ => Ok(value.to_owned()),
    }
}

fn measured<'py>(still: &Still<'py>, value: Obj<'_, 'py>, room: &mut Room) -> Result<(), Error> {
    room.take(1)?;
    match shape(still, value)? {
        Shape::Dict(mut members) => {
            room.open()?;
            members.try_for_each(|(_, member)| measured(still, member, room))?;
            room.close();
        }
        Shape::List(mut items) => {
            room.open()?;
            items.try_for_each(|item| measured(still, item, room))?;
            room.close();
        }
        _ => {}
    }
    Ok(())
}

fn equal<'py>(
    still: &Still<'py>,
    one: Obj<'_, 'py>,
    other: Obj<'_, 'py>,
    room: &mut Room,
) -> Result<bool, Error> {
    match (shape(still, one)?, shape(still, other)?) {
        (Shape::Dict(ones), Shape::Dict(others)) if ones.len() == others.len() => {
            room.open()?;
            let is_equal = equal_members(still, ones, others, room)?;
            room.close();
            Ok(is_equal)
        }
        (Shape::List(ones), Shape::List(others)) if ones.len() == others.len() => {
            room.open()?;
            for (one, other) in ones.zip(others) {
                if !equal(still, one, other, room)? {
                    return Ok(false);
                }
            }
            room.close();
            Ok(true)
        }
        (Shape::Null, Shape::Null) => Ok(true),
        (Shape::Bool(one), Shape::Bool(other)) => Ok(one == other),
        (Shape::Number, Shape::Number) => Ok(number(one).same_value(&number(other))),
        (Shape::Text, Shape::Text) => Ok(raw::same_text(one, other)),
        _ => Ok(false),
    }
}

/// Whether as many members have the same names and values. They mostly stand in the same order.
fn equal_members<'a, 'py>(
    still: &'a Still<'py>,
    mut ones: raw::Members<'a, 'py>,
    mut others: raw::Members<'a, 'py>,
    room: &mut Room,
) -> Result<bool, Error> {
    let (mut left, mut right) = (Vec::new(), HashMap::new());
    while let (Some(one), Some(other)) = (ones.next(), others.next()) {
        if left.is_empty() && raw::same_text(name(one.0)?, name(other.0)?) {
            if !equal(still, one.1, other.1, room)? {
                return Ok(false);
            }
        } else {
            left.push((text(one.0)?, one.1));
            right.insert(text(other.0)?, other.1);
        }
    }
    for (name, one) in left {
        match right.remove(name) {
            Some(other) if equal(still, one, other, room)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// A key that is a string.
fn name<'a, 'py>(key: Obj<'a, 'py>) -> Result<Obj<'a, 'py>, Error> {
    if key.is_instance_of::<PyString>() { Ok(key) } else { Err(no_json(&key)) }
}

fn text<'a>(key: Obj<'a, '_>) -> Result<&'a str, Error> {
    raw::utf8(name(key)?).ok_or_else(|| Error::new(Code::LoneSurrogate, "in a key"))
}

/// A copy of a dict of any class, its values shared. (What Python itself copies of a class that iterates in its own way runs
/// that.)
fn dict_of<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    if dict.is_exact_instance_of::<PyDict>() {
        return dict.copy();
    }
    let owned: Vec<_> = {
        let still = Still::new(dict.py());
        still
            .members(dict.as_any().as_borrowed())
            .map(|(key, member)| (key.to_owned(), member.to_owned()))
            .collect()
    };
    let copy = PyDict::new(dict.py());
    owned.into_iter().try_for_each(|(key, member)| copy.set_item(key, member))?;
    Ok(copy)
}

/// Whether it is the error of a dict without the key.
fn is_missing(raised: &PyErr, key: &Bound<'_, PyAny>) -> bool {
    let py = key.py();
    let named = raised.value(py).getattr("args").and_then(|names| names.get_item(0));
    raised.is_instance_of::<PyKeyError>(py) && named.is_ok_and(|named| named.is(key))
}

/// The items of a list or tuple of any class, as a list.
fn list_of<'py>(items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    if let Ok(list) = items.cast::<PyList>() {
        // A collection meanwhile could make it shorter.
        let _still = Still::new(items.py());
        return Ok(list.get_slice(0, list.len()));
    }
    PyList::new(items.py(), owned_items(items))
}

/// The items of a list or tuple of any class.
pub fn owned_items<'py>(items: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
    let still = Still::new(items.py());
    still.items(items.as_borrowed()).map(Borrowed::to_owned).collect()
}

/// The member or item, if it is there.
fn child<'py>(container: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if let Ok(name) = key.cast_exact::<PyString>() {
        return raw::get(container.as_borrowed(), name.as_unbound());
    }
    let index = key.extract::<usize>()?;
    Ok(match (container.cast::<PyList>(), container.cast::<PyTuple>()) {
        (Ok(list), _) if index < list.len() => list.get_item(index).ok(),
        (_, Ok(tuple)) if index < tuple.len() => tuple.get_item(index).ok(),
        _ => None,
    })
}

/// Sets a member or an item.
fn put<'py>(
    container: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
) -> PyResult<()> {
    match container.cast::<PyDict>() {
        Ok(dict) => dict.set_item(key, value),
        Err(_) => container.cast::<PyList>()?.set_item(key.extract()?, value),
    }
}

/// Takes out a member or an item.
fn delete<'py>(container: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<()> {
    match container.cast::<PyDict>() {
        Ok(dict) => dict.del_item(key),
        Err(_) => raw::remove_item(container.cast::<PyList>()?, key.extract()?),
    }
}

fn address(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr() as usize
}

/// What is no JSON value, by the name of its class.
pub fn no_json(value: &Bound<'_, PyAny>) -> Error {
    // The name may be of a class of its own that says how it is printed.
    let name = value.get_type().name();
    let class =
        name.as_ref().ok().and_then(|name| raw::utf8(name.as_any().as_borrowed())).unwrap_or_default();
    Error::new(Code::WrongType, format!("expected a JSON value, not {class}"))
}

#[allow(clippy::needless_pass_by_value)] // As `map_err` hands it over.
fn no_memory(_: PyErr) -> Error {
    Error::new(Code::Internal, "no memory")
}
