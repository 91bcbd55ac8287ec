//! Starting the engine: it looks at the installed pydantic first, and stays off where it finds anything else than
//! what it knows.

use pyo3::exceptions::{PyImportError, PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::plan::Registry;
use crate::{instance, metaclass, method};

/// Puts the engine under `classes` (by name), whose base is `base`. If it cannot work with the installed pydantic, a
/// warning says so and the classes stay plain pydantic.
pub fn start(
    base: &Bound<'_, PyType>,
    classes: &Bound<'_, PyDict>,
    event_type: &Bound<'_, PyAny>,
) -> PyResult<()> {
    static BASE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = base.py();
    let is_new = BASE.get(py).is_none();
    claim(&BASE, base.as_any())?;
    if is_new && let Err(error) = try_start(base, classes, event_type) {
        if let Some(registry) = Registry::get() {
            metaclass::disengage(py, registry);
        }
        warn(py, &error)?;
    }
    Ok(())
}

/// Notes the package's module, which holds the exceptions and classes that native code refers to from now on.
pub fn claim_package(package: &Bound<'_, PyAny>) -> PyResult<()> {
    static PACKAGE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    claim(&PACKAGE, package)
}

/// Native code knows one family of classes for as long as the process lives. Another, of modules that were dropped from
/// `sys.modules` and imported again, would meet objects of the first at every turn.
fn claim(known: &PyOnceLock<Py<PyAny>>, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = object.py();
    if known.get_or_init(py, || object.clone().unbind()).bind(py).is(object) {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "ag_ui_native has been imported before in this process, and its native part knows the classes of that time; \
         keep its modules in sys.modules, or start a new process",
    ))
}

/// Imports the classes for those who have not: with them the engine starts.
pub fn need_classes(py: Python<'_>) -> PyResult<()> {
    static CORE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    CORE.get_or_try_init(py, || py.import("ag_ui_native.core").map(Bound::unbind)).map(|_| ())
}

/// Our metaclass; pydantic's own where ours cannot be made.
pub fn metaclass(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    metaclass::metaclass(py).or_else(|error| {
        warn(py, &error)?;
        Ok(py.import("pydantic")?.getattr("BaseModel")?.get_type())
    })
}

fn warn(py: Python<'_>, error: &PyErr) -> PyResult<()> {
    let message = std::ffi::CString::new(format!(
        "ag_ui_native does not know this pydantic and runs without its native engine: {error}"
    ))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 2)
}

fn try_start(
    base: &Bound<'_, PyType>,
    classes: &Bound<'_, PyDict>,
    event_type: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = base.py();
    instance::find_slots(base)?;
    let registry = Registry::start(classes, event_type)?;
    instance::lay_descriptors(base)?;
    method::lay_model_methods(base)?;
    metaclass::engage(py, registry);
    let passed = [false, true].into_iter().any(|eager| {
        instance::set_eager(eager);
        check(classes).is_ok()
    });
    if passed { Ok(()) } else { check(classes) }
}

/// Makes one instance both ways and compares everything there is to see of them.
fn check(classes: &Bound<'_, PyDict>) -> PyResult<()> {
    let py = classes.py();
    let class = classes.as_any().get_item("TextMessageContentEvent")?;
    let values = PyDict::new(py);
    values.set_item("message_id", "m")?;
    values.set_item("delta", "d")?;
    let ours = class.call((), Some(&values))?;
    let theirs = class.call_method1("model_validate", (&values,))?;
    for attribute in ["__dict__", "model_fields_set", "model_extra", "__pydantic_private__"] {
        let (one, other) = (ours.getattr(attribute)?, theirs.getattr(attribute)?);
        if !one.eq(&other)? || !one.get_type().is(other.get_type()) {
            return Err(PyRuntimeError::new_err(format!("{attribute} differs")));
        }
    }
    let same_keys =
        ours.getattr("__dict__")?.repr()?.to_str()? == theirs.getattr("__dict__")?.repr()?.to_str()?;
    let same_dump = ours.call_method0("model_dump_json")?.eq(theirs.call_method0("model_dump_json")?)?;
    if !ours.eq(&theirs)? || !same_keys || !same_dump {
        return Err(PyRuntimeError::new_err("an instance differs"));
    }
    Ok(())
}
