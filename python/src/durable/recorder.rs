//! Stores what an agent writes.

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{ProducerCommand, Recorded};
use pyo3::prelude::*;

use super::handles::{Hint, Operation, Reply};
use super::notice::{Notice, notice};
use super::{Command, Ticket, moment, reply_of, seconds, send};
use crate::bytes::bytes_of;
use crate::error::raised;
use crate::turns::Turns;

/// Takes the bytes of an event stream, and stores its frames.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Recorder(Turns<core::Recorder>);

impl Recorder {
    pub(super) fn new(recorder: core::Recorder) -> Self {
        Self(Turns::new(recorder))
    }
}

#[pymethods]
impl Recorder {
    /// Takes the next bytes of the stream. Returns the number of the last frame, true if a frame has to be stored before the
    /// agent goes on, and true if there is room for more.
    ///
    /// Raises AGUILimitError for a frame that is too long.
    #[pyo3(signature = (now: "float", data: "bytes") -> "tuple[int, bool, bool]")]
    fn write(&self, now: f64, data: &Bound<'_, PyAny>) -> PyResult<(u64, bool, bool)> {
        let (py, bytes) = (data.py(), bytes_of(data)?);
        let recorded = self.0.with(py, |recorder| Ok(recorder.write(moment(now), bytes.as_bytes())))?;
        let Recorded { last, is_awaited, has_room } = recorded.map_err(|error| raised(py, &error, None))?;
        Ok((last, is_awaited, has_room))
    }

    /// True if an awaited write may return before its frame is stored.
    #[pyo3(signature = () -> "bool")]
    fn has_room(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |recorder| Ok(recorder.has_room()))
    }

    /// The next command: `send`, `stored` with a number, `stop` with a reason and true if the end of the run
    /// is still stored, or `closed`.
    #[pyo3(signature = (now: "float") -> "tuple[str, Any, Any] | None")]
    fn poll<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Option<Command<'py>>> {
        let command = self.0.with(py, |recorder| Ok(recorder.poll(moment(now))))?;
        Ok(match command {
            None => None,
            Some(ProducerCommand::Send { ticket, operation }) => Some(send(py, ticket, operation)?),
            Some(ProducerCommand::Stored { through }) => {
                Some(("stored", Some(through.into_pyobject(py)?.into_any()), None))
            }
            Some(ProducerCommand::Stop(reason)) => {
                let has_end = reason.has_end().into_pyobject(py)?.to_owned().into_any();
                let reason = reason.as_str().into_pyobject(py)?.into_any();
                Some(("stop", Some(reason), Some(has_end)))
            }
            Some(ProducerCommand::Closed) => Some(("closed", None, None)),
        })
    }

    /// The next notice for the application. Asked behind each command.
    #[pyo3(signature = () -> "tuple[str, dict[str, Any]] | None")]
    fn notice<'py>(&self, py: Python<'py>) -> PyResult<Option<Notice<'py>>> {
        let taken = self.0.with(py, |recorder| Ok(recorder.take_notice()))?;
        taken.map(|taken| notice(py, &taken)).transpose()
    }

    /// The process shuts down: the run ends within its time to drain.
    #[pyo3(signature = (now: "float") -> "None")]
    fn drain(&self, py: Python<'_>, now: f64) -> PyResult<()> {
        self.0.with(py, |recorder| {
            recorder.drain(moment(now));
            Ok(())
        })
    }

    /// The run counts no longer. Called when no more commands are carried out.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |recorder| {
            recorder.close();
            Ok(())
        })
    }

    /// Takes the reply to an operation; None stands for none.
    #[pyo3(signature = (now: "float", ticket: "Ticket", reply: "Reply | None") -> "None")]
    fn reply(
        &self,
        py: Python<'_>,
        now: f64,
        ticket: &Ticket,
        reply: Option<PyRef<'_, Reply>>,
    ) -> PyResult<()> {
        let reply = reply_of(reply);
        self.0.with(py, |recorder| {
            recorder.reply(moment(now), ticket.0, reply);
            Ok(())
        })
    }

    /// Takes a hint of the log.
    #[pyo3(signature = (hint: "Hint") -> "None")]
    fn hint(&self, py: Python<'_>, hint: &Hint) -> PyResult<()> {
        self.0.with(py, |recorder| {
            recorder.hint(hint.0);
            Ok(())
        })
    }

    /// The time of the next call of `poll`; None at the end.
    #[pyo3(signature = () -> "float | None")]
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.0.with(py, |recorder| Ok(seconds(recorder.deadline())))
    }

    /// The operation that renews the lease, and the seconds between two of them: for a thread that renews it while the event
    /// loop is blocked.
    #[pyo3(signature = () -> "tuple[Operation, float]")]
    fn renewal(&self, py: Python<'_>) -> PyResult<(Operation, f64)> {
        let (operation, pause) = self.0.with(py, |recorder| Ok(recorder.renewal()))?;
        Ok((Operation(operation), pause.as_secs_f64()))
    }

    /// Takes the time at which such a renewal was sent that was answered.
    #[pyo3(signature = (sent_at: "float") -> "None")]
    fn keep(&self, py: Python<'_>, sent_at: f64) -> PyResult<()> {
        self.0.with(py, |recorder| {
            recorder.keep(moment(sent_at));
            Ok(())
        })
    }
}
