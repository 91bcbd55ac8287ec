//! Text in, text out.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::agent::Agent;
use super::result::{ClientError, RunResult};
use super::run::RunStream;
use super::settings::RunOptions;
use super::transport::request::Transport;
use crate::ids::IdKind;
use crate::types::{Content, Event, Message, UserMessage};

/// The answer of an agent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reply {
    /// The result of the run: its outcome, its new messages, its usage.
    pub result: RunResult,
}

impl Reply {
    /// The text of the assistant's new messages. It may be all that came before the agent failed: see the run's outcome.
    pub fn text(&self) -> String {
        self.result.text()
    }

    /// The new messages.
    pub fn messages(&self) -> &[Message] {
        &self.result.new_messages
    }

    /// The id of this answer's run. A later run branches from it with [`RunOptions::with_parent_run_id`].
    pub fn response_id(&self) -> &str {
        &self.result.run_id
    }

    /// The conversation that it belongs to.
    pub fn thread_id(&self) -> &str {
        &self.result.thread_id
    }

    /// Itself, if the agent has answered or asks something. See [`RunResult::error_for_outcome`].
    ///
    /// # Errors
    /// With the result as its [`run`](ClientError::run).
    pub fn error_for_outcome(self) -> Result<Self, ClientError> {
        Ok(Self { result: self.result.error_for_outcome()? })
    }
}

impl fmt::Display for Reply {
    /// The text, and behind it, in brackets, what is wrong with how the run has ended.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        match self.result.outcome_error() {
            None => formatter.write_str(&text),
            Some(error) if text.is_empty() => write!(formatter, "[{error}]"),
            Some(error) => write!(formatter, "{text}\n[{error}]"),
        }
    }
}

/// The text of an answer, piece by piece.
#[derive(Debug)]
pub struct ReplyStream<'a> {
    run: RunStream<'a>,
}

impl ReplyStream<'_> {
    /// The next piece.
    pub async fn next(&mut self) -> Option<Result<String, ClientError>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// The answer, as far as it has come.
    pub fn into_reply(self) -> Reply {
        Reply { result: self.run.into_result() }
    }
}

impl Stream for ReplyStream<'_> {
    type Item = Result<String, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.run).poll_next(context)) {
                Some(Ok(Event::TextMessageContent(event))) if self.run.has_said_more() => {
                    return Poll::Ready(Some(Ok(event.delta)));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<T: Transport> Agent<T> {
    /// Says something, and waits for the whole answer.
    ///
    /// # Errors
    /// Those of [`run_to_end`](Self::run_to_end). Where interrupts wait for answers, nothing has been said (rules L01 and L02).
    pub async fn ask(&mut self, content: impl Into<Content>) -> Result<Reply, ClientError> {
        self.ask_with(content, RunOptions::default()).await
    }

    /// The same, by options: to branch from an earlier run, for example.
    pub async fn ask_with(
        &mut self,
        content: impl Into<Content>,
        options: RunOptions,
    ) -> Result<Reply, ClientError> {
        let result = self.say(content, options).to_end().await?;
        Ok(Reply { result })
    }

    /// Says something; the text of the answer comes piece by piece. It is said when the first piece is asked for.
    pub fn ask_stream(&mut self, content: impl Into<Content>) -> ReplyStream<'_> {
        self.ask_stream_with(content, RunOptions::default())
    }

    /// The same, by options.
    pub fn ask_stream_with(&mut self, content: impl Into<Content>, options: RunOptions) -> ReplyStream<'_> {
        ReplyStream { run: self.say(content, options) }
    }

    fn say(&mut self, content: impl Into<Content>, options: RunOptions) -> RunStream<'_> {
        let said = UserMessage::new(IdKind::Message.new_id(), content);
        self.begin(options, Some(said.into()))
    }
}
