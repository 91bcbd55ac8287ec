//! The events of a run through middleware.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::answer::Answer;
use super::input::prepare_by;
use super::middleware::{Events, Middleware, Next};
use super::opening::Open;
use super::reading::{Arrival, SharedNotes};
use super::result::ClientError;
use super::settings::Settings;
use super::transport::Request;
use crate::error::Issue;
use crate::expand::ChunkExpander;
use crate::pipeline::Stages;
use crate::types::{Event, RunAgentInput};
use crate::verify::{EventVerifier, RunIds};
use crate::warning::Warning;

/// What comes out of the outermost middleware, expanded and verified.
pub(super) struct Flow {
    events: Events,
    expander: ChunkExpander,
    verifier: EventVerifier,
    waiting: VecDeque<Arrival>,
    notes: SharedNotes,
    /// Comes out behind the events that wait.
    failure: Option<ClientError>,
    is_over: bool,
    /// How many events have come.
    count: usize,
}

impl Flow {
    /// A run through some middleware, the first of which is the outermost.
    pub fn new(
        middleware: Vec<Arc<dyn Middleware>>,
        input: RunAgentInput,
        open: Open,
        settings: Settings,
        notes: SharedNotes,
    ) -> Self {
        let verifier = EventVerifier::new(settings.limits)
            .with_profile(settings.profile)
            .for_run(&input.thread_id, &input.run_id);
        let of_answers = notes.clone();
        let ask = move |input: RunAgentInput| Events::new(Arriving(ask(input, &open, settings, &of_answers)));
        Self {
            events: Next::new(middleware, ask).run(input),
            expander: ChunkExpander::new(settings.limits),
            verifier,
            notes,
            waiting: VecDeque::new(),
            failure: None,
            is_over: false,
            count: 0,
        }
    }

    fn take(&mut self, event: Event) -> Result<(), ClientError> {
        let index = self.count;
        self.count += 1;
        for event in self.expander.push(event).map_err(|error| error.of_event(index))? {
            self.verifier.check(&event).map_err(|error| error.of_event(index))?;
            let warnings = self.verifier.take_warnings();
            self.warn(index, warnings);
            self.waiting.push_back(Arrival { index, event, incomplete: false });
        }
        Ok(())
    }

    fn warn(&self, event_index: usize, issues: impl IntoIterator<Item = Issue>) {
        let warnings = issues.into_iter().map(|issue| Warning { event_index, issue });
        self.notes.with(|notes| notes.warnings.extend(warnings));
    }

    fn end(&mut self, failure: Option<ClientError>) {
        self.is_over = true;
        self.failure = failure;
    }
}

impl Stream for Flow {
    type Item = Result<Arrival, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(arrival) = self.waiting.pop_front() {
                return Poll::Ready(Some(Ok(arrival)));
            }
            if self.is_over {
                return Poll::Ready(self.failure.take().map(Err));
            }
            match ready!(Pin::new(&mut self.events).poll_next(context)) {
                Some(Ok(event)) => {
                    if let Err(error) = self.take(event) {
                        self.end(Some(error));
                    }
                }
                Some(Err(error)) => self.end(Some(error)),
                None => {
                    let end = self.verifier.finish();
                    self.warn(self.count, self.verifier.end_warning());
                    self.end(end.err().map(Into::into));
                }
            }
        }
    }
}

/// What the innermost middleware asks for.
fn ask(mut input: RunAgentInput, open: &Open, settings: Settings, notes: &SharedNotes) -> Answer {
    // Whether interrupts are answered was looked at before.
    let asked = RunIds::of(&input);
    let opening = match prepare_by(&settings, &mut input, &[]) {
        Ok(lost) => {
            notes.with(|notes| notes.input_warnings.extend(lost));
            open(Request { input, protobuf: settings.protobuf, limits: settings.limits })
        }
        Err(error) => Box::pin(std::future::ready(Err(error.into()))),
    };
    let stages = Stages { expand: false, verify: false, reduce: false };
    Answer::new(opening, settings, stages, asked, notes.clone())
}

/// The events of an answer as they arrive.
struct Arriving(Answer);

impl Stream for Arriving {
    type Item = Result<Event, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(context).map_ok(|arrival| arrival.event)
    }
}
