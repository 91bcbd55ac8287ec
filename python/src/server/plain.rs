//! Converts states to plain JSON values: models, dataclasses and other objects give their JSON form.

use std::collections::HashMap;

use ag_ui_native::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::patch::{address, dict_of, owned_items};

/// Replaces the parts of a value that are no plain JSON by their JSON form: of models by `model_dump`, of other objects by pydantic's form.
/// Objects without a form stay. Containers are copied only if a part of them is replaced.
pub fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Ok(Plain::default().value(value, 0)?.unwrap_or_else(|| value.clone()))
}

/// The containers on the way to a value.
#[derive(Default)]
struct Plain<'py> {
    /// The visited containers by address, which are held so that addresses stay unique, with their replacements. A container inside itself
    /// stays.
    visited: HashMap<usize, (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)>,
}

impl<'py> Plain<'py> {
    /// The replacement of a value; `None` if it stays.
    fn value(&mut self, value: &Bound<'py, PyAny>, level: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        if value.is_none()
            || value.is_instance_of::<PyString>()
            || value.is_instance_of::<PyBool>()
            || value.is_instance_of::<PyInt>()
            || value.is_instance_of::<PyFloat>()
            || level > Limits::MAX_DEPTH
        {
            return Ok(None);
        }
        if let Some((_, replaced)) = self.visited.get(&address(value)) {
            return Ok(replaced.clone());
        }
        self.visited.insert(address(value), (value.clone(), None));
        let replaced = if let Ok(dict) = value.cast::<PyDict>() {
            self.dict(dict, level)?
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            self.list(value, level)?
        } else {
            asked(value)?
        };
        self.visited.insert(address(value), (value.clone(), replaced.clone()));
        Ok(replaced)
    }

    fn dict(&mut self, dict: &Bound<'py, PyDict>, level: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let copy = dict_of(dict)?;
        let mut changed = None;
        for (key, member) in copy.iter() {
            if let Some(replaced) = self.value(&member, level + 1)? {
                changed
                    .get_or_insert_with(|| copy.copy())
                    .as_ref()
                    .map_or(Ok(()), |changed| changed.set_item(key, replaced))?;
            }
        }
        Ok(changed.transpose()?.map(Bound::into_any))
    }

    fn list(&mut self, list: &Bound<'py, PyAny>, level: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut items = owned_items(list);
        let mut is_changed = false;
        for item in &mut items {
            if let Some(replaced) = self.value(item, level + 1)? {
                (*item, is_changed) = (replaced, true);
            }
        }
        is_changed.then(|| PyList::new(list.py(), items).map(Bound::into_any)).transpose()
    }
}

/// The JSON form that an object's own methods give, if there are any.
fn asked<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    let options = PyDict::new(py);
    options.set_item(intern!(py, "by_alias"), true)?;
    if let Some(dump) = value.getattr_opt(intern!(py, "model_dump"))?
        && !value.is_instance_of::<pyo3::types::PyType>()
    {
        options.set_item(intern!(py, "mode"), intern!(py, "json"))?;
        return dump.call((), Some(&options)).map(Some);
    }
    let made = py.import("pydantic_core")?.call_method("to_jsonable_python", (value,), Some(&options));
    match made {
        Ok(made) if made.is(value) => Ok(None),
        Ok(made) => Ok(Some(made)),
        // pydantic has no form for it.
        Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}
