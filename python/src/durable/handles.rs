//! What engines take and give, as opaque objects, and as dictionaries for engines of applications.

use ag_ui_native::bindings::durable as core;
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};
use pythonize::{depythonize, pythonize};
use serde::de::DeserializeOwned;

use crate::error::{guard, raised};

/// The name of a log.
#[pyclass(module = "ag_ui_native.durable.rules", frozen, eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct LogKey(pub core::LogKey);

/// An operation of an engine.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Operation(pub core::Operation);

/// The reply to an operation.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Reply(pub core::Reply);

/// News of a log.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Hint(pub core::Hint);

/// The forms are less deep.
const MAX_DEPTH: usize = 64;

/// Reads a dictionary. A value of another form is an AGUIValidationError.
fn read<T: DeserializeOwned>(form: &Bound<'_, PyAny>, kind: &str) -> PyResult<T> {
    let py = form.py();
    let refused =
        |reason: String| raised(py, &Error::new(Code::WrongType, format!("expected {kind}: {reason}")), None);
    guard(py, || {
        if !is_json(form, MAX_DEPTH) {
            return Err(refused("the value is no JSON, or too deep".into()));
        }
        depythonize(form).map_err(|error| refused(error.to_string()))
    })
}

/// True for plain JSON of at most this depth. Reading it recurses.
fn is_json(value: &Bound<'_, PyAny>, depth: usize) -> bool {
    if let Ok(members) = value.cast::<PyDict>() {
        depth > 0 && members.iter().all(|(_, member)| is_json(&member, depth - 1))
    } else if let Ok(items) = value.cast::<PyList>() {
        depth > 0 && items.iter().all(|item| is_json(&item, depth - 1))
    } else {
        value.is_none()
            || value.is_instance_of::<PyString>()
            || value.is_instance_of::<PyInt>()
            || value.is_instance_of::<PyFloat>()
    }
}

#[pymethods]
impl LogKey {
    /// The log of a run. Raises AGUILimitError for an id that is too long.
    #[new]
    #[pyo3(signature = (scope: "str", thread_id: "str", run_id: "str"))]
    fn new(py: Python<'_>, scope: &str, thread_id: &str, run_id: &str) -> PyResult<Self> {
        core::LogKey::new(scope, thread_id, run_id).map(Self).map_err(|error| raised(py, &error, None))
    }

    /// The key as a dictionary.
    #[pyo3(signature = () -> "dict[str, Any]")]
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0)?)
    }

    /// The key of a dictionary.
    #[staticmethod]
    #[pyo3(signature = (form: "dict[str, Any]") -> "LogKey")]
    fn from_json(form: &Bound<'_, PyAny>) -> PyResult<Self> {
        read(form, "a key").map(Self)
    }
}

#[pymethods]
impl Operation {
    /// The operation as a dictionary.
    #[pyo3(signature = () -> "dict[str, Any]")]
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0)?)
    }

    /// The operation of a dictionary. Raises AGUIValidationError for another form.
    #[staticmethod]
    #[pyo3(signature = (form: "dict[str, Any]") -> "Operation")]
    fn from_json(form: &Bound<'_, PyAny>) -> PyResult<Self> {
        read(form, "an operation").map(Self)
    }

    /// Deletes a thread: its snapshot and the logs of its runs. Raises AGUILimitError for an id that is too long.
    #[staticmethod]
    #[pyo3(signature = (scope: "str", thread_id: "str") -> "Operation")]
    fn delete_thread(py: Python<'_>, scope: &str, thread_id: &str) -> PyResult<Self> {
        core::Operation::delete_thread(scope, thread_id).map(Self).map_err(|error| raised(py, &error, None))
    }
}

#[pymethods]
impl Reply {
    /// The reply as a dictionary.
    #[pyo3(signature = () -> "dict[str, Any]")]
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0)?)
    }

    /// The reply of a dictionary. Raises AGUIValidationError for another form.
    #[staticmethod]
    #[pyo3(signature = (form: "dict[str, Any]") -> "Reply")]
    fn from_json(form: &Bound<'_, PyAny>) -> PyResult<Self> {
        read(form, "a reply").map(Self)
    }
}

#[pymethods]
impl Hint {
    /// The hint as a dictionary.
    #[pyo3(signature = () -> "dict[str, Any]")]
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0)?)
    }

    /// The hint of a dictionary. Raises AGUIValidationError for another form.
    #[staticmethod]
    #[pyo3(signature = (form: "dict[str, Any]") -> "Hint")]
    fn from_json(form: &Bound<'_, PyAny>) -> PyResult<Self> {
        read(form, "a hint").map(Self)
    }
}
