//! Encodes events that the engine does not know: pydantic writes other models, core writes
//! dictionaries.

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::rewrite::event_text;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString, PyType};

use crate::c_api::Obj;
use crate::error::raised;
use crate::model::encode::number_style;
use crate::report::report_issues;
use crate::server::value::json_text;

/// Returns the event's JSON; empty if it is a dictionary that the rules drop. `now` replaces a missing timestamp.
#[cold]
pub fn json_of(event: Obj<'_, '_>, rules: Rules, now: Option<i64>) -> PyResult<String> {
    let py = event.py();
    if let Ok(mapping) = event.cast::<PyMapping>() {
        return by_core(&py.get_type::<PyDict>().call1((mapping,))?, rules, now);
    }
    if event.is_instance_of::<PyType>() || !event.hasattr(intern!(py, "model_dump_json"))? {
        let class = event.get_type().name()?;
        let expected = "an event, another pydantic model, or a dictionary with the keys of the wire";
        return Err(PyTypeError::new_err(format!("event: expected {expected}, got {class}")));
    }
    by_pydantic(event, now)
}

/// Encodes a dictionary. It has no class, so it is validated first.
fn by_core(event: &Bound<'_, PyAny>, rules: Rules, now: Option<i64>) -> PyResult<String> {
    let py = event.py();
    let written = event_text(&json_text(event, "")?, rules, number_style(py), now);
    let (text, warnings) = written.map_err(|error| raised(py, &error, None))?;
    report_issues(py, &warnings, None, None)?;
    Ok(text.unwrap_or_default())
}

/// Returns the event's JSON, written by pydantic.
fn by_pydantic(event: Obj<'_, '_>, now: Option<i64>) -> PyResult<String> {
    let py = event.py();
    let mut event = event.to_owned();
    if let Some(now) = now
        && event.getattr("timestamp").is_ok_and(|timestamp| timestamp.is_none())
    {
        let update = PyDict::new(py);
        update.set_item("timestamp", now)?;
        let named = PyDict::new(py);
        named.set_item("update", update)?;
        event = event.call_method("model_copy", (), Some(&named))?;
    }
    let named = PyDict::new(py);
    named.set_item("by_alias", true)?;
    let json = event.call_method("model_dump_json", (), Some(&named))?;
    Ok(json.cast::<PyString>()?.to_str()?.to_owned())
}
