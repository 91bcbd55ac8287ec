//! A run as an agent sees it: things to write to, which close themselves.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
#[cfg(feature = "server")]
use std::task::Waker;
#[cfg(feature = "server")]
use std::time::Duration;

use super::cancel::{Cancelled, Waiters};
use super::cause::{Cause, Note, OwnEnd};
use super::ending::Ending;
use super::frames::Transport;
use super::run_state::RunState;
use super::shared::Shared;
use super::slots::Entity;
use super::state_flush::StateFlush;
use super::tool_text::arguments_text;
use super::writer::{RunWriter, ends_run};
use crate::defaults::MAX_WAITING;
use crate::encode::try_to_json;
use crate::error::{Code, Error};
use crate::ids::IdKind;
use crate::json::Value;
use crate::types::{
    Content, Event, Interrupt, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, RunAgentInput,
    StepStartedEvent, SubagentStartedEvent, TextMessageRole, TextMessageStartEvent, TokenUsage,
    ToolCallResultEvent, ToolCallResultRole, ToolCallStartEvent,
};
use crate::verify::EntityKind;

/// A run that an agent writes to, or a subagent's part of one. Clones write to the same run.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Ending, Run, RunWriter, Transport};
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t", "r", vec![]);
/// let mut writer = RunWriter::new(Transport::Text, Limits::default());
/// writer.start(&input, false)?;
/// let run = Run::new(input, writer);
///
/// let message = run.text_message()?;
/// message.write("Hello")?;
/// drop(message); // ends it
/// let call = run.tool_call("look")?;
/// call.write("{}")?;
/// run.end(Ending::Success(None))?; // ends the call first
/// assert_eq!(run.take().iter().filter(|&&byte| byte == b'\n').count(), 2 * 8);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone)]
pub struct Run {
    pub(super) input: Arc<RunAgentInput>,
    shared: Arc<Shared>,
    /// Locked before what is shared, never after it.
    state: Arc<Mutex<RunState>>,
    /// The invocation of the subagent whose part this is.
    tag: Option<Arc<str>>,
}

impl fmt::Debug for Run {
    /// Leaves out the input and everything that was written.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_running = self.with(|writer| writer.is_running());
        formatter.debug_struct("Run").field("is_running", &is_running).finish_non_exhaustive()
    }
}

impl Run {
    /// The run that `input` asks for, which `writer` has begun.
    pub fn new(input: RunAgentInput, writer: RunWriter) -> Self {
        let state = Arc::new(Mutex::new(RunState::new(writer.limits())));
        let shared = Arc::new(Shared::new(writer));
        Self { input: Arc::new(input), shared, state, tag: None }
    }

    /// The default limit of waiting bytes: 16 MiB.
    pub const MAX_WAITING: usize = MAX_WAITING;

    /// Limits the bytes that may wait to be taken to about so many. A write beyond that is refused, and the run ends with
    /// the code `client_too_slow`.
    #[must_use]
    pub fn with_max_waiting(self, bytes: usize) -> Self {
        self.shared.lock().max_waiting = bytes;
        self
    }

    /// Sets if the client sees why the agent has failed. That text may hold secrets.
    #[must_use]
    pub fn with_shown_errors(self, show_errors: bool) -> Self {
        self.with(|writer| writer.show_errors = show_errors);
        self
    }

    /// Sets the times at which the state is sent.
    #[must_use]
    pub fn with_state_flush(self, flush: StateFlush) -> Self {
        self.with(|writer| writer.state_flush = flush);
        self
    }

    /// The input of the run.
    pub fn input(&self) -> &RunAgentInput {
        &self.input
    }

    /// The transport of its events.
    pub fn transport(&self) -> Transport {
        self.with(|writer| writer.transport())
    }

    /// True if the run has not ended.
    pub fn is_running(&self) -> bool {
        self.with(|writer| writer.is_running())
    }

    /// True if the agent is cancelled: its client has gone, its time is up, its server shuts down, or it has failed. The agent
    /// is dropped then; this is for its tasks and threads, which go on.
    pub fn is_cancelled(&self) -> bool {
        self.waiters().are_released()
    }

