//! Functions of the application that the agent may call.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use serde::de::DeserializeOwned;

use super::message::answer_tool;
use crate::decode::from_json;
use crate::encode::try_to_json;
use crate::json::{Value, from_value};
use crate::limits::Limits;
use crate::maps::IndexMap;
use crate::profile::Profile;
use crate::reduce::{Conversation, Place, Reducer};
use crate::types::{Message, Tool};

type Work = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;
type Function = dyn Fn(&str) -> Work + Send + Sync;

/// The tools that an agent has functions for, by their names.
#[derive(Clone, Default)]
pub(super) struct ToolSet {
    tools: IndexMap<String, (Tool, Arc<Function>)>,
}

/// A call that one of them is to answer.
pub(super) struct Call {
    id: String,
    arguments: String,
    function: Arc<Function>,
}

impl ToolSet {
    /// Adds one, in place of another of the same name.
    pub fn add<A, F, W, R, E>(&mut self, tool: Tool, function: F)
    where
        A: DeserializeOwned,
        F: Fn(A) -> W + Send + Sync + 'static,
        W: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<Value>,
        E: fmt::Display,
    {
        let function = move |arguments: &str| -> Work {
            let work = caught(|| read(arguments).map(&function));
            Box::pin(async move {
                let mut work = Box::pin(work?);
                let answer = poll_fn(|context| match caught(|| Ok(work.as_mut().poll(context))) {
                    Ok(answer) => answer.map(Ok),
                    Err(panic) => Poll::Ready(Err(panic)),
                });
                let answer = answer.await?;
                caught(|| text(answer.map_err(|error| error.to_string())?.into()))
            })
        };
        self.tools.insert(tool.name.clone(), (tool, Arc::new(function)));
    }

    /// What the agent is told about them.
    pub fn declared(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values().map(|(tool, _)| tool)
    }

    /// The calls among these that are for these tools.
    pub fn find(&self, ids: &[String], conversation: &Conversation, reducer: &Reducer) -> Vec<Call> {
        let find = |id: &String| {
            let Some(Place::Call(slot, at)) = reducer.call(id) else { return None };
            let calls = conversation.message(slot).as_object()?.get("toolCalls")?.as_array()?;
            let function = calls.get(at)?.as_object()?.get("function")?.as_object()?;
            let text = |key| Some(function.get(key)?.as_str()?.to_owned());
            let (_, tool) = self.tools.get(text("name")?.as_str())?;
            Some(Call { id: id.clone(), arguments: text("arguments")?, function: Arc::clone(tool) })
        };
        ids.iter().filter_map(find).collect()
    }
}

/// Calls that are being answered, one after the other.
pub(super) struct Answering {
    calls: VecDeque<Call>,
    /// Of the first of them.
    work: Option<Work>,
    limits: Limits,
}

impl Answering {
    pub fn new(calls: Vec<Call>, limits: Limits) -> Self {
        Self { calls: calls.into(), work: None, limits }
    }

    /// The next answer; nothing when all have answered.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Message>> {
        let Some(call) = self.calls.front() else { return Poll::Ready(None) };
        let work = self.work.get_or_insert_with(|| (call.function)(&call.arguments));
        let answer = ready!(work.as_mut().poll(context));
        let message = answer_tool(&call.id, answer, &self.limits);
        self.calls.pop_front();
        self.work = None;
        Poll::Ready(Some(message))
    }
}

/// What work returns. A panic is a failure of the function, and its message is on the program's error output already.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("the function has panicked".to_owned()))
}

/// Arguments as the function takes them.
fn read<A: DeserializeOwned>(arguments: &str) -> Result<A, String> {
    let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
    let value = from_json::<Value>(arguments, Profile::Strict).map_err(|error| error.to_string());
    from_value(&value?.0).map_err(|error| error.to_string())
}

/// What a function returns, as the content of a message.
fn text(answer: Value) -> Result<String, String> {
    match answer {
        Value::String(text) => Ok(text),
        other => try_to_json(&other).map_err(|error| error.to_string()),
    }
}
