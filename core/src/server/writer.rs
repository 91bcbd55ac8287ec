//! Writes a run that is legal at every moment, and ended exactly once.

use std::time::Duration;

use super::cause::Cause;
use super::ending::{Ended, Ending, close_all, close_owned, closing};
use super::entities::{Entity, Open, OpenEntities};
use super::frame_buffer::FrameBuffer;
use super::heartbeat::Heartbeat;
use super::state::{Pace, StateDue};
use super::state_flush::StateFlush;
use super::websocket::Close;
use super::wire_format::WireFormat;
use crate::PROTOCOL_VERSION;
use crate::defaults::END_GRACE;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::reduce::Calls;
use crate::rule::Rule;
use crate::types::{
    Event, EventType, ReasoningMessageRole, ReasoningMessageStartEvent, ReasoningStartEvent, RunAgentInput,
    RunStartedEvent, TokenUsage,
};
use crate::verify::{EntityKind, EventVerifier, OpenEntity, judge_interrupts};

/// Writes the events of one run as frames of a wire format.
///
/// A run begins with RUN_STARTED. An event that is not allowed now is refused with the rule, and changes nothing.
/// [`end_run`](Self::end_run) closes open entities and writes the event that ends the run; after it all events are
/// refused.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::bindings::server::{Ending, RunWriter, WireFormat};
/// use ag_ui_native::types::{RunAgentInput, TextMessageStartEvent};
///
/// let input = RunAgentInput::new("t", "r", vec![]);
/// let mut run = RunWriter::new(WireFormat::Text, Limits::default());
/// run.start(&input, false)?;
/// let message = run.open(TextMessageStartEvent::new("m").into(), None)?;
/// run.write(message, "Hello")?;
/// run.end_run(Ending::Success(None))?; // closes the message first
/// assert_eq!(run.take().iter().filter(|&&byte| byte == b'\n').count(), 2 * 5);
/// assert_eq!(run.write(message, "?").unwrap_err().rule().unwrap().as_str(), "V02");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
pub struct RunWriter {
    thread_id: String,
    run_id: String,
    limits: Limits,
    verifier: EventVerifier,
    pub(super) frames: FrameBuffer,
    entities: OpenEntities,
    pub(super) usage: Vec<TokenUsage>,
    calls: Calls,
    /// The position in the waiting frames at which the last call began to write.
    call: usize,
    /// True if the following writes count as one call.
    is_one_call: bool,
    pub(super) state_flush: StateFlush,
    pace: Pace,
    /// True if the client gets the error texts of the agent and of subagents.
    pub(super) show_errors: bool,
    /// The cause of the end, if it is fixed: the agent cannot change it.
    pub(super) decided: Option<Cause>,
    pub(super) ended: Option<Ended>,
    pub(super) heartbeat: Option<Heartbeat>,
    /// The time that the client has to read the end of a run that was stopped.
    pub(super) grace: Duration,
}

impl RunWriter {
    /// Makes a writer for a run that has not begun, with the limits of verification.
    pub fn new(wire_format: WireFormat, limits: Limits) -> Self {
        Self {
            thread_id: String::new(),
            run_id: String::new(),
            limits,
            verifier: EventVerifier::new(limits).of_producer(),
            frames: FrameBuffer::new(wire_format, limits),
            entities: OpenEntities::default(),
            usage: Vec::new(),
            calls: Calls::default(),
            call: 0,
            is_one_call: false,
            state_flush: StateFlush::default(),
            pace: Pace::default(),
            show_errors: false,
            decided: None,
            ended: None,
            heartbeat: None,
            grace: END_GRACE,
        }
    }

    /// Sets the times at which the state is sent.
    #[must_use]
    pub fn with_state_flush(self, state_flush: StateFlush) -> Self {
        Self { state_flush, ..self }
    }

    /// Sets whether the client gets the text of the agent's error. That text may contain secrets.
    #[must_use]
    pub fn with_shown_errors(self, show_errors: bool) -> Self {
        Self { show_errors, ..self }
    }

    /// Begins the run that `input` asks for. With `echo`, RUN_STARTED carries the input.
    pub fn start(&mut self, input: &RunAgentInput, echo: bool) -> Result<(), Error> {
        let mut started = RunStartedEvent::new(&input.thread_id, &input.run_id);
        started.parent_run_id.clone_from(&input.parent_run_id);
        started.input = echo.then(|| Box::new(input.clone()));
        self.start_with(started)
    }

