//! The source of a run's events: one request and its response.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::options::AgentSettings;
use super::reading::{Reading, ReceivedEvent, SharedNotes};
use super::result::ClientError;
use super::transport::opening::Opening;
use crate::pipeline::PipelineOptions;
use crate::verify::RunIds;

/// The stream of a run's events.
pub(super) type BoxedEvents = Pin<Box<dyn Stream<Item = Result<ReceivedEvent, ClientError>> + Send>>;

/// The events of the answer to one request. A failure is the last item.
pub(super) struct EventSource {
    phase: Phase,
    settings: AgentSettings,
    options: PipelineOptions,
    asked: RunIds,
    notes: SharedNotes,
}

enum Phase {
    Opening(Opening),
    Reading(Box<Reading>),
    Over,
}

impl EventSource {
    /// Requests the answer. `options` are those of the stages before reduction.
    pub fn new(
        opening: Opening,
        settings: AgentSettings,
        options: PipelineOptions,
        asked: RunIds,
        notes: SharedNotes,
    ) -> Self {
        Self { phase: Phase::Opening(opening), settings, options, asked, notes }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<ReceivedEvent, ClientError>>> {
        loop {
            match &mut self.phase {
                Phase::Opening(opening) => {
                    let response = ready!(opening.as_mut().poll(context))?;
                    let notes = self.notes.clone();
                    let reading = Reading::new(response, self.settings, self.options, &self.asked, notes)?;
                    self.phase = Phase::Reading(Box::new(reading));
                }
                Phase::Reading(reading) => {
                    return Poll::Ready(ready!(reading.poll_next(context)).transpose()?.map(Ok));
                }
                Phase::Over => return Poll::Ready(None),
            }
        }
    }
}

impl Stream for EventSource {
    type Item = Result<ReceivedEvent, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let arrival = self.poll(context);
        if !matches!(arrival, Poll::Pending | Poll::Ready(Some(Ok(_)))) {
            // Closes the connection at once.
            self.phase = Phase::Over;
        }
        arrival
    }
}
