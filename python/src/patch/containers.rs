//! The built-in operations of `dict` and `list`, without overrides of their subclasses.

use pyo3::exceptions::{PyKeyError, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::c_api::{self, Exclusive, NoMemory};

/// Returns a shallow copy of a dict of any class. (Python's own copy runs the iteration of a class that overrides
/// it.)
pub fn dict_of<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    if dict.is_exact_instance_of::<PyDict>() {
        return dict.copy();
    }
    let copy = PyDict::new(dict.py());
    owned_members(dict).into_iter().try_for_each(|(key, member)| copy.set_item(key, member))?;
    Ok(copy)
}

/// Returns the members of a dict of any class.
pub fn owned_members<'py>(dict: &Bound<'py, PyDict>) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let exclusive = Exclusive::new(dict.py());
    let members =
        exclusive.members(dict.into()).map(|(key, member)| (exclusive.own(key), exclusive.own(member)));
    let members: Vec<_> = members.collect();
    drop(exclusive);
    members.into_iter().map(|(key, member)| (key.release(dict.py()), member.release(dict.py()))).collect()
}

/// True if the error means that a dict does not have the key.
pub fn is_missing(raised: &PyErr, key: &Bound<'_, PyAny>) -> bool {
    let py = key.py();
    let named = raised.value(py).getattr("args").and_then(|names| names.get_item(0));
    raised.is_instance_of::<PyKeyError>(py) && named.is_ok_and(|named| named.is(key))
}

/// Returns the items of a list or tuple of any class, as a list.
pub fn list_of<'py>(items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    if let Ok(list) = items.cast::<PyList>() {
        let py = items.py();
        // A garbage collection meanwhile could make it shorter.
        let copy = Exclusive::new(py).copy_list(list.into());
        let copy = copy.map_err(|NoMemory| PyMemoryError::new_err(()))?;
        return Ok(copy.release(py).cast_into()?);
    }
    PyList::new(items.py(), owned_items(items))
}

/// Returns the items of a list or tuple of any class.
pub fn owned_items<'py>(items: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
    let exclusive = Exclusive::new(items.py());
    let owned: Vec<_> = exclusive.items(items.into()).map(|item| exclusive.own(item)).collect();
    drop(exclusive);
    owned.into_iter().map(|item| item.release(items.py())).collect()
}

/// Returns the member or item, if it exists.
pub fn child<'py>(
    container: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if let Ok(name) = key.cast_exact::<PyString>() {
        return c_api::get(container.as_borrowed(), name.as_unbound());
    }
    let index = key.extract::<usize>()?;
    Ok(match (container.cast::<PyList>(), container.cast::<PyTuple>()) {
        (Ok(list), _) if index < list.len() => list.get_item(index).ok(),
        (_, Ok(tuple)) if index < tuple.len() => tuple.get_item(index).ok(),
        _ => None,
    })
}

/// Sets a member or an item.
pub fn put<'py>(
    container: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
) -> PyResult<()> {
    match container.cast::<PyDict>() {
        Ok(dict) => dict.set_item(key, value),
        Err(_) => container.cast::<PyList>()?.set_item(key.extract()?, value),
    }
}

/// Removes a member or an item.
pub fn delete<'py>(container: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<()> {
    match container.cast::<PyDict>() {
        Ok(dict) => dict.del_item(key),
        Err(_) => c_api::remove_item(container.cast::<PyList>()?, key.extract()?),
    }
}

/// Returns the address of an object. It identifies the object while that is alive.
pub fn address(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr() as usize
}
