//! Redis as an engine: the words of commands, and the meaning of replies.

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{EngineFailure, RedisReply, RedisStep};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyString};

use super::handles::{Hint, LogKey, Operation, Reply};
use crate::bytes::bytes_of;
use crate::error::raised;
use crate::turns::Turns;

/// The lists in a reply are less deep.
const MAX_DEPTH: usize = 4;

/// The names of the keys.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct RedisKeyspace(core::RedisKeyspace);

/// An operation on its way.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct RedisOperation(Turns<core::RedisOperation>);

#[pymethods]
impl RedisKeyspace {
    /// Keys that begin with this prefix.
    #[new]
    #[pyo3(signature = (prefix: "str"))]
    fn new(prefix: &str) -> Self {
        Self(core::RedisKeyspace::new(prefix))
    }

    /// The channel of a log's hints.
    #[pyo3(signature = (key: "LogKey") -> "str")]
    fn channel(&self, key: &LogKey) -> String {
        self.0.channel(&key.0)
    }

    /// The hint of a message on such a channel; None for other messages.
    #[pyo3(signature = (message: "bytes | str") -> "Hint | None")]
    fn hint(&self, message: &Bound<'_, PyAny>) -> PyResult<Option<Hint>> {
        let hint = match message.cast::<PyString>() {
            Ok(text) => text.to_str().ok().and_then(|text| self.0.hint(text.as_bytes())),
            Err(_) => self.0.hint(bytes_of(message)?.as_bytes()),
        };
        Ok(hint.map(Hint))
    }

    /// Begins an operation.
    #[pyo3(signature = (operation: "Operation") -> "RedisOperation")]
    fn begin(&self, operation: &Operation) -> RedisOperation {
        RedisOperation(Turns::new(self.0.begin(operation.0.clone())))
    }
}

#[pymethods]
impl RedisOperation {
    /// The words of the first command.
    #[pyo3(signature = () -> "list[str] | Reply")]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        step(py, self.0.with(py, |operation| Ok(operation.start()))?)
    }

    /// Takes the reply to a command. Returns the words of the next one, or the reply to the operation. Raises AGUIError if it has failed.
    #[pyo3(signature = (value: "object") -> "list[str] | Reply")]
    fn reply<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let reply = read(value, MAX_DEPTH)?.ok_or(EngineFailure);
        step(py, self.0.with(py, |operation| Ok(operation.reply(reply)))?)
    }

    /// A warning for the application; None if there is none.
    #[pyo3(signature = () -> "str | None")]
    fn warning(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.0.with(py, |operation| Ok(operation.warning().map(str::to_owned)))
    }

    /// Takes the error that Redis reports for a command; its first word is its code.
    #[pyo3(signature = (message: "str") -> "list[str] | Reply")]
    fn error<'py>(&self, py: Python<'py>, message: String) -> PyResult<Bound<'py, PyAny>> {
        step(py, self.0.with(py, |operation| Ok(operation.reply(Ok(RedisReply::Error(message)))))?)
    }
}

fn step(py: Python<'_>, step: RedisStep) -> PyResult<Bound<'_, PyAny>> {
    Ok(match step {
        RedisStep::Send(words) => PyList::new(py, words)?.into_any(),
        RedisStep::Done(Ok(reply)) => Bound::new(py, Reply(reply))?.into_any(),
        RedisStep::Done(Err(error)) => return Err(raised(py, &error, None)),
    })
}

/// Reads the value of a client's reply. `None` for a value that Redis does not send.
fn read(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Option<RedisReply>> {
    Ok(if value.is_none() {
        Some(RedisReply::Nil)
    } else if let Ok(bytes) = value.cast::<PyBytes>() {
        Some(RedisReply::Bytes(bytes.as_bytes().to_vec()))
    } else if let Ok(text) = value.cast::<PyString>() {
        text.to_str().ok().map(|text| RedisReply::Bytes(text.as_bytes().to_vec()))
    } else if let Ok(integer) = value.cast::<PyInt>() {
        integer.extract().ok().map(RedisReply::Integer)
    } else if let Ok(list) = value.cast::<PyList>() {
        if depth == 0 {
            return Ok(None);
        }
        let items: Option<Vec<_>> =
            list.iter().map(|item| read(&item, depth - 1)).collect::<PyResult<_>>()?;
        items.map(RedisReply::List)
    } else {
        None
    })
}
