//! The pipeline of a stream: decode, translate, enforce, expand, verify, reduce.

use std::time::Duration;

use crate::compat::{self, ProtocolVersion};
use crate::decode::is_incomplete;
use crate::decoder::{Arrival, Decoder, UnreadEvent, Warning};
use crate::error::{Code, Error};
use crate::expand::{ChunkExpander, Expansion};
use crate::idle::{IdleTime, IdleWait};
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::reduce::{Place, Reducer, Reduction};
use crate::schema::FieldType;
use crate::schema::Validated;
use crate::types::{Event, Message};
use crate::validate::SinglePassBuild;
use crate::validate::{Build, Nothing, PlainEvent};
use crate::verify::{EventVerifier, Target, is_free, target_key};
use crate::warning::Warnings;

/// The stages of a pipeline after decoding. Translation of 0.x and enforcement belong to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Expands chunks.
    pub expand: bool,
    /// Verifies the order of events.
    pub verify: bool,
    /// Reduces events to changes of a conversation.
    pub reduce: bool,
}

impl Stages {
    /// The stages of a profile: all, except that a relay does not verify.
    pub fn of(profile: Profile) -> Self {
        Self { expand: true, verify: profile != Profile::Relay, reduce: true }
    }
}

impl Default for Stages {
    fn default() -> Self {
        Self::of(Profile::default())
    }
}

/// Options of a pipeline.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipelineOptions {
    /// The rules of reading, before enforcement adds to them.
    pub rules: Rules,
    /// The limits.
    pub limits: Limits,
    /// The stages.
    pub stages: Stages,
    /// The newest version that the peer is assumed to speak; `None` for ours.
    pub peer: Option<ProtocolVersion>,
}

impl PipelineOptions {
    /// Options for the stream before a client's middleware, which sees the events as they arrived. [`Intake`](crate::client::Intake)
    /// applies the other stages after the middleware.
    pub fn before_middleware(profile: Profile, limits: Limits, peer: Option<ProtocolVersion>) -> Self {
        let stages = Stages { expand: false, verify: false, reduce: false };
        Self { rules: Rules::of(profile).before_middleware(), limits, stages, peer }
    }
}

/// An output of the pipeline for the event at `index` of the stream.
#[derive(Debug)]
pub struct Output<'t, V> {
    /// The event's index in its stream.
    pub index: usize,
    /// True if operations of its patch were dropped when it was read.
    pub incomplete: bool,
    /// The result.
    pub kind: OutputKind<'t, V>,
}

/// The result of an event.
#[derive(Debug)]
pub enum OutputKind<'t, V> {
    /// The unchanged event, in the host's form.
    Passed(V),
    /// An event that comes from a chunk, or that ends a chunked stream.
    Made(Event),
    /// The changes of the conversation.
    Reduced(Reduction),
    /// Text that is appended at a place; the only change of the event.
    Appended(Place, &'t str),
}

impl<V> OutputKind<'_, V> {
    /// The changes of the conversation, if events are reduced.
    pub fn into_reduction(self) -> Option<Reduction> {
        match self {
            Self::Reduced(reduction) => Some(reduction),
            Self::Appended(place, text) => Some(Reduction::appending(place, text)),
            Self::Passed(_) | Self::Made(_) => None,
        }
    }
}

/// Takes a stream of events from bytes to changes.
///
/// All outputs before a failure have been handed over when it is returned. No output follows a failure.
#[derive(Debug)]
pub struct Pipeline {
    decoder: Decoder,
    chain: StageChain,
    /// The failure of the transport.
    lost: Option<Error>,
    idle: IdleTime,
}

/// The stages after the decoder.
#[derive(Debug)]
struct StageChain {
    stages: Stages,
    peer: Option<ProtocolVersion>,
    expander: ChunkExpander,
    verifier: EventVerifier,
    reducer: Reducer,
    warnings: Warnings,
    has_ended: bool,
    /// The number of ends of runs that have come.
    ends: usize,
    /// The text of the event that was read last, if it appends text.
    text: String,
}

