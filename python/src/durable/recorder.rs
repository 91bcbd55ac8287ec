//! Stores what an agent writes.

use std::sync::Arc;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{ProducerCommand, Recorded};
use pyo3::prelude::*;

use super::machine::{Command, HostCommand, Machine, send};
use super::moment;
use crate::bytes::bytes_of;
use crate::error::raised;
use crate::turns::Turns;

/// Takes the bytes of an event stream, and stores its frames.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Recorder(Arc<Turns<core::Recorder>>);

impl Recorder {
    pub(super) fn new(recorder: core::Recorder) -> Self {
        Self(Arc::new(Turns::new(recorder)))
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

    /// Its machine. The commands are `stored` with a number, `stop` with a reason and true if the end of the run is still
    /// stored, and `closed`.
    #[getter]
    fn machine(&self) -> Machine {
        Machine::of(&self.0)
    }

    /// A machine that renews the lease, too: for a thread that renews it while the event loop is blocked. It has no commands.
    #[pyo3(signature = () -> "Machine")]
    fn renewal(&self, py: Python<'_>) -> PyResult<Machine> {
        self.0.with(py, |recorder| Ok(Machine::of(&Arc::new(Turns::new(recorder.renewal())))))
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
}

impl HostCommand for ProducerCommand {
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>> {
        Ok(match self {
            Self::Stored { through } => ("stored", Some(through.into_pyobject(py)?.into_any()), None),
            Self::Stop(reason) => {
                let has_end = reason.has_end().into_pyobject(py)?.to_owned().into_any();
                ("stop", Some(reason.as_str().into_pyobject(py)?.into_any()), Some(has_end))
            }
            Self::Closed => ("closed", None, None),
            Self::Send { ticket, operation } => send(py, ticket, operation)?,
        })
    }
}
