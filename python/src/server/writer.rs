//! `RunWriter` and `EntityWriter`: the native base classes of `ag_ui_native.server`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::bindings::server::{Cause, Entity, RunWriter as Core, StateFlush, WireFormat, ends_run};
use ag_ui_native::types::{RunAgentInput, RunStartedEvent};
use ag_ui_native::{Code, Error, Event, Limits};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use super::state::StateTracker;
use super::value::{read, read_ending, read_event, text_of};
use crate::c_api::{self, Obj};
use crate::error::{asked, guard, raised};
use crate::events::typed;
use crate::model::documents::name;
use crate::model::registry::cached_plan;
use crate::options::read_limits;
use crate::turns::{Turns, this_thread};

/// Writes the events of one run as frames of a wire format.
///
/// Every call that writes returns the writer itself, so callers can await it if a subclass is awaitable. `wake` is called for the first
/// write after a sending; `attend` is called before a write if more bytes wait than `attend_at` allows.
#[pyclass(module = "ag_ui_native.run_writer", subclass, weakref, frozen)]
#[derive(Debug)]
pub struct RunWriter {
    pub(super) turns: Turns<WriterParts>,
    /// The state of sending.
    pub(super) sending: Sending,
    /// The thread that has made the writer.
    pub(super) home: usize,
    /// The limits of events.
    pub(super) limits: Limits,
}

/// The state of sending. Only the writer's own thread sends.
#[derive(Debug, Default)]
pub struct Sending {
    /// True while a piece is being sent.
    pub is_busy: AtomicBool,
    /// True if the client has gone.
    pub is_lost: AtomicBool,
    /// True if `before_await` is called at the next await.
    pub is_preceded: AtomicBool,
    /// True if `let_go` is called after the next sending.
    pub is_expected: AtomicBool,
    /// The count of sendings in a row that did not wait.
    pub awaits: AtomicUsize,
}

/// The parts that a call works with.
#[derive(Debug)]
pub(super) struct WriterParts {
    pub core: Core,
    /// True if `wake` was called and `tick` not yet, or if a step of the agent will send.
    pub is_woken: bool,
    /// True if `over` was called.
    is_over: bool,
    attend_at: usize,
}

/// The result of a call that writes.
pub(super) enum Written<T> {
    /// The result of the write, and a flag that `wake` is due.
    Done(Result<T, Error>, bool),
    /// `attend` must be called first.
    Full,
}

