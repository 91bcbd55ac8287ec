//! Passes warnings to Python: collects and logs them, and calls a callback.

use ag_ui_native::Issue;
use ag_ui_native::bindings::decoder::Warning;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit, intern};

use crate::error::warning;

/// The target of a stream's warnings, and the results that its next call returns first.
#[derive(Debug)]
pub struct Reporter {
    /// All warnings so far.
    pub warnings: Py<PyList>,
    on_warning: Option<Py<PyAny>>,
    /// The results of a call in which Python code raised.
    kept: Vec<Py<PyAny>>,
}

impl Reporter {
    /// Creates a reporter that also calls `on_warning` with each warning.
    pub fn new(py: Python<'_>, on_warning: Option<Py<PyAny>>) -> Self {
        Self { warnings: PyList::empty(py).unbind(), on_warning, kept: Vec::new() }
    }

    /// Creates a second handle to the reporter, for use while the object's own is not accessible.
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        let on_warning = self.on_warning.as_ref().map(|callback| callback.clone_ref(py));
        Self { warnings: self.warnings.clone_ref(py), on_warning, kept: Vec::new() }
    }

    /// Passes on warnings. All are collected before Python code gets the first, and all are passed on: the first
    /// exception is raised afterwards.
    pub fn report(&self, py: Python<'_>, warnings: &[Warning]) -> PyResult<()> {
        let found = warnings.iter().map(|found| warning(py, &found.issue, Some(found.event_index)));
        let found = found.collect::<PyResult<Vec<_>>>()?;
        for warning in &found {
            self.warnings.bind(py).append(warning)?;
        }
        hand_over_all(py, &found, self.on_warning.as_ref().map(|callback| callback.bind(py)))
    }

    /// Keeps the results of a call for the next one.
    pub fn keep(&mut self, made: Vec<Bound<'_, PyAny>>) {
        self.kept.extend(made.into_iter().map(Bound::unbind));
    }

    /// Moves the kept results to `made`.
    #[inline]
    pub fn take_kept<'py>(&mut self, py: Python<'py>, made: &mut Vec<Bound<'py, PyAny>>) {
        if !self.kept.is_empty() {
            made.extend(self.kept.drain(..).map(|object| object.into_bound(py)));
        }
    }

    /// See `Collected`.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.warnings)?;
        visit.call(&self.on_warning)?;
        self.kept.iter().try_for_each(|object| visit.call(object))
    }

    /// See `Collected`.
    pub fn clear(&mut self, py: Python<'_>) {
        *self = Self::new(py, None);
    }
}

/// Passes on the issues of a single event. If a callback raises, its exception gets the result as `partial`.
pub fn report_issues<'py>(
    py: Python<'py>,
    issues: &[Issue],
    on_warning: Option<&Bound<'py, PyAny>>,
    made: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let found = issues.iter().map(|issue| warning(py, issue, None)).collect::<PyResult<Vec<_>>>()?;
    let reported = hand_over_all(py, &found, on_warning);
    reported.inspect_err(|raised| leave_partial(py, raised, made.into_iter().cloned().collect()))
}

fn hand_over_all(
    py: Python<'_>,
    found: &[Bound<'_, PyAny>],
    on_warning: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let mut outcome = Ok(());
    for warning in found {
        let reported = hand_over(warning, on_warning);
        let ends = reported.as_ref().is_err_and(|raised| is_exit(py, raised));
        outcome = outcome.and(reported);
        if ends {
            break;
        }
    }
    outcome
}

/// True if an exception is meant to end the program, as that of Ctrl-C is.
pub fn is_exit(py: Python<'_>, raised: &PyErr) -> bool {
    !raised.is_instance_of::<PyException>(py)
}

/// Attaches results to an exception of Python code, as `partial`.
pub fn leave_partial<'py>(py: Python<'py>, raised: &PyErr, made: Vec<Bound<'py, PyAny>>) {
    // An exception without room for attributes is raised unchanged.
    let _ = raised.value(py).setattr(intern!(py, "partial"), made);
}

/// Passes a warning to the log `ag_ui_native` and to the callback.
fn hand_over(warning: &Bound<'_, PyAny>, on_warning: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let logger = warning.py().import("logging")?.call_method1("getLogger", ("ag_ui_native",))?;
    logger.call_method1("warning", ("%s", warning))?;
    on_warning.map_or(Ok(()), |on_warning| on_warning.call1((warning,)).map(|_| ()))
}