/// An event that was plainly valid.
enum PlainlyRead<V> {
    /// It passes all stages unchanged.
    Passed(V),
    /// Its only change is to append text at this place.
    Appended(Place),
    /// The stages must process it.
    Whole((Option<Validated>, V)),
}

/// Receives the outputs. It reports to the reducer which changes the host could not apply. An error
/// stops the stream.
pub type Sink<'t, V> = dyn FnMut(Output<'_, V>, &mut Reducer) -> Result<(), Error> + 't;

impl Pipeline {
    /// A pipeline for a response of the given media type and a conversation that begins with `messages`.
    pub fn new<'m>(
        content_type: Option<&str>,
        options: PipelineOptions,
        messages: impl IntoIterator<Item = &'m Message>,
    ) -> Result<Self, Error> {
        let decoder = Decoder::new(content_type, options.rules.enforcing(), options.limits)?;
        let profile = options.rules.profile();
        let reducer = Reducer::new(messages).with_limits(options.limits).with_profile(profile);
        Ok(Self { decoder, chain: StageChain::new(options, reducer), lost: None, idle: IdleTime::default() })
    }

    /// A pipeline after a decoder, with an empty conversation.
    pub(crate) fn of(decoder: Decoder, options: PipelineOptions) -> Self {
        let profile = options.rules.profile();
        let reducer = Reducer::default().with_limits(options.limits).with_profile(profile);
        Self { decoder, chain: StageChain::new(options, reducer), lost: None, idle: IdleTime::default() }
    }

    /// Sets the ids that the stream was requested with. Without them, its thread is that of its first
    /// run.
    pub fn ask(&mut self, thread_id: &str, run_id: &str) {
        self.chain.verifier.ask(thread_id, run_id);
    }

    /// A new pipeline for the same transport.
    pub(crate) fn anew(&self, options: PipelineOptions) -> Self {
        Self::of(self.decoder.anew(options.rules.enforcing(), options.limits), options)
    }

    /// Reads a piece of the stream and hands over the outputs. `build` makes the host's form of events that are
    /// passed on.
    pub fn feed<B: Build>(
        &mut self,
        chunk: &[u8],
        build: &mut B,
        take: &mut Sink<'_, B::Value>,
    ) -> Result<(), Error> {
        let Self { decoder, chain, .. } = self;
        decoder.feed_unread(chunk, &mut |event| chain.arrive(event, build, take))
    }

    /// Ends the stream. Fails with `stream_truncated` if it ends inside an event or before its run does.
    pub fn close<B: Build>(&mut self, build: &mut B, take: &mut Sink<'_, B::Value>) -> Result<(), Error> {
        match self.lost.take() {
            Some(reason) => self.end_lost(reason, build, take),
            None => self.end(build, take),
        }
    }

    /// Notes that the transport has failed. `close` fails with this reason, unless the run has ended or the stream itself is
    /// invalid.
    pub fn lose(&mut self, reason: Error) {
        self.lost = Some(reason);
    }

    pub(crate) fn end<B: Build>(
        &mut self,
        build: &mut B,
        take: &mut Sink<'_, B::Value>,
    ) -> Result<(), Error> {
        let Self { decoder, chain, .. } = self;
        decoder.close_unread(&mut |event| chain.arrive(event, build, take))?;
        if !chain.stages.verify {
            return Ok(());
        }
        chain.verifier.finish()?;
        chain.warnings.extend(decoder.event_count(), chain.verifier.end_warning());
        Ok(())
    }

    /// The warnings since the last call, in the order of events.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.decoder.take_warnings();
        warnings.append(&mut self.chain.warnings.take());
        warnings.sort_by_key(|warning| warning.event_index);
        warnings
    }

    /// The decoder, which holds ids and times of the stream.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// True if a run has ended, and no other has begun since.
    pub fn has_ended(&self) -> bool {
        self.chain.has_ended
    }

    /// Returns the time to wait for the next piece from `now` on, with `idle` as the limit.
    pub fn idle_time(&mut self, now: Duration, idle: Option<Duration>, is_one_run: bool) -> IdleWait {
        if !self.has_ended() {
            return idle.into();
        }
        if is_one_run {
            return IdleWait::AtEnd;
        }
        let Some(idle) = idle else { return IdleWait::Unlimited };
        let events = if self.chain.stages.verify { 0 } else { self.decoder.event_count() };
        let wait = self.idle.left(now, idle, self.chain.ends + events);
        if wait == IdleWait::AtEnd {
            self.lose(Error::new(Code::TimedOut, ""));
        }
        wait
    }

    /// The reducer. The host reports to it which changes it could not apply.
    pub fn reducer(&mut self) -> &mut Reducer {
        &mut self.chain.reducer
    }
}

