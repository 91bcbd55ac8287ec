//! A run that is written: legal at every moment, and ended once.

use std::time::Duration;

use super::cause::Cause;
use super::ending::{Ending, close_all, close_owned, closing};
use super::frames::{Frames, Transport};
use super::silence::Silence;
use super::slots::{Entity, Open, Slots};
use super::state::{Pace, StateDue};
use super::state_flush::StateFlush;
use super::websocket::Close;
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

/// Writes the events of one run as frames of a transport.
///
/// It begins with RUN_STARTED. What may not come now is refused with its rule and changes nothing. [`end`](Self::end_run)
/// closes what is open and writes the one event that ends the run; after it everything is refused.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Ending, RunWriter, Transport};
/// use ag_ui_native::types::{RunAgentInput, TextMessageStartEvent};
///
/// let input = RunAgentInput::new("t", "r", vec![]);
/// let mut run = RunWriter::new(Transport::Text, Limits::default());
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
    pub(super) frames: Frames,
    slots: Slots,
    pub(super) usage: Vec<TokenUsage>,
    calls: Calls,
    /// The offset of the last writing call's frames among those that wait.
    call: usize,
    /// Several calls of this are one call of the writer's user.
    is_one_call: bool,
    pub(super) state_flush: StateFlush,
    pace: Pace,
    /// The client sees why the agent, or a subagent, has failed.
    pub(super) show_errors: bool,
    /// Why it is going to end, whatever the agent does.
    pub(super) decided: Option<Cause>,
    pub(super) ended: Option<Ended>,
    pub(super) silence: Option<Silence>,
    /// The time that the client has to read the end of a run that was stopped.
    pub(super) grace: Duration,
}

/// A run that is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    /// The rule that events break then.
    pub rule: Rule,
    /// The cause, as text for errors.
    pub cause: &'static str,
    /// The agent has, by a call of its own.
    pub is_own: bool,
    /// Its agent was told to stop.
    pub is_forced: bool,
    /// The client has but so long to read it.
    pub is_limited: bool,
    /// The code by which a WebSocket is closed behind it.
    pub close_code: u16,
}

impl Ended {
    /// Why nothing can be written any more.
    pub fn error(self) -> Error {
        let detail = format!("it was ended {}", self.cause);
        Error::broken(self.rule, detail)
            .advise("write before the run ends; a run that is to go on must not be ended yet")
    }
}

impl RunWriter {
    /// A writer for a run that has not begun, under the limits of verification.
    pub fn new(transport: Transport, limits: Limits) -> Self {
        Self {
            thread_id: String::new(),
            run_id: String::new(),
            limits,
            verifier: EventVerifier::new(limits).of_producer(),
            frames: Frames::new(transport),
            slots: Slots::default(),
            usage: Vec::new(),
            calls: Calls::default(),
            call: 0,
            is_one_call: false,
            state_flush: StateFlush::default(),
            pace: Pace::default(),
            show_errors: false,
            decided: None,
            ended: None,
            silence: None,
            grace: END_GRACE,
        }
    }

    /// Sets the times at which the state is sent.
    #[must_use]
    pub fn with_state_flush(self, state_flush: StateFlush) -> Self {
        Self { state_flush, ..self }
    }

    /// Sets if the client sees why the agent has failed. That text may hold secrets.
    #[must_use]
    pub fn with_shown_errors(self, show_errors: bool) -> Self {
        Self { show_errors, ..self }
    }

    /// Begins the run that `input` asks for. With `echo`, RUN_STARTED carries the input.
    pub fn start(&mut self, input: &RunAgentInput, echo: bool) -> Result<(), Error> {
        let mut started =
            RunStartedEvent::new(&input.thread_id, &input.run_id).with_protocol_version(PROTOCOL_VERSION);
        started.parent_run_id.clone_from(&input.parent_run_id);
        started.input = echo.then(|| Box::new(input.clone()));
        self.admit(&started.into())?;
        self.thread_id.clone_from(&input.thread_id);
        self.run_id.clone_from(&input.run_id);
        self.begin_call();
        Ok(())
    }

    /// The transport of the events.
    pub fn transport(&self) -> Transport {
        self.frames.transport()
    }

    /// True if the run has begun and not ended.
    pub fn is_running(&self) -> bool {
        self.verifier.is_running()
    }

