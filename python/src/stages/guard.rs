//! The guard for events of foreign code.

use ag_ui_native::bindings::server::{Ending, Guard as CoreGuard, GuardMode};
use ag_ui_native::types::{Event, RunAgentInput};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Stage, StageOptions, Summary};
use crate::events::{Form, json_of, typed};
use crate::members::shown;
use crate::turns::{Failure, Next, Turns, boolean, collected};

/// Takes events of any form, one at a time, and returns those that may be sent. `guard` is its public
/// form.
#[pyclass(module = "ag_ui_native.server", frozen)]
#[derive(Debug)]
pub struct Guard(Turns<Stage<Guarding>>);

/// Core's guard, and the form of its events.
#[derive(Debug)]
struct Guarding {
    guard: CoreGuard,
    form: Form,
    /// Number of events so far.
    count: usize,
}

#[pymethods]
impl Guard {
    #[new]
    #[pyo3(signature = (
        mode: "str" = "fix", *, input: "object | None" = None, profile: "str" = "relay", limits: "object | None" = None,
        on_warning: "object | None" = None
    ))]
    fn new(
        py: Python<'_>,
        mode: &str,
        input: Option<&Bound<'_, PyAny>>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let options = StageOptions::read(profile, limits, on_warning)?;
        let mode = GuardMode::parse(mode).ok_or_else(|| {
            PyValueError::new_err(format!("mode: expected \"fix\", \"report\" or \"error\", got {mode:?}"))
        })?;
        let mut guard = CoreGuard::new(mode, options.limits);
        let mut form = Form::default();
        if let Some(input) = input {
            form = Form::of(input)?;
            guard = guard.for_input(&typed::<RunAgentInput>(input, options.limits)?);
        }
        let guarding = Guarding { guard, form, count: 0 };
        Ok(Self(Turns::new(Stage::new(py, guarding, options))))
    }

    /// The events to send for `event`: events that must come first, then the event itself; or none.
    ///
    /// Raises AGUISequenceError in the mode `error`, and AGUIValidationError for an invalid event.
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let json = json_of(event)?;
        let form = Form::of(event)?;
        self.0.call(event.py(), |parts, made| {
            let Stage { core, reader, .. } = parts;
            core.form = form;
            let Some(read) = reader.read(&*json)? else { return Ok(Next::Done) };
            core.count = read.index + 1;
            let guarded = core.guard.push(read.event).map_err(|error| error.of_event(read.index))?;
            make_all(event.py(), form, &guarded.made, made)?;
            if guarded.passed.is_some() {
                made.push(event.clone());
            }
            if let Some(issue) = guarded.issue {
                reader.warn(read.index, issue);
            }
            Ok(Next::Done)
        })
    }

    /// Ends the stream. In the mode `fix`, returns the events that end an active run.
    ///
    /// Raises AGUIStreamError `stream_truncated` in the mode `error`; `report` warns.
    #[pyo3(signature = () -> "list")]
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.0.call(py, |parts, made| {
            let Stage { core, reader, .. } = parts;
            match core.guard.finish() {
                Ok(events) => {
                    make_all(py, core.form, &events, made)?;
                    if let Some(issue) = core.guard.end_warning() {
                        reader.warn(core.count, issue);
                    }
                }
                Err(error) if core.guard.mode() == GuardMode::Report => {
                    for issue in error.issues {
                        reader.warn(core.count, issue);
                    }
                }
                Err(error) => return Err(error.into()),
            }
            Ok(Next::Done)
        })
    }

    /// The events to send when the agent has failed: those that close everything, and RUN_ERROR. Nothing if the run has ended, and
    /// in other modes than `fix`. The client sees the exception's text only if `text` is given.
    #[pyo3(signature = (text: "str | None" = None) -> "list")]
    fn fail<'py>(&self, py: Python<'py>, text: Option<&str>) -> PyResult<Bound<'py, PyList>> {
        self.0.call(py, |parts, made| {
            let Guarding { guard, form, .. } = &mut parts.core;
            make_all(py, *form, &guard.end_run(&Ending::agent_failed(text))?, made)?;
            Ok(Next::Done)
        })
    }

    /// True if a run has begun and not ended.
    #[getter]
    fn is_running(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.core.guard.is_running()))
    }
}

collected!(Guard);
shown!(Guard);

impl Summary for Guarding {
    fn summary(&self) -> String {
        format!("is_running={}, events={}, ", boolean(self.guard.is_running()), self.count)
    }
}

fn make_all<'py>(
    py: Python<'py>,
    form: Form,
    events: &[Event],
    made: &mut Vec<Bound<'py, PyAny>>,
) -> Result<(), Failure> {
    for event in events {
        made.push(form.make(py, event)?);
    }
    Ok(())
}
