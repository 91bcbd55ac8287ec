//! The end of a run: core decides it by the reports of the agent and the server.

use std::fmt;
use std::time::Duration;

use ag_ui_native::Value;
use ag_ui_native::bindings::server::{
    Beat, Cause, FAILED, Heartbeat, Note, OwnEnd, RunWriter as Core, Unended,
};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use super::RunWriter;
use super::state::StateTracker;
use super::value::{read, read_ending};
use crate::error::raised;

/// An exception, and its text.
pub(super) struct Raised(PyErr, String);

impl Raised {
    fn of(py: Python<'_>, error: PyErr) -> Self {
        let text = error.value(py).str().map(|text| text.to_string_lossy().into_owned());
        Self(error, text.unwrap_or_default())
    }
}

impl fmt::Display for Raised {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.1)
    }
}

#[pymethods]
impl RunWriter {
    /// Ends the run: `success` with a result, `interrupt` with a list of interrupts, `cancelled`, or `error` with a message and a code. The
    /// state of the tracker is sent first, and open entities are closed. If the state cannot be sent, `success` and `interrupt` raise the
    /// error; the other ends leave the state out and call `note`.
    #[pyo3(signature = (
        ending: "str", value: "object | None" = None, code: "str | None" = None, tracker: "StateTracker | None" = None
    ) -> "Self")]
    fn end_run<'py>(
        slf: &Bound<'py, Self>,
        ending: &str,
        value: Option<&Bound<'py, PyAny>>,
        code: Option<&Bound<'py, PyAny>>,
        tracker: Option<&Bound<'py, StateTracker>>,
    ) -> PyResult<Bound<'py, Self>> {
        let ending = read_ending(ending, value, code, slf.get().limits)?;
        Self::end_own(slf, tracker, |core, state| core.end_behind(state, ending))
    }

    /// Records why the run will end, before its agent is told to stop: `timed_out` or `stopped`. The agent cannot change this end.
    #[pyo3(signature = (cause: "str") -> "None")]
    fn decide(&self, py: Python<'_>, cause: &str) -> PyResult<()> {
        let cause = named(cause)?;
        self.turns.with(py, |parts| {
            parts.core.decide(cause);
            Ok(())
        })
    }

    /// Ends the run, unless it has ended, by the first recorded cause: the agent has `returned` a value, has `raised` an exception with a
    /// text, or has `called_off` itself. The state of the tracker is sent first. `note` is called with each message to log.
    #[pyo3(signature = (
        cause: "str", value: "object | None" = None, text: "str | None" = None, tracker: "StateTracker | None" = None
    ) -> "None")]
    fn conclude<'py>(
        slf: &Bound<'py, Self>,
        cause: &str,
        value: Option<&Bound<'py, PyAny>>,
        text: Option<String>,
        tracker: Option<&Bound<'py, StateTracker>>,
    ) -> PyResult<()> {
        let py = slf.py();
        let state = Self::flush_at_end(slf, tracker).map_err(|error| Raised::of(py, error));
        let cause = match cause {
            "returned" => match Self::read_result(slf, value) {
                Ok(result) => Cause::Returned(result),
                Err(error) => {
                    let raised = Raised::of(py, error);
                    Self::note_failure(slf, raised.0.value(py).as_any())?;
                    Cause::Raised(Some(raised.1))
                }
            },
            "raised" => {
                value.map_or(Ok(()), |raised| Self::note_failure(slf, raised))?;
                Cause::Raised(text)
            }
            other => named(other)?,
        };
        let concluded = slf.get().write(py, true, |core| Ok(core.conclude(cause, state).note))?;
        let note = Self::finish(slf, concluded)?;
        Self::notice_end(slf)?;
        note.map_or(Ok(()), |note| Self::log_note(slf, &note))
    }

    /// Called with a note for the log: its text, a flag that the agent has failed, and the causing error.
    #[pyo3(signature = (text: "str", is_failure: "bool", error: "BaseException | None") -> "object")]
    #[allow(clippy::unused_self)] // A subclass does something.
    fn note(&self, text: &str, is_failure: bool, error: Option<&Bound<'_, PyAny>>) {
        let _ = (text, is_failure, error);
    }

    /// True if the end of the run is decided, or it has ended.
    #[getter]
    fn is_decided(&self, py: Python<'_>) -> PyResult<bool> {
        self.turns.with(py, |parts| Ok(parts.core.is_decided()))
    }

    /// True if the state is sent when the agent awaits a write.
    #[getter]
    fn wants_state_at_awaits(&self, py: Python<'_>) -> PyResult<bool> {
        self.turns.with(py, |parts| Ok(parts.core.wants_state_at_awaits()))
    }

    /// The seconds that the client has to read the end of the run; None means no limit.
    #[getter]
    fn grace(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.turns.with(py, |parts| Ok(parts.core.grace().map(|grace| grace.as_secs_f64())))
    }

    /// The code by which a WebSocket is closed after the run.
    #[getter]
    fn close_code(&self, py: Python<'_>) -> PyResult<u16> {
        self.turns.with(py, |parts| Ok(parts.core.websocket_close().code))
    }

    /// The headers of the answer.
    #[getter]
    fn headers(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, &'static str)>> {
        self.turns.with(py, |parts| Ok(parts.core.wire_format().headers().to_vec()))
    }

    /// Starts to measure silence. A comment ends it after `pause` seconds; 0 means never.
    #[pyo3(signature = (pause: "float", now: "float") -> "None")]
    fn keep_alive(&self, py: Python<'_>, pause: f64, now: f64) -> PyResult<()> {
        self.turns.with(py, |parts| {
            // A pause that is out of range never ends.
            let pause = Duration::try_from_secs_f64(pause).unwrap_or_default();
            parts.core.keep_alive(Heartbeat::of_comments(parts.core.wire_format(), pause, moment(now)));
            Ok(())
        })
    }

    /// The time of the next check for silence; None means never.
    #[getter]
    fn next_check(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.turns.with(py, |parts| Ok(parts.core.next_check().map(|next| next.as_secs_f64())))
    }

    /// Checks for silence. Returns True if a comment waits to be sent.
    #[pyo3(signature = (now: "float") -> "bool")]
    fn check_silence(&self, py: Python<'_>, now: f64) -> PyResult<bool> {
        let is_behind = self.is_behind();
        self.turns.with(py, |parts| Ok(parts.core.check_silence(moment(now), is_behind) == Beat::Comment))
    }
}