    /// Begins a run by its first event.
    #[doc(hidden)]
    pub fn start_with(&mut self, started: RunStartedEvent) -> Result<(), Error> {
        let (thread_id, run_id) = (started.thread_id.clone(), started.run_id.clone());
        self.admit(&started.with_protocol_version(PROTOCOL_VERSION).into())?;
        (self.thread_id, self.run_id) = (thread_id, run_id);
        self.begin_call();
        Ok(())
    }

    /// The wire format of the events.
    pub fn wire_format(&self) -> WireFormat {
        self.frames.wire_format()
    }

    /// True if the run has begun and not ended.
    pub fn is_running(&self) -> bool {
        self.verifier.is_running()
    }

    /// True if the run has begun and has ended.
    #[doc(hidden)]
    pub fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Writes an event. `tag` is the subagent invocation that it belongs to, unless the event has a tag of its own.
    ///
    /// # Errors
    /// `sequence_broken` with the rule, exceeded limits, values that the wire format cannot encode. Nothing has happened
    /// then.
    pub fn send(&mut self, mut event: Event, tag: Option<&str>) -> Result<(), Error> {
        if self.decided.is_some() && ends_run(&event) {
            self.end_as_decided();
            return Ok(());
        }
        stamp(&mut event, tag);
        self.begin_call();
        self.admit(&event)?;
        // This event may have closed an entity of `open`.
        self.entities.note_possible_end();
        match event {
            Event::RunFinished(_) => self.over(Rule::V02, "because the agent sent RUN_FINISHED"),
            Event::RunError(_) => self.over(Rule::V01, "because the agent sent RUN_ERROR"),
            // Later state events apply to this state, so they cannot be placed before it.
            Event::StateSnapshot(_) | Event::StateDelta(_) => self.call = self.frames.waiting().len(),
            _ => {}
        }
        Ok(())
    }

    /// Writes the event that opens a message, a reasoning message, a tool call, a step or a subagent.
    ///
    /// # Errors
    /// Those of [`send`](Self::send); `invalid_value` for an event that opens nothing.
    pub fn open(&mut self, mut event: Event, tag: Option<&str>) -> Result<Entity, Error> {
        stamp(&mut event, tag);
        self.begin_call();
        self.open_stamped(&event, false)
    }