    /// Comes to its end when [`is_cancelled`](Self::is_cancelled), and never if the run ends otherwise. It holds neither the run nor its input.
    ///
    /// ```
    /// # use ag_ui_native::server::Run;
    /// # use ag_ui_native::Error;
    /// # async fn words() -> Option<String> { None }
    /// # async fn task(run: Run) -> Result<(), Error> {
    /// let message = run.text_message()?;
    /// let work = async {
    ///     while let Some(word) = words().await {
    ///         message.write(&word)?;
    ///     }
    ///     Ok(())
    /// };
    /// tokio::select! {
    ///     done = work => done,
    ///     () = run.cancelled() => Ok(()), // stop asking the model
    /// }
    /// # }
    /// ```
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + Sync + use<> {
        Cancelled::new(self.waiters())
    }

    /// Ends the run, unless it has ended, for its server: see [`RunWriter::conclude`]. The state is sent first. If the
    /// agent has not returned, callers that await [`cancelled`](Self::cancelled) go on.
    pub fn conclude(&self, cause: Cause) {
        if cause == Cause::ClientGone {
            self.with(RunWriter::drop_frames);
        }
        self.conclude_behind(self.flush_before_end(), cause);
    }

    /// Ends the run; `state` is the outcome of sending the state before.
    fn conclude_behind(&self, state: Result<(), Error>, cause: Cause) {
        let is_awaited = matches!(cause, Cause::Returned(_));
        let conclusion = self.with(|writer| writer.conclude(cause, state));
        self.shared.lock().notes.extend(conclusion.note);
        if !is_awaited {
            self.waiters().release();
        }
    }

    /// Opens a text message of the assistant's, under a new id.
    ///
    /// # Errors
    /// As all that writes: `sequence_broken` with the rule after the end of the run, and limits.
    pub fn text_message(&self) -> Result<OpenEntry, Error> {
        let message = TextMessageStartEvent::new(IdKind::Message.new_id());
        self.open(message.with_role(TextMessageRole::Assistant))
    }

