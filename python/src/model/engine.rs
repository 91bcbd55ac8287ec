//! Starts the engine. It checks the installed pydantic first, and stays off if pydantic behaves differently from the
//! known versions.

use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::model::package::claim;
use crate::model::registry::Registry;
use crate::model::{call, instance, json, metaclass, methods, pydantic, slots, validate};

/// Attaches the engine to `classes` (by name), whose base is `base`. If the installed pydantic does not fit, this
/// issues a warning, and the classes stay plain pydantic.
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
        metaclass::disengage(py);
        warn(py, &error)?;
    }
    Ok(())
}

/// Returns our metaclass, or pydantic's own if ours cannot be made.
pub fn metaclass(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    metaclass::metaclass(py).or_else(|error| {
        warn(py, &error)?;
        Ok(py.import("pydantic")?.getattr("BaseModel")?.get_type())
    })
}

fn warn(py: Python<'_>, error: &PyErr) -> PyResult<()> {
    let message = std::ffi::CString::new(format!(
        "ag_ui_native does not support this version of pydantic, so it runs without its native engine: {error}"
    ))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 2)
}

fn try_start(
    base: &Bound<'_, PyType>,
    classes: &Bound<'_, PyDict>,
    event_type: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = base.py();
    slots::find_slots(py)?;
    let registry = Registry::start(classes, event_type)?;
    instance::lay_descriptors(base)?;
    pydantic::set_base(base)?;
    json::lay_methods(base)?;
    validate::lay_methods(base)?;
    methods::lay_methods(base)?;
    metaclass::engage(py, registry.plans(), call::call);
    let passed = [false, true].into_iter().any(|eager| {
        instance::set_eager(eager);
        check(classes).is_ok()
    });
    if passed { Ok(()) } else { check(classes) }
}

/// Makes one instance in both ways and compares all visible properties.
fn check(classes: &Bound<'_, PyDict>) -> PyResult<()> {
    let py = classes.py();
    let class = classes.as_any().get_item("TextMessageContentEvent")?;
    let values = PyDict::new(py);
    values.set_item("message_id", "m")?;
    values.set_item("delta", "d")?;
    let ours = class.call((), Some(&values))?;
    let validator = class.getattr("__pydantic_validator__")?;
    // With these options, pydantic makes the instance itself.
    let options = PyDict::new(py);
    options.set_item("by_alias", false)?;
    options.set_item("by_name", true)?;
    let theirs = validator.call_method("validate_python", (&values,), Some(&options))?;
    for attribute in ["__dict__", "model_fields_set", "model_extra", "__pydantic_private__"] {
        let (one, other) = (ours.getattr(attribute)?, theirs.getattr(attribute)?);
        if !one.eq(&other)? || !one.get_type().is(other.get_type()) {
            return Err(PyRuntimeError::new_err(format!(
                "{attribute} of an instance differs from that of pydantic"
            )));
        }
    }
    let same_keys =
        ours.getattr("__dict__")?.repr()?.to_str()? == theirs.getattr("__dict__")?.repr()?.to_str()?;
    let same_dump = ours.call_method0("model_dump_json")?.eq(theirs.call_method0("model_dump_json")?)?;
    if !ours.eq(&theirs)? || !same_keys || !same_dump {
        return Err(PyRuntimeError::new_err("an instance differs from that of pydantic"));
    }
    Ok(())
}
