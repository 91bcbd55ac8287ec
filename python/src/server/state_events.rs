//! The state events of a run: those that a tracker makes, and the agent's own.

use ag_ui_native::bindings::server::{StateDue, is_delta_sent_again};
use ag_ui_native::types::{JsonPatchOperation, StateDeltaEvent};
use ag_ui_native::{Code, Error, Event};
use pyo3::intern;
use pyo3::prelude::*;

use super::RunWriter;
use super::state::StateTracker;
use super::value::{read_event, strict_event};
use super::writer::Written;

#[pymethods]
impl RunWriter {
    /// Sends the state of a tracker, as STATE_DELTA or STATE_SNAPSHOT, whichever is shorter; with `whole` always as a snapshot. Several
    /// threads may call it at once: the comparison and the write are one step, which does not wait for room. With `at_await`, it sends only
    /// if that is due, before the last written event; `warn` is called the first time that it is not due.
    #[pyo3(signature = (tracker: "StateTracker", whole: "bool" = false, at_await: "bool" = false) -> "Self")]
    fn send_state<'py>(
        slf: &Bound<'py, Self>,
        tracker: &Bound<'py, StateTracker>,
        whole: bool,
        at_await: bool,
    ) -> PyResult<Bound<'py, Self>> {
        if !at_await || Self::is_state_due(slf, tracker)? {
            Self::bring_to_state(slf, tracker, whole, at_await)?;
        }
        Ok(slf.clone())
    }

    /// Writes the agent's own STATE_DELTA. It changes the state of the client and the state of the tracker. With `flush`, the state is sent
    /// before, if that is due. A delta that does not apply is sent again after the state, on plain JSON values. Raises AGUIPatchError if it
    /// does not apply to both, and the errors of `send`; then nothing has changed.
    #[pyo3(signature = (event: "object", tracker: "StateTracker", tag: "str | None" = None, flush: "bool" = false) -> "Self")]
    fn send_delta<'py>(
        slf: &Bound<'py, Self>,
        event: &Bound<'py, PyAny>,
        tracker: &Bound<'py, StateTracker>,
        tag: Option<&str>,
        flush: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        let event = read_event(event, slf.get().limits)?;
        let Event::StateDelta(StateDeltaEvent { delta, .. }) = &event else {
            return Self::send_read(slf, &event, tag, false);
        };
        if flush && Self::is_state_due(slf, tracker)? {
            Self::bring_to_state(slf, tracker, false, false)?;
        }
        let mut written = Self::pass_on(slf, tracker, &event, delta, tag)?;
        if let Written::Done(Err(error), _) = &written
            && flush
            && is_delta_sent_again(error)
        {
            Self::bring_to_state(slf, tracker, false, false)?;
            let given = tracker.get().make_plain(py)?;
            let again = Self::pass_on(slf, tracker, &event, delta, tag);
            if !matches!(again, Ok(Written::Done(Ok(()), _))) {
                tracker.get().set_state(&given)?;
            }
            written = again?;
        }
        Self::finish(slf, written)?;
        Self::notice_end(slf)?;
        Ok(slf.clone())
    }
}

impl RunWriter {
    /// Sends the state, after waiting for room.
    fn bring_to_state(
        slf: &Bound<'_, Self>,
        tracker: &Bound<'_, StateTracker>,
        whole: bool,
        at_await: bool,
    ) -> PyResult<()> {
        let mut written = Self::write_state(slf, tracker, whole, at_await, false)?;
        if let Some(Written::Full) = written {
            slf.call_method0(intern!(slf.py(), "attend"))?;
            written = Self::write_state(slf, tracker, whole, at_await, true)?;
        }
        written.map_or(Ok(()), |written| Self::finish(slf, written))
    }

    /// Writes a delta, if it applies to the state and to the client's state.
    fn pass_on(
        slf: &Bound<'_, Self>,
        tracker: &Bound<'_, StateTracker>,
        event: &Event,
        delta: &[JsonPatchOperation],
        tag: Option<&str>,
    ) -> PyResult<Written<()>> {
        let py = slf.py();
        // Waiting for room comes before the state is changed.
        Self::make_room(slf)?;
        let mut is_to_wake = false;
        let passed = tracker.get().pass_on(py, delta, || {
            match slf.get().write(py, true, |core| core.send(event.clone(), tag))? {
                Written::Done(result, wake) => {
                    is_to_wake = wake;
                    Ok(result)
                }
                Written::Full => Ok(Err(Error::new(Code::ClientTooSlow, ""))),
            }
        })?;
        Ok(Written::Done(passed, is_to_wake))
    }

    /// Sends the state without waiting for room: the end of the run follows it.
    pub(super) fn flush_always(slf: &Bound<'_, Self>, tracker: &Bound<'_, StateTracker>) -> PyResult<()> {
        let written = Self::write_state(slf, tracker, false, false, true)?;
        written.map_or(Ok(()), |written| Self::finish(slf, written))
    }

    /// Writes the event that brings the client to the state; nothing if the client has it.
    fn write_state(
        slf: &Bound<'_, Self>,
        tracker: &Bound<'_, StateTracker>,
        whole: bool,
        at_await: bool,
        always: bool,
    ) -> PyResult<Option<Written<()>>> {
        let py = slf.py();
        slf.get().turns.with(py, |parts| {
            parts.core.state_compared();
            Ok(())
        })?;
        tracker.get().update(py, whole, |json| {
            let event = match strict_event(json, slf.get().limits) {
                Ok(event) => event,
                Err(error) => return Ok((Written::Done(Err(error), false), false)),
            };
            let written = slf.get().write(py, always, |core| {
                if at_await { core.send_before_call(&event) } else { core.send(event, None) }
            })?;
            let is_sent = matches!(written, Written::Done(Ok(()), _));
            Ok((written, is_sent))
        })
    }

    /// True if the state is compared at this await.
    fn is_state_due(slf: &Bound<'_, Self>, tracker: &Bound<'_, StateTracker>) -> PyResult<bool> {
        let py = slf.py();
        let values = tracker.get().values(py)?;
        match slf.get().turns.with(py, |parts| Ok(parts.core.state_due(values)))? {
            StateDue::Always | StateDue::Now => Ok(true),
            StateDue::Later(None) => Ok(false),
            StateDue::Later(Some(warning)) => {
                slf.call_method1(intern!(py, "warn"), (warning.to_string(),))?;
                Ok(false)
            }
        }
    }
}