    /// Opens a span of reasoning and its message, which share an id. They are closed together.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub fn open_reasoning(&mut self, message_id: &str, tag: Option<&str>) -> Result<Entity, Error> {
        let mut span = ReasoningStartEvent::new(message_id).into();
        let mut message = ReasoningMessageStartEvent::new(message_id, ReasoningMessageRole::Reasoning).into();
        stamp(&mut span, tag);
        stamp(&mut message, tag);
        // Write both events or none.
        self.judge(&message)?;
        self.begin_call();
        let before = self.frames.waiting().len();
        self.admit(&span)?;
        self.open_stamped(&message, true).inspect_err(|_| {
            let owner = OpenEntity { id: message_id, subagent_run_id: span.subagent_run_id() };
            let _ = self.verifier.admit(&closing(EntityKind::ReasoningSpan, owner, &Ending::Cancelled));
            self.frames.truncate(before);
        })
    }

    fn open_stamped(&mut self, event: &Event, spans: bool) -> Result<Entity, Error> {
        let Some(mut open) = Open::by(event) else {
            return Err(Error::at(
                Code::InvalidValue,
                "/type".into(),
                "expected an event that opens a message, a reasoning message, a tool call, a step or a subagent",
            ));
        };
        self.admit(event)?;
        open.spans = spans;
        Ok(self.entities.insert(open))
    }

    /// Appends to an open message, or to the arguments of an open tool call.
    ///
    /// # Errors
    /// `sequence_broken` if the entity is not open.
    #[inline]
    pub fn write(&mut self, entity: Entity, delta: &str) -> Result<(), Error> {
        self.begin_call();
        match self.entities.writable(entity, &self.verifier) {
            Some(template) => self.frames.delta(template, delta),
            None => Err(self.refusal(entity)),
        }
    }

    /// Closes an entity. A subagent succeeds, and its open entities are closed first. An entity that the end of the run
    /// or of a subagent has closed stays closed.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub fn end(&mut self, entity: Entity) -> Result<(), Error> {
        self.end_as(entity, &Ending::Success(None))
    }

    /// Closes an entity as [`end`](Self::end) does; a subagent ends by `ending`.
    pub fn end_as(&mut self, entity: Entity, ending: &Ending) -> Result<(), Error> {
        let Some(open) = self.entities.take(entity, &self.verifier) else { return Ok(()) };
        self.begin_call();
        self.end_open(&open, ending)
    }

    /// Closes a subagent whose agent has ended. If the agent has not returned and the run's cause is fixed, the
    /// subagent ends by that cause.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    #[doc(hidden)]
    pub fn end_by(&mut self, entity: Entity, cause: Cause) -> Result<(), Error> {
        let is_done = matches!(cause, Cause::Returned(_));
        let cause = self.decided.clone().filter(|_| !is_done).unwrap_or(cause);
        self.end_as(entity, &cause.ending(self.show_errors))
    }

    /// Closes an entity that its owner has dropped. This does not count as a call of the agent.
    pub(super) fn end_dropped(&mut self, entity: Entity) -> Result<(), Error> {
        self.end_within(entity, &Ending::Success(None))
    }

    /// Closes an entity as a part of another call.
    fn end_within(&mut self, entity: Entity, ending: &Ending) -> Result<(), Error> {
        let open = self.entities.take(entity, &self.verifier);
        open.map_or(Ok(()), |open| self.end_open(&open, ending))
    }

    fn end_open(&mut self, open: &Open, ending: &Ending) -> Result<(), Error> {
        if open.kind == EntityKind::Subagent {
            self.close_subagent(&open.id, ending)?;
        }
        let entity = OpenEntity { id: &open.id, subagent_run_id: open.tag.as_deref() };
        self.close(&closing(open.kind, entity, ending))?;
        if open.spans {
            self.close(&closing(EntityKind::ReasoningSpan, entity, ending))?;
        }
        // The id may also be open by another handle: this event closes that entity too.
        self.entities.note_possible_end();
        Ok(())
    }

    /// Adds token usage; the end of the run reports the sums.
    pub fn add_usage(&mut self, usage: TokenUsage) {
        self.usage.push(usage);
    }

    /// Ends the run: closes open entities, and writes `ending`, or the end of the cause that is fixed.
    ///
    /// # Errors
    /// V01 or V02 if the run has ended already; V46 for interrupts with the same id; values that the wire format cannot
    /// encode: then the run has not ended.
    pub fn end_run(&mut self, ending: Ending) -> Result<(), Error> {
        self.judge_alive()?;
        if self.decided.is_some() {
            self.end_as_decided();
            return Ok(());
        }
        if matches!(&ending, Ending::Interrupt(interrupts) if interrupts.is_empty()) {
            return Err(Error::at(Code::TooFewItems, "/outcome/interrupts".into(), "expected at least 1"));
        }
        if let Ending::Interrupt(interrupts) = &ending {
            judge_interrupts(interrupts)?;
        }
        for event in close_all(&self.verifier, &ending.of_open()) {
            self.close(&event)?;
        }
        self.entities.clear();
        let usage = TokenUsage::aggregate(&self.usage).unwrap_or_else(|_| self.usage.clone());
        let cause = ending.cause();
        let over = if matches!(ending, Ending::Error { .. }) { Rule::V01 } else { Rule::V02 };
        let usage = (!usage.is_empty()).then_some(usage);
        self.admit(&ending.of_run(&self.thread_id, &self.run_id, usage, self.calls.pending()))?;
        self.over(over, cause);
        Ok(())
    }

    /// The waiting frames.
    pub fn waiting(&self) -> &[u8] {
        self.frames.waiting()
    }

    /// Takes the waiting frames, which count as written.
    pub fn take(&mut self) -> Vec<u8> {
        let waiting = self.frames.waiting().to_vec();
        self.clear();
        waiting
    }

    /// Drops the waiting frames, which are written or have no reader.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        if !self.waiting().is_empty() {
            self.written();
        }
        self.frames.clear();
        self.call = 0;
    }

    /// Begins or ends a group of writes that count as one call; see [`send_before_call`](Self::send_before_call).
    #[doc(hidden)]
    pub fn as_one_call(&mut self, is_one_call: bool) {
        self.begin_call();
        self.is_one_call = is_one_call;
    }

    /// Begins a call: its frames come after the waiting ones.
    #[inline]
    pub(super) fn begin_call(&mut self) {
        if !self.is_one_call {
            self.call = self.frames.waiting().len();
        }
    }

    /// Writes an event of the state. It is placed before the waiting frames of the last call, which were written after
    /// the state changed.
    #[doc(hidden)]
    pub fn send_before_call(&mut self, event: &Event) -> Result<(), Error> {
        let end = self.frames.waiting().len();
        self.admit(event)?;
        self.frames.move_back(end, self.call);
        self.call += self.frames.waiting().len() - end;
        Ok(())
    }

    /// Decides if a state with this number of values is compared with the client's at this await.
    #[doc(hidden)]
    pub fn state_due(&mut self, values: usize) -> StateDue {
        self.pace.due(values, &self.limits)
    }

    /// Called when the state is being compared.
    #[doc(hidden)]
    pub fn state_compared(&mut self) {
        self.pace.has_ended = false;
    }

    fn judge_alive(&self) -> Result<(), Error> {
        match self.ended {
            Some(ended) => Err(ended.error()),
            None => Ok(()),
        }
    }

    fn judge(&self, event: &Event) -> Result<(), Error> {
        self.judge_alive()
            .map_err(|error| Error { event_type: event.event_type().map(EventType::as_str), ..error })?;
        self.verifier.judge(event)
    }

    fn admit(&mut self, event: &Event) -> Result<(), Error> {
        self.judge(event)?;
        self.frames.event(event)?;
        self.pace.has_ended |= ends(event);
        self.calls.note(event);
        self.verifier.admit(event)
    }

    /// Writes an event that closes an entity. If the owner of the entity has changed, the event is written without a
    /// tag, which is legal for every owner.
    fn close(&mut self, event: &Event) -> Result<(), Error> {
        if self.judge(event).is_err() && !matches!(event, Event::StepFinished(_)) {
            let mut untagged = event.clone();
            if let Some(tag) = untagged.subagent_run_id_mut() {
                *tag = None;
            }
            return self.admit(&untagged);
        }
        self.admit(event)
    }

    /// Closes the open entities of a subagent; its own subagents first.
    fn close_subagent(&mut self, id: &str, ending: &Ending) -> Result<(), Error> {
        let ending = ending.of_open();
        while let Some(child) = self.entities.subagent_of(id) {
            self.end_within(child, &ending)?;
        }
        for event in close_owned(&self.verifier, &ending, id) {
            self.close(&event)?;
        }
        Ok(())
    }

    fn over(&mut self, rule: Rule, cause: &'static str) {
        let by_agent =
            Ended { rule, cause, is_own: true, is_forced: false, is_limited: false, close_code: Close::DONE };
        self.ended = Some(by_agent);
        self.entities.clear();
    }

    /// The error of appending to an entity that has no template now.
    #[cold]
    fn refusal(&mut self, entity: Entity) -> Error {
        let event_type = entity.continued_by().map(EventType::as_str);
        if let Some(ended) = self.ended {
            return Error { event_type, ..ended.error() };
        }
        if let Some(Err(error)) = self.entities.addition(entity).map(|event| self.verifier.judge(event)) {
            return error;
        }
        let rule = entity.kind().rules().not_open;
        Error { event_type, ..Error::broken(rule, "the entity is closed, or text cannot be written to it") }
    }
}

/// True if an event ends an entity (a message, a call, a step) but not the run.
fn ends(event: &Event) -> bool {
    matches!(
        event,
        Event::TextMessageEnd(_)
            | Event::ReasoningMessageEnd(_)
            | Event::ReasoningEnd(_)
            | Event::ToolCallEnd(_)
            | Event::StepFinished(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
    )
}

/// True if an event ends the run.
pub fn ends_run(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

/// Sets the tag of an event, unless it has one.
fn stamp(event: &mut Event, tag: Option<&str>) {
    match event {
        // The tag of this event is the new subagent; `tag` is its parent.
        Event::SubagentStarted(event) => {
            let parent = event.parent_subagent_run_id.take();
            event.parent_subagent_run_id = parent.or_else(|| tag.map(str::to_owned));
        }
        event => {
            if let (Some(own @ None), Some(tag)) = (event.subagent_run_id_mut(), tag) {
                *own = Some(tag.to_owned());
            }
        }
    }
}
