//! The events of a run through middleware.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;

use super::event_source::EventSource;
use super::middleware::{Events, Middleware, Next};
use super::options::AgentSettings;
use super::reading::{IdleTimer, ReceivedEvent, SharedNotes};
use super::result::ClientError;
use super::runs::Runs;
use super::runs::input::check_by;
use super::runs::intake::{Admitted, Intake};
use super::transport::opening::{Open, now};
use super::transport::request::RunRequest;
use crate::error::Error;
use crate::pipeline::PipelineOptions;
use crate::try_to_json;
use crate::types::{Event, RunAgentInput};
use crate::verify::RunIds;

/// The events of the outermost middleware, enforced, expanded and verified.
pub(super) struct Flow {
    events: Events,
    intake: Intake,
    waiting: VecDeque<ReceivedEvent>,
    notes: SharedNotes,
    /// Returned after the waiting events.
    failure: Option<ClientError>,
    is_over: bool,
    idle: Option<Duration>,
    idle_timer: IdleTimer,
}

impl Flow {
    /// Begins a run through middleware. The first is the outermost.
    pub fn new(
        middleware: Vec<Arc<dyn Middleware>>,
        input: RunAgentInput,
        open: Open,
        settings: AgentSettings,
        notes: SharedNotes,
        runs: Runs,
    ) -> Self {
        let mut intake = Intake::new(settings.profile, settings.limits);
        intake.ask(&input.thread_id, &input.run_id);
        let of_answers = notes.clone();
        let runs = Mutex::new(runs);
        let ask = move |input| Events::new(Arriving(ask(input, &runs, &open, settings, &of_answers)));
        Self {
            events: Next::new(middleware, ask).run(input),
            intake,
            notes,
            waiting: VecDeque::new(),
            failure: None,
            is_over: false,
            idle: settings.timeouts.idle,
            idle_timer: IdleTimer::default(),
        }
    }

    /// Takes the next event of the outermost middleware, or its end.
    fn take(&mut self, event: Option<&Event>) -> Result<(), Error> {
        let Self { intake, waiting, .. } = self;
        let taken = match event {
            Some(event) => intake.push(try_to_json(event)?.as_str(), &mut |admitted| {
                let Admitted { index, event, incomplete, .. } = admitted;
                waiting.push_back(ReceivedEvent { index, event, incomplete });
                Ok(())
            }),
            None => intake.finish(),
        };
        let mut warnings = self.intake.take_warnings();
        self.notes.with(|notes| notes.warnings.append(&mut warnings));
        taken
    }

    fn end(&mut self, failure: Option<ClientError>) {
        self.is_over = true;
        self.failure = failure;
    }
}

impl Stream for Flow {
    type Item = Result<ReceivedEvent, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(arrival) = self.waiting.pop_front() {
                return Poll::Ready(Some(Ok(arrival)));
            }
            if self.is_over {
                return Poll::Ready(self.failure.take().map(Err));
            }
            let next = Pin::new(&mut self.events).poll_next(context);
            let Self { intake, idle_timer, idle, .. } = &mut *self;
            let Poll::Ready(next) = next else {
                if idle_timer.is_too_long(context, |now| intake.idle_time(now, *idle)) {
                    self.end(None);
                    continue;
                }
                return Poll::Pending;
            };
            idle_timer.end();
            match next {
                Some(Ok(event)) => {
                    if let Err(error) = self.take(Some(&event)) {
                        self.end(Some(error.into()));
                    }
                }
                Some(Err(error)) if intake.tolerates_loss(error.code().as_str()) => self.end(None),
                Some(Err(error)) => self.end(Some(error)),
                None => {
                    let end = self.take(None);
                    self.end(end.err().map(Into::into));
                }
            }
        }
    }
}

/// Makes the run that the innermost middleware requests.
fn ask(
    mut input: RunAgentInput,
    runs: &Mutex<Runs>,
    open: &Open,
    settings: AgentSettings,
    notes: &SharedNotes,
) -> EventSource {
    let asked = RunIds::of(&input);
    let checked = check_by(&settings, &mut input, &[]);
    let mut runs = runs.lock().unwrap_or_else(PoisonError::into_inner);
    let opening = match checked.and_then(|()| runs.prepare_from_middleware(&mut input, settings.peer, now()))
    {
        Ok(lost) => {
            notes.with(|notes| notes.input_warnings.extend(lost));
            open(RunRequest::by(input, settings))
        }
        Err(error) => Box::pin(std::future::ready(Err(error.into()))),
    };
    let options = PipelineOptions::before_middleware(settings.profile, settings.limits, settings.peer);
    EventSource::new(opening, settings, options, asked, notes.clone())
}

/// The events of an answer as they arrive.
struct Arriving(EventSource);

impl Stream for Arriving {
    type Item = Result<Event, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(context).map_ok(|arrival| arrival.event)
    }
}