#[pymethods]
impl RunWriter {
    #[new]
    #[pyo3(signature = (
        binary: "bool" = false, limits: "object | None" = None, *_args: "object", state_flush: "str" = "await",
        show_errors: "bool" = false, **_named: "object"
    ))]
    fn new(
        binary: bool,
        limits: Option<&Bound<'_, PyAny>>,
        _args: &Bound<'_, PyTuple>,
        state_flush: &str,
        show_errors: bool,
        _named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let wire_format = if binary { WireFormat::Binary } else { WireFormat::Text };
        let limits = read_limits(limits)?;
        let state_flush = StateFlush::named(state_flush);
        let state_flush = state_flush
            .ok_or_else(|| PyValueError::new_err("state_flush: expected \"await\", \"end\" or \"manual\""))?;
        let core =
            Core::new(wire_format, limits).with_state_flush(state_flush).with_shown_errors(show_errors);
        let turns = Turns::new(WriterParts { core, is_woken: false, is_over: false, attend_at: usize::MAX });
        Ok(Self { turns, sending: Sending::default(), home: this_thread(), limits })
    }

    /// Called when frames wait, once until `tick`.
    #[pyo3(signature = () -> "object")]
    #[allow(clippy::unused_self)] // A subclass does something.
    fn wake(&self) {}

    /// Called instead of `wake` if another thread than the writer's own writes.
    #[pyo3(signature = () -> "object")]
    #[allow(clippy::unused_self)] // As above.
    fn wake_from_thread(&self) {}

    /// Called when too many bytes wait: the write has to wait, or is refused.
    #[pyo3(signature = () -> "object")]
    #[allow(clippy::unused_self)] // As above.
    fn attend(&self) {}

    /// Called once, when the run has ended.
    #[pyo3(signature = () -> "object")]
    #[allow(clippy::unused_self)] // As above.
    fn over(&self) {}

    /// Begins the run of `input`. With `echo`, RUN_STARTED carries the input.
    #[pyo3(signature = (input: "object", echo: "bool" = false) -> "None")]
    fn start(slf: &Bound<'_, Self>, input: &Bound<'_, PyAny>, echo: bool) -> PyResult<()> {
        if !echo && let Some(started) = started(input)? {
            return Self::change(slf, |core| core.start_with(started.clone()));
        }
        // The JSON text of a body within the limit may be longer than the body.
        let limits = slf.get().limits.with_event_bytes(usize::MAX);
        let input: RunAgentInput = guard(slf.py(), || typed(input, limits))?;
        Self::change(slf, |core| core.start(&input, echo))
    }

    /// Writes an event of any form, read by the strict profile. `tag` is its `subagentRunId`, unless the event has one.
    ///
    /// With `always` it does not wait for room first: see `make_room`. Before an event that ends the run, the state of the tracker is sent,
    /// as by `end_run`.
    ///
    /// Raises AGUIValidationError, AGUISequenceError with the rule, and AGUILimitError; then nothing is written.
    #[pyo3(signature = (
        event: "object", tag: "str | None" = None, always: "bool" = false, tracker: "StateTracker | None" = None
    ) -> "Self")]
    fn send<'py>(
        slf: &Bound<'py, Self>,
        event: &Bound<'py, PyAny>,
        tag: Option<&str>,
        always: bool,
        tracker: Option<&Bound<'py, StateTracker>>,
    ) -> PyResult<Bound<'py, Self>> {
        let event = read_event(event, slf.get().limits)?;
        if ends_run(&event) {
            return Self::end_own(slf, tracker, |core, state| core.send_behind(state, event));
        }
        Self::send_read(slf, &event, tag, always)
    }

    /// Starts or stops treating the following writes as one call: `send_state` at an await writes before all of them.
    #[pyo3(signature = (is_one_call: "bool") -> "None")]
    pub(super) fn as_one_call(&self, py: Python<'_>, is_one_call: bool) -> PyResult<()> {
        self.turns.with(py, |parts| {
            parts.core.as_one_call(is_one_call);
            Ok(())
        })
    }

    /// Called with a note for the log that is no failure: a code, and what to do.
    #[pyo3(signature = (message: "str") -> "object")]
    #[allow(clippy::unused_self)] // A subclass does something.
    fn warn(&self, message: &str) {
        let _ = message;
    }

    /// Calls `attend` if too many bytes wait, before a write that is one step with other work.
    #[pyo3(signature = () -> "None")]
    pub(super) fn make_room(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let is_full = slf.get().turns.with(py, |parts| Ok(parts.core.waiting().len() >= parts.attend_at))?;
        if is_full {
            slf.call_method0(intern!(py, "attend"))?;
        }
        Ok(())
    }

    /// Ends the run of a client that is too slow: if more than `max_waiting` bytes wait.
    ///
    /// Raises AGUIStreamError `client_too_slow` then. The run has ended even if the error is caught.
    #[pyo3(signature = (max_waiting: "int") -> "None")]
    fn check_room(slf: &Bound<'_, Self>, max_waiting: usize) -> PyResult<()> {
        let checked = slf.get().write(slf.py(), true, |core| core.check_room(max_waiting))?;
        let checked = Self::finish(slf, checked);
        Self::notice_end(slf)?;
        checked
    }

    /// Writes the event that opens an entity, and returns the entity's number.
    #[pyo3(signature = (event: "object", tag: "str | None" = None) -> "int")]
    fn open(slf: &Bound<'_, Self>, event: &Bound<'_, PyAny>, tag: Option<&str>) -> PyResult<u64> {
        let event = read_event(event, slf.get().limits)?;
        Self::change(slf, |core| core.open(event.clone(), tag)).map(Entity::number)
    }

    /// Opens a reasoning span and its message, and returns their number.
    #[pyo3(signature = (message_id: "str", tag: "str | None" = None) -> "int")]
    fn open_reasoning(
        slf: &Bound<'_, Self>,
        message_id: &Bound<'_, PyAny>,
        tag: Option<&str>,
    ) -> PyResult<u64> {
        let id = text_of(message_id, "messageId")?;
        Self::change(slf, |core| core.open_reasoning(&id, tag)).map(Entity::number)
    }

    /// Closes an entity, unless it is closed. A subagent ends by the arguments: `success` with a result, `error` with a message and a code,
    /// `raised` with an optional text, or `called_off`.
    #[pyo3(signature = (
        entity: "int", ending: "str" = "success", value: "object | None" = None, code: "str | None" = None
    ) -> "Self")]
    fn end<'py>(
        slf: &Bound<'py, Self>,
        entity: u64,
        ending: &str,
        value: Option<&Bound<'py, PyAny>>,
        code: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let Some(entity) = Entity::from_number(entity) else { return Ok(slf.clone()) };
        let cause = match ending {
            "raised" => Some(Cause::Raised(value.map(PyAnyMethods::extract).transpose()?)),
            other => Cause::named(other),
        };
        if let Some(cause) = cause {
            Self::change(slf, |core| core.end_by(entity, cause.clone()))?;
        } else {
            let ending = read_ending(ending, value, code, slf.get().limits)?;
            Self::change(slf, |core| core.end_as(entity, &ending))?;
        }
        Ok(slf.clone())
    }

    /// Adds to the token usage that the end of the run reports.
    #[pyo3(signature = (entry: "object") -> "None")]
    fn add_usage(slf: &Bound<'_, Self>, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let entry = read(entry, "/usage", slf.get().limits)?;
        slf.get().turns.with(slf.py(), |parts| {
            parts.core.add_usage(entry);
            Ok(())
        })
    }

    /// True if the client has gone.
    #[getter]
    fn is_lost(&self) -> bool {
        self.sending.is_lost.load(Ordering::Relaxed)
    }

    /// True if the run has begun and not ended.
    #[getter]
    fn is_running(&self, py: Python<'_>) -> PyResult<bool> {
        self.turns.with(py, |parts| Ok(parts.core.is_running()))
    }

    /// The value of the header `Content-Type`.
    #[getter]
    fn content_type(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.turns.with(py, |parts| Ok(parts.core.wire_format().content_type()))
    }

    /// The count of bytes that wait to be sent.
    #[getter]
    fn waiting(&self, py: Python<'_>) -> PyResult<usize> {
        self.turns.with(py, |parts| Ok(parts.core.waiting().len()))
    }

    /// Returns and removes the waiting frames.
    #[pyo3(signature = () -> "bytes")]
    pub(super) fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.turns.with(py, |parts| {
            // The collector does not track bytes: making them runs no Python code.
            let taken = PyBytes::new(py, parts.core.waiting());
            parts.core.clear();
            Ok(taken)
        })
    }

    /// Sets the number of waiting bytes from which `attend` is called.
    #[pyo3(signature = (bytes: "int") -> "None")]
    fn attend_at(&self, py: Python<'_>, bytes: usize) -> PyResult<()> {
        self.turns.with(py, |parts| {
            parts.attend_at = bytes;
            Ok(())
        })
    }

    /// Records that the client has gone: later writes are verified and dropped.
    #[pyo3(signature = () -> "None")]
    fn drop_frames(&self, py: Python<'_>) -> PyResult<()> {
        self.sending.is_lost.store(true, Ordering::Relaxed);
        self.turns.with(py, |parts| {
            parts.core.drop_frames();
            Ok(())
        })
    }
}

