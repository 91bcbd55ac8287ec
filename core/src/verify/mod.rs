//! Verification checks that the events of a stream come in a legal order.
//!
//! A stream is a sequence of runs. Within a run every message, tool call, reasoning span, step and subagent is
//! opened before it is used and closed before the run finishes, and an event that is tagged with a subagent
//! invocation touches only what belongs to that invocation. [`Rule`] lists the rules, `V01` and so on. Those about
//! shapes (`V05` to `V11`, `V27`, `V28`, `V32`) are not there: a typed event cannot break them.

mod identity;
mod judge;
mod kind;
mod open;
mod owners;
mod producer;
mod run;
mod target;

#[cfg(feature = "client")]
pub(crate) use identity::RunIds;
pub(crate) use identity::judge_interrupts;
pub use kind::EntityKind;
pub use open::OpenEntity;
pub(crate) use owners::Owner;
pub(crate) use target::{Target, is_free, target_key};

use crate::error::{Code, Error, Issue, quoted};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::rule::Rule;
use crate::schema::TypeDef;
use crate::types::{Event, EventType, MessagesSnapshotEvent, RunFinishedEvent, RunStartedEvent};
use identity::{Bearing, Identity, doubled_interrupts, first};
use judge::judge_listed;
use producer::Producer;
use run::Run;

/// Verifies one stream. It changes no event. It passes chunk events without checking them, so expand them first.
///
/// ```
/// use ag_ui_native::Rule;
/// use ag_ui_native::stream::EventVerifier;
/// use ag_ui_native::types::{RunStartedEvent, TextMessageContentEvent, TextMessageStartEvent};
///
/// let mut verifier = EventVerifier::default();
/// verifier.check(&RunStartedEvent::new("t", "r").into())?;
/// verifier.check(&TextMessageStartEvent::new("m").into())?;
/// verifier.check(&TextMessageContentEvent::new("m", "Hello").into())?;
///
/// let error = verifier.check(&TextMessageContentEvent::new("other", "?").into()).unwrap_err();
/// assert_eq!(error.issues[0].rule, Some(Rule::V13)); // no text message with this id is open
/// assert!(verifier.finish().is_err()); // neither RUN_FINISHED nor RUN_ERROR came
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EventVerifier {
    limits: Limits,
    phase: Phase,
    run: Run,
    failed: bool,
    bearing: Bearing,
    identity: Identity,
    warnings: Vec<Issue>,
    /// Judges the producer of the events, too.
    producer: Option<Box<Producer>>,
}

/// The phase of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// No event has come.
    #[default]
    Empty,
    /// A run is active.
    Running,
    /// The run has ended with RUN_FINISHED.
    Finished,
    /// The run has ended with RUN_ERROR.
    Failed,
}

