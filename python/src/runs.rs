//! The runs of one call of a client: events go in; decisions and results come out.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ag_ui_native::bindings::client::{
    AgentMembers, Cause, EarlyEnd, NextStep, OutcomeKind, RunSum, Runs as CoreRuns, arguments_json,
    check_arguments, misfit as told_of_misfit, read_arguments as arguments, read_members, read_schema,
    read_tools,
};
use ag_ui_native::types::{Interrupt, TokenUsage};
use ag_ui_native::{Error, Limits, to_json};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::client::{clock, warnings};
use crate::compat::version;
use crate::error::{guard, raised};
use crate::events::{Form, typed_all};
use crate::options::read_limits;
use crate::request::clock_time;

/// The JSON of a call's arguments, which must be an object that the JSON Schema `schema` allows. Otherwise raises ValueError with
/// the text for the agent.
#[pyfunction]
#[pyo3(signature = (text: "str", limits: "object | None" = None, schema: "str | None" = None) -> "str")]
pub fn read_arguments(
    py: Python<'_>,
    text: &str,
    limits: Option<&Bound<'_, PyAny>>,
    schema: Option<&str>,
) -> PyResult<String> {
    let limits = read_limits(limits)?;
    guard(py, || {
        let given = arguments(text, limits).map_err(PyValueError::new_err)?;
        if let Some(schema) = schema {
            let schema = read_schema(schema, limits).map_err(PyValueError::new_err)?;
            check_arguments(&schema, &given).map_err(PyValueError::new_err)?;
        }
        Ok(arguments_json(text).to_owned())
    })
}

/// The text for the agent about arguments that a tool's schema does not allow, by places and
/// reasons.
#[pyfunction]
#[pyo3(signature = (issues: "list[tuple[str, str]]") -> "str")]
#[allow(clippy::needless_pass_by_value)] // The same.
pub fn misfit(issues: Vec<(String, String)>) -> String {
    told_of_misfit(issues)
}

/// The result of one run: its id, its outcome, its usage, and the pending calls.
type Sum<'py> = (String, &'static str, Vec<Bound<'py, PyAny>>, Vec<String>);

/// A run to request: its id, the JSON of its input, and the warnings about that.
type Asked<'py> = (String, String, Vec<Bound<'py, PyAny>>);

/// The results of a call, run by run. `next` makes them. The agent may be asked at most
/// `max_runs` times.
#[pyclass(module = "ag_ui_native.client.rules", frozen)]
#[derive(Debug)]
pub struct Runs(Mutex<CoreRuns>);

