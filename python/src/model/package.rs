//! The Python package of this native module.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Stores the package's module, whose exceptions and classes native code uses from now on.
pub fn claim_package(package: &Bound<'_, PyAny>) -> PyResult<()> {
    static PACKAGE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    claim(&PACKAGE, package)
}

/// Stores `object`, and fails if another one is stored already. Native code works with one family of classes during
/// the whole process. A second family, from modules that were removed from `sys.modules` and imported again, would
/// get objects of the first.
pub fn claim(known: &PyOnceLock<Py<PyAny>>, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = object.py();
    if known.get_or_init(py, || object.clone().unbind()).bind(py).is(object) {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "ag_ui_native has been imported before in this process, and its native part knows the classes of that time; \
         keep its modules in sys.modules, or start a new process",
    ))
}

/// Imports the classes if they are not imported yet. The engine starts with them.
pub fn require_classes(py: Python<'_>) -> PyResult<()> {
    static CORE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    CORE.get_or_try_init(py, || py.import("ag_ui_native.core").map(Bound::unbind)).map(|_| ())
}
