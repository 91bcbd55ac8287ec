//! `ActivityWriter`: what the class of activities derives from.

use std::sync::{Mutex, PoisonError};

use ag_ui_native::host::server::Activity;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

use super::RunWriter;
use super::value::read_event;

/// An activity of a run, of which it is known what the client has.
#[pyclass(module = "ag_ui_native.run_writer", subclass, weakref, frozen)]
#[derive(Debug)]
pub struct ActivityWriter {
    writer: Py<RunWriter>,
    /// Locked while something is written, when no Python code runs.
    known: Mutex<Activity>,
}

#[pymethods]
impl ActivityWriter {
    #[new]
    #[pyo3(signature = (writer: "RunWriter", *_args: "object"))]
    fn new(writer: Py<RunWriter>, _args: &Bound<'_, PyTuple>) -> Self {
        Self { writer, known: Mutex::default() }
    }

    #[allow(clippy::needless_pass_by_value)] // As Python hands it over.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.writer)
    }

    /// Writes an event that shows it, in one step: what another thread sends comes before or after. It does not wait for room meanwhile. Of
    /// an update, which is a snapshot, only goes out what has changed.
    ///
    /// Raises AGUIPatchError for a patch that does not apply to what the client has, and as `send`; nothing is written then.
    #[pyo3(signature = (event: "object", tag: "str | None" = None, is_update: "bool" = false) -> "RunWriter")]
    fn show<'py>(
        &self,
        event: &Bound<'py, PyAny>,
        tag: Option<&str>,
        is_update: bool,
    ) -> PyResult<Bound<'py, RunWriter>> {
        let (py, writer) = (event.py(), self.writer.bind(event.py()));
        let event = read_event(event, writer.get().limits)?;
        RunWriter::make_room(writer)?;
        let written = writer.get().write(py, true, |core| {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            core.send_activity(&mut known, event, is_update, tag)
        })?;
        RunWriter::finish(writer, written)?;
        Ok(writer.clone())
    }
}
