//! Redis as an engine: the commands of each operation, and the meaning of its replies. Redis 6.2 or newer.
//!
//! Every operation is a script, so it is atomic. The host sends commands by the application's own client, and gives the
//! replies back. Time is that of the server. A run whose lease is over ends when its log is read or described, or when
//! another run of the thread begins; keys expire by themselves.

mod command;
mod parse;
mod request;
mod script;

pub use command::RedisReply;
use command::{Call, Keyspace};

use super::exchange::EngineFailure;
use super::key::{LogKey, ThreadKey};
use super::operation::Operation;
use super::reply::{Hint, Reply};
use crate::error::{Code, Error};

/// A log in Redis: the names of its keys.
#[derive(Clone, Debug)]
pub struct RedisKeyspace(Keyspace);

impl Default for RedisKeyspace {
    fn default() -> Self {
        Self::new("agui:")
    }
}

impl RedisKeyspace {
    /// Keys that begin with this prefix.
    pub fn new(prefix: &str) -> Self {
        Self(Keyspace::new(prefix))
    }

    /// The channel of a log's hints.
    pub fn channel(&self, key: &LogKey) -> String {
        self.0.log(key)
    }

    /// The hint of a message on such a channel; `None` for other messages.
    pub fn hint(&self, message: &[u8]) -> Option<Hint> {
        match std::str::from_utf8(message).ok()? {
            "cancelled" => Some(Hint::Cancelled),
            next => next.parse().ok().map(|next| Hint::Appended { next }),
        }
    }

    /// Begins an operation.
    pub fn begin(&self, operation: Operation) -> RedisOperation {
        RedisOperation::new(self.0.clone(), operation)
    }
}

/// The next step of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedisStep {
    /// Send this command, and give its reply to [`RedisOperation::reply`]. Its fourth word is a key, for clusters.
    Send(Vec<String>),
    /// The operation is done, or has failed: `log_unavailable`, or `log_unreadable` for a log of a newer format.
    Done(Result<Reply, Error>),
}

/// An operation on its way: mostly one command and its reply.
#[derive(Debug)]
pub struct RedisOperation {
    keyspace: Keyspace,
    operation: Operation,
    call: Call,
    state: State,
    warning: Option<String>,
}

/// The call whose reply is awaited.
#[derive(Debug)]
enum State {
    /// That of the operation.
    Operation,
    /// The description of the run that keeps the thread busy, which ends it if its lease is over.
    ActiveRun,
    /// The call of the operation, repeated.
    Again,
    /// The deletion of a log, and the logs to delete after it.
    Deletion(Vec<LogKey>),
}

impl RedisOperation {
    fn new(keyspace: Keyspace, operation: Operation) -> Self {
        let call = request::call(&keyspace, &operation);
        Self { keyspace, operation, call, state: State::Operation, warning: None }
    }

    /// A warning for the application: the server evicts keys, and so would delete runs. It comes once, with a run that begins.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Returns the first step.
    pub fn start(&self) -> RedisStep {
        RedisStep::Send(self.call.by_hash())
    }

    /// Takes the reply to the command, or the failure to get one. Returns the next step.
    pub fn reply(&mut self, reply: Result<RedisReply, EngineFailure>) -> RedisStep {
        let failed = match reply {
            Ok(RedisReply::Error(message)) if message.starts_with("NOSCRIPT") => {
                return RedisStep::Send(self.call.by_text());
            }
            Ok(RedisReply::Error(message)) => unavailable(format!("Redis: {message}")),
            Ok(reply) => match self.next(&reply) {
                Some(step) => return step,
                None => unavailable("Redis: the reply is none of a script"),
            },
            Err(EngineFailure) => unavailable("Redis has not replied"),
        };
        RedisStep::Done(Err(failed))
    }

    /// `None` for a reply that the scripts do not give.
    fn next(&mut self, reply: &RedisReply) -> Option<RedisStep> {
        let (name, values) = parse::named(reply)?;
        if let ("format", [format]) = (name, values) {
            return Some(RedisStep::Done(Err(unreadable(parse::text(format)?))));
        }
        if let Some(policy) = parse::eviction(name, values)
            && self.keyspace.note_eviction()
        {
            self.warning = (!policy.is_empty()).then(|| evicts(policy));
        }
        match &mut self.state {
            State::ActiveRun => {
                self.state = State::Again;
                Some(self.send(request::call(&self.keyspace, &self.operation)))
            }
            State::Deletion(logs) => {
                let logs = std::mem::take(logs);
                Some(self.delete(logs))
            }
            State::Operation => {
                if let Some(run) = parse::active_run(name, values) {
                    let key = self.thread().log_of_hash(&run);
                    self.state = State::ActiveRun;
                    let call = request::info(&self.keyspace, &key);
                    return Some(self.send(call));
                }
                if name == "runs" {
                    let thread = self.thread();
                    let logs = values.iter().map(|run| Some(thread.log_of_hash(parse::text(run)?)));
                    return Some(self.delete(logs.collect::<Option<_>>()?));
                }
                parse::reply(name, values).map(|reply| RedisStep::Done(Ok(reply)))
            }
            State::Again => parse::reply(name, values).map(|reply| RedisStep::Done(Ok(reply))),
        }
    }

    fn delete(&mut self, mut logs: Vec<LogKey>) -> RedisStep {
        let Some(key) = logs.pop() else { return RedisStep::Done(Ok(Reply::Done)) };
        self.state = State::Deletion(logs);
        let call = request::call(&self.keyspace, &Operation::Delete { key });
        self.send(call)
    }

    fn send(&mut self, call: Call) -> RedisStep {
        self.call = call;
        self.start()
    }

    fn thread(&self) -> &ThreadKey {
        request::thread(&self.operation)
    }
}

fn evicts(policy: &str) -> String {
    format!(
        "Redis deletes runs without a word when its memory is full: its maxmemory-policy is {policy}; set noeviction, or take a server of its own"
    )
}

fn unavailable(detail: impl Into<String>) -> Error {
    Error::new(Code::LogUnavailable, detail)
        .advise("repair the cause that the detail names; stored events stay")
}

fn unreadable(format: &str) -> Error {
    let detail = format!("the log has format {format} in Redis; this version reads format 1");
    Error::new(Code::LogUnreadable, detail)
        .advise("use the newest version of this package; the log stays as it is")
}
