//! Raises core's errors as Python exceptions. A panic becomes an `AGUIInternalError`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ui_native::bindings::{Category, documentation};
use ag_ui_native::{Code, Error, Issue, Rule};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use pythonize::pythonize;
use serde::Serialize;

const MODULE: &str = "ag_ui_native.errors";

/// Returns the class for a category of errors.
fn class(py: Python<'_>, category: Category) -> PyResult<&Bound<'_, PyType>> {
    static CLASSES: [PyOnceLock<Py<PyType>>; Category::ALL.len()] =
        [const { PyOnceLock::new() }; Category::ALL.len()];
    let (index, name) = match category {
        Category::Validation => (0, "AGUIValidationError"),
        Category::Stream => (1, "AGUIStreamError"),
        Category::Limit => (2, "AGUILimitError"),
        Category::Sequence => (3, "AGUISequenceError"),
        Category::Patch => (4, "AGUIPatchError"),
        Category::Connection => (5, "AGUIConnectionError"),
        Category::Internal => (6, "AGUIInternalError"),
    };
    CLASSES[index].import(py, MODULE, name)
}

/// Returns the Python object of an issue.
fn issue<'py>(py: Python<'py>, issue: &Issue) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, MODULE, "Issue")?.call1((issue.code.as_str(), &issue.path, issue.message()))
}

/// Returns the Python object of a warning.
pub fn warning<'py>(
    py: Python<'py>,
    issue: &Issue,
    event_index: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, MODULE, "ProtocolWarning")?;
    let rule = issue.rule.map(Rule::as_str);
    class.call1((issue.code.as_str(), &issue.path, issue.message(), event_index, rule))
}

/// The attributes of an exception.
#[derive(Serialize)]
struct Payload<'e> {
    code: &'static str,
    path: &'e str,
    event_index: Option<usize>,
    event_type: Option<&'static str>,
    rule: Option<&'static str>,
    limit: Option<&'static str>,
    offset: Option<usize>,
    operation: Option<usize>,
}

/// Returns the exception for an error of core, with the events made before it.
pub fn raised(py: Python<'_>, error: &Error, partial: Option<Bound<'_, PyList>>) -> PyErr {
    let made = (|| {
        let issues = error.issues.iter().map(|found| issue(py, found)).collect::<PyResult<Vec<_>>>()?;
        let payload = Payload {
            code: error.code().as_str(),
            path: error.path(),
            event_index: error.event_index,
            event_type: error.event_type,
            rule: error.rule().map(Rule::as_str),
            limit: error.limit,
            offset: error.offset,
            operation: error.operation,
        };
        let named = pythonize(py, &payload)?.cast_into::<PyDict>()?;
        named.set_item("issues", PyTuple::new(py, issues)?)?;
        named.set_item("partial", partial.unwrap_or_else(|| PyList::empty(py)))?;
        class(py, error.code().category())?.call((error.to_string(),), Some(&named))
    })();
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The address of the documentation of a broken rule or of a code; `None` if the code is not of this package.
#[pyfunction]
#[pyo3(signature = (code: "str", rule: "str | None" = None) -> "str | None")]
pub fn documentation_of(code: &str, rule: Option<&str>) -> Option<String> {
    documentation::documentation_of(code, rule)
}

/// Returns the result of an optional call of a foreign object: `None` if it raises an `Exception`. Interrupts are
/// passed on.
pub fn asked<T>(py: Python<'_>, answer: PyResult<T>) -> PyResult<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_instance_of::<PyException>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Runs `body`. A panic in it becomes an exception.
#[inline]
pub fn guard<T>(py: Python<'_>, body: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        let what = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("panic");
        Err(raised(py, &Error::new(Code::Internal, what.chars().take(200).collect::<String>()), None))
    })
}
