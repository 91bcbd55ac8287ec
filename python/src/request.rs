//! The exchange of a client's request, for Python: events of the host go in, commands come out.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ag_ui_native::bindings::client::{
    AnswerHead, Command, Deadline, Exchange as Core, ExchangeOptions, Limit, Moment, Purpose,
    ReconnectOptions, Redirects, RequestFailure, Retry, Sending, Subject, TimeLimits, Timeout,
};
use ag_ui_native::bindings::idle::IdleWait;
use ag_ui_native::{Code, Error};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;

use crate::bytes::bytes_of;
use crate::client::{failed, known, timeout_of};
use crate::error::guard;

/// A moment: seconds of a monotonic clock, milliseconds since the Unix epoch, and a random number from 0 to 1.
type When = (f64, i64, f64);

/// A request on its way. Each input returns the next command.
#[pyclass(module = "ag_ui_native.client.rules", frozen)]
#[derive(Debug)]
pub struct Exchange(Mutex<Core>);

impl Exchange {
    /// Locks the machine. Waiting for another thread releases the interpreter's lock.
    fn core(&self, py: Python<'_>) -> MutexGuard<'_, Core> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn feed(&self, py: Python<'_>, input: impl FnOnce(&mut Core) -> Command) -> PyResult<RequestCommand> {
        guard(py, || {
            let mut core = self.core(py);
            let command = input(&mut core);
            Ok(RequestCommand { command, deadline: core.deadline(), is_given: false })
        })
    }
}

#[pymethods]
impl Exchange {
    /// A request for a run that has begun at that moment. Times are in seconds; `retry` and `reconnect` are attempts, first and
    /// longest pause, jitter. `purpose` is `start`, `join`, `cancel` or `thread`.
    #[new]
    #[pyo3(signature = (
        *, begun: "float" = 0.0, protobuf: "bool" = false, redirects: "str" = "same-origin",
        retry: "tuple[int, float, float, float] | None" = None, connect: "float | None" = None,
        first_byte: "float | None" = None, idle: "float | None" = None, total: "float | None" = None,
        purpose: "str" = "start", thread_id: "str" = "", run_id: "str" = "",
        reconnect: "tuple[int, float, float, float] | None" = None
    ))]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn new(
        begun: f64,
        protobuf: bool,
        redirects: &str,
        retry: Option<(u32, f64, f64, f64)>,
        connect: Option<f64>,
        first_byte: Option<f64>,
        idle: Option<f64>,
        total: Option<f64>,
        purpose: &str,
        thread_id: &str,
        run_id: &str,
        reconnect: Option<(u32, f64, f64, f64)>,
    ) -> PyResult<Self> {
        let redirects = match redirects {
            "same-origin" => Redirects::SameOrigin,
            "any" => Redirects::Any,
            "none" => Redirects::None,
            other => {
                return Err(PyValueError::new_err(format!(
                    "redirects: expected \"same-origin\", \"any\" or \"none\", got {other:?}"
                )));
            }
        };
        let retry = retry.map(|(attempts, first, longest, jitter)| Retry {
            attempts,
            first: duration(first),
            longest: duration(longest),
            jitter,
        });
        let limits = TimeLimits {
            connect: connect.map(duration),
            first_byte: first_byte.map(duration),
            idle: idle.map(duration),
            total: total.map(duration),
        };
        let options = ExchangeOptions { protobuf, redirects, retry, limits };
        let Some(purpose) = Purpose::ALL.into_iter().find(|known| known.as_str() == purpose) else {
            return Err(PyValueError::new_err(format!("purpose: {purpose:?} is none")));
        };
        let subject = Subject {
            purpose,
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            reconnect: reconnect.map(reconnect_options),
        };
        Ok(Self(Mutex::new(Core::new(options, clock_time(begun)).about(subject))))
    }

    /// The attempt goes to this address, with headers of the application of these names.
    #[pyo3(signature = (when: "tuple[float, int, float]", url: "str", names: "Iterable[str]") -> "RequestCommand")]
    #[allow(clippy::needless_pass_by_value)] // pyo3 passes owned values.
    fn prepared(
        &self,
        py: Python<'_>,
        when: When,
        url: &str,
        names: Vec<String>,
    ) -> PyResult<RequestCommand> {
        self.feed(py, |core| core.prepared(moment(when), url, names.iter().map(String::as_str)))
    }

    /// The connection is open: the wait for the head begins.
    #[pyo3(signature = (when: "tuple[float, int, float]") -> "RequestCommand")]
    fn connected(&self, py: Python<'_>, when: When) -> PyResult<RequestCommand> {
        self.feed(py, |core| core.connected(moment(when)))
    }

    /// The head of the answer has arrived. `location` is an absolute URL; empty if it is invalid.
    #[pyo3(signature = (
        when: "tuple[float, int, float]", status: "int", content_type: "str | None" = None,
        content_encoding: "str | None" = None, location: "str | None" = None, retry_after: "str | None" = None,
        cursor: "str | None" = None
    ) -> "RequestCommand")]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn head(
        &self,
        py: Python<'_>,
        when: When,
        status: u16,
        content_type: Option<&str>,
        content_encoding: Option<&str>,
        location: Option<&str>,
        retry_after: Option<&str>,
        cursor: Option<&str>,
    ) -> PyResult<RequestCommand> {
        let head = AnswerHead { status, content_type, content_encoding, location, retry_after, cursor };
        self.feed(py, |core| core.head(moment(when), &head))
    }

    /// A decoded piece of a refusal has arrived.
    #[pyo3(signature = (piece: "bytes") -> "RequestCommand")]
    fn piece(&self, piece: &Bound<'_, PyAny>) -> PyResult<RequestCommand> {
        let bytes = bytes_of(piece)?;
        self.feed(piece.py(), |core| core.piece(bytes.as_bytes()))
    }

    /// The refusal is complete.
    #[pyo3(signature = () -> "RequestCommand")]
    fn end(&self, py: Python<'_>) -> PyResult<RequestCommand> {
        self.feed(py, Core::end)
    }

    /// The attempt has failed, with an error of the host.
    #[pyo3(signature = (
        when: "tuple[float, int, float]", code: "str", limit: "str | None" = None, status: "int | None" = None
    ) -> "RequestCommand")]
    fn failed(
        &self,
        py: Python<'_>,
        when: When,
        code: &str,
        limit: Option<&str>,
        status: Option<u16>,
    ) -> PyResult<RequestCommand> {
        let limit = limit.and_then(|name| timeout_of(name).ok()).map(Timeout::as_str);
        let error = Error { limit, ..Error::new(known(code).unwrap_or(Code::Internal), "") };
        let failure = RequestFailure { status, ..error.into() };
        let command = self.feed(py, |core| core.failed(moment(when), failure))?;
        // Of a run that was looked for, the first failure counts.
        let is_given = !self.core(py).has_lost_answer();
        Ok(RequestCommand { is_given, ..command })
    }

    /// A library with its own timer has waited too long: for the connection, or else for the head.
    #[pyo3(signature = (when: "tuple[float, int, float]", connecting: "bool") -> "RequestCommand")]
    fn late(&self, py: Python<'_>, when: When, connecting: bool) -> PyResult<RequestCommand> {
        self.feed(py, |core| core.late(moment(when), connecting))
    }

    /// The connection is closed.
    #[pyo3(signature = (when: "tuple[float, int, float]") -> "RequestCommand")]
    fn closed(&self, py: Python<'_>, when: When) -> PyResult<RequestCommand> {
        self.feed(py, |core| core.closed(moment(when)))
    }

    /// The time has advanced; a deadline may have passed.
    #[pyo3(signature = (when: "tuple[float, int, float]") -> "RequestCommand")]
    fn tick(&self, py: Python<'_>, when: When) -> PyResult<RequestCommand> {
        self.feed(py, |core| core.tick(moment(when)))
    }

    /// The request is aborted.
    #[pyo3(signature = (when: "tuple[float, int, float]") -> "RequestCommand")]
    fn aborted(&self, py: Python<'_>, when: When) -> PyResult<RequestCommand> {
        self.feed(py, |core| core.aborted(moment(when)))
    }
}