impl Runs {
    /// Locks the machine. Waiting for another thread releases the interpreter's lock.
    fn core(&self, py: Python<'_>) -> MutexGuard<'_, CoreRuns> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // pyo3 makes the values for the call.
impl Runs {
    /// The runs of an agent that was never asked.
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    /// The runs of the next call of the same agent.
    #[pyo3(signature = (max_runs: "int") -> "Runs")]
    fn next(&self, py: Python<'_>, max_runs: usize) -> Self {
        Self(Mutex::new(self.core(py).next(max_runs)))
    }

    /// Makes it the call of a client that reads a run which was started elsewhere: no interrupts are answered and no tools called.
    #[pyo3(signature = () -> "None")]
    fn observe(&self, py: Python<'_>) {
        self.core(py).observe();
    }

    /// A thread without an active run was opened: the call has the outcome of its last run, as far as it is known.
    #[pyo3(signature = (last_run_id: "str | None", waits_for_answers: "bool") -> "None")]
    fn opened(&self, py: Python<'_>, last_run_id: Option<&str>, waits_for_answers: bool) {
        self.core(py).opened(last_run_id, waits_for_answers);
    }

    /// The start for an agent's copy.
    fn __copy__(&self, py: Python<'_>) -> Self {
        Self(Mutex::new(self.core(py).copy()))
    }

    /// Prepares the input of the next run. `members` are those of the call; `agent` holds the run to branch from and the JSON of
    /// the agent's tools. `new_id` makes an id if one is needed.
    #[pyo3(signature = (
        members: "str",
        agent: "tuple[str | None, str]",
        pending: "Iterable[object]",
        new_id: "Callable[[], str]",
        peer: "str | None" = None,
        limits: "object | None" = None
    ) -> "tuple[str, str, list[ProtocolWarning]]")]
    fn prepare<'py>(
        &self,
        members: &str,
        agent: (Option<String>, String),
        pending: &Bound<'py, PyAny>,
        new_id: &Bound<'py, PyAny>,
        peer: Option<&str>,
        limits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Asked<'py>> {
        let py = pending.py();
        let limits = read_limits(limits)?;
        let peer = peer.map(version).transpose()?;
        guard(py, || {
            let raise = |error: Error| raised(py, &error, None);
            let (parent_run_id, tools) = agent;
            let tools = read_tools(&tools, limits).map_err(raise)?;
            let mut input = read_members(members, limits).map_err(raise)?;
            let pending: Vec<Interrupt> = typed_all(pending, Limits::default())?;
            let needs_run_id = self.core(py).needs_run_id(&input.run_id);
            let run_id = if needs_run_id { Some(new_id.call0()?.extract()?) } else { None };
            let agent = AgentMembers { parent_run_id, tools, run_id };
            let lost = self.core(py).prepare(&mut input, agent, &pending, peer, clock()).map_err(raise)?;
            Ok((input.run_id.clone(), to_json(&input), warnings(py, &lost)?))
        })
    }

    /// Prepares the input that middleware has passed on: its JSON, and the new warnings.
    #[pyo3(signature = (members: "str", peer: "str | None" = None, limits: "object | None" = None) -> "tuple[str, list[ProtocolWarning]]")]
    fn prepare_from_middleware<'py>(
        &self,
        py: Python<'py>,
        members: &str,
        peer: Option<&str>,
        limits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(String, Vec<Bound<'py, PyAny>>)> {
        let limits = read_limits(limits)?;
        let peer = peer.map(version).transpose()?;
        guard(py, || {
            let raise = |error: Error| raised(py, &error, None);
            let mut input = read_members(members, limits).map_err(raise)?;
            let lost = self.core(py).prepare_from_middleware(&mut input, peer, clock()).map_err(raise)?;
            Ok((to_json(&input), warnings(py, &lost)?))
        })
    }

    /// The agent has ended the run: by a RunEnd or a RunFailure.
    #[pyo3(signature = (end: "object") -> "None")]
    fn ended(&self, end: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = end.py();
        let outcome = end.getattr_opt(intern!(py, "outcome"))?.map(|name| name.extract::<String>());
        let outcome = outcome.transpose()?.map_or(Some(OutcomeKind::Error), |name| OutcomeKind::of(&name));
        let outcome =
            outcome.ok_or_else(|| PyValueError::new_err("end: expected a RunEnd or a RunFailure"))?;
        let usage = end.getattr(intern!(py, "usage"))?;
        let usage: Vec<TokenUsage> =
            if usage.is_none() { Vec::new() } else { typed_all(&usage, Limits::default())? };
        let pending = end.getattr_opt(intern!(py, "pending_tool_call_ids"))?;
        let pending = pending.map(|ids| ids.extract::<Option<Vec<String>>>()).transpose()?.flatten();
        self.core(py).ended(outcome, &usage, &pending.unwrap_or_default());
        Ok(())
    }

    /// Ends the call early: by an error with this code (empty if the error has none), or because the call was aborted. `has_changes`: the
    /// run has changed something. Returns four flags: the call's own message is removed; subscribers are notified of a failure; the error
    /// is raised unless a subscriber handles it; the error is only reported.
    #[pyo3(signature = (error: "str | None", aborted: "bool", has_changes: "bool") -> "tuple[bool, bool, bool, bool]")]
    fn end(
        &self,
        py: Python<'_>,
        error: Option<&str>,
        aborted: bool,
        has_changes: bool,
    ) -> (bool, bool, bool, bool) {
        let cause = Cause { error, is_aborted: aborted, has_changes, is_detached: false };
        let EarlyEnd { removes_message, notifies, raises, reports } = self.core(py).end(cause);
        (removes_message, notifies, raises, reports)
    }

    /// A callback has not returned within the time that callbacks share at an end. Returns the error to report; None if it
    /// was reported before.
    #[pyo3(signature = () -> "AGUIConnectionError | None")]
    fn late<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let error = self.core(py).late()?;
        Some(raised(py, &error, None).into_value(py).into_bound(py).into_any())
    }

    /// The moment until which callbacks are waited for from `now` on. All that are notified of the end of the call (`of_end`) share one.
    #[pyo3(signature = (now: "float", of_end: "bool") -> "float")]
    fn callback_deadline(&self, py: Python<'_>, now: f64, of_end: bool) -> f64 {
        self.core(py).callback_deadline(clock_time(now), of_end).as_secs_f64()
    }

    /// True if a subscriber has handled the failure. `stops`: one of the subscribers that were notified of the end has stopped it.
    #[pyo3(signature = (stops: "bool") -> "bool")]
    fn is_handled(&self, py: Python<'_>, stops: bool) -> bool {
        self.core(py).is_handled(stops)
    }

    /// The pending calls.
    #[getter]
    fn pending(&self, py: Python<'_>) -> Vec<String> {
        self.core(py).pending()
    }

    /// The ids of the calls that functions with these names answer, one for each `next_step`; `named` holds ids and names.
    #[pyo3(signature = (named: "list[tuple[str, str]]", functions: "list[str]") -> "list[str]")]
    fn calls(&self, py: Python<'_>, named: Vec<(String, String)>, functions: Vec<String>) -> Vec<String> {
        let named = named.iter().map(|(id, name)| (id.as_str(), name.as_str()));
        let has_function = |name: &str| functions.iter().any(|known| known == name);
        self.core(py).calls(named, has_function).into_iter().map(str::to_owned).collect()
    }

    /// A call is answered.
    #[pyo3(signature = (tool_call_id: "str") -> "None")]
    fn answered(&self, py: Python<'_>, tool_call_id: &str) {
        self.core(py).answered(tool_call_id);
    }

    /// The next step: `answer` the call of a tool with this id, `ask` the agent again, `finish`, or `stop` with the error that has `stopped` the
    /// call. Raises AGUILimitError `too_many_runs`.
    #[pyo3(signature = (stopped: "bool") -> "tuple[str, str]")]
    fn next_step(&self, py: Python<'_>, stopped: bool) -> PyResult<(&'static str, String)> {
        let next = self.core(py).next_step(stopped).map_err(|error| raised(py, &error, None))?;
        Ok(match next {
            NextStep::Answer(call) => ("answer", call),
            NextStep::Ask => ("ask", String::new()),
            NextStep::Finish => ("finish", String::new()),
            NextStep::Stop => ("stop", String::new()),
        })
    }

    /// Names the runs that have begun after the first of the last answer, so far.
    #[pyo3(signature = (run_ids: "list[str]") -> "None")]
    fn name_later(&self, py: Python<'_>, run_ids: Vec<String>) {
        self.core(py).name_later(&run_ids);
    }

    /// Number of runs.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.core(py).all().len()
    }

    /// All runs: for each its id, its outcome, its usage, and the pending calls.
    #[pyo3(signature = () -> "list[tuple[str, str, list[TokenUsage], list[str]]]")]
    fn all<'py>(&self, py: Python<'py>) -> PyResult<Vec<Sum<'py>>> {
        let runs = self.core(py).all().to_vec();
        runs.into_iter().map(|run| sum(py, run)).collect()
    }

    /// The tokens of all runs, one entry for each model.
    #[pyo3(signature = () -> "list[TokenUsage]")]
    fn usage<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let usage = self.core(py).usage();
        made(py, &usage)
    }
}

fn sum(py: Python<'_>, run: RunSum) -> PyResult<Sum<'_>> {
    let pending = run.pending_tool_call_ids();
    Ok((run.run_id, run.outcome.as_str(), made(py, &run.usage)?, pending))
}

fn made<'py>(py: Python<'py>, usage: &[TokenUsage]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    usage.iter().map(|entry| Form::Models.make(py, entry)).collect()
}