    /// Writes a whole message of the assistant's, under a new id.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn write(&self, text: &str) -> Result<(), Error> {
        self.as_one_call(|| {
            let message = self.text_message()?;
            if text.is_empty() { Ok(()) } else { message.write(text) }
        })
    }

    /// Opens a span of reasoning and its message, under a new id.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn reasoning(&self) -> Result<OpenEntry, Error> {
        let id = IdKind::Message.new_id();
        let entity = self.writing(|writer| writer.open_reasoning(&id, self.tag()))?;
        Ok(OpenEntry { run: self.clone(), entity, id })
    }

    /// Opens a call of a tool, under a new id. What is written to it are its arguments, which are JSON text.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn tool_call(&self, name: &str) -> Result<OpenEntry, Error> {
        self.open(ToolCallStartEvent::new(IdKind::ToolCall.new_id(), name))
    }

    /// Writes a whole call of a tool, and returns its id. A string of arguments is the text of an object.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message); `wrong_type` for a string that is no object's text, and for numbers that JSON does not
    /// have.
    pub fn call_tool(&self, name: &str, arguments: &Value) -> Result<String, Error> {
        // What is none is refused before the call is there.
        let arguments = arguments_text(try_to_json(arguments)?)?;
        self.as_one_call(|| {
            let call = self.tool_call(name)?;
            call.write(&arguments)?;
            Ok(call.id.clone())
        })
    }

    /// Answers a call of a tool: with text, parts, or a value, whose JSON is the text then.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message); `wrong_type` with the path for a number that JSON does not have.
    pub fn tool_result<C>(&self, tool_call_id: &str, content: C) -> Result<(), Error>
    where
        C: TryInto<Content>,
        Error: From<C::Error>,
    {
        let content: Content = content.try_into()?;
        let result = ToolCallResultEvent::new(IdKind::Message.new_id(), tool_call_id, content);
        self.send(result.with_role(ToolCallResultRole::Tool))
    }

    /// Opens a step.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message); V20 if a step of this name is open.
    pub fn step(&self, name: &str) -> Result<OpenEntry, Error> {
        self.open(StepStartedEvent::new(name))
    }

    /// Opens the invocation of a subagent: its part of the run, and what ends it.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn subagent(&self, name: &str) -> Result<(Self, OpenEntry), Error> {
        let opened = self.open(SubagentStartedEvent::new(IdKind::Run.new_id(), name))?;
        Ok((Self { tag: Some(opened.id.as_str().into()), ..self.clone() }, opened))
    }

    /// Opens something by the event that starts it: one with an id of your own, a name, metadata.
    ///
    /// # Errors
    /// Those of [`RunWriter::open`].
    pub fn open(&self, event: impl Into<Event>) -> Result<OpenEntry, Error> {
        let event = event.into();
        let id = opened_id(&event).to_owned();
        let entity = self.writing(|writer| writer.open(event, self.tag()))?;
        Ok(OpenEntry { run: self.clone(), entity, id })
    }

    /// Writes any event, under the tag of the subagent whose part this is.
    ///
    /// # Errors
    /// Those of [`RunWriter::send`].
    pub fn send(&self, event: impl Into<Event>) -> Result<(), Error> {
        let event = event.into();
        match event {
            Event::StateSnapshot(_) | Event::StateDelta(_) => self.send_state_event(&event),
            event if ends_run(&event) => self.end_own(|writer, state| writer.send_behind(state, event)),
            event => self.writing(|writer| writer.send(event, self.tag())),
        }
    }

    /// Adds to the tokens that the end of the run reports.
    pub fn add_usage(&self, usage: TokenUsage) {
        self.with(|writer| writer.add_usage(usage));
    }

    /// Ends the run with questions that have to be answered before it can go on.
    ///
    /// # Errors
    /// Those of [`end`](Self::end); `too_few_items` without questions.
    pub fn interrupt(&self, interrupts: Vec<Interrupt>) -> Result<(), Error> {
        self.end(Ending::Interrupt(interrupts))
    }

    /// Ends the run: the state is sent and what is open is closed first. After it nothing can be written.
    ///
    /// A run that is called off or has failed ends so whatever its state is: one that cannot be sent is left out.
    ///
    /// # Errors
    /// Those of [`RunWriter::end_run`]; those of [`flush_state`](Self::flush_state) for a success and for questions.
    pub fn end(&self, ending: Ending) -> Result<(), Error> {
        self.end_own(|writer, state| writer.end_behind(state, ending))
    }

    fn end_own(
        &self,
        end: impl FnOnce(&mut RunWriter, Result<(), Error>) -> OwnEnd<Error>,
    ) -> Result<(), Error> {
        let state = self.flush_before_end();
        let note = self.with(|writer| end(writer, state))?;
        self.shared.lock().notes.extend(note);
        Ok(())
    }

    /// Brings the client to the state, if that is wanted, however much waits: the end of the run comes behind it, too.
    fn flush_before_end(&self) -> Result<(), Error> {
        if !self.with(|writer| writer.wants_state()) {
            return Ok(());
        }
        self.lock_state().flush(|event| self.with(|writer| writer.send(event, None)))
    }

    /// Takes the frames that wait; the state's among them. A state that cannot be sent ends the run as the agent's failure.
    pub fn take(&self) -> Vec<u8> {
        if let Err(error) = self.flush_at_await() {
            self.conclude_behind(Err(error), Cause::Unsent);
        }
        self.with(RunWriter::take)
    }

    /// Takes the notes about the run's state and result for the server's log.
    pub fn take_notes(&self) -> Vec<Note<Error>> {
        std::mem::take(&mut self.shared.lock().notes)
    }

    fn waiters(&self) -> Arc<Waiters> {
        Arc::clone(&self.shared.lock().waiters)
    }

    /// Does what writes several events and is one call of the agent's: a change of the state goes before all of them.
    fn as_one_call<R>(&self, work: impl FnOnce() -> R) -> R {
        self.with(|writer| writer.as_one_call(true));
        let result = work();
        self.with(|writer| writer.as_one_call(false));
        result
    }

    pub(super) fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// True if the run has been, and is over.
    #[cfg(feature = "server")]
    pub(super) fn has_ended(&self) -> bool {
        self.with(|writer| writer.has_ended())
    }

    /// Notes why the run is going to end: see [`RunWriter::decide`].
    #[cfg(feature = "server")]
    pub(super) fn decide(&self, cause: Cause) {
        self.with(|writer| writer.decide(cause));
    }

    /// The time that the client has to read the end: see [`RunWriter::grace`].
    #[cfg(feature = "server")]
    pub(super) fn grace(&self) -> Option<Duration> {
        self.with(|writer| writer.grace())
    }

    /// Sets the time that the client has to read an end that does not come from the agent.
    #[cfg(feature = "server")]
    pub(super) fn with_grace(self, grace: Duration) -> Self {
        self.with(|writer| writer.grace = grace);
        self
    }

    /// See [`Shared`].
    #[cfg(feature = "server")]
    pub(super) fn when_ended(&self, work: impl FnOnce() + Send + 'static) {
        self.shared.when_ended(Box::new(work));
    }

    /// Forgets the waker that a write would wake.
    #[cfg(feature = "server")]
    pub(super) fn wake_nobody(&self) {
        self.shared.lock().waker = None;
    }

    /// See [`Shared`].
    #[cfg(feature = "server")]
    pub(super) fn wake_later(&self, waker: &Waker) -> bool {
        self.shared.wake_later(waker)
    }

    /// Writes, if no more waits than may.
    pub(super) fn writing<R>(
        &self,
        work: impl FnOnce(&mut RunWriter) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let max_waiting = self.shared.lock().max_waiting;
        self.with(|writer| {
            writer.check_room(max_waiting)?;
            work(writer)
        })
    }

    /// Does something with the writer.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut RunWriter) -> R) -> R {
        self.shared.with(work)
    }

    pub(super) fn lock_state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A message, call, step or subagent that is open until it is dropped.