/// The next command.
#[pyclass(module = "ag_ui_native.client.rules", frozen)]
#[derive(Debug)]
pub struct RequestCommand {
    command: Command,
    deadline: Option<Deadline>,
    /// True if the command reports a failure for which the host has an error.
    is_given: bool,
}

impl RequestCommand {
    fn sending(&self) -> Option<&Sending> {
        if let Command::Send(sending) = &self.command { Some(sending) } else { None }
    }
}

#[pymethods]
impl RequestCommand {
    /// The name of the command.
    #[getter]
    fn name(&self) -> &'static str {
        match &self.command {
            Command::Prepare => "prepare",
            Command::Send(_) => "send",
            Command::Refusal(_) => "refusal",
            Command::Wait => "wait",
            Command::Close => "close",
            Command::Sleep(_) => "sleep",
            Command::Events { .. } => "events",
            Command::Fail(_) => "fail",
        }
    }

    /// The deadline of the wait, in seconds of the clock; None for no deadline.
    #[getter]
    fn until(&self) -> Option<f64> {
        self.deadline.and_then(|deadline| seconds(deadline.at))
    }

    /// The limit that the deadline belongs to; None if passing it is no failure.
    #[getter]
    fn timeout(&self) -> Option<&'static str> {
        Some(self.deadline?.timeout?.as_str())
    }

    /// For `send`: the method.
    #[getter]
    fn method(&self) -> &'static str {
        self.sending().map_or("", |sending| sending.method)
    }

    /// For `send`: True if the body is the input of the run; False for no body.
    #[getter]
    fn has_input(&self) -> bool {
        self.sending().is_some_and(|sending| sending.has_input)
    }

    /// For `send`: the URL without credentials.
    #[getter]
    fn url(&self) -> &str {
        self.sending().map_or("", |sending| &sending.url)
    }

    /// For `send`: headers that replace those of the application with the same names.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (name, value) in self.sending().into_iter().flat_map(|sending| &sending.headers) {
            headers.set_item(name, value)?;
        }
        Ok(headers)
    }

    /// For `send`: headers that are not sent. If there are any, other credentials are not sent either.
    #[getter]
    fn left_behind(&self) -> Vec<&'static str> {
        self.sending().map_or_else(Vec::new, |sending| sending.left_behind.to_vec())
    }

    /// For `send`: longest time for the connection, in seconds, and the name of its limit.
    #[getter]
    fn connect(&self) -> (Option<f64>, Option<&'static str>) {
        limit(self.sending().and_then(|sending| sending.connect))
    }

    /// For `send`: longest time for the head after the connection, in seconds, and the name of its
    /// limit.
    #[getter]
    fn head(&self) -> (Option<f64>, Option<&'static str>) {
        limit(self.sending().and_then(|sending| sending.head))
    }

    /// For `refusal` and `events`: the encoding of the body.
    #[getter]
    fn encoding(&self) -> &'static str {
        match &self.command {
            Command::Refusal(encoding) | Command::Events { encoding, .. } => encoding.as_str(),
            _ => "",
        }
    }

    /// For `events`: the content type to decode by.
    #[getter]
    fn content_type(&self) -> &str {
        if let Command::Events { content_type, .. } = &self.command { content_type } else { "" }
    }

    /// For `fail`: the error; None if it is the host's own, which it reported by `failed`.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Command::Fail(failure) = &self.command else { return Ok(None) };
        if self.is_given {
            return Ok(None);
        }
        Ok(Some(failed(py, failure)?.into_value(py).into_bound(py).into_any()))
    }
}

