//! The suite that every engine passes.

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::LogCaseStep;
use pyo3::prelude::*;

use crate::error::raised;
use crate::turns::Turns;

/// A case of the suite.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct LogCase(Turns<core::LogCase>);

/// The cases of the suite, for logs of this scope. Raises AGUILimitError for a scope that is too long.
#[pyfunction]
#[pyo3(signature = (scope: "str") -> "list[LogCase]")]
pub fn log_cases(py: Python<'_>, scope: &str) -> PyResult<Vec<LogCase>> {
    let cases = core::log_cases(scope).map_err(|error| raised(py, &error, None))?;
    Ok(cases.into_iter().map(|case| LogCase(Turns::new(case))).collect())
}

#[pymethods]
impl LogCase {
    /// The next step: an operation as JSON text, or a number of seconds to wait; None behind the last one.
    #[pyo3(signature = () -> "str | float | None")]
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match self.0.with(py, |case| Ok(case.step()))? {
            None => None,
            Some(LogCaseStep::Execute(operation)) => Some(operation.into_pyobject(py)?.into_any()),
            Some(LogCaseStep::Wait(time)) => Some(time.as_secs_f64().into_pyobject(py)?.into_any()),
        })
    }

    /// The difference between a reply, as JSON text, and the one that the last step expects; None if there is none, or if
    /// the case begins again.
    #[pyo3(signature = (reply: "str") -> "str | None")]
    fn difference(&self, py: Python<'_>, reply: &str) -> PyResult<Option<String>> {
        self.0.with(py, |case| Ok(case.difference(reply)))
    }
}