#[derive(Debug)]
pub struct OpenEntry {
    run: Run,
    entity: Entity,
    id: String,
}

impl OpenEntry {
    /// Its id; the name of a step.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Appends to a message, or to the arguments of a call.
    ///
    /// # Errors
    /// `sequence_broken` if it has been closed, or takes no text.
    pub fn write(&self, delta: &str) -> Result<(), Error> {
        self.run.writing(|writer| writer.write(self.entity, delta))
    }

    /// Has the client keep a provider's encrypted value with a message or call and hand it back in the next run, and what the provider
    /// calls that kind of value.
    ///
    /// # Errors
    /// As all that writes; `invalid_value` for a step or a subagent, with which nothing can be kept.
    pub fn encrypted_value(&self, value: impl Into<String>, value_type: Option<&str>) -> Result<(), Error> {
        let subtype = match self.entity.kind() {
            EntityKind::TextMessage | EntityKind::ReasoningMessage => ReasoningEncryptedValueSubtype::Message,
            EntityKind::ToolCall => ReasoningEncryptedValueSubtype::ToolCall,
            kind => return Err(Error::new(Code::InvalidValue, format!("{kind:?} holds no encrypted value"))),
        };
        let mut event = ReasoningEncryptedValueEvent::new(subtype, &self.id, value);
        event.encrypted_value_type = value_type.map(str::to_owned);
        self.run.send(event)
    }

    /// Closes it; a subagent ends as `ending` says. Dropping it closes it as a success.
    ///
    /// # Errors
    /// Events that the transport cannot encode.
    pub fn end(self, ending: &Ending) -> Result<(), Error> {
        self.run.with(|writer| writer.end_as(self.entity, ending))
    }

    /// Closes a subagent whose agent is done: see [`RunWriter::end_by`].
    ///
    /// # Errors
    /// Events that the transport cannot encode.
    pub fn end_by(self, cause: Cause) -> Result<(), Error> {
        self.run.with(|writer| writer.end_by(self.entity, cause))
    }
}

impl Drop for OpenEntry {
    fn drop(&mut self) {
        // An END holds nothing that a transport could refuse.
        let _ = self.run.with(|writer| writer.end_dropped(self.entity));
    }
}

fn opened_id(event: &Event) -> &str {
    match event {
        Event::TextMessageStart(e) => &e.message_id,
        Event::ReasoningStart(e) => &e.message_id,
        Event::ReasoningMessageStart(e) => &e.message_id,
        Event::ToolCallStart(e) => &e.tool_call_id,
        Event::StepStarted(e) => &e.step_name,
        Event::SubagentStarted(e) => &e.subagent_run_id,
        _ => "",
    }
}