impl EventVerifier {
    /// A verifier for a new stream in the profile `tolerant`, under the limits `id_bytes`, `open_entities` and `run_entities`.
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Sets the profile. Mismatched ids of runs and of interrupts (rules V40 to V46) are errors for `strict`, warnings for `tolerant`, and
    /// ignored by `relay`. For `strict`, faults that readers need not detect (rules V47 to V53) are errors too. Every profile verifies the
    /// order of events.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        let producer = (profile == Profile::Strict).then(Box::default);
        Self { bearing: Bearing::of(profile), producer, ..self }
    }

    /// Makes mismatched ids errors in every profile, as they are for the producer of the events.
    pub(crate) fn of_producer(self) -> Self {
        Self { bearing: Bearing::Refuse, ..self }
    }

    /// Sets the ids of the input that has requested the stream. Without them, the thread of the stream is that of its first run.
    #[must_use]
    pub fn for_run(mut self, thread_id: &str, run_id: &str) -> Self {
        self.ask(thread_id, run_id);
        self
    }

    /// Sets the ids that the stream was requested with.
    #[doc(hidden)]
    pub fn ask(&mut self, thread_id: &str, run_id: &str) {
        self.identity.ask(thread_id, run_id);
    }

    /// Verifies the next event. The first failure ends the stream: every later call fails.
    pub fn check(&mut self, event: &Event) -> Result<(), Error> {
        if self.failed {
            return Err(Error::new(Code::DecoderFailed, "an event was refused"));
        }
        let result = self.admit(event);
        self.failed = result.is_err();
        result
    }

    /// Verifies the next event. A refused event changes nothing, and the stream continues without
    /// it.
    ///
    /// ```
    /// use ag_ui_native::stream::EventVerifier;
    /// use ag_ui_native::types::{RunStartedEvent, TextMessageEndEvent};
    ///
    /// let mut verifier = EventVerifier::default().for_run("t1", "r1");
    /// verifier.admit(&RunStartedEvent::new("t1", "r1").into())?;
    /// assert!(verifier.admit(&TextMessageEndEvent::new("m1").into()).is_err());
    /// assert!(verifier.is_running());
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    pub fn admit(&mut self, event: &Event) -> Result<(), Error> {
        self.judge(event)?;
        self.run.apply(event);
        match event {
            Event::RunStarted(started) => {
                if self.bearing == Bearing::Warn {
                    self.warnings.extend(self.identity.faults_of_start(started));
                }
                self.identity.begin(started, &self.limits);
                self.phase = Phase::Running;
            }
            Event::RunFinished(finished) => {
                if self.bearing == Bearing::Warn {
                    self.warnings.extend(self.identity.faults_of_finish(finished));
                    self.warnings.extend(doubled_interrupts(finished));
                }
                self.phase = Phase::Finished;
            }
            Event::RunError(_) => self.phase = Phase::Failed,
            _ => {}
        }
        if let Some(producer) = &mut self.producer {
            producer.note(event, &self.limits);
        }
        Ok(())
    }

    /// True if an event of this type never changes the verification of later ones.
    #[doc(hidden)]
    pub fn ignores(event: &Event) -> bool {
        !Run::is_changed_by(event)
    }

    /// Checks that the event may come next. Errors name the rule or limit, the event's type, and the entity.
    #[doc(hidden)]
    pub fn judge(&self, event: &Event) -> Result<(), Error> {
        let judged = self.phase.judge(event).and_then(|()| match event {
            Event::RunStarted(started) => self.judge_start(started),
            Event::RunFinished(finished) => self.judge_finish(finished),
            _ => self.run.judge(event, &self.limits),
        });
        let judged = match &self.producer {
            Some(producer) => {
                judged.and_then(|()| self.run.judge_unreplaced(event)).and_then(|()| producer.judge(event))
            }
            None => judged,
        };
        judged.map_err(|error| Error { event_type: event.event_type().map(EventType::as_str), ..error })
    }

    fn judge_start(&self, started: &RunStartedEvent) -> Result<(), Error> {
        if self.bearing == Bearing::Refuse {
            first(self.identity.faults_of_start(started))?;
        }
        started.input.as_ref().map_or(Ok(()), |input| judge_listed(&input.messages, 0, &self.limits))
    }

    fn judge_finish(&self, finished: &RunFinishedEvent) -> Result<(), Error> {
        if self.bearing == Bearing::Refuse {
            first(self.identity.faults_of_finish(finished))?;
            let doubled = doubled_interrupts(finished);
            if !doubled.is_empty() {
                self.run.judge_left_open(EntityKind::BEFORE_INTERRUPTS)?;
                return first(doubled);
            }
        }
        self.run.judge_left_open(EntityKind::ALL)
    }

    /// The faults in the ids of an event that begins or ends a run.
    pub(crate) fn faults(&self, event: &Event) -> Vec<Issue> {
        match event {
            Event::RunStarted(started) => self.identity.faults_of_start(started),
            Event::RunFinished(finished) => self.identity.faults_of_finish(finished),
            _ => Vec::new(),
        }
    }

    /// The thread of the stream, if it is known.
    pub(crate) fn thread_id(&self) -> Option<&str> {
        self.identity.stream_thread().map(String::as_str)
    }

    /// Takes the warnings about the events since the last call.
    pub fn take_warnings(&mut self) -> Vec<Issue> {
        std::mem::take(&mut self.warnings)
    }

    /// The warning for the end of the stream.
    #[doc(hidden)]
    pub fn end_warning(&self) -> Option<Issue> {
        self.identity.fault_of_end().filter(|_| self.bearing == Bearing::Warn && self.is_over())
    }

    /// True if an untagged event that opens and closes nothing is certainly legal now. `target` is the entity that it
    /// adds to.
    pub(crate) fn expects(&self, target: Option<Target<'_>>) -> bool {
        let is_open = |(kind, id): Target<'_>| self.run.open_set(kind).is_some_and(|open| open.contains(id));
        self.phase == Phase::Running && !self.failed && target.is_none_or(is_open)
    }

    /// Checks that the stream may end here. Fails with [`Code::StreamTruncated`] if no run has begun or one is
    /// active. Clients call this at the end; for verification itself a stream may stop anywhere.
    pub fn finish(&self) -> Result<(), Error> {
        match self.phase {
            Phase::Empty => Err(truncated("no run was started")),
            Phase::Running => Err(truncated("neither RUN_FINISHED nor RUN_ERROR came")),
            Phase::Finished | Phase::Failed if self.bearing == Bearing::Refuse => {
                first(self.identity.fault_of_end().into_iter().collect())
            }
            Phase::Finished | Phase::Failed => Ok(()),
        }
    }

    /// True if verification needs more of the events than their ids, such as the values of patches.
    pub(crate) fn needs_whole_events(&self) -> bool {
        self.producer.is_some()
    }

    /// True if the last run is over.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Finished | Phase::Failed)
    }

    /// True if an entity with this id is open. For steps, `tag` names the owner.
    pub(crate) fn is_open(&self, kind: EntityKind, id: &str, tag: Option<&str>) -> bool {
        match self.run.open_set(kind) {
            Some(open) => open.contains(id),
            None => self.run.steps.contains(id, Owner(tag)),
        }
    }

    /// True if a run is active.
    pub fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// True if a run has ended, and no other has begun since.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Finished | Phase::Failed)
    }

    /// The open entities of a kind, in the order of opening (steps by owner). They must be closed before
    /// RUN_FINISHED.
    #[doc(hidden)]
    pub fn open(&self, kind: EntityKind) -> Vec<OpenEntity<'_>> {
        self.run.open(kind)
    }
}

