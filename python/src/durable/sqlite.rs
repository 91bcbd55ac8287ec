//! The engine on a disk. Its threads call back into Python.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use ag_ui_native::bindings::durable as core;
use pyo3::prelude::*;

use super::callback::{self, Callback, Calls};
use super::handles::{Hint, LogKey, Operation, Reply};
use crate::error::raised;

/// The logs of the processes of one machine, in a file.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
pub struct SqliteStore(core::SqliteStore);

/// A log that is watched, until `close` or the end of this object.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
pub struct SqliteWatch {
    watch: Mutex<Option<core::SqliteWatch>>,
    calls: Calls,
}

#[pymethods]
impl SqliteStore {
    /// Opens a file, or makes it. Raises AGUIError for a file that is none of ours.
    #[new]
    #[pyo3(signature = (path: "str"))]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| core::SqliteStore::open(path, core::SqliteOptions::default()));
        opened.map(Self).map_err(|error| raised(py, &error, None))
    }

    /// Executes an operation. `callback` is called from another thread with the reply, or with None and the reason.
    #[pyo3(signature = (operation: "Operation", callback: "Callable[[Reply | None, str | None], object]") -> "None")]
    fn execute(&self, py: Python<'_>, operation: &Operation, callback: Py<PyAny>) {
        let (operation, callback) = (operation.0.clone(), Callback::new(callback));
        py.detach(|| {
            self.0.execute(operation, move |reply| {
                callback.call(|| match reply {
                    Ok(reply) => (Some(Reply(reply)), None),
                    Err(error) => (None, Some(error.to_string())),
                });
            });
        });
    }

    /// Calls back from another thread when the log changes.
    #[pyo3(signature = (key: "LogKey", callback: "Callable[[Hint], object]") -> "SqliteWatch")]
    fn watch(&self, py: Python<'_>, key: &LogKey, callback: Py<PyAny>) -> PyResult<SqliteWatch> {
        let (key, callback) = (key.0.clone(), Callback::new(callback));
        let calls = callback.calls();
        let watch = py.detach(|| self.0.watch(key, move |hint| callback.call(|| (Hint(hint),))));
        watch
            .map(|watch| SqliteWatch { watch: Mutex::new(Some(watch)), calls })
            .map_err(|error| raised(py, &error, None))
    }

    /// Waits for the callbacks and transactions of all stores, and holds the next ones, until `after_fork` is called on the same thread.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn before_fork(py: Python<'_>) {
        // A callback that is called now needs the interpreter, and so does a thread between the two calls.
        py.detach(|| {
            callback::hold();
            core::SqliteStore::before_fork();
        });
    }

    /// Lets callbacks and transactions go on, in the parent and in the child.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn after_fork() {
        core::SqliteStore::after_fork();
        callback::release();
    }

    /// The interpreter ends: waits for the callbacks that are called now, and calls no others.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn before_exit(py: Python<'_>) {
        py.detach(callback::end);
    }

    /// Ends the store when its operations are done.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}

#[pymethods]
impl SqliteWatch {
    /// Ends the watch: `callback` is not called any more. A call that has begun goes on.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) {
        self.calls.end();
        let watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(watch) = watch {
            // To drop its callback is to wait for the end of a fork on another thread.
            py.detach(|| drop(watch));
        }
    }
}

impl Drop for SqliteWatch {
    fn drop(&mut self) {
        Python::attach(|py| self.close(py));
    }
}
