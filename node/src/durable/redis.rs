//! Redis as an engine: the commands for the application's client, and its replies.

use ag_ui_native::bindings::durable::{EngineFailure, RedisKeyspace, RedisOperation, RedisReply, RedisStep};
use napi::Result;
use napi_derive::napi;
use serde_json::Value;

use super::handles::{LogOperation, LogReply, hint_text, key_of};

/// The names of the keys.
#[napi]
#[derive(Debug)]
pub struct RedisLogKeyspace {
    keyspace: RedisKeyspace,
}

/// An operation on its way.
#[napi]
#[derive(Debug)]
pub struct RedisLogOperation {
    operation: RedisOperation,
}

/// The next step: a command to send, or the reply. Without both, the operation has failed, and `text` says why. `warning` is one for
/// the application.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct RedisLogStep {
    pub command: Option<Vec<String>>,
    pub reply: Option<LogReply>,
    pub text: Option<String>,
    pub warning: Option<String>,
}

#[napi]
impl RedisLogKeyspace {
    /// Keys that begin with this prefix.
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn new(prefix: String) -> Self {
        Self { keyspace: RedisKeyspace::new(&prefix) }
    }

    /// The channel of a log's hints.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn channel(&self, key: String) -> Result<String> {
        Ok(self.keyspace.channel(&key_of(&key)?))
    }

    /// The hint of a message on such a channel.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn hint(&self, message: String) -> Option<String> {
        self.keyspace.hint(message.as_bytes()).map(hint_text)
    }

    /// Begins an operation.
    #[napi(catch_unwind)]
    pub fn begin(&self, operation: &LogOperation) -> RedisLogOperation {
        RedisLogOperation { operation: self.keyspace.begin(operation.operation.clone()) }
    }
}

#[napi]
impl RedisLogOperation {
    /// The first step.
    #[napi(catch_unwind)]
    pub fn start(&self) -> RedisLogStep {
        step(self.operation.start())
    }

    /// Takes the reply to the command, as JSON text: an error is `{"error": message}`. Returns the next step.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn reply(&mut self, reply: String) -> RedisLogStep {
        let reply = serde_json::from_str(&reply).ok().and_then(read).ok_or(EngineFailure);
        let step = step(self.operation.reply(reply));
        RedisLogStep { warning: self.operation.warning().map(str::to_owned), ..step }
    }
}

fn step(step: RedisStep) -> RedisLogStep {
    match step {
        RedisStep::Send(command) => RedisLogStep { command: Some(command), ..Default::default() },
        RedisStep::Done(Ok(reply)) => RedisLogStep { reply: Some(LogReply { reply }), ..Default::default() },
        RedisStep::Done(Err(error)) => RedisLogStep { text: Some(error.to_string()), ..Default::default() },
    }
}

/// Reads a reply; `None` for values that Redis does not give. The depth is limited by the reader of JSON.
fn read(value: Value) -> Option<RedisReply> {
    Some(match value {
        Value::Null => RedisReply::Nil,
        Value::Number(number) => RedisReply::Integer(number.as_i64()?),
        Value::String(text) => RedisReply::Bytes(text.into_bytes()),
        Value::Array(items) => RedisReply::List(items.into_iter().map(read).collect::<Option<_>>()?),
        Value::Object(error) => RedisReply::Error(error.get("error")?.as_str()?.to_owned()),
        Value::Bool(_) => return None,
    })
}
