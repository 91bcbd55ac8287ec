//! The stages after a client's middleware: each event of the outermost is enforced, expanded and verified.

use std::time::Duration;

use crate::decode::JsonText;
use crate::decoder::{EventReader, ReadEvent};
use crate::error::Error;
use crate::expand::ChunkExpander;
use crate::idle::{IdleTime, IdleWait};
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::types::Event;
use crate::verify::EventVerifier;
use crate::warning::Warning;

/// The stages after a client's middleware: each event is enforced by the profile, expanded and verified, as if it had just arrived.
#[derive(Debug)]
pub struct Intake {
    reader: EventReader,
    expander: ChunkExpander,
    verifier: EventVerifier,
    idle: IdleTime,
    /// The number of runs that have ended.
    ends: usize,
}

/// An event that may be applied.
#[derive(Debug)]
pub struct Admitted {
    /// The index of its source among the events of the middleware.
    pub index: usize,
    /// The event.
    pub event: Event,
    /// True if it is unchanged: a host hands on its own object.
    pub is_given: bool,
    /// Operations of its patch were left out.
    pub incomplete: bool,
}

/// Receives the events. An error ends the stream.
pub type Sink<'t> = dyn FnMut(Admitted) -> Result<(), Error> + 't;

impl Intake {
    /// The stages for the answer to one request.
    pub fn new(profile: Profile, limits: Limits) -> Self {
        Self {
            reader: EventReader::enforcing(Rules::of(profile), limits),
            expander: ChunkExpander::new(limits),
            verifier: EventVerifier::new(limits).with_profile(profile),
            idle: IdleTime::default(),
            ends: 0,
        }
    }

    /// Sets the ids of the requested run.
    pub fn ask(&mut self, thread_id: &str, run_id: &str) {
        self.verifier.ask(thread_id, run_id);
    }

    /// Takes the next event, and hands over the events for which it stands. Events before a failure are handed over first; the failure ends
    /// the stream.
    pub fn push<'a>(&mut self, json: impl Into<JsonText<'a>>, take: &mut Sink<'_>) -> Result<(), Error> {
        match self.reader.read(json)? {
            Some(read) => self.admit(read, take),
            None => Ok(()),
        }
    }

    /// Like [`push`](Self::push), for an event that [`EventReader::read_strings`] reads. Returns `None` if the event has to be given as
    /// text.
    pub fn push_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        take: &mut Sink<'_>,
    ) -> Option<Result<(), Error>> {
        let read = self.reader.read_strings(place, strings)?;
        Some(self.admit(read, take))
    }

    fn admit(&mut self, read: ReadEvent, take: &mut Sink<'_>) -> Result<(), Error> {
        let ReadEvent { index, event, repaired, incomplete } = read;
        let expansion = self.expander.expand(event).map_err(|error| error.of_event(index))?;
        let made = expansion.made.into_iter().map(|event| (event, false));
        for (event, is_given) in made.chain(expansion.passed.map(|event| (event, !repaired))) {
            self.verifier.check(&event).map_err(|error| error.of_event(index))?;
            self.ends += usize::from(matches!(event, Event::RunFinished(_) | Event::RunError(_)));
            for issue in self.verifier.take_warnings() {
                self.reader.warn(index, issue);
            }
            take(Admitted { index, event, is_given, incomplete })?;
        }
        Ok(())
    }

    /// Ends the stream. Fails with `stream_truncated` if no run has begun, or one has not ended.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.verifier.finish()?;
        if let Some(issue) = self.verifier.end_warning() {
            self.reader.warn(self.reader.count(), issue);
        }
        Ok(())
    }

    /// True if a run has ended, and no other one has begun since.
    pub fn has_ended(&self) -> bool {
        self.verifier.has_ended()
    }

    /// Returns the time to wait for the next event from `now` on, with `idle` as the limit. Before the end of a run there is none.
    pub fn idle_time(&mut self, now: Duration, idle: Option<Duration>) -> IdleWait {
        let idle = idle.filter(|_| self.has_ended());
        idle.map_or(IdleWait::Unlimited, |idle| self.idle.left(now, idle, self.ends))
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.reader.take_warnings()
    }
}
