//! The messages to the threads of a store: most are an operation with the callback for its reply.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::failure::unavailable;
use crate::durable::operation::Operation;
use crate::durable::reply::Reply;
use crate::error::Error;

type Callback = Box<dyn FnOnce(Result<Reply, Error>) + Send>;

/// The message to a thread of a store.
pub enum Message {
    Execute(Job),
    /// Others may have written.
    Look,
    End,
}

/// An operation with its callback. The callback is called once: with a failure if the job is dropped.
pub struct Job {
    pub operation: Operation,
    callback: Option<Callback>,
}

impl Job {
    pub fn new(operation: Operation, callback: Callback) -> Self {
        Self { operation, callback: Some(callback) }
    }

    pub fn answer(mut self, reply: Result<Reply, Error>) {
        self.call(reply);
    }

    fn call(&mut self, reply: Result<Reply, Error>) {
        if let Some(callback) = self.callback.take() {
            // A callback that panics ends nothing but itself.
            let _ = catch_unwind(AssertUnwindSafe(|| callback(reply)));
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.call(Err(unavailable("the store is closed")));
    }
}
