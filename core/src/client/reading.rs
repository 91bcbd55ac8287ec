//! Reads the body of an answer into events that wait to be applied.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use super::options::AgentSettings;
use super::timeout::Timeout;
use super::transport::response::{Body, Response};
use crate::error::{Error, Issue};
use crate::idle::IdleWait;
use crate::pipeline::{Output, OutputKind, Pipeline, PipelineOptions};
use crate::reduce::Reducer;
use crate::schema::{FieldType, Validated};
use crate::types::Event;
use crate::validate::TypedBuild;
use crate::verify::RunIds;
use crate::warning::Warning;

/// An event that the run has received.
pub(super) struct ReceivedEvent {
    pub index: usize,
    pub event: Event,
    pub incomplete: bool,
}

/// The reader's findings besides events, since the run last took them.
#[derive(Default)]
pub(super) struct Notes {
    pub warnings: Vec<Warning>,
    pub input_warnings: Vec<Issue>,
    pub last_event_id: Option<String>,
}

/// The notes that the reader and the run share.
#[derive(Clone, Default)]
pub(super) struct SharedNotes(Arc<Mutex<Notes>>);

impl SharedNotes {
    pub fn with<R>(&self, work: impl FnOnce(&mut Notes) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An answer that is being read.
pub(super) struct Reading {
    body: Body,
    /// True if reading stops at the end of the run.
    is_one_run: bool,
    pipeline: Pipeline,
    waiting: VecDeque<ReceivedEvent>,
    /// Returned after the waiting events.
    failure: Option<Error>,
    /// True if nothing more is read.
    is_over: bool,
    idle: Option<Duration>,
    idle_timer: IdleTimer,
    budget: StepBudget,
    notes: SharedNotes,
}

impl Reading {
    /// `options` are those of the stages before reduction. Events are reduced when they are returned.
    pub fn new(
        response: Response,
        settings: AgentSettings,
        options: PipelineOptions,
        asked: &RunIds,
        notes: SharedNotes,
    ) -> Result<Self, Error> {
        let mut pipeline = Pipeline::new(Some(response.head().event_type()), options, &[])?;
        pipeline.ask(&asked.thread_id, &asked.run_id);
        Ok(Self {
            pipeline,
            body: response.body,
            is_one_run: response.is_one_run,
            waiting: VecDeque::new(),
            failure: None,
            is_over: false,
            idle: settings.timeouts.idle,
            idle_timer: IdleTimer::default(),
            budget: StepBudget::default(),
            notes,
        })
    }

    /// Returns the next event; after the last one the failure, if there is one.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<ReceivedEvent, Error>>> {
        loop {
            if let Some(arrival) = self.waiting.pop_front() {
                return Poll::Ready(Some(Ok(arrival)));
            }
            if self.is_over {
                return Poll::Ready(self.failure.take().map(Err));
            }
            let piece = if self.budget.is_over(context) {
                Poll::Pending
            } else {
                self.body.as_mut().poll_next(context)
            };
            match piece {
                Poll::Ready(Some(Ok(piece))) => {
                    self.take(|pipeline, take| pipeline.feed(&piece, &mut TypedBuild, take));
                    self.is_over = self.failure.is_some();
                    if self.is_one_run && self.pipeline.has_ended() && !self.is_over {
                        self.finish();
                    }
                    self.idle_timer.end();
                }
                Poll::Ready(Some(Err(error))) => self.lose(error),
                Poll::Ready(None) => self.finish(),
                Poll::Pending => {
                    self.budget = StepBudget::default();
                    let Self { pipeline, idle, .. } = self;
                    let left = |now| pipeline.idle_time(now, *idle, false);
                    if !self.idle_timer.is_too_long(context, left) {
                        return Poll::Pending;
                    }
                    self.lose(Timeout::Idle.error_after(self.idle.unwrap_or_default()));
                }
            }
        }
    }

    /// Ends the answer.
    fn finish(&mut self) {
        self.is_over = true;
        self.take(|pipeline, take| pipeline.close(&mut TypedBuild, take));
    }

    /// Ends the answer, since its connection is lost.
    fn lose(&mut self, reason: Error) {
        self.pipeline.lose(reason);
        self.finish();
    }

    fn take(
        &mut self,
        work: impl FnOnce(&mut Pipeline, &mut crate::pipeline::Sink<'_, Validated>) -> Result<(), Error>,
    ) {
        let Self { pipeline, waiting, .. } = self;
        let done = work(pipeline, &mut |output: Output<Validated>, _: &mut Reducer| {
            let Output { index, incomplete, kind } = output;
            let event = match kind {
                OutputKind::Passed(value) => Event::from_validated(Some(value)),
                OutputKind::Made(event) => event,
                // The pipeline has no reduction: events are reduced when they are returned.
                OutputKind::Reduced(_) | OutputKind::Appended(..) => return Ok(()),
            };
            waiting.push_back(ReceivedEvent { index, event, incomplete });
            Ok(())
        });
        self.failure = done.err();
        let id = String::from_utf8_lossy(pipeline.decoder().last_event_id()).into_owned();
        let mut warnings = pipeline.take_warnings();
        self.notes.with(|notes| {
            notes.warnings.append(&mut warnings);
            notes.last_event_id = Some(id).filter(|id| !id.is_empty());
        });
    }
}

/// The timer of the limit `idle`. It runs while a read waits: before that, silence is no sign of a failure.
#[derive(Default)]
pub(super) struct IdleTimer {
    timer: Option<Pin<Box<Sleep>>>,
    /// True if a read waits and the timer is set.
    is_counted: bool,
    /// The moment of the first read.
    begun: Option<Instant>,
}

impl IdleTimer {
    /// Returns true if the waiting read takes too long. `left` returns the time that it may take, for a moment counted from the first read.
    pub fn is_too_long(
        &mut self,
        context: &mut Context<'_>,
        left: impl FnOnce(Duration) -> IdleWait,
    ) -> bool {
        let now = Instant::now();
        let since = now - *self.begun.get_or_insert(now);
        if !self.is_counted {
            let until = match left(since) {
                IdleWait::AtEnd => return true,
                IdleWait::Unlimited => None,
                IdleWait::AtMost(left) => now.checked_add(left),
            };
            // A time too long to be represented means no limit.
            let Some(until) = until else { return false };
            self.timer.get_or_insert_with(|| Box::pin(sleep_until(until))).as_mut().reset(until);
            self.is_counted = true;
        }
        self.timer.as_mut().is_some_and(|timer| timer.as_mut().poll(context).is_ready())
    }

    /// Ends the wait of a read.
    pub fn end(&mut self) {
        self.is_counted = false;
    }
}

/// Counts the steps that a task takes before it yields. A task that never waits would block other tasks and timeouts.
#[derive(Default)]
pub(super) struct StepBudget {
    steps: usize,
}

impl StepBudget {
    const MOST_STEPS: usize = 128;

    /// Takes a step. Returns true if the task has to yield; it is woken at once.
    pub fn is_over(&mut self, context: &Context<'_>) -> bool {
        self.steps = (self.steps + 1) % Self::MOST_STEPS;
        if self.steps == 0 {
            context.waker().wake_by_ref();
        }
        self.steps == 0
    }
}
