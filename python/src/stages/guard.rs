//! The guard for events of foreign code: objects, or encoded ones.

use ag_ui_native::Error;
use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::bindings::server::{Ending, FrameGuard, Guard as CoreGuard, GuardMode, WireFormat};
use ag_ui_native::types::{Event, RunAgentInput};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyMemoryView, PyString};

use super::{Stage, StageCore, StageOptions};
use crate::bytes::{bytes_of, utf8_of};
use crate::error::raised;
use crate::events::{Form, json_of, typed};
use crate::inlet::{Fed, Inlet};
use crate::members::shown;
use crate::report::Reporter;
use crate::turns::{Failure, Next, Turns, boolean, collected};

/// Takes events of any form, or encoded ones in pieces, and returns what may be sent. `guard` is its public form.
#[pyclass(module = "ag_ui_native.server", frozen)]
#[derive(Debug)]
pub struct Guard(Turns<Stage<Guarding>>);

/// Core's guard, and the form of its events.
#[derive(Debug)]
struct Guarding {
    guard: FrameGuard,
    form: Form,
    /// The form of frames, if the events are encoded.
    frames: Option<FrameForm>,
    inlet: Inlet,
    /// Number of objects so far.
    count: usize,
}

/// The form of frames in Python.
#[derive(Clone, Copy, Debug)]
enum FrameForm {
    Text,
    Bytes,
}

#[pymethods]
impl Guard {
    #[new]
    #[pyo3(signature = (
        mode: "str" = "fix", *, input: "object | None" = None, content_type: "str | None" = None, limits: "object | None" = None,
        on_warning: "object | None" = None
    ))]
    fn new(
        py: Python<'_>,
        mode: &str,
        input: Option<&Bound<'_, PyAny>>,
        content_type: Option<&str>,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let options = StageOptions::read("relay", limits, on_warning)?;
        let mode = GuardMode::parse(mode).ok_or_else(|| {
            PyValueError::new_err(format!("mode: expected \"fix\", \"report\" or \"error\", got {mode:?}"))
        })?;
        let mut guard = CoreGuard::new(mode, options.limits);
        let mut form = Form::default();
        if let Some(input) = input {
            form = Form::of(input)?;
            guard = guard.for_input(&typed::<RunAgentInput>(input, options.limits)?);
        }
        let guard = FrameGuard::new(guard, content_type).map_err(|error| raised(py, &error, None))?;
        let guarding = Guarding { guard, form, frames: None, inlet: Inlet::default(), count: 0 };
        Ok(Self(Turns::new(Stage::new(py, guarding, options))))
    }

    /// The events to send for `event`: events that must come first, then the event itself; or none. For a piece of text or
    /// bytes, the frames of the events that it completes.
    ///
    /// Raises AGUISequenceError in the mode `error`, AGUIValidationError for an invalid event, and the errors of the decoder.
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        if let Some((form, bytes)) = encoded(event)? {
            return self.feed(event.py(), form, bytes);
        }
        let json = json_of(event)?;
        let form = Form::of(event)?;
        self.0.call(event.py(), |parts, made| {
            let Stage { core, reader, .. } = parts;
            core.form = form;
            let Some(read) = reader.read(&*json)? else { return Ok(Next::Done) };
            core.count = read.index + 1;
            let guarded = core.guard.guard().push(read.event).map_err(|error| error.of_event(read.index))?;
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
            let Stage { core, reader, reporter } = parts;
            if let Some(form) = core.frames {
                let finished = core.guard.finish(&mut |frame| made.push(form.make(py, frame)));
                return finished.map(|()| Next::Done).map_err(|error| failed(reporter, made, error));
            }
            let (events, issues) = core.guard.guard().conclude()?;
            make_all(py, core.form, &events, made)?;
            for issue in issues {
                reader.warn(core.count, issue);
            }
            Ok(Next::Done)
        })
    }

    /// The events to send when the agent or a call has failed: those that the call had made, and in the mode `fix` those that
    /// close everything, and RUN_ERROR, unless the run has ended. The client sees the exception's text only if `text` is given.
    #[pyo3(signature = (text: "str | None" = None) -> "list")]
    fn fail<'py>(&self, py: Python<'py>, text: Option<&str>) -> PyResult<Bound<'py, PyList>> {
        self.0.call(py, |parts, made| {
            let Guarding { guard, form, frames, .. } = &mut parts.core;
            let ending = Ending::agent_failed(text);
            match *frames {
                Some(form) => guard.end_run(&ending, &mut |frame| made.push(form.make(py, frame)))?,
                None => make_all(py, *form, &guard.guard().end_run(&ending)?, made)?,
            }
            Ok(Next::Done)
        })
    }

    /// True if a run has begun and not ended.
    #[getter]
    fn is_running(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.core.guard.is_running()))
    }
}

impl Guard {
    /// Takes a piece of encoded events.
    fn feed<'py>(
        &self,
        py: Python<'py>,
        form: FrameForm,
        bytes: Bound<'py, PyBytes>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut fed = Some(Fed::Bytes(bytes));
        self.0.call(py, |parts, made| {
            let Stage { core: Guarding { guard, frames, inlet, .. }, reporter, .. } = parts;
            // The frames of the binary transport are bytes.
            let form = if guard.wire_format() == WireFormat::Binary { FrameForm::Bytes } else { form };
            *frames = Some(form);
            let next = inlet.turn(py, fed.take(), |piece| {
                guard.feed(piece.unwrap_or_default(), &mut |frame| made.push(form.make(py, frame)))
            });
            next.map_err(|error| failed(reporter, made, error))
        })
    }
}

/// The form and the bytes of encoded events; `None` for an event that is an object.
fn encoded<'py>(item: &Bound<'py, PyAny>) -> PyResult<Option<(FrameForm, Bound<'py, PyBytes>)>> {
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(Some((FrameForm::Text, utf8_of(text)?)));
    }
    let is_buffer = item.is_instance_of::<PyBytes>()
        || item.is_instance_of::<PyByteArray>()
        || item.is_instance_of::<PyMemoryView>();
    Ok(if is_buffer { Some((FrameForm::Bytes, bytes_of(item)?)) } else { None })
}

impl FrameForm {
    fn make<'py>(self, py: Python<'py>, frame: &[u8]) -> Bound<'py, PyAny> {
        match self {
            Self::Text => PyString::new(py, &String::from_utf8_lossy(frame)).into_any(),
            Self::Bytes => PyBytes::new(py, frame).into_any(),
        }
    }
}

/// The failure of a call. Its frames are kept for `fail`.
fn failed(reporter: &mut Reporter, made: &mut Vec<Bound<'_, PyAny>>, error: Error) -> Failure {
    reporter.keep(std::mem::take(made));
    error.into()
}

collected!(Guard);
shown!(Guard);

impl StageCore for Guarding {
    fn summary(&self) -> String {
        format!(
            "is_running={}, events={}, ",
            boolean(self.guard.is_running()),
            self.guard.event_count() + self.count
        )
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        if self.frames.is_some() { self.guard.take_warnings() } else { Vec::new() }
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
