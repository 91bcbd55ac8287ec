//! The engine on a disk. Its threads call back into Python.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ag_ui_native::bindings::durable as core;
use pyo3::prelude::*;

use super::handles::{Hint, LogKey, Operation, Reply};
use crate::error::raised;

/// The number of callbacks that are called now. An interpreter that ends tears down a thread that waits for it, which would abort the
/// process in the midst of one.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// True when the interpreter ends: nothing is called back any more.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// The longest wait for callbacks at the end.
const END_PATIENCE: Duration = Duration::from_secs(1);

/// Calls back from a thread of a store, unless the interpreter ends.
fn call_back(call: impl FnOnce(Python<'_>) -> PyResult<()>) {
    CALLS.fetch_add(1, SeqCst);
    if !HAS_ENDED.load(SeqCst) {
        let _ = Python::try_attach(|py| {
            if let Err(error) = call(py) {
                error.write_unraisable(py, None);
            }
        });
    }
    CALLS.fetch_sub(1, SeqCst);
}

/// The logs of the processes of one machine, in a file.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
pub struct SqliteStore(core::SqliteStore);

/// A log that is watched, until `close` or the end of this object.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
pub struct SqliteWatch(Mutex<Option<core::SqliteWatch>>);

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
        let operation = operation.0.clone();
        py.detach(|| {
            self.0.execute(operation, move |reply| {
                call_back(|py| {
                    let arguments = match reply {
                        Ok(reply) => (Some(Reply(reply)), None),
                        Err(error) => (None, Some(error.to_string())),
                    };
                    callback.call1(py, arguments).map(drop)
                });
            });
        });
    }

    /// Calls back from another thread when the log changes.
    #[pyo3(signature = (key: "LogKey", callback: "Callable[[Hint], object]") -> "SqliteWatch")]
    fn watch(&self, py: Python<'_>, key: &LogKey, callback: Py<PyAny>) -> PyResult<SqliteWatch> {
        let key = key.0.clone();
        let watch = py.detach(|| {
            self.0.watch(key, move |hint| {
                call_back(|py| callback.call1(py, (Hint(hint),)).map(drop));
            })
        });
        watch.map(|watch| SqliteWatch(Mutex::new(Some(watch)))).map_err(|error| raised(py, &error, None))
    }

    /// Waits for the transactions of all stores, and holds the next ones, until `after_fork` is called on the same thread.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn before_fork(py: Python<'_>) {
        // Another thread may be between the two calls, and needs the interpreter.
        py.detach(core::SqliteStore::before_fork);
    }

    /// Lets transactions go on in the parent.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn after_fork() {
        core::SqliteStore::after_fork();
    }

    /// Lets transactions go on in the child, where no thread of the parent calls back.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn after_fork_in_child() {
        CALLS.store(0, SeqCst);
        core::SqliteStore::after_fork();
    }

    /// The interpreter ends: waits for the callbacks that are called now, and calls no others.
    #[staticmethod]
    #[pyo3(signature = () -> "None")]
    fn before_exit(py: Python<'_>) {
        HAS_ENDED.store(true, SeqCst);
        py.detach(|| {
            let until = Instant::now() + END_PATIENCE;
            while CALLS.load(SeqCst) > 0 && Instant::now() < until {
                sleep(Duration::from_millis(1));
            }
        });
    }

    /// Ends the store when its operations are done.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}

#[pymethods]
impl SqliteWatch {
    /// Ends the watch.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) {
        let watch = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(watch));
    }
}
