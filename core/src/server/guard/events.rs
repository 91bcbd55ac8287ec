//! Guards the events of another producer: repairs, reports or refuses illegal events.

use crate::PROTOCOL_VERSION;
use crate::error::{Error, Issue, quoted};
use crate::expand::ChunkExpander;
use crate::ids::IdKind;
use crate::limits::Limits;
use crate::reduce::Calls;
use crate::rule::Rule;
use crate::server::ending::{Ending, close_all, closing};
use crate::server::entities::Open;
use crate::types::{
    Event, ReasoningMessageChunkEvent, RunAgentInput, RunFinishedEvent, RunFinishedOutcome, RunStartedEvent,
    TextMessageChunkEvent, ToolCallChunkEvent,
};
use crate::verify::{EntityKind, EventVerifier, OpenEntity, Owner};

/// The reaction of a guard to events that break a rule.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Guard, GuardMode};
/// use ag_ui_native::types::{Event, RunStartedEvent};
///
/// let mut guard = Guard::new(GuardMode::Fix, Limits::default());
/// let guarded = guard.push(Event::from(RunStartedEvent::new("t1", "r1")))?;
/// assert!(guarded.issue.is_none());
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GuardMode {
    /// Repairs, each time with a warning: closes open entities, begins and ends the run, sets the ids of runs, and
    /// leaves out events that are not allowed.
    #[default]
    Fix,
    /// Changes nothing, and warns.
    Report,
    /// Refuses the first illegal event.
    Error,
}

impl GuardMode {
    /// The mode of this name: `fix`, `report` or `error`.
    #[doc(hidden)]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "fix" => Some(Self::Fix),
            "report" => Some(Self::Report),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

/// The result of guarding an event.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Guard, GuardMode, Guarded};
/// use ag_ui_native::types::{Event, RunStartedEvent};
///
/// let mut guard = Guard::new(GuardMode::Fix, Limits::default());
/// let guarded: Guarded = guard.push(Event::from(RunStartedEvent::new("t1", "r1")))?;
/// assert!(guarded.passed.is_some() && guarded.made.is_empty());
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guarded {
    /// The events that the guard has added, in order.
    pub made: Vec<Event>,
    /// The event itself, after the added ones, unless it was left out.
    pub passed: Option<Event>,
    /// The fault that was found.
    pub issue: Option<Issue>,
}

/// Guards a stream of events on its way to a client. Chunks are allowed.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Guard, GuardMode};
/// use ag_ui_native::types::{RunAgentInput, TextMessageStartEvent};
///
/// let mut guard = Guard::new(GuardMode::Fix, Limits::default()).for_input(&RunAgentInput::new("t", "r", vec![]));
/// let begun = guard.push(TextMessageStartEvent::new("m").into())?;
/// let ended = guard.finish()?;
/// let tags: Vec<&str> = begun.made.iter().chain(&begun.passed).chain(&ended).map(|event| event.tag()).collect();
/// assert_eq!(tags, ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_FINISHED"]);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
pub struct Guard {
    mode: GuardMode,
    limits: Limits,
    expander: ChunkExpander,
    verifier: EventVerifier,
    /// The start of the run that was asked for, if it is known.
    asked: Option<RunStartedEvent>,
    calls: Calls,
    /// The event that began the current run.
    begun: Option<RunStartedEvent>,
}

impl Guard {
    /// Makes a guard for a new stream, with the limits of verification.
    pub fn new(mode: GuardMode, limits: Limits) -> Self {
        let (expander, mut verifier) = (ChunkExpander::new(limits), EventVerifier::new(limits));
        if mode == GuardMode::Error {
            verifier = verifier.of_producer();
        }
        Self { mode, limits, expander, verifier, asked: None, calls: Calls::default(), begun: None }
    }

