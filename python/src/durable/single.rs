//! Cancels and reads of threads.

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::SingleCommand;
use ag_ui_native::bindings::server::PlainResponse;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::handles::{Hint, Reply};
use super::refusal::LogRefusal;
use super::{Command, Ticket, moment, reply_of, seconds, send};
use crate::turns::Turns;

/// Cancels a run, or reads a thread.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct SingleOperation(pub Turns<core::SingleOperation>);

#[pymethods]
impl SingleOperation {
    /// The next command: `send`; or `response` with its status, its headers and its body, or `refused`.
    #[pyo3(signature = (now: "float") -> "tuple[str, Any, Any] | None")]
    fn poll<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Option<Command<'py>>> {
        Ok(match self.0.with(py, |single| Ok(single.poll(moment(now))))? {
            None => None,
            Some(SingleCommand::Send { ticket, operation }) => Some(send(py, ticket, operation)?),
            Some(SingleCommand::Done(Ok(PlainResponse { status, headers, body }))) => {
                let body = PyBytes::new(py, body.as_bytes());
                Some(("response", Some((status, headers, body).into_pyobject(py)?.into_any()), None))
            }
            Some(SingleCommand::Done(Err(refusal))) => {
                Some(("refused", Some(Bound::new(py, LogRefusal(refusal))?.into_any()), None))
            }
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
        self.0.with(py, |single| {
            single.reply(moment(now), ticket.0, reply);
            Ok(())
        })
    }

    /// Takes a hint of the log, which means nothing here.
    #[pyo3(signature = (hint: "Hint") -> "None")]
    #[allow(clippy::unused_self)] // As the other machines.
    fn hint(&self, hint: &Hint) {
        let _ = hint;
    }

    /// The time of the next call of `poll`; None behind the last command.
    #[pyo3(signature = () -> "float | None")]
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.0.with(py, |single| Ok(seconds(single.deadline())))
    }

    /// None: there are no notices here.
    #[pyo3(signature = () -> "None")]
    #[allow(clippy::unused_self)] // As the other machines.
    fn notice(&self) {}
}
