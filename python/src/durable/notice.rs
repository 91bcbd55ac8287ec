//! The notices of a server with a log.

use ag_ui_native::Value;
use ag_ui_native::bindings::durable::{LogNotice, LogSubject};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The name of a notice, and its fields.
pub type Notice<'py> = (&'static str, Bound<'py, PyDict>);

pub fn notice<'py>(py: Python<'py>, notice: &LogNotice) -> PyResult<Notice<'py>> {
    let fields = PyDict::new(py);
    for (name, _, value) in notice.fields() {
        match value {
            Value::String(text) => fields.set_item(name, text)?,
            Value::Bool(flag) => fields.set_item(name, flag)?,
            _ => fields.set_item(name, notice.number)?,
        }
    }
    Ok((notice.name.as_str(), fields))
}

/// The notice of a request that was refused with this code.
#[pyfunction]
#[pyo3(signature = (
    code: "str", scope: "str | None", thread_id: "str | None", run_id: "str | None"
) -> "tuple[str, dict[str, Any]]")]
pub fn refused_notice<'py>(
    py: Python<'py>,
    code: &str,
    scope: Option<String>,
    thread_id: Option<String>,
    run_id: Option<String>,
) -> PyResult<Notice<'py>> {
    notice(py, &LogNotice::refused(code, LogSubject { scope, thread_id, run_id }))
}
