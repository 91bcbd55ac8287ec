//! The start of a run.

use std::sync::Arc;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{Begun, LogStartHead};
use ag_ui_native::types::RunAgentInput;
use pyo3::prelude::*;

use super::handles::LogKey;
use super::machine::{Command, HostCommand, Machine};
use super::occupancy::Occupancy;
use super::options::LogOptions;
use super::recorder::Recorder;
use super::refusal::refused;
use crate::error::guard;
use crate::events::typed;
use crate::options::read_limits;
use crate::resume::unix_millis;
use crate::turns::Turns;

/// A request that starts a run, unless the run has been started before.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct LogStart {
    key: core::LogKey,
    machine: Arc<Turns<core::LogStart>>,
}

#[pymethods]
impl LogStart {
    /// Asks for the log of this input's run. `resume` is the header `AG-UI-Resume`. If `checks_answers` is true, the input has to
    /// answer the interrupts that wait in the thread. If `is_draining` is true, no run begins. Raises Refused for an id that is too long.
    #[new]
    #[pyo3(signature = (
        scope: "str", input: "RunAgentInput", options: "LogOptions", occupancy: "Occupancy", resume: "str | None",
        limits: "Limits | None", checks_answers: "bool", is_draining: "bool"
    ))]
    #[allow(clippy::too_many_arguments)] // They are those of a request.
    fn new(
        scope: &str,
        input: &Bound<'_, PyAny>,
        options: &LogOptions,
        occupancy: &Occupancy,
        resume: Option<&str>,
        limits: Option<&Bound<'_, PyAny>>,
        checks_answers: bool,
        is_draining: bool,
    ) -> PyResult<Self> {
        let py = input.py();
        let limits = read_limits(limits)?;
        // The body was within the limit; its JSON text may be longer.
        let input: RunAgentInput = guard(py, || typed(input, limits.with_event_bytes(usize::MAX)))?;
        let now = checks_answers.then(unix_millis);
        let head = LogStartHead { scope, resume, now, is_draining };
        let start = core::LogStart::new(head, input, limits, &options.0, &occupancy.0);
        let start = start.map_err(|error| refused(py, error))?;
        Ok(Self { key: start.key().clone(), machine: Arc::new(Turns::new(start)) })
    }

    /// The log.
    #[getter]
    fn key(&self) -> LogKey {
        LogKey(self.key.clone())
    }

    /// Its machine. The decision is `begun`, with the cursor of the beginning and true if this request has begun the run, or `refused`.
    #[getter]
    fn machine(&self) -> Machine {
        Machine::of(&self.machine)
    }

    /// The recorder of a run that this request has begun, once; else None.
    #[pyo3(signature = () -> "Recorder | None")]
    fn recorder(&self, py: Python<'_>) -> PyResult<Option<Recorder>> {
        self.machine.with(py, |start| Ok(start.recorder().map(Recorder::new)))
    }
}

impl HostCommand for Begun {
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>> {
        let beginning = self.beginning.to_string().into_pyobject(py)?.into_any();
        Ok(("begun", Some(beginning), Some(self.is_new.into_pyobject(py)?.to_owned().into_any())))
    }
}
