//! The stages behind a client's middleware: an event of the outermost is enforced, expanded and verified.

use std::time::Duration;

use crate::decode::JsonText;
use crate::decoder::{EventReader, ReadEvent};
use crate::error::Error;
use crate::expand::ChunkExpander;
use crate::idle::IdleTime;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::types::Event;
use crate::verify::EventVerifier;
use crate::warning::Warning;

/// The stages behind a client's middleware, an event at a time: enforced by the profile, expanded and verified. What middleware may do to
/// events is undone by none of them, so each event is judged as if it had just come.
#[derive(Debug)]
pub struct Intake {
    reader: EventReader,
    expander: ChunkExpander,
    verifier: EventVerifier,
    idle: IdleTime,
    /// The number of ends of runs that have come.
    ends: usize,
}

/// An event that may be applied.
#[derive(Debug)]
pub struct Admitted {
    /// The index of what it comes from, among the events that middleware has given.
    pub index: usize,
    /// The event.
    pub event: Event,
    /// It is just what was given: a host hands on its own object.
    pub is_given: bool,
    /// Operations of its patch were left out.
    pub incomplete: bool,
}

/// Receives the events. An error ends the stream.
pub type Sink<'t> = dyn FnMut(Admitted) -> Result<(), Error> + 't;

impl Intake {
    /// One for the answer to a request.
    pub fn new(profile: Profile, limits: Limits) -> Self {
        Self {
            reader: EventReader::enforcing(Rules::of(profile), limits),
            expander: ChunkExpander::new(limits),
            verifier: EventVerifier::new(limits).with_profile(profile),
            idle: IdleTime::default(),
            ends: 0,
        }
    }

    /// The stream was asked for with these ids.
    pub fn ask(&mut self, thread_id: &str, run_id: &str) {
        self.verifier.ask(thread_id, run_id);
    }

    /// Takes the next event, and hands over what it stands for. What comes before a failure is handed over before it is reported; the
    /// stream ends with it.
    pub fn push<'a>(&mut self, json: impl Into<JsonText<'a>>, take: &mut Sink<'_>) -> Result<(), Error> {
        match self.reader.read(json)? {
            Some(read) => self.admit(read, take),
            None => Ok(()),
        }
    }

    /// The same of an event that [`EventReader::read_strings`] reads. Nothing if it has to come as text.
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

    /// The time to wait for the next event from `now` on, with `idle` as the limit; `None` is as long as the run may take. Zero means that
    /// the stream is at its end.
    pub fn idle_time(&mut self, now: Duration, idle: Option<Duration>) -> Option<Duration> {
        idle.filter(|_| self.has_ended()).map(|idle| self.idle.left(now, idle, self.ends))
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.reader.take_warnings()
    }
}
