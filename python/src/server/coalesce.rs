//! `Coalescer`: joins adjacent deltas of one entity.

use std::time::Duration;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::EventReader;
use ag_ui_native::bindings::server::{Adjacent, Coalesced, is_delta};
use ag_ui_native::{Limits, Profile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit, intern};

use crate::c_api;
use crate::error::raised;
use crate::events::{Form, json_of};
use crate::turns::{Collected, Turns, boolean, collected};

/// Joins adjacent deltas of one entity: TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS and REASONING_MESSAGE_CONTENT.
///
/// The first of adjacent deltas is returned at once, and so is a delta that arrives `max_delay` seconds after the last returned one. Deltas
/// in between wait, and are joined up to `max_bytes` of text. Any other event releases the waiting delta, and follows it. Joined deltas
/// have the same `subagent_run_id`; of metadata the last value of each key is kept, `timestamp` is lost. A delta with a `raw_event` or
/// undeclared members is not joined.
///
/// Raises ValueError for a delay that is negative or not a number.
#[pyclass(module = "ag_ui_native.server", frozen, generic)]
#[derive(Debug)]
pub struct Coalescer(Turns<PendingDelta>);

/// The parts that a call works with.
#[derive(Debug)]
struct PendingDelta {
    adjacent: Adjacent<Py<PyAny>>,
    reader: EventReader,
    /// The form of the last delta.
    form: Form,
    max_bytes: usize,
    max_delay: Duration,
}

type Made = Vec<Coalesced<Py<PyAny>>>;

#[pymethods]
impl Coalescer {
    #[new]
    #[pyo3(signature = (*, max_bytes: "int" = 4096, max_delay: "float" = 0.05))]
    fn new(max_bytes: usize, max_delay: f64) -> PyResult<Self> {
        let max_delay = duration(max_delay)?;
        let adjacent = Adjacent::new(max_bytes, max_delay);
        let reader = EventReader::new(Rules::of(Profile::Relay), Limits::default());
        Ok(Self(Turns::new(PendingDelta { adjacent, reader, form: Form::default(), max_bytes, max_delay })))
    }

    /// Takes the next event, of any form, and returns the events to send now. An event that is not joined is the caller's own object. `now`
    /// is a time of `time.monotonic`; by default the clock is read.
    ///
    /// Raises AGUIValidationError for an invalid delta; the waiting delta stays.
    #[pyo3(signature = (event: "Any", now: "float | None" = None) -> "list[Any]")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>, now: Option<f64>) -> PyResult<Bound<'py, PyList>> {
        let py = event.py();
        let now = moment(py, now)?;
        if !is_delta_event(event)? {
            let (made, form) = self.0.with(py, |parts| Ok((parts.adjacent.interrupt(now), parts.form)))?;
            let out = objects(py, made.into_iter().collect(), form)?;
            out.append(event)?;
            return Ok(out);
        }
        let (json, form) = (json_of(event)?, Form::of(event)?);
        let (made, form) = self.0.with(py, |parts| {
            let read = parts.reader.read(&*json).map_err(|error| raised(py, &error, None))?;
            let last = std::mem::replace(&mut parts.form, form);
            let made = match read {
                Some(read) => parts.adjacent.push(read.event, event.clone().unbind(), now),
                None => Made::new(),
            };
            // Of two returned events only the first can be a joined one.
            Ok((made, last))
        })?;
        objects(py, made, form)
    }

    /// The latest time to send the waiting event, by the clock `time.monotonic`: call `flush` then. None if no event waits.
    #[getter]
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let deadline = self.0.with(py, |parts| Ok(parts.adjacent.deadline()))?;
        Ok(deadline.filter(|deadline| *deadline < Duration::MAX).map(|deadline| deadline.as_secs_f64()))
    }

    /// Returns and removes the waiting event, in a list; an empty list if none waits.
    #[pyo3(signature = (now: "float | None" = None) -> "list[Any]")]
    fn flush<'py>(&self, py: Python<'py>, now: Option<f64>) -> PyResult<Bound<'py, PyList>> {
        let now = moment(py, now)?;
        let (made, form) = self.0.with(py, |parts| Ok((parts.adjacent.flush(now), parts.form)))?;
        objects(py, made.into_iter().collect(), form)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        // A finalizer may call this while the thread works with the parts.
        let waits = self.0.with(py, |parts| Ok(boolean(parts.adjacent.deadline().is_some())));
        format!("Coalescer(waits={})", waits.unwrap_or("..."))
    }
}

collected!(Coalescer);

/// A time of `time.monotonic`.
fn moment(py: Python<'_>, now: Option<f64>) -> PyResult<Duration> {
    match now {
        Some(now) => duration(now),
        None => duration(py.import(intern!(py, "time"))?.call_method0(intern!(py, "monotonic"))?.extract()?),
    }
}

fn duration(seconds: f64) -> PyResult<Duration> {
    if seconds == f64::INFINITY {
        return Ok(Duration::MAX);
    }
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err("now: expected a number of seconds, 0 or more"))
}

/// True if an event of any form is a delta.
fn is_delta_event(event: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = event.py();
    let name = intern!(py, "type");
    let tag = match event.cast::<PyDict>() {
        Ok(dict) => dict.get_item(name)?,
        Err(_) => event.getattr_opt(name)?,
    };
    let tag = tag.filter(PyAnyMethods::is_instance_of::<PyString>);
    Ok(tag.as_ref().and_then(|tag| c_api::utf8(tag.as_borrowed())).is_some_and(is_delta))
}

/// Converts events to Python objects; joined events have the form of their deltas.
fn objects(py: Python<'_>, made: Made, form: Form) -> PyResult<Bound<'_, PyList>> {
    let out = PyList::empty(py);
    for Coalesced { event, object } in made {
        match object {
            Some(object) => out.append(object)?,
            None => out.append(form.make(py, &event)?)?,
        }
    }
    Ok(out)
}

impl Collected for PendingDelta {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.adjacent.waiting_object().map_or(Ok(()), |object| visit.call(object))
    }

    fn clear(&mut self, _: Python<'_>) {
        self.adjacent = Adjacent::new(self.max_bytes, self.max_delay);
    }
}
