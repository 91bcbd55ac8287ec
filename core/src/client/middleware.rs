//! Middleware stands between an application and its agent. It may change the input and the events.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::result::ClientError;
use super::tools::filter::ToolCallFilter;
use crate::types::{Event, RunAgentInput};

/// Wraps the runs of an agent: it may change the input, run the agent several times, answer itself, or change the events. Events are as
/// they arrive: unknown members are in `extra`, unknown events are [`Event::Unknown`]; only AG-UI 0.x is translated. The events of the
/// outermost middleware are enforced by the profile, expanded and verified.
///
/// A function from an input and [`Next`] to a stream of events is one, too:
///
/// ```
/// use ag_ui_native::client::{Events, HttpAgent, Next};
/// use ag_ui_native::types::{Event, RunAgentInput};
///
/// /// Leaves raw events out.
/// fn without_raw(input: RunAgentInput, next: Next) -> Events {
///     Events::generate(|sink| async move {
///         let mut events = next.run(input);
///         while let Some(event) = events.next().await {
///             match event? {
///                 Event::Raw(_) => {}
///                 other => sink.send(other).await,
///             }
///         }
///         Ok(())
///     })
/// }
///
/// let agent = HttpAgent::new("http://127.0.0.1:8000/").with_middleware(without_raw);
/// ```
pub trait Middleware: Send + Sync {
    /// Returns the events of a run. Dropping them ends the run.
    fn run(&self, input: RunAgentInput, next: Next) -> Events;
}

impl<F, S> Middleware for F
where
    F: Fn(RunAgentInput, Next) -> S + Send + Sync,
    S: Stream<Item = Result<Event, ClientError>> + Send + 'static,
{
    fn run(&self, input: RunAgentInput, next: Next) -> Events {
        Events::new(self(input, next))
    }
}

impl Middleware for ToolCallFilter {
    fn run(&self, input: RunAgentInput, next: Next) -> Events {
        let mut filter = self.clone();
        Events::generate(|sink| async move {
            let mut events = next.run(input);
            while let Some(event) = events.next().await {
                for event in filter.push(event?)? {
                    sink.send(event).await;
                }
            }
            Ok(())
        })
    }
}

/// The next middleware, or the agent.
///
/// ```
/// use ag_ui_native::client::{Events, Middleware, Next};
/// use ag_ui_native::types::RunAgentInput;
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
/// struct Passing;
///
/// impl Middleware for Passing {
///     fn run(&self, input: RunAgentInput, next: Next) -> Events {
///         next.run(input)
///     }
/// }
///
/// let mut agent = LocalAgent::new(greet).with_middleware(Passing);
/// assert_eq!(agent.ask("Hi").await?.text(), "Hello!");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Next {
    chain: Arc<Chain>,
    place: usize,
}

struct Chain {
    middleware: Vec<Arc<dyn Middleware>>,
    ask: Box<dyn Fn(RunAgentInput) -> Events + Send + Sync>,
}

impl Next {
    /// Nests middleware around the function that runs the agent. The first is the outermost.
    pub(super) fn new(
        middleware: Vec<Arc<dyn Middleware>>,
        ask: impl Fn(RunAgentInput) -> Events + Send + Sync + 'static,
    ) -> Self {
        Self { chain: Arc::new(Chain { middleware, ask: Box::new(ask) }), place: 0 }
    }

    /// Runs the agent, and returns its events as they arrive. Each call makes a new request, when its first event is read.
    pub fn run(&self, input: RunAgentInput) -> Events {
        match self.chain.middleware.get(self.place) {
            Some(inner) => inner.run(input, Self { place: self.place + 1, ..self.clone() }),
            None => (self.chain.ask)(input),
        }
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.chain.middleware.len() - self.place;
        formatter.debug_struct("Next").field("middleware", &inner).finish_non_exhaustive()
    }
}

/// The events of a run. A failure is the last item. Implements the `Stream` of `futures`.
///
/// ```
/// use ag_ui_native::Event;
/// use ag_ui_native::client::Events;
/// use ag_ui_native::types::StepStartedEvent;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let mut events = Events::new(futures_util::stream::iter([Ok(Event::from(StepStartedEvent::new("search")))]));
/// assert!(events.next().await.is_some());
/// assert!(events.next().await.is_none());
/// # }
/// ```
pub struct Events(Pin<Box<dyn Stream<Item = Result<Event, ClientError>> + Send>>);

impl Events {
    /// The events of a stream.
    pub fn new(events: impl Stream<Item = Result<Event, ClientError>> + Send + 'static) -> Self {
        Self(Box::pin(events))
    }

    /// The events that an async function sends. The function is polled while events are read, and dropped with them.
    pub fn generate<F, W>(function: F) -> Self
    where
        F: FnOnce(EventSink) -> W,
        W: Future<Output = Result<(), ClientError>> + Send + 'static,
    {
        let (sender, sent) = channel(1);
        Self::new(Generated { work: Some(Box::pin(function(EventSink(sender)))), sent, failure: None })
    }

    /// Returns the next event.
    pub async fn next(&mut self) -> Option<Result<Event, ClientError>> {
        poll_fn(|context| self.0.as_mut().poll_next(context)).await
    }
}

impl Stream for Events {
    type Item = Result<Event, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Events").finish_non_exhaustive()
    }
}

/// The sender of the function of [`Events::generate`].
///
/// ```
/// use ag_ui_native::Event;
/// use ag_ui_native::client::{EventSink, Events};
/// use ag_ui_native::types::StepStartedEvent;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let mut events = Events::generate(|sink: EventSink| async move {
///     sink.send(Event::from(StepStartedEvent::new("search"))).await;
///     Ok(())
/// });
/// assert!(events.next().await.is_some());
/// # }
/// ```
#[derive(Debug)]
pub struct EventSink(Sender<Event>);

impl EventSink {
    /// Sends an event, and waits until the reader asks for the next one.
    pub async fn send(&self, event: Event) {
        // If the reader has gone, the event is dropped. The function continues when the next event is read.
        if self.0.send(event).await.is_ok() {
            let _ = self.0.reserve().await;
        }
    }
}

type Work = Pin<Box<dyn Future<Output = Result<(), ClientError>> + Send>>;

struct Generated {
    /// `None` when it is done.
    work: Option<Work>,
    sent: Receiver<Event>,
    /// Returned after the sent events.
    failure: Option<ClientError>,
}

impl Stream for Generated {
    type Item = Result<Event, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(work) = &mut self.work
            && let Poll::Ready(done) = work.as_mut().poll(context)
        {
            self.work = None;
            self.failure = done.err();
        }
        // The events end when the function has returned and every copy of its sink is dropped.
        match ready!(self.sent.poll_recv(context)) {
            Some(event) => Poll::Ready(Some(Ok(event))),
            None => Poll::Ready(self.failure.take().map(Err)),
        }
    }
}