impl StageChain {
    fn new(options: PipelineOptions, reducer: Reducer) -> Self {
        let PipelineOptions { rules, limits, stages, peer } = options;
        let expander = ChunkExpander::new(limits);
        let verifier = EventVerifier::new(limits).with_profile(rules.profile());
        let warnings = Warnings::new(&limits);
        Self {
            stages,
            peer,
            expander,
            verifier,
            reducer,
            warnings,
            has_ended: false,
            ends: 0,
            text: String::new(),
        }
    }

    /// Processes the next event: reads as much of it as the stages need, and passes it through them.
    fn arrive<B: Build>(
        &mut self,
        mut unread: UnreadEvent<'_>,
        build: &mut B,
        take: &mut Sink<'_, B::Value>,
    ) -> Result<(), Error> {
        let is_whole = self.needs_whole_events();
        let read = unread.plain().and_then(|mut event| {
            let read = self.read_plainly(&mut event, is_whole, build)?;
            Some((read, event.variant))
        });
        match read {
            Some((PlainlyRead::Passed(host), _)) => {
                self.hand_over(unread.pass(), false, OutputKind::Passed(host), take)
            }
            Some((PlainlyRead::Appended(place), _)) => {
                let text = std::mem::take(&mut self.text);
                let handed = self.hand_over(unread.pass(), false, OutputKind::Appended(place, &text), take);
                self.text = text;
                handed
            }
            Some((PlainlyRead::Whole(made), variant)) => {
                unread.made(made, variant, &mut |arrival| self.event(arrival, take))
            }
            None => unread.read_generally(&mut SinglePassBuild::new(build, is_whole), &mut |arrival| {
                self.event(arrival, take)
            }),
        }
    }

    /// Reads an event that seems plainly valid; `None` if it is not.
    fn read_plainly<B: Build>(
        &mut self,
        event: &mut PlainEvent<'_>,
        is_whole: bool,
        build: &mut B,
    ) -> Option<PlainlyRead<B::Value>> {
        if is_whole {
            if let Some(place) = self.append(event) {
                return Some(PlainlyRead::Appended(place));
            }
        } else if self.passes_untagged(event)
            && let Some(host) = event.make(build)
            && !event.had("subagentRunId")
        {
            return Some(PlainlyRead::Passed(host));
        }
        event.make(&mut SinglePassBuild::new(build, is_whole)).map(PlainlyRead::Whole)
    }

    /// Reads an event whose only change is to append text, and returns the place of the text.
    fn append(&mut self, event: &mut PlainEvent<'_>) -> Option<Place> {
        let (kind, key) = target_key(event.variant.ty)?;
        let place = self.place((kind, event.text(key)?))?;
        self.text.clear();
        event.read_text("delta", &mut self.text)?;
        event.make(&mut Nothing)?;
        (!event.had("metadata") && !event.had("subagentRunId")).then_some(place)
    }

