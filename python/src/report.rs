//! Warnings on their way to Python: collected, logged, handed to a callback.

use ag_ui_native::Issue;
use ag_ui_native::stream::Warning;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::warning;

/// Where the warnings of a stream go.
#[derive(Debug)]
pub struct Reporter {
    /// All so far.
    pub warnings: Py<PyList>,
    on_warning: Option<Py<PyAny>>,
}

impl Reporter {
    /// A reporter that also calls `on_warning` with each.
    pub fn new(py: Python<'_>, on_warning: Option<Py<PyAny>>) -> Self {
        Self { warnings: PyList::empty(py).unbind(), on_warning }
    }

    /// Passes warnings on.
    pub fn report(&self, py: Python<'_>, warnings: &[Warning]) -> PyResult<()> {
        for found in warnings {
            let found = warning(py, &found.issue, Some(found.event_index))?;
            self.warnings.bind(py).append(&found)?;
            log(&found)?;
            if let Some(on_warning) = &self.on_warning {
                on_warning.call1(py, (found,))?;
            }
        }
        Ok(())
    }
}

/// Passes on what is to be said about a single event.
pub fn tell(py: Python<'_>, issues: &[Issue], on_warning: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    for issue in issues {
        let found = warning(py, issue, None)?;
        log(&found)?;
        if let Some(on_warning) = on_warning {
            on_warning.call1((found,))?;
        }
    }
    Ok(())
}

/// Hands a warning to the log `ag_ui_native`.
fn log(warning: &Bound<'_, PyAny>) -> PyResult<()> {
    let logger = warning.py().import("logging")?.call_method1("getLogger", ("ag_ui_native",))?;
    logger.call_method1("warning", ("%s", warning))?;
    Ok(())
}