fn moment((now, wall, chance): When) -> Moment {
    Moment { now: clock_time(now), wall, chance }
}

/// Reads the times of reconnecting: attempts, first and longest pause in seconds, jitter.
pub fn reconnect_options((attempts, first, longest, jitter): (u32, f64, f64, f64)) -> ReconnectOptions {
    ReconnectOptions { attempts, first: duration(first), longest: duration(longest), jitter }
}

/// Converts a number of seconds to a duration; values out of range mean no limit.
pub fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Converts the seconds of a clock. They may be negative, if the clock was set back.
pub fn clock_time(seconds: f64) -> Duration {
    duration(seconds.max(0.0))
}

/// Converts a duration to seconds for Python; `None` means no limit.
pub fn seconds(duration: Duration) -> Option<f64> {
    (duration.as_secs() < 1 << 32).then_some(duration.as_secs_f64())
}

/// The limit of a wait that begins `passed` seconds after the beginning of a call: this timeout, or `total` if less is left of that.
/// Returns the seconds that are left, and the name and the seconds of the timeout.
#[pyfunction]
#[pyo3(signature = (passed: "float", total: "float", timeout: "str", seconds: "float | None") -> "tuple[float | None, str, float | None]")]
pub fn limit_within(
    passed: f64,
    total: f64,
    timeout: &str,
    seconds: Option<f64>,
) -> PyResult<(Option<f64>, Option<&'static str>, Option<f64>)> {
    let limit_of =
        |seconds| Ok::<_, PyErr>(Limit { lasts: duration(seconds), timeout: timeout_of(timeout)? });
    let own = seconds.map(limit_of).transpose()?;
    let within = Limit::within(own, Some(duration(total)), clock_time(passed));
    let (lasts, name) = limit(within.map(|(_, limit)| limit));
    Ok((within.and_then(|(left, _)| self::seconds(left)), name, lasts))
}

/// The wait for the next piece of a stream, for Python.
#[derive(IntoPyObject)]
pub enum PieceWait {
    /// The longest time in seconds; `None` means no limit.
    AtMost(Option<f64>),
    /// `False`: the stream is at its end.
    AtEnd(bool),
}

impl From<IdleWait> for PieceWait {
    fn from(wait: IdleWait) -> Self {
        match wait {
            IdleWait::Unlimited => Self::AtMost(None),
            IdleWait::AtMost(left) => Self::AtMost(seconds(left)),
            IdleWait::AtEnd => Self::AtEnd(false),
        }
    }
}

fn limit(limit: Option<Limit>) -> (Option<f64>, Option<&'static str>) {
    (limit.and_then(|limit| seconds(limit.lasts)), limit.map(|limit| limit.timeout.as_str()))
}
