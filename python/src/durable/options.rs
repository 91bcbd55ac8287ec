//! The options of a server with a log.

use std::time::Duration;

use ag_ui_native::bindings::durable as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::moment;
use crate::error::raised;

/// The options of a server with a log. `None` is the default of an option.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct LogOptions(pub core::LogOptions);

#[pymethods]
impl LogOptions {
    #[new]
    #[pyo3(signature = (
        *, on_disconnect: "str | None" = None, grace: "float | None" = None, on_busy: "str | None" = None,
        lease: "float | None" = None, log_bytes: "int | None" = None, keep: "float | None" = None,
        keep_thread: "float | None" = None, max_connection: "float | None" = None,
        max_age: "float | None" = None, max_active_runs: "int | None" = None, max_readers: "int | None" = None,
        drain: "float | None" = None
    ))]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn new(
        on_disconnect: Option<&str>,
        grace: Option<f64>,
        on_busy: Option<&str>,
        lease: Option<f64>,
        log_bytes: Option<usize>,
        keep: Option<f64>,
        keep_thread: Option<f64>,
        max_connection: Option<f64>,
        max_age: Option<f64>,
        max_active_runs: Option<usize>,
        max_readers: Option<usize>,
        drain: Option<f64>,
    ) -> PyResult<Self> {
        let default = core::LogOptions::default();
        let time = |given: Option<f64>, default: Duration| given.map_or(default, moment);
        Ok(Self(core::LogOptions {
            on_disconnect: match on_disconnect {
                None => default.on_disconnect,
                Some("resume") => core::OnDisconnect::Resume,
                Some("continue") => core::OnDisconnect::Continue,
                Some("cancel") => core::OnDisconnect::Cancel,
                Some(_) => {
                    return Err(PyValueError::new_err(
                        "on_disconnect: expected 'resume', 'continue' or 'cancel'",
                    ));
                }
            },
            grace: time(grace, default.grace),
            on_busy: match on_busy {
                None => default.on_busy,
                Some("reject") => core::OnBusy::Reject,
                Some("interrupt") => core::OnBusy::Interrupt,
                Some(_) => return Err(PyValueError::new_err("on_busy: expected 'reject' or 'interrupt'")),
            },
            lease: time(lease, default.lease),
            max_bytes: log_bytes.unwrap_or(default.max_bytes),
            keep: time(keep, default.keep),
            keep_thread: time(keep_thread, default.keep_thread),
            max_connection: time(max_connection, default.max_connection),
            max_age: time(max_age, default.max_age),
            max_active_runs,
            max_readers,
            drain: time(drain, default.drain),
        }))
    }
}

/// Checks which options a server was given, by their names. Raises AGUIValidationError for an option of runs with a log without
/// one, and for a log without `authorize`.
#[pyfunction]
#[pyo3(signature = (names: "list[str]") -> "None")]
#[allow(clippy::needless_pass_by_value)] // As pyo3 makes it.
pub fn check_log_options(py: Python<'_>, names: Vec<String>) -> PyResult<()> {
    core::check_given(&names).map_err(|error| raised(py, &error, None))
}
