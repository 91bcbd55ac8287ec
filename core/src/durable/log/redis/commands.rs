//! The connection of commands.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use ::redis::{Cmd, RedisError, RedisResult, Value};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};

use super::client::{Connection, RedisClient};
use crate::durable::exchange::EngineFailure;
use crate::durable::redis::{RedisOperation, RedisReply, RedisStep};
use crate::durable::reply::Reply;

/// A connection that is being made, or is made. All who wait for it share its failure, so none waits for several attempts.
type Connecting = Shared<BoxFuture<'static, RedisResult<Connection>>>;

/// Sends commands on one connection. After a failure the next command makes a new one.
pub struct Commands {
    client: RedisClient,
    connection: Mutex<Option<Connecting>>,
}

impl Commands {
    pub fn new(client: RedisClient) -> Self {
        Self { client, connection: Mutex::default() }
    }

    pub async fn execute(&self, mut operation: RedisOperation) -> Result<Reply, EngineFailure> {
        let mut step = operation.start();
        loop {
            match step {
                RedisStep::Send(words) => step = operation.reply(self.send(&words).await),
                RedisStep::Done(reply) => {
                    if let Some(warning) = operation.warning() {
                        tracing::warn!(target: "ag_ui_native::durable", "{warning}");
                    }
                    return reply.map_err(|error| failed(&error));
                }
            }
        }
    }

    async fn send(&self, words: &[String]) -> Result<RedisReply, EngineFailure> {
        let mut command = Cmd::new();
        command.arg(words);
        let connecting = self.connect();
        let result = match connecting.clone().await {
            Ok(mut connection) => match connection.send(&command).await {
                // A cluster makes an error of what a server has replied.
                Err(error) if error.code().is_some() => return Ok(error_reply(&error)),
                result => result,
            },
            Err(error) => Err(error),
        };
        match result {
            Ok(value) => reply(value).ok_or(EngineFailure),
            Err(error) => {
                self.forget(&connecting);
                Err(failed(&error))
            }
        }
    }

    fn connect(&self) -> Connecting {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.get_or_insert_with(|| connecting(self.client.clone())).clone()
    }

    /// Forgets a connection that has failed, unless another one has its place already.
    fn forget(&self, failed: &Connecting) {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = connection.take_if(|connection| connection.ptr_eq(failed));
    }
}

fn failed(error: &dyn Display) -> EngineFailure {
    tracing::debug!(target: "ag_ui_native::durable", %error, "an operation of the log has failed");
    EngineFailure
}

fn connecting(client: RedisClient) -> Connecting {
    async move { client.connect().await }.boxed().shared()
}

fn error_reply(error: &RedisError) -> RedisReply {
    let (code, detail) = (error.code().unwrap_or_default(), error.detail().unwrap_or_default());
    RedisReply::Error(format!("{code} {detail}"))
}

/// `None` for values that the scripts do not give.
fn reply(value: Value) -> Option<RedisReply> {
    Some(match value {
        Value::Nil => RedisReply::Nil,
        Value::Int(integer) => RedisReply::Integer(integer),
        Value::BulkString(bytes) => RedisReply::Bytes(bytes),
        Value::SimpleString(text) => RedisReply::Bytes(text.into_bytes()),
        Value::Array(values) => RedisReply::List(values.into_iter().map(reply).collect::<Option<_>>()?),
        Value::ServerError(error) => {
            RedisReply::Error(format!("{} {}", error.code(), error.details().unwrap_or_default()))
        }
        _ => return None,
    })
}
