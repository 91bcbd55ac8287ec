//! Commands to Redis, and its replies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::script::Script;
use crate::durable::key::{LogKey, ThreadKey};

/// A word of a command.
pub type Word = String;

/// A reply of Redis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedisReply {
    /// Nothing.
    Nil,
    /// An integer.
    Integer(i64),
    /// A string of bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<RedisReply>),
    /// An error that Redis reports, with its code as the first word.
    Error(String),
}

/// The names of the keys in Redis. All keys of a thread have one hash tag, so a cluster keeps them in one slot.
#[derive(Clone, Debug)]
pub struct Keyspace {
    prefix: String,
    /// True if the server has been asked whether it evicts keys. Clones share it.
    is_checked: Arc<AtomicBool>,
}

impl Keyspace {
    pub fn new(prefix: &str) -> Self {
        Self { prefix: prefix.into(), is_checked: Arc::default() }
    }

    /// True until the server has said whether it evicts keys.
    pub fn asks_for_eviction(&self) -> bool {
        !self.is_checked.load(Ordering::Relaxed)
    }

    /// Notes that the server has said it. Returns true for the first time.
    pub fn note_eviction(&self) -> bool {
        !self.is_checked.swap(true, Ordering::Relaxed)
    }

    fn thread(&self, thread: &ThreadKey) -> String {
        format!("{}{{{}}}", self.prefix, thread.as_str())
    }

    /// The key of a log, which is also the channel of its hints.
    pub fn log(&self, key: &LogKey) -> String {
        format!("{}:{}", self.thread(key.thread()), key.run())
    }

    /// The keys of a script, in the order that the scripts name.
    fn of_log(&self, key: &LogKey) -> [String; 4] {
        let (thread, log) = (self.thread(key.thread()), self.log(key));
        let (runs, frames) = (format!("{thread}:runs"), format!("{log}:frames"));
        [thread, runs, log, frames]
    }

    fn of_thread(&self, thread: &ThreadKey) -> [String; 2] {
        let thread = self.thread(thread);
        let runs = format!("{thread}:runs");
        [thread, runs]
    }
}

/// The call of a script.
#[derive(Clone, Debug)]
pub struct Call {
    script: &'static Script,
    keys: Vec<Word>,
    arguments: Vec<Word>,
}

impl Call {
    /// The call of a script about a log. Its first argument is the hash of the run.
    pub fn about_log(script: &'static Script, keyspace: &Keyspace, key: &LogKey) -> Self {
        Self { script, keys: keyspace.of_log(key).into(), arguments: vec![key.run().into()] }
    }

    pub fn about_thread(script: &'static Script, keyspace: &Keyspace, thread: &ThreadKey) -> Self {
        Self { script, keys: keyspace.of_thread(thread).into(), arguments: vec![] }
    }

    #[allow(clippy::needless_pass_by_value)] // So that callers read well.
    pub fn with(mut self, argument: impl ToString) -> Self {
        self.arguments.push(argument.to_string());
        self
    }

    /// The command that calls the script by its hash.
    pub fn by_hash(&self) -> Vec<Word> {
        self.command("EVALSHA", &self.script.hash)
    }

    /// The command that sends the script, for a server that does not have it.
    pub fn by_text(&self) -> Vec<Word> {
        self.command("EVAL", &self.script.text)
    }

    fn command(&self, name: &str, script: &str) -> Vec<Word> {
        let mut words = vec![name.into(), script.into(), self.keys.len().to_string()];
        words.extend_from_slice(&self.keys);
        words.extend_from_slice(&self.arguments);
        words
    }
}
