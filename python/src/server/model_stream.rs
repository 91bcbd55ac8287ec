//! The adapters of model providers: streams that are written to a run, and the members of requests.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ag_ui_native::adapters::{ModelApi, ModelStream as Core};
use ag_ui_native::types::{Event, Message, Tool};
use ag_ui_native::{Error, Limits, Value, to_json};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::IntoPyDict;
use pythonize::pythonize;

use super::value::json_text;
use super::writer::RunWriter;
use crate::error::{guard, raised};
use crate::events::{Form, typed_all};

/// The stream of one reply of a model, which is written to a run.
#[pyclass(module = "ag_ui_native.adapters.rules", frozen)]
#[derive(Debug)]
pub struct ModelStream(Mutex<Core>);

/// A reply: its text, whether that is a refusal, its calls (id, name, arguments), the reason of its end, its messages, and the
/// counted tokens.
type Reply<'py> =
    (String, bool, Vec<(String, String, String)>, String, Vec<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

#[pymethods]
impl ModelStream {
    /// The stream of a reply whose first message has this id.
    #[new]
    #[pyo3(signature = (api: "str", message_id: "str", provider: "str | None" = None))]
    fn new(py: Python<'_>, api: &str, message_id: &str, provider: Option<String>) -> PyResult<Self> {
        let api = ModelApi::named(api).map_err(|error| raised(py, &error, None))?;
        Ok(Self(Mutex::new(Core::new(api, message_id).with_provider(provider))))
    }

    /// Writes the events of a chunk: a mapping, or an instance of a model.
    #[pyo3(signature = (chunk: "object", writer: "RunWriter", tag: "str | None" = None) -> "None")]
    fn write(
        &self,
        chunk: &Bound<'_, PyAny>,
        writer: &Bound<'_, RunWriter>,
        tag: Option<&str>,
    ) -> PyResult<()> {
        let py = chunk.py();
        let chunk = chunk_text(chunk)?;
        let events = guard(py, || self.core(py).push(&chunk).map_err(|error| raised(py, &error, None)))?;
        send_all(writer, &events, tag)
    }

    /// Ends what the reply has left open, and reports its tokens.
    #[pyo3(signature = (writer: "RunWriter", tag: "str | None" = None) -> "None")]
    fn close(&self, writer: &Bound<'_, RunWriter>, tag: Option<&str>) -> PyResult<()> {
        let py = writer.py();
        let (events, usage) = guard(py, || {
            let mut core = self.core(py);
            Ok((core.close(), core.usage()))
        })?;
        if let Some(usage) = usage {
            writer.get().turns.with(py, |parts| {
                parts.core.add_usage(usage);
                Ok(())
            })?;
        }
        send_all(writer, &events, tag)
    }

    /// Returns the whole reply. Raises AGUIStreamError `model_truncated` if the stream has ended before it.
    #[pyo3(signature = () -> "tuple[str, bool, list[tuple[str, str, str]], str, list[Message], dict[str, Any] | None]")]
    fn reply<'py>(&self, py: Python<'py>) -> PyResult<Reply<'py>> {
        let (reply, usage) = guard(py, || {
            let core = self.core(py);
            let reply = core.reply().map_err(|error: Error| raised(py, &error, None))?;
            Ok((reply, core.usage()))
        })?;
        let calls = reply.tool_calls.into_iter();
        let calls = calls.map(|call| (call.id, call.function.name, call.function.arguments)).collect();
        let messages = reply.messages.iter().map(|message| Form::Models.make(py, message));
        let messages = messages.collect::<PyResult<_>>()?;
        let usage = usage.map(|usage| pythonize(py, &usage)).transpose()?;
        Ok((reply.text, reply.is_refusal, calls, reply.finish_reason, messages, usage))
    }
}

impl ModelStream {
    /// Locks the machine. Waiting for another thread releases the interpreter's lock.
    fn core(&self, py: Python<'_>) -> MutexGuard<'_, Core> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The JSON of a chunk. A number without a JSON form is null, as in the JSON that pydantic and JavaScript write.
fn chunk_text(chunk: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = chunk.py();
    json_text(chunk, "").or_else(|error| {
        if !error.is_instance_of::<PyValueError>(py) {
            return Err(error);
        }
        let options = [("inf_nan_mode", "null")].into_py_dict(py)?;
        let plain = py.import("pydantic_core")?.call_method("to_jsonable_python", (chunk,), Some(&options));
        let text = plain.and_then(|plain| py.import("json")?.call_method1("dumps", (plain,))?.extract());
        text.or(Err(error))
    })
}

/// Writes events as one call of the agent.
fn send_all(writer: &Bound<'_, RunWriter>, events: &[Event], tag: Option<&str>) -> PyResult<()> {
    writer.get().as_one_call(writer.py(), true)?;
    let sent = events.iter().try_for_each(|event| RunWriter::send_read(writer, event, tag, false).map(drop));
    writer.get().as_one_call(writer.py(), false)?;
    sent
}

/// The conversation as the API's request has it.
#[pyfunction]
#[pyo3(signature = (api: "str", messages: "object") -> "Any")]
pub fn model_messages<'py>(api: &str, messages: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let raise = |error| raised(py, &error, None);
    let api = ModelApi::named(api).map_err(raise)?;
    let messages: Vec<Message> = typed_all(messages, Limits::default().for_writing())?;
    let made = guard(py, || api.messages(&messages).map_err(raise))?;
    parsed(py, &made)
}

/// The tools as the API's request has them.
#[pyfunction]
#[pyo3(signature = (api: "str", tools: "object") -> "Any")]
pub fn model_tools<'py>(api: &str, tools: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = tools.py();
    let api = ModelApi::named(api).map_err(|error| raised(py, &error, None))?;
    let tools: Vec<Tool> = typed_all(tools, Limits::default().for_writing())?;
    let made = guard(py, || Ok(api.tools(&tools)))?;
    parsed(py, &made)
}

/// The value as Python's own reader makes it, with integers of any size.
fn parsed<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (to_json(value),))
}
