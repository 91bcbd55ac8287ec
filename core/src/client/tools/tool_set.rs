//! The functions of the application that the agent may call.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use serde::de::DeserializeOwned;

use super::answer::answer_tool;
use super::arguments::{NO_JSON_RESULT, check_arguments, misfit, read_arguments};
use crate::client::runs::Runs;
use crate::collections::IndexMap;
use crate::encode::try_to_json;
use crate::error::Issue;
use crate::json::{Value, from_value};
use crate::limits::Limits;
use crate::reduce::{Conversation, Place, Reducer};
use crate::types::{Message, Tool};

type Work = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;
type Function = dyn Fn(&str, Limits) -> Work + Send + Sync;

/// The tools that an agent has functions for, by their names.
#[derive(Clone, Default)]
pub(in crate::client) struct ToolSet {
    tools: IndexMap<String, (Tool, Arc<Function>)>,
}

/// A call that one of the functions answers.
pub(in crate::client) struct RunnableCall {
    id: String,
    arguments: String,
    function: Arc<Function>,
}

impl ToolSet {
    /// Adds a tool. It replaces another of the same name.
    pub fn add<A, F, W, R, E>(&mut self, tool: Tool, function: F)
    where
        A: DeserializeOwned,
        F: Fn(A) -> W + Send + Sync + 'static,
        W: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<Value>,
        E: fmt::Display,
    {
        let schema = tool.parameters.clone();
        let function = move |arguments: &str, limits: Limits| -> Work {
            let work = catch_panic(|| read(arguments, schema.as_ref(), limits).map(&function));
            Box::pin(async move {
                let mut work = Box::pin(work?);
                let answer = poll_fn(|context| match catch_panic(|| Ok(work.as_mut().poll(context))) {
                    Ok(answer) => answer.map(Ok),
                    Err(panic) => Poll::Ready(Err(panic)),
                });
                let answer = answer.await?;
                catch_panic(|| text(answer.map_err(|error| error.to_string())?.into()))
            })
        };
        self.tools.insert(tool.name.clone(), (tool, Arc::new(function)));
    }

    /// The declarations of the tools, for the agent.
    pub fn declared(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values().map(|(tool, _)| tool)
    }

    /// Returns the calls of a run that these tools answer.
    pub fn find(&self, runs: &mut Runs, conversation: &Conversation, reducer: &Reducer) -> Vec<RunnableCall> {
        let text = |id: &str, key: &str| {
            let Some(Place::Call(slot, at)) = reducer.call(id) else { return None };
            let calls = conversation.message(slot).as_object()?.get("toolCalls")?.as_array()?;
            calls.get(at)?.as_object()?.get("function")?.as_object()?.get(key)?.as_str()
        };
        let call = |id: &str| {
            let (_, function) = self.tools.get(text(id, "name")?)?;
            let arguments = text(id, "arguments")?.to_owned();
            Some(RunnableCall { id: id.to_owned(), arguments, function: Arc::clone(function) })
        };
        let pending = runs.pending();
        let named = pending.iter().filter_map(|id| Some((id.as_str(), text(id, "name")?)));
        runs.calls(named, |name| self.tools.contains_key(name)).into_iter().filter_map(call).collect()
    }
}

/// Answers calls one after the other.
pub(in crate::client) struct Answering {
    calls: VecDeque<RunnableCall>,
    /// The work of the first call.
    work: Option<Work>,
    limits: Limits,
}

impl Answering {
    pub fn new(calls: Vec<RunnableCall>, limits: Limits) -> Self {
        Self { calls: calls.into(), work: None, limits }
    }

    /// Returns the next answer; `None` when all calls have one.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Message>> {
        let Some(call) = self.calls.front() else { return Poll::Ready(None) };
        let work = self.work.get_or_insert_with(|| (call.function)(&call.arguments, self.limits));
        let answer = ready!(work.as_mut().poll(context));
        let message = answer_tool(&call.id, answer, &self.limits);
        self.calls.pop_front();
        self.work = None;
        Poll::Ready(Some(message))
    }
}

/// Runs the work. A panic is a failure of the function; the panic hook has printed its message.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("the function of the tool panicked".to_owned()))
}

/// Reads the arguments as the type of the function's parameter.
fn read<A: DeserializeOwned>(arguments: &str, schema: Option<&Value>, limits: Limits) -> Result<A, String> {
    let arguments = read_arguments(arguments, limits)?;
    schema.map_or(Ok(()), |schema| check_arguments(schema, &arguments))?;
    from_value(&arguments)
        .map_err(|error| misfit(error.issues.iter().map(|issue| (place(issue), issue.message()))))
}

/// The place of an issue, as the error text names it.
fn place(issue: &Issue) -> String {
    issue.path.trim_start_matches('/').replace('/', ".")
}

/// The return value of a function as the content of a message.
fn text(answer: Value) -> Result<String, String> {
    match answer {
        Value::String(text) => Ok(text),
        other => try_to_json(&other).map_err(|_| NO_JSON_RESULT.to_owned()),
    }
}