    /// True if an event passes all stages unchanged, provided that it has no `subagentRunId`.
    fn passes_untagged(&self, event: &mut PlainEvent<'_>) -> bool {
        match target_key(event.variant.ty) {
            Some((kind, key)) => event.text(key).is_some_and(|id| self.passes(Some((kind, id)))),
            None => is_free(event.variant.ty) && self.passes(None),
        }
    }

    /// True if every event is read as a whole: to reduce it, or to translate it.
    fn needs_whole_events(&self) -> bool {
        // For an older peer, an event is returned in a form that the host did not build.
        let is_judged_whole = self.stages.verify && self.verifier.needs_whole_events();
        self.stages.reduce || self.peer.is_some() || is_judged_whole
    }

    /// True if all stages pass an event unchanged that opens and closes nothing. `target` is the entity that it adds to, if
    /// any.
    fn passes(&self, target: Option<Target<'_>>) -> bool {
        (!self.stages.expand || self.expander.is_idle())
            && (!self.stages.verify || self.verifier.expects(target))
    }

    /// The place of the text of an event that adds to `target`.
    fn place(&self, target: Target<'_>) -> Option<Place> {
        let is_plain = self.stages.reduce && self.peer.is_none() && self.passes(Some(target));
        is_plain.then(|| self.reducer.text_place(target)).flatten()
    }

    /// Processes an event that was read as a whole.
    fn event<V>(
        &mut self,
        arrival: Arrival<'_, (Option<Validated>, V)>,
        take: &mut Sink<'_, V>,
    ) -> Result<(), Error> {
        let Arrival { index, value: (validated, host), issues } = arrival;
        let mut event = Event::from_validated(validated);
        let mut host = Some(host);
        if let Some(peer) = self.peer {
            // The host's form may have members that the older peer does not know.
            host = None;
            event = match compat::receive(event, peer) {
                Ok(event) => event,
                Err(issue) => {
                    self.warnings.push(index, issue);
                    return Ok(());
                }
            };
        }
        match &event {
            Event::RunStarted(started) => {
                let foreign = compat::check_protocol_version(started.protocol_version.as_deref());
                self.warnings.extend(index, foreign);
                self.has_ended = false;
            }
            Event::RunFinished(_) | Event::RunError(_) => {
                self.has_ended = true;
                self.ends += 1;
            }
            _ => {}
        }
        let incomplete = is_incomplete(issues);
        let expansion = if self.stages.expand {
            self.expander.expand(event).map_err(|error| error.of_event(index))?
        } else {
            Expansion { made: Vec::new(), passed: Some(event) }
        };
        for made in expansion.made {
            self.stage(index, made, incomplete, None, take)?;
        }
        match expansion.passed {
            Some(event) => self.stage(index, event, incomplete, host, take),
            None => Ok(()),
        }
    }

    /// Verifies and reduces an event. `host` is the event in the host's form, if it is unchanged.
    fn stage<V>(
        &mut self,
        index: usize,
        event: Event,
        incomplete: bool,
        host: Option<V>,
        take: &mut Sink<'_, V>,
    ) -> Result<(), Error> {
        if self.stages.verify {
            self.verifier.check(&event).map_err(|error| error.of_event(index))?;
            self.warnings.extend(index, self.verifier.take_warnings());
        }
        let kind = match (self.stages.reduce, host) {
            (false, Some(host)) => OutputKind::Passed(host),
            (false, None) => OutputKind::Made(event),
            (true, _) => {
                let mut reduction =
                    self.reducer.apply(event, incomplete).map_err(|error| error.of_event(index))?;
                let issues = std::mem::take(&mut reduction.warnings);
                self.warnings.extend(index, issues);
                OutputKind::Reduced(reduction)
            }
        };
        self.hand_over(index, incomplete, kind, take)
    }

    fn hand_over<V>(
        &mut self,
        index: usize,
        incomplete: bool,
        kind: OutputKind<'_, V>,
        take: &mut Sink<'_, V>,
    ) -> Result<(), Error> {
        take(Output { index, incomplete, kind }, &mut self.reducer).map_err(|error| error.of_event(index))
    }
}
