//! The beginning of a run.

use std::time::Duration;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{AdmissionCommand, Admitted};
use ag_ui_native::types::RunAgentInput;
use pyo3::prelude::*;

use super::handles::{Hint, LogKey, Reply};
use super::notice::{Notice, notice};
use super::occupancy::Occupancy;
use super::options::LogOptions;
use super::recorder::Recorder;
use super::refusal::{LogRefusal, refused};
use super::{Command, Ticket, moment, reply_of, seconds, send};
use crate::error::guard;
use crate::events::typed;
use crate::options::read_limits;
use crate::resume::unix_millis;
use crate::turns::Turns;

/// Creates the log of a run.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Admission {
    key: core::LogKey,
    input: RunAgentInput,
    options: core::LogOptions,
    limits: ag_ui_native::Limits,
    machine: Turns<Machine>,
}

#[derive(Debug)]
struct Machine {
    core: core::Admission,
    /// The epoch of the lease, and the time from which it counts.
    lease: Option<(u64, Duration)>,
}

#[pymethods]
impl Admission {
    /// Creates the log of this input's run. `resumes` is the header `AG-UI-Resume`. If `checks_answers` is true, the input
    /// has to answer the interrupts that wait in the thread. If `is_draining` is true, no run begins. Raises Refused for an id that is too long.
    #[new]
    #[pyo3(signature = (
        scope: "str", input: "RunAgentInput", options: "LogOptions", occupancy: "Occupancy",
        resumes: "str | None", limits: "Limits | None", checks_answers: "bool", is_draining: "bool"
    ))]
    #[allow(clippy::too_many_arguments)] // They are those of a request.
    fn new(
        scope: &str,
        input: &Bound<'_, PyAny>,
        options: &LogOptions,
        occupancy: &Occupancy,
        resumes: Option<&str>,
        limits: Option<&Bound<'_, PyAny>>,
        checks_answers: bool,
        is_draining: bool,
    ) -> PyResult<Self> {
        let py = input.py();
        let limits = read_limits(limits)?;
        // The body was within the limit; its JSON text may be longer.
        let input: RunAgentInput = guard(py, || typed(input, limits.with_event_bytes(usize::MAX)))?;
        let create = options.0.create(scope, &input, core::resumes(resumes));
        let create = create.map_err(|error| refused(py, error))?;
        let key = create.key.clone();
        let mut core = core::Admission::new(create, options.0.admission());
        if checks_answers {
            core = core.with_answers(core::Answers::of(&input, unix_millis()));
        }
        let subject = core::LogSubject::run(scope, &input.thread_id, &input.run_id);
        let place = occupancy.0.run(scope, options.0.max_active_runs, is_draining);
        let core = core.in_place(place).about(Some(subject));
        let machine = Turns::new(Machine { core, lease: None });
        Ok(Self { key, input, options: options.0, limits, machine })
    }

    /// The log.
    #[getter]
    fn key(&self) -> LogKey {
        LogKey(self.key.clone())
    }

    /// The next command: `send`; or the decision, `created` or `exists` with the cursor of the beginning, or `refused`.
    #[pyo3(signature = (now: "float") -> "tuple[str, Any, Any] | None")]
    fn poll<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Option<Command<'py>>> {
        let command = self.machine.with(py, |machine| {
            let command = machine.core.poll(moment(now));
            if let Some(AdmissionCommand::Decided(Admitted::Created { epoch, leased_at, .. })) = &command {
                machine.lease = Some((*epoch, *leased_at));
            }
            Ok(command)
        })?;
        Ok(match command {
            None => None,
            Some(AdmissionCommand::Send { ticket, operation }) => Some(send(py, ticket, operation)?),
            Some(AdmissionCommand::Decided(decided)) => Some(match decided {
                Admitted::Created { incarnation, .. } => ("created", Some(beginning(py, incarnation)?), None),
                Admitted::Exists(info) => ("exists", Some(beginning(py, info.incarnation)?), None),
                Admitted::Refused(refusal) => {
                    ("refused", Some(Bound::new(py, LogRefusal(refusal))?.into_any()), None)
                }
            }),
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
        self.machine.with(py, |machine| {
            machine.core.reply(moment(now), ticket.0, reply);
            Ok(())
        })
    }

    /// Takes a hint of the log, which means nothing here.
    #[pyo3(signature = (hint: "Hint") -> "None")]
    #[allow(clippy::unused_self)] // As the other machines.
    fn hint(&self, hint: &Hint) {
        let _ = hint;
    }

    /// The time of the next call of `poll`; None behind the decision.
    #[pyo3(signature = () -> "float | None")]
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.machine.with(py, |machine| Ok(seconds(machine.core.deadline())))
    }

    /// The next notice for the application. Asked behind each command.
    #[pyo3(signature = () -> "tuple[str, dict[str, Any]] | None")]
    fn notice<'py>(&self, py: Python<'py>) -> PyResult<Option<Notice<'py>>> {
        let taken = self.machine.with(py, |machine| Ok(machine.core.take_notice()))?;
        taken.map(|taken| notice(py, &taken)).transpose()
    }

    /// The recorder of the run whose log was created; None if it was not.
    #[pyo3(signature = () -> "Recorder | None")]
    fn recorder(&self, py: Python<'_>) -> PyResult<Option<Recorder>> {
        self.machine.with(py, |machine| {
            Ok(machine.lease.map(|(epoch, leased_at)| {
                let Self { input, options, limits, .. } = self;
                Recorder::new(options.recorder(&mut machine.core, epoch, leased_at, input, *limits))
            }))
        })
    }
}

fn beginning(py: Python<'_>, incarnation: core::Incarnation) -> PyResult<Bound<'_, PyAny>> {
    Ok(core::Cursor { incarnation, number: 0 }.to_string().into_pyobject(py)?.into_any())
}