    /// Sets the run that `input` asks for: if the stream does not begin it, the guard does.
    #[must_use]
    pub fn for_input(mut self, input: &RunAgentInput) -> Self {
        let started = RunStartedEvent::new(&input.thread_id, &input.run_id);
        self.asked = Some(started.with_protocol_version(PROTOCOL_VERSION));
        self.verifier = self.verifier.for_run(&input.thread_id, &input.run_id);
        self
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// In the mode `Error`, the first rule that is broken; the stream must not continue after it. In the mode `Fix`,
    /// V03 if the guard does not know which run to begin.
    pub fn push(&mut self, event: Event) -> Result<Guarded, Error> {
        let mut made = Vec::new();
        let taken = self.take(&event, &mut made);
        let issue = self.verifier.take_warnings().into_iter().next();
        match taken {
            Ok(None) => Ok(Guarded { made, passed: Some(event), issue }),
            Ok(Some((mended, issue))) => {
                made.push(mended);
                Ok(Guarded { made, passed: None, issue: Some(issue) })
            }
            Err(error) => {
                // Without the ids of a run, it cannot be begun.
                let is_lost = self.mode == GuardMode::Fix && error.rule() == Some(Rule::V03);
                if is_lost || self.mode == GuardMode::Error {
                    return Err(error);
                }
                let issue = error.issues.into_iter().next();
                let passed = (self.mode == GuardMode::Report).then_some(event);
                Ok(Guarded { made, passed, issue })
            }
        }
    }

    /// Ends the stream: in the mode `Fix`, with the events that end an active run.
    ///
    /// # Errors
    /// `stream_truncated` in the other modes, if a run is active or none has begun. The host reports it.
    pub fn finish(&mut self) -> Result<Vec<Event>, Error> {
        if self.mode != GuardMode::Fix {
            return self.verifier.finish().map(|()| Vec::new());
        }
        let mut made = Vec::new();
        if !self.verifier.is_over() && self.begin(&mut made) {
            self.end(&Ending::Success(None), &mut made)?;
        }
        Ok(made)
    }

    /// Returns the events that close all open entities and end the run by `ending`. Empty if the run has ended, and in
    /// other modes than `Fix`.
    pub fn end_run(&mut self, ending: &Ending) -> Result<Vec<Event>, Error> {
        let mut made = Vec::new();
        if self.mode == GuardMode::Fix && !self.verifier.is_over() {
            self.begin(&mut made);
            self.end(ending, &mut made)?;
        }
        Ok(made)
    }

    /// Ends the stream as [`finish`](Self::finish) does, with the warnings at its end. In the mode `Report`, its faults are warnings.
    #[doc(hidden)]
    pub fn conclude(&mut self) -> Result<(Vec<Event>, Vec<Issue>), Error> {
        let (made, mut issues) = match self.finish() {
            Ok(made) => (made, Vec::new()),
            Err(error) if self.mode == GuardMode::Report => (Vec::new(), error.issues),
            Err(error) => return Err(error),
        };
        issues.extend(self.verifier.end_warning());
        Ok((made, issues))
    }

    /// The limits of verification.
    pub(in crate::server) fn limits(&self) -> Limits {
        self.limits
    }

    /// True if a run is active.
    pub fn is_running(&self) -> bool {
        self.verifier.is_running()
    }

    /// Repairs the ids of an event that begins or ends a run. Returns the event and its fault; `None` if the ids are
    /// right.
    fn mend(&self, event: &Event) -> Option<(Event, Issue)> {
        let faults = self.verifier.faults(event);
        let fault = faults.first()?.clone();
        let mut mended = event.clone();
        match (&mut mended, &self.begun) {
            (Event::RunStarted(started), _) => {
                if let Some(thread_id) = self.verifier.thread_id() {
                    thread_id.clone_into(&mut started.thread_id);
                }
                if faults.iter().any(|fault| fault.rule == Some(Rule::V43)) {
                    started.run_id = IdKind::Run.new_id();
                }
                if let Some(input) = &mut started.input {
                    input.thread_id.clone_from(&started.thread_id);
                    input.run_id.clone_from(&started.run_id);
                }
            }
            (Event::RunFinished(finished), Some(begun)) => {
                finished.thread_id.clone_from(&begun.thread_id);
                finished.run_id.clone_from(&begun.run_id);
            }
            _ => return None,
        }
        Some((mended, fault))
    }

    /// Checks an event as a client does. Events that make it legal are added to `made`. Returns the event that replaces
    /// it, with its fault.
    fn take(&mut self, event: &Event, made: &mut Vec<Event>) -> Result<Option<(Event, Issue)>, Error> {
        let mut mended = None;
        let mut event = event;
        if self.mode == GuardMode::Fix {
            self.prepare(event, made)?;
            mended = self.mend(event);
            event = mended.as_ref().map_or(event, |(mended, _)| mended);
            if let Err(error) = self.admit_whole(event) {
                let remedies = self.remedy(event, &error);
                if remedies.is_empty() {
                    return Err(error);
                }
                for closing in remedies {
                    self.admit_whole(&closing)?;
                    made.push(closing);
                }
                self.admit_whole(event)?;
            }
        } else {
            self.expander.push(event.clone())?.try_for_each(|event| self.verifier.admit(&event))?;
        }
        self.calls.note(event);
        if let Event::RunStarted(started) = event {
            self.begun = Some(started.clone());
        }
        Ok(mended)
    }

    /// Admits all events that a chunk stands for, or none of them.
    fn admit_whole(&mut self, event: &Event) -> Result<(), Error> {
        if is_chunk(event) {
            let before = self.expander.clone();
            let pieces: Vec<_> = self.expander.push(event.clone())?.collect();
            // The END events of earlier chunks close other entities than the one opened here, so only the START can be
            // refused.
            if let Some(start) = pieces.iter().find(|piece| Open::by(piece).is_some())
                && let Err(error) = self.verifier.judge(start)
            {
                self.expander = before;
                return Err(error);
            }
            return pieces.iter().try_for_each(|piece| self.verifier.admit(piece));
        }
        if !matches!(event, Event::RunFinished(_)) {
            self.judge_held(event)?;
            self.verifier.judge(event)?;
        }
        self.expander.push(event.clone())?.try_for_each(|piece| self.verifier.admit(&piece))
    }

    /// The client closes entities that chunks have opened: explicit events may reopen them for their owner or add to them for
    /// another, but not close it.
    fn judge_held(&self, event: &Event) -> Result<(), Error> {
        let Some((kind, id)) = subject(event) else { return Ok(()) };
        let Some(holder) = self.expander.holder(kind, id) else { return Ok(()) };
        let is_own = holder == Owner(event.subagent_run_id());
        let fits = match event {
            Event::TextMessageStart(_) | Event::ToolCallStart(_) | Event::ReasoningMessageStart(_) => is_own,
            Event::TextMessageContent(_) | Event::ToolCallArgs(_) | Event::ReasoningMessageContent(_) => {
                !is_own
            }
            _ => false,
        };
        let detail = || format!("{} of a chunked {kind} {}", event.tag(), quoted(id));
        if fits { Ok(()) } else { Err(Error::broken(kind.rules().not_open, detail())) }
    }

    /// Begins the run if necessary, and refuses a second end. (RUN_ERROR may follow RUN_FINISHED in a client, but then
    /// the run ends twice.)
    fn prepare(&mut self, event: &Event, made: &mut Vec<Event>) -> Result<(), Error> {
        match event {
            Event::RunStarted(_) => {}
            _ if self.verifier.is_over() => {
                self.verifier.judge(event)?;
                return Err(Error::broken(Rule::V02, event.tag()));
            }
            _ if !self.verifier.is_running() && !matches!(event, Event::RunError(_)) => {
                self.begin(made);
            }
            _ => {}
        }
        Ok(())
    }

    /// Begins the run that was asked for, unless one is active. Returns true if a run is active then.
    fn begin(&mut self, made: &mut Vec<Event>) -> bool {
        if !self.verifier.is_running()
            && let Some(asked) = self.asked.clone()
        {
            self.begun = Some(asked.clone());
            let event = asked.into();
            if self.verifier.admit(&event).is_ok() {
                made.push(event);
            }
        }
        self.verifier.is_running()
    }

    /// The events that must come before the refused `event`.
    fn remedy(&self, event: &Event, error: &Error) -> Vec<Event> {
        if let Event::RunFinished(finished) = event {
            return close_all(&self.verifier, &ending_of(finished));
        }
        let reopened = match (event, error.rule()) {
            (Event::TextMessageStart(e), Some(Rule::V12)) => (EntityKind::TextMessage, &e.message_id),
            (
                Event::TextMessageChunk(TextMessageChunkEvent { message_id: Some(id), .. }),
                Some(Rule::V12),
            ) => (EntityKind::TextMessage, id),
            (Event::ToolCallStart(e), Some(Rule::V16)) => (EntityKind::ToolCall, &e.tool_call_id),
            (Event::ToolCallChunk(ToolCallChunkEvent { tool_call_id: Some(id), .. }), Some(Rule::V16)) => {
                (EntityKind::ToolCall, id)
            }
            (Event::StepStarted(e), Some(Rule::V20)) => (EntityKind::Step, &e.step_name),
            (Event::ReasoningStart(e), Some(Rule::V23)) => (EntityKind::ReasoningSpan, &e.message_id),
            (Event::ReasoningMessageStart(e), Some(Rule::V24)) => {
                (EntityKind::ReasoningMessage, &e.message_id)
            }
            (
                Event::ReasoningMessageChunk(ReasoningMessageChunkEvent { message_id: Some(id), .. }),
                Some(Rule::V24),
            ) => (EntityKind::ReasoningMessage, id),
            _ => return Vec::new(),
        };
        let (kind, id) = reopened;
        // Without a tag, the event closes the entity of any owner. Steps belong to their owner.
        let subagent_run_id = event.subagent_run_id().filter(|_| kind == EntityKind::Step);
        vec![closing(kind, OpenEntity { id, subagent_run_id }, &Ending::Success(None))]
    }

    /// Closes all entities and ends the run. Entities of chunks need no event: the client closes them at the next event.
    fn end(&mut self, ending: &Ending, made: &mut Vec<Event>) -> Result<(), Error> {
        let (thread_id, run_id) = match &self.begun {
            Some(begun) => (begun.thread_id.clone(), begun.run_id.clone()),
            None => Default::default(),
        };
        let end = ending.clone().of_run(&thread_id, &run_id, None, self.calls.pending());
        let of_chunks = self.expander.push(end)?;
        let (mut last, mut of_chunks): (Vec<_>, Vec<_>) = of_chunks.partition(is_end);
        for event in of_chunks.drain(..) {
            self.verifier.admit(&event)?;
        }
        let mut closings = close_all(&self.verifier, ending);
        closings.append(&mut last);
        for event in closings {
            self.verifier.admit(&event)?;
            made.push(event);
        }
        Ok(())
    }
}

fn is_chunk(event: &Event) -> bool {
    matches!(event, Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_))
}

/// The entity of an event that chunks could have opened.
fn subject(event: &Event) -> Option<(EntityKind, &str)> {
    Some(match event {
        Event::TextMessageStart(e) => (EntityKind::TextMessage, &e.message_id),
        Event::TextMessageContent(e) => (EntityKind::TextMessage, &e.message_id),
        Event::TextMessageEnd(e) => (EntityKind::TextMessage, &e.message_id),
        // The result continues the text message with this id.
        Event::ToolCallResult(e) => (EntityKind::TextMessage, &e.message_id),
        Event::ToolCallStart(e) => (EntityKind::ToolCall, &e.tool_call_id),
        Event::ToolCallArgs(e) => (EntityKind::ToolCall, &e.tool_call_id),
        Event::ToolCallEnd(e) => (EntityKind::ToolCall, &e.tool_call_id),
        Event::ReasoningMessageStart(e) => (EntityKind::ReasoningMessage, &e.message_id),
        Event::ReasoningMessageContent(e) => (EntityKind::ReasoningMessage, &e.message_id),
        Event::ReasoningMessageEnd(e) => (EntityKind::ReasoningMessage, &e.message_id),
        _ => return None,
    })
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

/// The ending of subagents in a run that ends by this event.
fn ending_of(finished: &RunFinishedEvent) -> Ending {
    match &finished.outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => Ending::Interrupt(outcome.interrupts.clone()),
        Some(RunFinishedOutcome::Cancelled(_)) => Ending::Cancelled,
        _ => Ending::Success(None),
    }
}
