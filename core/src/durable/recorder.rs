//! Stores what an agent writes: the frames of its run, and the snapshot of the thread at its end.

use std::borrow::Cow;
use std::time::Duration;

use super::exchange::{EngineFailure, Ticket};
use super::frame::event_of;
use super::lease::Renewal;
use super::notice::{LogNotice, LogSubject, Notices};
use super::occupancy::Place;
use super::producer::{Producer, ProducerCommand};
use super::reply::{Hint, Reply};
use super::snapshot::{beginning, snapshot_of};
use crate::encode::to_json;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::server::bindings::ends_run;
use crate::sse::{SseReader, frame};
use crate::stream::EventPipeline;
use crate::types::{Event, Interrupt, RunAgentInput};

/// Takes the bytes that a server would send to a client as an event stream, and gives them to a [`Producer`].
#[derive(Debug)]
pub struct Recorder {
    producer: Producer,
    reader: SseReader,
    /// The messages and the state of the run; `None` once an event does not fit.
    thread: Option<Box<EventPipeline>>,
    has_ended: bool,
    /// The run is counted until it is over.
    place: Option<Place>,
    notices: Notices,
}

/// The result of written bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The number of the last frame. An awaited write of a frame that has to be stored waits for
    /// [`ProducerCommand::Stored`] of this number.
    pub last: u64,
    /// True if the bytes have a frame that has to be stored before the agent goes on: the start and the end of the run, and
    /// results of tools.
    pub is_awaited: bool,
    /// False if an awaited write has to wait until frames are stored.
    pub has_room: bool,
}

impl Recorder {
    /// Records the run of this input. The log limits the lengths of its events, and not these limits.
    pub fn new(producer: Producer, input: &RunAgentInput, limits: Limits) -> Self {
        let limits = limits.for_writing();
        Self {
            producer,
            reader: SseReader::new(&limits),
            thread: Some(Box::new(beginning(input).with_limits(limits))),
            has_ended: false,
            place: None,
            notices: Notices::default(),
        }
    }

    /// The run is counted by this place until it is over.
    #[must_use]
    pub fn with_place(self, place: Option<Place>) -> Self {
        Self { place, ..self }
    }

    /// Makes notices about this run.
    #[must_use]
    pub fn about(self, subject: Option<LogSubject>) -> Self {
        Self { notices: Notices::about(subject), ..self }
    }

    /// The next notice for the application. Asked behind each command.
    pub fn take_notice(&mut self) -> Option<LogNotice> {
        self.notices.take()
    }

    /// The run counts no longer. Called when no more commands are carried out.
    pub fn close(&mut self) {
        self.place = None;
    }

    /// See [`Producer::drain`].
    pub fn drain(&mut self, now: Duration) {
        self.producer.drain(now);
    }

    /// The same with the interrupts that the run answers: if it fails, they wait on.
    #[must_use]
    pub fn with_pending_interrupts(self, interrupts: Vec<Interrupt>) -> Self {
        let thread = self.thread.map(|thread| thread.with_pending_interrupts(interrupts).into());
        Self { thread, ..self }
    }

    /// Takes the next bytes of the stream. Frames behind the end of the run are dropped.
    ///
    /// # Errors
    /// `lone_surrogate`: a frame is no UTF-8.
    pub fn write(&mut self, now: Duration, bytes: &[u8]) -> Result<Recorded, Error> {
        let Self { producer, reader, thread, has_ended, .. } = self;
        let mut is_awaited = false;
        reader.feed(bytes, &mut |read| {
            let text = std::str::from_utf8(read.data).map_err(|_| Error::new(Code::LoneSurrogate, ""))?;
            if *has_ended {
                return Ok(());
            }
            let json = one_line(text);
            let events = reduce(thread, &json);
            is_awaited |= events.iter().any(has_to_be_stored);
            *has_ended = events.iter().any(ends_run);
            if *has_ended {
                producer.finish(now, json.as_ref().into(), thread.as_deref().map(snapshot_of));
            } else {
                producer.write(now, json.as_ref().into());
            }
            Ok(())
        })?;
        if is_awaited {
            producer.flush(now);
        }
        Ok(Recorded { last: producer.last(), is_awaited, has_room: producer.has_room() })
    }

    /// See [`Producer::hint`].
    pub fn hint(&mut self, hint: Hint) {
        self.producer.hint(hint);
    }

    /// See [`Producer::reply`].
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.producer.reply(now, ticket, reply);
    }

    /// See [`Producer::poll`].
    pub fn poll(&mut self, now: Duration) -> Option<ProducerCommand> {
        let command = self.producer.poll(now);
        if let Some(command) = &command {
            self.notices.produced(command, self.producer.last());
        }
        if self.producer.is_over() {
            self.place = None;
        }
        command
    }

    /// See [`Producer::deadline`].
    pub fn deadline(&self) -> Option<Duration> {
        self.producer.deadline()
    }

    /// See [`Producer::renewal`].
    pub fn renewal(&self) -> Renewal {
        self.producer.renewal()
    }

    /// False if an awaited write has to wait until frames are stored.
    pub fn has_room(&self) -> bool {
        self.producer.has_room()
    }
}

/// The JSON without line breaks, so that one line of an event stream holds it.
fn one_line(json: &str) -> Cow<'_, str> {
    if !json.contains(['\n', '\r']) {
        return json.into();
    }
    // Line breaks of JSON stand between its tokens.
    event_of(json).map_or_else(|_| json.replace(['\n', '\r'], " "), |event| to_json(&event)).into()
}

/// Reduces an event. Returns it, or those that a chunk stands for.
fn reduce(thread: &mut Option<Box<EventPipeline>>, json: &str) -> Vec<Event> {
    if let Some(pipeline) = thread {
        let events: Result<Vec<_>, _> = pipeline.feed(frame(json).as_bytes()).collect();
        if let Ok(events) = events {
            return events;
        }
        *thread = None;
    }
    event_of(json).into_iter().collect()
}

fn has_to_be_stored(event: &Event) -> bool {
    ends_run(event) || matches!(event, Event::RunStarted(_) | Event::ToolCallResult(_))
}