impl RunWriter {
    pub(super) fn send_read<'py>(
        slf: &Bound<'py, Self>,
        event: &Event,
        tag: Option<&str>,
        always: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let written = slf.get().write(slf.py(), always, |core| core.send(event.clone(), tag))?;
        Self::settle(slf, written, |core| core.send(event.clone(), tag))?;
        Self::notice_end(slf)?;
        Ok(slf.clone())
    }

    /// Appends to an open entity.
    #[inline]
    pub fn write_delta<'py>(
        slf: &Bound<'py, Self>,
        entity: Entity,
        delta: Obj<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if let Some(text) = c_api::text(delta) {
            let written = slf.get().write(py, false, |core| core.write(entity, text))?;
            if let Written::Done(Ok(()), false) = written {
                return Ok(slf.clone().into_any());
            }
            Self::settle(slf, written, |core| core.write(entity, text))?;
        } else {
            let text = text_of(&delta.to_owned(), "delta")?;
            Self::change(slf, |core| core.write(entity, &text))?;
        }
        Ok(slf.clone().into_any())
    }

    /// Writes, unless more bytes wait than allowed: then `attend` is called first.
    #[inline]
    pub(super) fn write<T>(
        &self,
        py: Python<'_>,
        always: bool,
        work: impl FnOnce(&mut Core) -> Result<T, Error>,
    ) -> PyResult<Written<T>> {
        self.turns.with(py, |parts| {
            if !always && parts.core.waiting().len() >= parts.attend_at {
                return Ok(Written::Full);
            }
            let result = work(&mut parts.core);
            let wake = !parts.is_woken && !parts.core.waiting().is_empty();
            parts.is_woken |= wake;
            Ok(Written::Done(result, wake))
        })
    }

    /// Writes. Nothing is borrowed when Python code runs.
    fn change<T>(slf: &Bound<'_, Self>, work: impl Fn(&mut Core) -> Result<T, Error>) -> PyResult<T> {
        let written = slf.get().write(slf.py(), false, &work)?;
        Self::settle(slf, written, work)
    }

    fn settle<T>(
        slf: &Bound<'_, Self>,
        written: Written<T>,
        again: impl FnOnce(&mut Core) -> Result<T, Error>,
    ) -> PyResult<T> {
        match written {
            Written::Full => {
                slf.call_method0(intern!(slf.py(), "attend"))?;
                let written = slf.get().write(slf.py(), true, again)?;
                Self::finish(slf, written)
            }
            done @ Written::Done(..) => Self::finish(slf, done),
        }
    }

    /// Calls `over` if the write has ended the run.
    pub(super) fn notice_end(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let is_over = slf.get().turns.with(py, |parts| {
            let is_over = !parts.core.is_running();
            Ok(is_over && !std::mem::replace(&mut parts.is_over, is_over))
        })?;
        if is_over {
            slf.call_method0(intern!(py, "over"))?;
        }
        Ok(())
    }

    pub(super) fn finish<T>(slf: &Bound<'_, Self>, written: Written<T>) -> PyResult<T> {
        let Written::Done(result, wake) = written else {
            return Err(raised(slf.py(), &Error::new(Code::ClientTooSlow, ""), None));
        };
        if wake {
            let py = slf.py();
            let at_home = slf.get().home == this_thread();
            slf.call_method0(if at_home { intern!(py, "wake") } else { intern!(py, "wake_from_thread") })?;
        }
        result.map_err(|error| raised(slf.py(), &error, None))
    }
}

