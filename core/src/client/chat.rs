//! Questions as text, and replies as text.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::agent::Agent;
use super::options::RunParameters;
use super::request::Purpose;
use super::result::{ClientError, RunResult};
use super::run::RunStream;
use super::transport::request::Transport;
use crate::ids::IdKind;
use crate::types::{Content, Event, Message, UserMessage};

/// The reply of an agent.
///
/// ```
/// use ag_ui_native::client::Reply;
///
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let reply: Reply = LocalAgent::new(greet).ask("Hi").await?.error_for_outcome()?;
/// assert_eq!((reply.text().as_str(), reply.messages().len()), ("Hello!", 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reply {
    /// The result of the run: its outcome, its new messages, its usage.
    pub result: RunResult,
}

impl Reply {
    /// The text of the assistant's new messages. If the agent failed, it is the text that came before: see the run's outcome.
    pub fn text(&self) -> String {
        self.result.text()
    }

    /// The new messages.
    pub fn messages(&self) -> &[Message] {
        &self.result.new_messages
    }

    /// The id of the reply's run. A later run branches from it with [`RunParameters::with_parent_run_id`].
    pub fn response_id(&self) -> &str {
        &self.result.run_id
    }

    /// The id of the conversation.
    pub fn thread_id(&self) -> &str {
        &self.result.thread_id
    }

    /// Returns the reply if the run has succeeded or was interrupted. See [`RunResult::error_for_outcome`].
    ///
    /// # Errors
    /// The error of the outcome; its [`run`](ClientError::run) is the result.
    pub fn error_for_outcome(self) -> Result<Self, ClientError> {
        Ok(Self { result: self.result.error_for_outcome()? })
    }
}

impl fmt::Display for Reply {
    /// Writes the text, and in brackets why the run has not succeeded.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        match self.result.outcome_error() {
            None => formatter.write_str(&text),
            Some(error) if text.is_empty() => write!(formatter, "[{error}]"),
            Some(error) => write!(formatter, "{text}\n[{error}]"),
        }
    }
}

/// The text of a reply, piece by piece.
///
/// ```
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let mut agent = LocalAgent::new(greet);
/// let mut pieces = agent.ask_stream("Hi");
/// while let Some(piece) = pieces.next().await {
///     assert_eq!(piece?, "Hello!");
/// }
/// assert!(pieces.into_reply().result.is_success());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ReplyStream<'a> {
    run: RunStream<'a>,
}

impl ReplyStream<'_> {
    /// The next piece.
    pub async fn next(&mut self) -> Option<Result<String, ClientError>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Returns the reply so far.
    pub fn into_reply(self) -> Reply {
        Reply { result: self.run.into_result() }
    }
}

impl Stream for ReplyStream<'_> {
    type Item = Result<String, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.run).poll_next(context)) {
                Some(Ok(Event::TextMessageContent(event))) if self.run.has_new_text() => {
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
    /// Sends a message of the user, and waits for the whole reply.
    ///
    /// # Errors
    /// Those of [`run_to_end`](Self::run_to_end). If interrupts are pending, the message is not added (rules L01 and L02).
    pub async fn ask(&mut self, content: impl Into<Content>) -> Result<Reply, ClientError> {
        self.ask_with(content, RunParameters::default()).await
    }

    /// Like [`ask`](Self::ask), with options, for example to branch from an earlier run.
    ///
    /// ```
    /// use ag_ui_native::client::RunParameters;
    ///
    /// # use ag_ui_native::client::LocalAgent;
    /// # use ag_ui_native::server::Run;
    /// # use ag_ui_native::{Error, Value};
    /// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
    /// #     run.text_message()?.write("Hello!")?;
    /// #     Ok(None)
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
    /// let mut agent = LocalAgent::new(greet);
    /// let parameters = RunParameters::default().with_run_id("r1").with_forwarded_props("for the agent");
    /// let reply = agent.ask_with("Hi", parameters).await?;
    /// assert_eq!(reply.response_id(), "r1");
    /// assert!(reply.result.interrupts().is_empty() && reply.result.pending_tool_call_ids().is_empty());
    /// assert_eq!(reply.result.runs().len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask_with(
        &mut self,
        content: impl Into<Content>,
        options: RunParameters,
    ) -> Result<Reply, ClientError> {
        let result = self.run_with_message(content, options).to_end().await?;
        Ok(Reply { result })
    }

    /// Sends a message of the user, and returns the text of the reply piece by piece. The message is sent when the first piece is read.
    pub fn ask_stream(&mut self, content: impl Into<Content>) -> ReplyStream<'_> {
        self.ask_stream_with(content, RunParameters::default())
    }

    /// Like [`ask_stream`](Self::ask_stream), with options.
    ///
    /// ```
    /// use ag_ui_native::client::RunParameters;
    ///
    /// # use ag_ui_native::client::LocalAgent;
    /// # use ag_ui_native::server::Run;
    /// # use ag_ui_native::{Error, Value};
    /// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
    /// #     run.text_message()?.write("Hello!")?;
    /// #     Ok(None)
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
    /// let mut agent = LocalAgent::new(greet);
    /// let mut pieces = agent.ask_stream_with("Hi", RunParameters::default().with_run_id("r1"));
    /// assert_eq!(pieces.next().await.transpose()?.as_deref(), Some("Hello!"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn ask_stream_with(
        &mut self,
        content: impl Into<Content>,
        options: RunParameters,
    ) -> ReplyStream<'_> {
        ReplyStream { run: self.run_with_message(content, options) }
    }

    fn run_with_message(&mut self, content: impl Into<Content>, options: RunParameters) -> RunStream<'_> {
        let message = UserMessage::new(IdKind::Message.new_id(), content);
        self.begin(options, Some(message.into()), Purpose::Start)
    }
}