    /// True if the run has been, and is over.
    #[doc(hidden)]
    pub fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Writes an event. Without a tag of its own it gets the one given: the invocation of a subagent that it belongs to.
    ///
    /// # Errors
    /// `sequence_broken` with the rule, limits, what the transport cannot hold. Nothing has happened then.
    pub fn send(&mut self, mut event: Event, tag: Option<&str>) -> Result<(), Error> {
        if self.decided.is_some() && ends_run(&event) {
            self.end_as_decided();
            return Ok(());
        }
        stamp(&mut event, tag);
        self.begin_call();
        self.admit(&event)?;
        // What was opened by `open` may have been closed by this.
        self.slots.doubt();
        match event {
            Event::RunFinished(_) => self.over(Rule::V02, "by an event RUN_FINISHED of the agent's own"),
            Event::RunError(_) => self.over(Rule::V01, "by an event RUN_ERROR of the agent's own"),
            // The next one of the state applies to what this has made of it, and cannot go before it.
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
        // Both or none.
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
                "expected an event that opens something",
            ));
        };
        self.admit(event)?;
        open.spans = spans;
        Ok(self.slots.insert(open))
    }

    /// Appends to an open message, or to the arguments of an open tool call.
    ///
    /// # Errors
    /// `sequence_broken` if it is not open.
    #[inline]
    pub fn write(&mut self, entity: Entity, delta: &str) -> Result<(), Error> {
        self.begin_call();
        match self.slots.writable(entity, &self.verifier) {
            Some(template) => self.frames.delta(template, delta),
            None => Err(self.refusal(entity)),
        }
    }

    /// Closes what was opened; a subagent succeeds, and what is open of it is closed first. What the end of the run or of
    /// a subagent has closed is left at that.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub fn end(&mut self, entity: Entity) -> Result<(), Error> {
        self.end_as(entity, &Ending::Success(None))
    }

    /// Closes what was opened as [`end`](Self::end) does; a subagent ends as `ending` says.
    pub fn end_as(&mut self, entity: Entity, ending: &Ending) -> Result<(), Error> {
        let Some(open) = self.slots.take(entity, &self.verifier) else { return Ok(()) };
        self.begin_call();
        self.end_open(&open, ending)
    }

    /// Closes a subagent whose agent is done. If the agent has not returned and the end of the run is decided, the subagent ends as the run.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
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
        let open = self.slots.take(entity, &self.verifier);
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
        // It may have been opened twice, and closed under its id in between.
        self.slots.doubt();
        Ok(())
    }

    /// Adds to the tokens that the end of the run reports.
    pub fn add_usage(&mut self, usage: TokenUsage) {
        self.usage.push(usage);
    }

    /// Ends the run: closes what is open, and says how it ended; as it is decided, where it is.
    ///
    /// # Errors
    /// V01 or V02 if it has ended already; V46 for interrupts of one id; what the transport cannot hold, of which the run is not ended yet.
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
        self.slots.clear();
        let usage = TokenUsage::aggregate(&self.usage).unwrap_or_else(|_| self.usage.clone());
        let cause = ending.cause();
        let over = if matches!(ending, Ending::Error { .. }) { Rule::V01 } else { Rule::V02 };
        let usage = (!usage.is_empty()).then_some(usage);
        self.admit(&ending.of_run(&self.thread_id, &self.run_id, usage, self.calls.pending()))?;
        self.over(over, cause);
        Ok(())
    }

    /// Frames that wait to be sent.
    pub fn waiting(&self) -> &[u8] {
        self.frames.waiting()
    }

    /// Takes the frames that wait: they are written.
    pub fn take(&mut self) -> Vec<u8> {
        let waiting = self.frames.waiting().to_vec();
        self.clear();
        waiting
    }

    /// Drops the waiting frames, which are written or have no reader.
    pub fn clear(&mut self) {
        if !self.waiting().is_empty() {
            self.written();
        }
        self.frames.clear();
        self.call = 0;
    }

    /// Has the calls that write be one call, from now on or no longer; see [`send_before_call`](Self::send_before_call).
    #[doc(hidden)]
    pub fn as_one_call(&mut self, is_one_call: bool) {
        self.begin_call();
        self.is_one_call = is_one_call;
    }

    /// Begins a call: its frames stand behind those that wait.
    #[inline]
    pub(super) fn begin_call(&mut self) {
        if !self.is_one_call {
            self.call = self.frames.waiting().len();
        }
    }

    /// Writes an event of the state. It goes right before the frames of the last call that wrote, as far as those wait still: what
    /// was written after the state changed.
    #[doc(hidden)]
    pub fn send_before_call(&mut self, event: &Event) -> Result<(), Error> {
        let end = self.frames.waiting().len();
        self.admit(event)?;
        self.frames.move_back(end, self.call);
        self.call += self.frames.waiting().len() - end;
        Ok(())
    }

    /// Judges whether a state of so many values is compared with the client's at this await.
    #[doc(hidden)]
    pub fn state_due(&mut self, values: usize) -> StateDue {
        self.pace.due(values, &self.limits)
    }

    /// The state is being compared.
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

    /// Writes an event that closes something. Its owner may have changed since it was opened: then the event goes without a tag, which fits
    /// every owner.
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

    /// Closes what is open of a subagent: its own subagents first.
    fn close_subagent(&mut self, id: &str, ending: &Ending) -> Result<(), Error> {
        let ending = ending.of_open();
        while let Some(child) = self.slots.subagent_of(id) {
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
        self.slots.clear();
    }

    /// Why nothing can be added to an entity.
    #[cold]
    fn refusal(&mut self, entity: Entity) -> Error {
        let event_type = entity.continued_by().map(EventType::as_str);
        if let Some(ended) = self.ended {
            return Error { event_type, ..ended.error() };
        }
        if let Some(Err(error)) = self.slots.addition(entity).map(|event| self.verifier.judge(event)) {
            return error;
        }
        let rule = entity.kind().rules().not_open;
        Error { event_type, ..Error::broken(rule, "it has been closed, or takes no text") }
    }
}

/// True if an event ends a message, a call, a step or the like.
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

/// Says whose event it is, unless it says so itself.
fn stamp(event: &mut Event, tag: Option<&str>) {
    match event {
        // The tag of these is their subject: the parent is meant.
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