/// The effect of a type's events on the owners of the messages that they list.
///
/// Owners count only where there are tags: an untagged event matches every owner, and untagged entities belong to the parent agent,
/// in any order of recording. So a verifier need not see messages without tags until the first tag of their run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnersUpdate {
    /// They add the messages of a list.
    Adds,
    /// They begin a run with the messages of its input, and drop all others.
    Begins,
}

/// The effect of one type's events.
pub fn owners_update(ty: &'static TypeDef) -> Option<OwnersUpdate> {
    match () {
        () if std::ptr::eq(ty, MessagesSnapshotEvent::TYPE) => Some(OwnersUpdate::Adds),
        () if std::ptr::eq(ty, RunStartedEvent::TYPE) => Some(OwnersUpdate::Begins),
        () => None,
    }
}

fn truncated(detail: &str) -> Error {
    Error::new(Code::StreamTruncated, detail).advise(
        "a client runs the agent again, and the events received before are complete; an agent sends RUN_STARTED first and RUN_FINISHED or RUN_ERROR last",
    )
}

impl Phase {
    fn judge(self, event: &Event) -> Result<(), Error> {
        match (self, event) {
            (Self::Running, Event::RunStarted(_)) => Err(Error::broken(Rule::V04, "")),
            (_, Event::RunStarted(_)) | (Self::Running, _) => Ok(()),
            (Self::Failed, _) => Err(Error::broken(Rule::V01, described(event))),
            (_, Event::RunError(_)) => Ok(()),
            (Self::Finished, _) => Err(Error::broken(Rule::V02, described(event))),
            (Self::Empty, _) => Err(Error::broken(Rule::V03, described(event))),
        }
    }
}

/// The event's type. That of an undeclared event is quoted, since it may be any text.
fn described(event: &Event) -> String {
    match event {
        Event::Unknown(_) => quoted(event.tag()),
        _ => event.tag().to_owned(),
    }
}
