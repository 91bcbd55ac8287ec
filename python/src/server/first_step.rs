//! Takes the first step of sending a piece of a body.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use crate::c_api::call;

/// Takes the first step of each sending at once, as a task and in its context. The task itself runs only if the sending waits.
///
/// Without, a token takes more CPU time in the row "server, one token a write": 2.1 times as much if the sender's task takes every step,
/// and 1.5 times as much if the agent's task awaits `send`.
#[pyclass(module = "ag_ui_native.run_writer", frozen)]
#[derive(Debug)]
pub struct FirstStep {
    /// The function `send` of the ASGI application.
    send: Py<PyAny>,
    event_loop: Py<PyAny>,
    task: Py<PyAny>,
    /// Calls something in the task's context.
    run: Py<PyAny>,
    /// The callback for a sending that waits, with the object it waits for.
    on_wait: Py<PyAny>,
    /// Sets the current task: a function of asyncio, or before 3.12 its table.
    current: Py<PyAny>,
    /// The message without its body.
    message: Py<PyDict>,
    next: Py<PyAny>,
}

#[pymethods]
impl FirstStep {
    #[new]
    #[pyo3(signature = (
        send: "object", event_loop: "object", task: "object", run: "object", on_wait: "object", current: "object"
    ))]
    fn new(
        send: Bound<'_, PyAny>,
        event_loop: Py<PyAny>,
        task: Py<PyAny>,
        run: Py<PyAny>,
        on_wait: Py<PyAny>,
        current: Py<PyAny>,
    ) -> PyResult<Self> {
        let py = send.py();
        let message = PyDict::new(py);
        // Servers look these up by names of the same kind, which need no comparison then.
        message.set_item(intern!(py, "type"), intern!(py, "http.response.body"))?;
        message.set_item(intern!(py, "body"), "")?;
        message.set_item(intern!(py, "more_body"), true)?;
        let next = py.import("builtins")?.getattr("next")?.unbind();
        let message = message.unbind();
        Ok(Self { send: send.unbind(), event_loop, task, run, on_wait, current, message, next })
    }

    /// Sends a piece of the body. Returns True if it is sent already; raises the errors of `send`.
    #[pyo3(signature = (piece: "bytes") -> "bool")]
    fn begin(&self, piece: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = piece.py();
        let message = self.message.bind(py).copy()?;
        message.set_item(intern!(py, "body"), piece)?;
        let before = self.enter(self.task.bind(py))?;
        let step = self.step(message.as_any());
        self.enter(&before)?;
        if let Some((steps, blocker)) = step? {
            self.on_wait.bind(py).call1((steps, blocker))?;
            return Ok(false);
        }
        Ok(true)
    }

    #[allow(clippy::needless_pass_by_value)] // As Python hands it over.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for object in [&self.send, &self.event_loop, &self.task, &self.run, &self.on_wait, &self.current] {
            visit.call(object)?;
        }
        Ok(())
    }
}

impl FirstStep {
    /// Returns the sending and the object that it waits for; `None` if it is done.
    fn step<'py>(
        &self,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let py = message.py();
        let steps = call(self.send.bind(py), &[message])?.call_method0(intern!(py, "__await__"))?;
        // The coroutine of an agent yields this object only at its end.
        let end = self.next.bind(py);
        let blocker = call(self.run.bind(py), &[end, &steps, end])?;
        Ok((!blocker.is(end)).then_some((steps, blocker)))
    }

    /// Sets the current task, or none. Returns the previous one.
    fn enter<'py>(&self, task: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = task.py();
        let (current, event_loop) = (self.current.bind(py), self.event_loop.bind(py));
        let Ok(table) = current.cast::<PyDict>() else {
            return call(current, &[event_loop, task]);
        };
        let before = table.get_item(event_loop)?.unwrap_or_else(|| py.None().into_bound(py));
        if task.is_none() {
            table.del_item(event_loop)?;
        } else {
            table.set_item(event_loop, task)?;
        }
        Ok(before)
    }
}