/// RUN_STARTED for an instance of the input's class. `None` for other objects, and for ids that are no text, which the reader of
/// inputs reports.
fn started(input: &Bound<'_, PyAny>) -> PyResult<Option<RunStartedEvent>> {
    let plan = cached_plan(input.get_type().as_borrowed());
    if plan.is_none_or(|plan| name(plan.kind) != name(RunAgentInput::DECLARED_KIND)) {
        return Ok(None);
    }
    let py = input.py();
    let member = |name| -> PyResult<Option<Bound<'_, PyAny>>> { asked(py, input.getattr(name)) };
    let text = |id: &Bound<'_, PyAny>| c_api::text(id).map(str::to_owned);
    let (Some(thread_id), Some(run_id), Some(parent)) = (
        member(intern!(py, "thread_id"))?,
        member(intern!(py, "run_id"))?,
        member(intern!(py, "parent_run_id"))?,
    ) else {
        return Ok(None);
    };
    let (Some(thread_id), Some(run_id)) = (text(&thread_id), text(&run_id)) else { return Ok(None) };
    let mut started = RunStartedEvent::new(thread_id, run_id);
    started.parent_run_id = text(&parent);
    Ok((parent.is_none() || started.parent_run_id.is_some()).then_some(started))
}

/// An open entity: a message, a tool call, a step or a subagent. Its classes derive from this.
#[pyclass(module = "ag_ui_native.run_writer", subclass, weakref, frozen)]
#[derive(Debug)]
pub struct EntityWriter {
    writer: Py<RunWriter>,
    entity: Entity,
}

#[pymethods]
impl EntityWriter {
    #[new]
    #[pyo3(signature = (writer: "RunWriter", entity: "int", *_args: "object"))]
    fn new(writer: Py<RunWriter>, entity: u64, _args: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let entity = Entity::from_number(entity);
        let entity = entity
            .ok_or_else(|| PyValueError::new_err("entity: expected a number that `open` has returned"))?;
        Ok(Self { writer, entity })
    }

    #[allow(clippy::needless_pass_by_value)] // As Python hands it over.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.writer)
    }
}

impl EntityWriter {
    /// `entity.write(delta)`
    #[inline]
    pub fn write<'py>(&self, delta: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        RunWriter::write_delta(self.writer.bind(delta.py()), self.entity, delta)
    }
}
