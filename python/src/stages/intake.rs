//! The stages after a client's middleware.

use ag_ui_native::bindings::client::{Admitted, Intake as CoreIntake};
use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use super::StageOptions;
use crate::events::{Form, json_of};
use crate::members::{shown, warnings};
use crate::report::Reporter;
use crate::request::{PieceWait, clock_time, duration};
use crate::turns::{Collected, Next, Turns, WithWarnings, collected};

/// Takes the events of the outermost middleware, one at a time: enforces the profile, expands chunks, verifies the order.
#[pyclass(module = "ag_ui_native.client", frozen)]
#[derive(Debug)]
pub struct Intake(Turns<Taking>);

/// The parts of the object.
#[derive(Debug)]
struct Taking {
    core: CoreIntake,
    reporter: Reporter,
}

#[pymethods]
impl Intake {
    #[new]
    #[pyo3(signature = (*, profile: "str" = "tolerant", limits: "object | None" = None, on_warning: "object | None" = None))]
    fn new(
        py: Python<'_>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let StageOptions { profile, limits, on_warning, .. } =
            StageOptions::read(profile, limits, on_warning)?;
        let reporter = Reporter::new(py, on_warning);
        Ok(Self(Turns::new(Taking { core: CoreIntake::new(profile, limits), reporter })))
    }

    /// Sets the ids that the stream was requested with.
    #[pyo3(signature = (thread_id: "str", run_id: "str") -> "None")]
    fn ask(&self, py: Python<'_>, thread_id: &str, run_id: &str) -> PyResult<()> {
        self.0.with(py, |parts| {
            parts.core.ask(thread_id, run_id);
            Ok(())
        })
    }

    /// The expansion of `event`, as instances: the event itself if nothing is changed.
    ///
    /// Raises AGUIError, whose `partial` has the events before the failure.
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let json = json_of(event)?;
        let form = Form::of(event)?;
        self.0.call(event.py(), |parts, made| {
            let mut raised = Ok(());
            let pushed = parts.core.push(&*json, &mut |admitted| {
                let object = object_of(event, form, &admitted);
                object.map(|object| made.push(object)).map_err(|error| {
                    raised = Err(error);
                    Error::new(Code::Internal, "Python raised an exception")
                })
            });
            raised?;
            pushed?;
            Ok(Next::Done)
        })
    }

    /// The seconds to wait for the next event from `now` on, with `idle` as the limit; None is as long as the run may take. False means that
    /// the stream is at its end.
    #[pyo3(signature = (now: "float", idle: "float | None") -> "float | Literal[False] | None")]
    fn idle_time(&self, py: Python<'_>, now: f64, idle: Option<f64>) -> PyResult<PieceWait> {
        self.0.with(py, |parts| Ok(parts.core.idle_time(clock_time(now), idle.map(duration)).into()))
    }

    /// Middleware has failed, with this code (empty for an exception of the application). Returns True if the run ends as finished.
    #[pyo3(signature = (code: "str") -> "bool")]
    fn tolerates_loss(&self, py: Python<'_>, code: &str) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.core.tolerates_loss(code)))
    }

    /// Ends the stream.
    ///
    /// Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
    #[pyo3(signature = () -> "None")]
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let ended = self.0.call(py, |parts, _| {
            parts.core.finish()?;
            Ok(Next::Done)
        });
        ended.map(|_| ())
    }
}

collected!(Intake);
shown!(Intake);
warnings!(Intake);

/// Returns the object for the admitted form of `given`, which is of this form.
fn object_of<'py>(given: &Bound<'py, PyAny>, form: Form, admitted: &Admitted) -> PyResult<Bound<'py, PyAny>> {
    match form {
        Form::Dicts => Form::Models.make(given.py(), &admitted.event),
        _ if admitted.is_given => Ok(given.clone()),
        _ => form.make(given.py(), &admitted.event),
    }
}

impl Collected for Taking {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.reporter.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.reporter.clear(py);
    }
}

impl WithWarnings for Taking {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        self.core.take_warnings()
    }

    fn summary(&self, _: Python<'_>) -> String {
        String::new()
    }
}
