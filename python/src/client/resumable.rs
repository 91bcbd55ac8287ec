//! The stream of a client's run over several connections, for Python.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ag_ui_native::bindings::client::{Reconnect, ResumableHead, ResumableStream as Core, ResumeStep};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;

use super::clock;
use crate::bytes::bytes_of;
use crate::error::{guard, raised};
use crate::options::read_limits;
use crate::request::{duration, reconnect_options};

/// The stream of a run over its connections, and the attempts to go on with it.
#[pyclass(module = "ag_ui_native.client.resumable", frozen)]
#[derive(Debug)]
pub struct ResumableStream(Mutex<(Core, Reconnect)>);

impl ResumableStream {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, (Core, Reconnect)> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

fn head(headers: &BTreeMap<String, String>) -> ResumableHead<'_> {
    let header = |name: &str| headers.get(name).map(String::as_str);
    ResumableHead {
        cursor: header("ag-ui-cursor"),
        prefix: header("ag-ui-prefix"),
        heartbeat: header("ag-ui-heartbeat"),
        location: header("content-location"),
        content_type: header("content-type").unwrap_or_default(),
        retry_after: header("retry-after"),
    }
}

#[pymethods]
impl ResumableStream {
    /// The stream of the response with these headers, their names in lower case; None if its server does not say how to resume.
    /// `reconnect` is attempts, first and longest pause in seconds, jitter.
    #[staticmethod]
    #[pyo3(signature = (
        headers: "Mapping[str, str]", reconnect: "tuple[int, float, float, float]", limits: "object | None" = None
    ) -> "ResumableStream | None")]
    #[allow(clippy::needless_pass_by_value)] // pyo3 hands it over.
    fn of(
        headers: BTreeMap<String, String>,
        reconnect: (u32, f64, f64, f64),
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Self>> {
        let Some(stream) = Core::new(&head(&headers), read_limits(limits)?) else { return Ok(None) };
        Ok(Some(Self(Mutex::new((stream, Reconnect::new(reconnect_options(reconnect)))))))
    }

    /// The address from which the run is read on, relative to that of the request.
    #[getter]
    fn location(&self, py: Python<'_>) -> String {
        self.lock(py).0.location().to_owned()
    }

    /// The address by which the run is cancelled, relative to that of the request.
    #[getter]
    fn cancel_location(&self, py: Python<'_>) -> String {
        self.lock(py).0.cancel_location()
    }

    /// The headers of the request for the rest of the run, which replace those of the application.
    #[getter]
    fn headers(&self, py: Python<'_>) -> BTreeMap<&'static str, String> {
        self.lock(py).0.headers().into_iter().collect()
    }

    /// The seconds of silence after which the connection counts as lost; None if silence is no fault.
    #[getter]
    fn silence(&self, py: Python<'_>) -> Option<f64> {
        self.lock(py).0.silence().map(|time| time.as_secs_f64())
    }

    /// True if the last event has ended the run.
    #[getter]
    fn has_ended(&self, py: Python<'_>) -> bool {
        self.lock(py).0.has_ended()
    }

    /// Takes the next bytes of the connection. Returns whole events in the same format, without those that came before, and the
    /// error behind them if there is one.
    #[pyo3(signature = (piece: "bytes") -> "tuple[bytes, AGUIError | None]")]
    fn feed<'py>(
        &self,
        piece: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<Bound<'py, PyAny>>)> {
        let py = piece.py();
        guard(py, || {
            let bytes = bytes_of(piece)?;
            let mut out = Vec::new();
            let mut locked = self.lock(py);
            let (stream, reconnect) = &mut *locked;
            let failure = stream.feed(bytes.as_bytes(), &mut out).err();
            if !out.is_empty() {
                reconnect.progress();
            }
            drop(locked);
            let failure =
                failure.map(|error| raised(py, &error, None).into_value(py).into_bound(py).into_any());
            Ok((PyBytes::new(py, &out), failure))
        })
    }

    /// The seconds until the next attempt; None if there is no further one. `asked` is the pause that the server asks for, in
    /// seconds; `chance` is a random number from 0 to 1.
    #[pyo3(signature = (asked: "float | None", chance: "float") -> "float | None")]
    fn next_pause(&self, py: Python<'_>, asked: Option<f64>, chance: f64) -> Option<f64> {
        let mut locked = self.lock(py);
        let (stream, reconnect) = &mut *locked;
        let asked: Option<Duration> = asked.map(duration).or_else(|| stream.asked_pause());
        reconnect.next(asked, chance).map(|pause| pause.as_secs_f64())
    }

    /// Takes the status and the headers of the response to a request for the rest of the run. Returns the next step (`read`
    /// the body, it has `ended`, or `retry` after the seconds that the server asks for). Raises AGUIError if the run cannot go on.
    #[pyo3(signature = (status: "int", headers: "Mapping[str, str]") -> "tuple[str, float | None]")]
    #[allow(clippy::needless_pass_by_value)] // pyo3 hands it over.
    fn answered(
        &self,
        py: Python<'_>,
        status: u16,
        headers: BTreeMap<String, String>,
    ) -> PyResult<(&'static str, Option<f64>)> {
        match self.lock(py).0.answered(status, &head(&headers), clock()) {
            ResumeStep::Read => Ok(("read", None)),
            ResumeStep::Ended => Ok(("ended", None)),
            ResumeStep::Retry(asked) => Ok(("retry", asked.map(|pause| pause.as_secs_f64()))),
            ResumeStep::Refused(error) => Err(raised(py, &error, None)),
        }
    }

    /// The error of a run whose attempts are used up.
    #[staticmethod]
    #[pyo3(signature = () -> "AGUIError")]
    fn given_up(py: Python<'_>) -> PyErr {
        raised(py, &Core::given_up(), None)
    }
}
