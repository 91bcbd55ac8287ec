//! The refusals of requests about runs with a log. They are raised as `ag_ui_native.server.request.Refused`.

use ag_ui_native::Error;
use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::server::Close;
use pyo3::prelude::*;

use super::machine::{Command, HostCommand};
use crate::server::request::answered;

/// The refusal of a request about a run with a log.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct LogRefusal(pub core::LogRefusal);

#[pymethods]
impl LogRefusal {
    /// The refusal with this code. Raises ValueError for an unknown one.
    #[staticmethod]
    #[pyo3(signature = (code: "str") -> "LogRefusal")]
    fn of(code: &str) -> PyResult<Self> {
        Ok(Self(Error::new(crate::client::known(code)?, "").into()))
    }

    /// Raises Refused.
    #[pyo3(signature = () -> "NoReturn")]
    fn refuse(&self, py: Python<'_>) -> PyResult<()> {
        Err(refused_by(py, &self.0))
    }
}

impl HostCommand for core::LogRefusal {
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>> {
        Ok(("refused", Some(Bound::new(py, LogRefusal(self))?.into_any()), None))
    }
}

impl<T: HostCommand> HostCommand for Result<T, core::LogRefusal> {
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>> {
        match self {
            Ok(decided) => decided.for_python(py),
            Err(refusal) => refusal.for_python(py),
        }
    }
}

/// The exception for a request that is refused because of an error.
pub fn refused(py: Python<'_>, error: Error) -> PyErr {
    refused_by(py, &error.into())
}

fn refused_by(py: Python<'_>, refusal: &core::LogRefusal) -> PyErr {
    let Close { code, reason } = refusal.close();
    answered(py, refusal.response(Vec::new()), code, &reason)
}