impl RunWriter {
    /// Ends the run by a call of its agent, after sending the state. It does not wait for room.
    pub(super) fn end_own<'py>(
        slf: &Bound<'py, Self>,
        tracker: Option<&Bound<'py, StateTracker>>,
        end: impl FnOnce(&mut Core, Result<(), Raised>) -> OwnEnd<Raised>,
    ) -> PyResult<Bound<'py, Self>> {
        let state = Self::flush_at_end(slf, tracker).map_err(|error| Raised::of(slf.py(), error));
        let ended = slf.get().write(slf.py(), true, |core| Ok(end(core, state)))?;
        let ended = Self::finish(slf, ended)?;
        Self::notice_end(slf)?;
        match ended {
            Ok(Some(note)) => Self::log_note(slf, &note)?,
            Err(Unended::Refused(error)) => return Err(raised(slf.py(), &error, None)),
            Err(Unended::State(error)) => return Err(error.0),
            _ => {}
        }
        Ok(slf.clone())
    }

    /// Sends the state before the end, if the run has a state to send.
    fn flush_at_end(slf: &Bound<'_, Self>, tracker: Option<&Bound<'_, StateTracker>>) -> PyResult<()> {
        let wants_state = slf.get().turns.with(slf.py(), |parts| Ok(parts.core.wants_state()))?;
        match tracker {
            Some(tracker) if wants_state => Self::flush_always(slf, tracker),
            _ => Ok(()),
        }
    }

    /// Reads the agent's result. If the end of the run is decided already, only its presence counts.
    fn read_result(slf: &Bound<'_, Self>, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Value>> {
        let is_decided = slf.get().is_decided(slf.py())?;
        let limits = slf.get().limits;
        let result = |value| if is_decided { Ok(Value::Null) } else { read(value, "/result", limits) };
        value.map(result).transpose()
    }

    fn note_failure(slf: &Bound<'_, Self>, error: &Bound<'_, PyAny>) -> PyResult<()> {
        slf.call_method1(intern!(slf.py(), "note"), (FAILED, true, error)).map(drop)
    }

    fn log_note(slf: &Bound<'_, Self>, note: &Note<Raised>) -> PyResult<()> {
        let py = slf.py();
        let error = match note {
            Note::StateLeftOut(Raised(error, _)) | Note::StateFailed(Raised(error, _)) => {
                Some(error.clone_ref(py))
            }
            Note::EndRefused(error) => Some(raised(py, error, None)),
            _ => None,
        };
        let error = error.map(|error| error.into_value(py));
        slf.call_method1(intern!(py, "note"), (note.text(), note.is_failure(), error)).map(drop)
    }
}

/// A cause that the server reports.
fn named(cause: &str) -> PyResult<Cause> {
    Cause::named(cause)
        .ok_or_else(|| PyValueError::new_err(format!("unknown cause of a run's end: {cause:?}")))
}

/// A time of the event loop's clock.
fn moment(now: f64) -> Duration {
    Duration::try_from_secs_f64(now).unwrap_or_default()
}
