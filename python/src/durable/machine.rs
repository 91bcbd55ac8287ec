//! The machines that a host drives: the part that all of them have.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{EngineFailure, LogNotice, Step};
use pyo3::prelude::*;

use super::handles::{Hint, Operation, Reply};
use super::notice::{Notice, notice};
use super::{Ticket, moment};
use crate::turns::Turns;

/// A command to the host: its name, and what belongs to it.
pub type Command<'py> = (&'static str, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// A command of a machine of core.
pub trait HostCommand {
    /// The command for Python.
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>>;
}

impl HostCommand for std::convert::Infallible {
    fn for_python(self, _: Python<'_>) -> PyResult<Command<'_>> {
        match self {}
    }
}

/// The command that sends an operation.
pub fn send(py: Python<'_>, ticket: core::Ticket, operation: core::Operation) -> PyResult<Command<'_>> {
    let ticket = Bound::new(py, Ticket(ticket))?.into_any();
    let operation = Bound::new(py, Operation(operation))?.into_any();
    Ok(("send", Some(ticket), Some(operation)))
}

/// A machine of core, of any kind.
trait Driven: fmt::Debug + Send + Sync {
    fn poll<'py>(&self, py: Python<'py>, now: Duration) -> PyResult<Option<Command<'py>>>;
    fn reply(
        &self,
        py: Python<'_>,
        now: Duration,
        ticket: core::Ticket,
        reply: Result<core::Reply, EngineFailure>,
    ) -> PyResult<()>;
    fn hint(&self, py: Python<'_>, hint: core::Hint) -> PyResult<()>;
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<Duration>>;
    fn notice(&self, py: Python<'_>) -> PyResult<Option<LogNotice>>;
}

impl<M> Driven for Turns<M>
where
    M: core::Machine + fmt::Debug + Send,
    M::Command: HostCommand,
{
    fn poll<'py>(&self, py: Python<'py>, now: Duration) -> PyResult<Option<Command<'py>>> {
        Ok(match self.with(py, |machine| Ok(machine.step(now)))? {
            None => None,
            Some(Step::Other(command)) => Some(command.for_python(py)?),
            Some(Step::Send(ticket, operation)) => Some(send(py, ticket, operation)?),
        })
    }

    fn reply(
        &self,
        py: Python<'_>,
        now: Duration,
        ticket: core::Ticket,
        reply: Result<core::Reply, EngineFailure>,
    ) -> PyResult<()> {
        self.with(py, |machine| {
            machine.take_reply(now, ticket, reply);
            Ok(())
        })
    }

    fn hint(&self, py: Python<'_>, hint: core::Hint) -> PyResult<()> {
        self.with(py, |machine| {
            machine.take_hint(hint);
            Ok(())
        })
    }

    fn deadline(&self, py: Python<'_>) -> PyResult<Option<Duration>> {
        self.with(py, |machine| Ok(machine.next_step()))
    }

    fn notice(&self, py: Python<'_>) -> PyResult<Option<LogNotice>> {
        self.with(py, |machine| Ok(machine.next_notice()))
    }
}

/// A machine that sends operations to an engine. Its owner says what its commands are.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Machine(Arc<dyn Driven>);

impl Machine {
    /// The machine of an object that has methods of its own, too.
    pub fn of<M>(machine: &Arc<Turns<M>>) -> Self
    where
        M: core::Machine + fmt::Debug + Send + 'static,
        M::Command: HostCommand,
    {
        Self(Arc::clone(machine) as Arc<dyn Driven>)
    }
}

#[pymethods]
impl Machine {
    /// The next command, with two values: `send` with a ticket and an operation, or one that its owner describes. None until the
    /// next input or the deadline.
    #[pyo3(signature = (now: "float") -> "tuple[str, Any, Any] | None")]
    fn poll<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Option<Command<'py>>> {
        self.0.poll(py, moment(now))
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
        let reply = reply.map(|reply| reply.0.clone()).ok_or(EngineFailure);
        self.0.reply(py, moment(now), ticket.0, reply)
    }

    /// Takes a hint of the log.
    #[pyo3(signature = (hint: "Hint") -> "None")]
    fn hint(&self, py: Python<'_>, hint: &Hint) -> PyResult<()> {
        self.0.hint(py, hint.0)
    }

    /// The time of the next call of `poll`; None at the end.
    #[pyo3(signature = () -> "float | None")]
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.0.deadline(py)?.map(|deadline| deadline.as_secs_f64()))
    }

    /// The next notice for the application. Asked behind each command.
    #[pyo3(signature = () -> "tuple[str, dict[str, Any]] | None")]
    fn notice<'py>(&self, py: Python<'py>) -> PyResult<Option<Notice<'py>>> {
        self.0.notice(py)?.map(|taken| notice(py, &taken)).transpose()
    }
}
