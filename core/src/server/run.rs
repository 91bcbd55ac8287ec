//! The run of an agent, and its open entities, which close when they are dropped.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
#[cfg(feature = "server")]
use std::task::Waker;
#[cfg(feature = "server")]
use std::time::Duration;

use super::cancel::{Cancelled, Waiters};
use super::cause::{Cause, Note, OwnEnd};
use super::ending::Ending;
use super::entities::{Entity, opened_id};
use super::run_state::RunState;
use super::shared::Shared;
use super::state_flush::StateFlush;
use super::tool_text::arguments_text;
use super::wire_format::WireFormat;
use super::writer::{RunWriter, ends_run};
use crate::defaults::MAX_WAITING;
use crate::encode::try_to_json;
use crate::error::{Code, Error};
use crate::ids::IdKind;
use crate::json::Value;
use crate::limits::Limits;
use crate::types::{
    Content, Event, Interrupt, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, RunAgentInput,
    StepStartedEvent, SubagentStartedEvent, TextMessageRole, TextMessageStartEvent, TokenUsage,
    ToolCallResultEvent, ToolCallResultRole, ToolCallStartEvent,
};
use crate::verify::EntityKind;

/// A run that an agent writes to, or a subagent's part of it. Clones write to the same run.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Ending, Run, WireFormat};
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t", "r", vec![]);
/// let run = Run::begin(input, WireFormat::Text, false, Limits::default())?;
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
    /// Locked before `shared`, never after it.
    state: Arc<Mutex<RunState>>,
    /// The id of the subagent invocation whose part this is.
    tag: Option<Arc<str>>,
}

impl fmt::Debug for Run {
    /// Leaves out the input and all written frames.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_running = self.with(|writer| writer.is_running());
        formatter.debug_struct("Run").field("is_running", &is_running).finish_non_exhaustive()
    }
}

impl Run {
    /// Begins the run that `input` asks for. With `echo_input`, RUN_STARTED carries the input.
    ///
    /// # Errors
    /// Inputs that RUN_STARTED cannot carry: ids that are too long, say.
    pub fn begin(
        input: RunAgentInput,
        wire_format: WireFormat,
        echo_input: bool,
        limits: Limits,
    ) -> Result<Self, Error> {
        let mut writer = RunWriter::new(wire_format, limits);
        writer.start(&input, echo_input)?;
        let state = Arc::new(Mutex::new(RunState::new(limits)));
        let shared = Arc::new(Shared::new(writer));
        Ok(Self { input: Arc::new(input), shared, state, tag: None })
    }

    /// The default limit of waiting bytes: 16 MiB.
    pub const MAX_WAITING: usize = MAX_WAITING;

    /// Limits the waiting bytes to about this number. A write beyond it ends the run with `client_too_slow`.
    #[must_use]
    pub fn with_max_waiting(self, bytes: usize) -> Self {
        self.shared.lock().max_waiting = bytes;
        self
    }

    /// Sets whether the client gets the text of the agent's error. That text may contain secrets.
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

    /// The wire format of its events.
    pub fn wire_format(&self) -> WireFormat {
        self.with(|writer| writer.wire_format())
    }

    /// True if the run has not ended.
    pub fn is_running(&self) -> bool {
        self.with(|writer| writer.is_running())
    }

    /// True if the agent is cancelled: its client has disconnected, its time limit is over, its server shuts down, or
    /// it has failed. The agent itself is dropped then; this is for its tasks and threads, which continue.
    pub fn is_cancelled(&self) -> bool {
        self.waiters().are_released()
    }

    /// Completes when the agent [is cancelled](Self::is_cancelled), and never if the run ends otherwise. It holds
    /// neither the run nor its input.
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

    /// Ends the run for its server, unless it has ended: by the first cause that was given. The state is sent first. If the
    /// agent has not returned, tasks that await [`cancelled`](Self::cancelled) continue.
    pub fn conclude(&self, cause: Cause) {
        if cause == Cause::ClientGone {
            self.with(RunWriter::drop_frames);
        }
        self.conclude_behind(self.flush_before_end(), cause);
    }

    /// Ends the run; `state` is the result of sending the state before.
    fn conclude_behind(&self, state: Result<(), Error>, cause: Cause) {
        let is_awaited = matches!(cause, Cause::Returned(_));
        let conclusion = self.with(|writer| writer.conclude(cause, state));
        self.shared.lock().notes.extend(conclusion.note);
        if !is_awaited {
            self.waiters().release();
        }
    }

    /// Opens a text message of the assistant, with a new id.
    ///
    /// # Errors
    /// As of all methods that write: `sequence_broken` with the rule after the end of the run, and exceeded limits.
    pub fn text_message(&self) -> Result<OpenEntry, Error> {
        let message = TextMessageStartEvent::new(IdKind::Message.new_id());
        self.open(message.with_role(TextMessageRole::Assistant))
    }

    /// Writes a whole message of the assistant, with a new id.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn write(&self, text: &str) -> Result<(), Error> {
        self.as_one_call(|| {
            let message = self.text_message()?;
            if text.is_empty() { Ok(()) } else { message.write(text) }
        })
    }

    /// Opens a span of reasoning and its message, with a new id.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn reasoning(&self) -> Result<OpenEntry, Error> {
        let id = IdKind::Message.new_id();
        let entity = self.writing(|writer| writer.open_reasoning(&id, self.tag()))?;
        Ok(OpenEntry { run: self.clone(), entity, id })
    }

    /// Opens a tool call, with a new id. The arguments are written to it as JSON text.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn tool_call(&self, name: &str) -> Result<OpenEntry, Error> {
        self.open(ToolCallStartEvent::new(IdKind::ToolCall.new_id(), name))
    }

    /// Writes a whole tool call, and returns its id. Arguments that are a string must be the JSON text of an object.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message); `wrong_type` for a string that is not the text of an object, and
    /// for a number that is not finite.
    pub fn call_tool(&self, name: &str, arguments: &Value) -> Result<String, Error> {
        // Invalid arguments are refused before the call begins.
        let arguments = arguments_text(try_to_json(arguments)?)?;
        self.as_one_call(|| {
            let call = self.tool_call(name)?;
            call.write(&arguments)?;
            Ok(call.id.clone())
        })
    }

    /// Writes the result of a tool call: text, content parts, or a value, which is sent as JSON text.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message); `wrong_type` with the path of a number that is not finite.
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

    /// Opens the invocation of a subagent. Returns its part of the run, and the entry that ends it.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn subagent(&self, name: &str) -> Result<(Self, OpenEntry), Error> {
        let opened = self.open(SubagentStartedEvent::new(IdKind::Run.new_id(), name))?;
        Ok((Self { tag: Some(opened.id.as_str().into()), ..self.clone() }, opened))
    }

    /// Opens an entity by its start event, which may have an id of your own, a name and metadata.
    ///
    /// # Errors
    /// Events that are not allowed now, with the rule; values that the wire format cannot encode; too many open entities.
    pub fn open(&self, event: impl Into<Event>) -> Result<OpenEntry, Error> {
        let event = event.into();
        let id = opened_id(&event).to_owned();
        let entity = self.writing(|writer| writer.open(event, self.tag()))?;
        Ok(OpenEntry { run: self.clone(), entity, id })
    }

    /// Writes any event. In a subagent's part, the event gets the id of the subagent.
    ///
    /// # Errors
    /// Events that are not allowed now, with the rule; values that the wire format cannot encode.
    pub fn send(&self, event: impl Into<Event>) -> Result<(), Error> {
        let event = event.into();
        match event {
            Event::StateSnapshot(_) | Event::StateDelta(_) => self.send_state_event(&event),
            event if ends_run(&event) => self.end_own(|writer, state| writer.send_behind(state, event)),
            event => self.writing(|writer| writer.send(event, self.tag())),
        }
    }

    /// Adds token usage; the end of the run reports the sums.
    pub fn add_usage(&self, usage: TokenUsage) {
        self.with(|writer| writer.add_usage(usage));
    }

    /// Ends the run with interrupts, which must be answered before the agent can continue.
    ///
    /// # Errors
    /// Those of [`end`](Self::end); `too_few_items` without interrupts.
    pub fn interrupt(&self, interrupts: Vec<Interrupt>) -> Result<(), Error> {
        self.end(Ending::Interrupt(interrupts))
    }

    /// Ends the run. The state is sent and open entities are closed first. Nothing can be written after it.
    ///
    /// A cancelled or failed run ends even if its state cannot be sent.
    ///
    /// # Errors
    /// V01 or V02 if the run has ended already; V46 for interrupts with the same id; values that the wire format cannot
    /// encode: then the run has not ended. For a success and for interrupts, those of [`flush_state`](Self::flush_state).
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

    /// Sends the state before the end of the run, if that is wanted. It ignores the limit of waiting bytes, as the end
    /// does.
    fn flush_before_end(&self) -> Result<(), Error> {
        if !self.with(|writer| writer.wants_state()) {
            return Ok(());
        }
        self.lock_state().flush(|event| self.with(|writer| writer.send(event, None)))
    }

    /// Takes the waiting frames, after adding the state if it is due. A state that cannot be sent ends the run as
    /// failed.
    pub fn take(&self) -> Vec<u8> {
        if let Err(error) = self.flush_at_await() {
            self.conclude_behind(Err(error), Cause::Unsent);
        }
        self.with(RunWriter::take)
    }

    /// Takes the notes about the run's state and result, for the server's log.
    pub fn take_notes(&self) -> Vec<Note<Error>> {
        std::mem::take(&mut self.shared.lock().notes)
    }

    fn waiters(&self) -> Arc<Waiters> {
        Arc::clone(&self.shared.lock().waiters)
    }

    /// Runs several writes as one call of the agent: the event of a changed state is placed before all of them.
    fn as_one_call<R>(&self, work: impl FnOnce() -> R) -> R {
        self.with(|writer| writer.as_one_call(true));
        let result = work();
        self.with(|writer| writer.as_one_call(false));
        result
    }

    pub(super) fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// True if the run has begun and has ended.
    #[cfg(feature = "server")]
    pub(super) fn has_ended(&self) -> bool {
        self.with(|writer| writer.has_ended())
    }

    /// Fixes the cause of the run's end: see [`RunWriter::decide`].
    #[cfg(feature = "server")]
    pub(super) fn decide(&self, cause: Cause) {
        self.with(|writer| writer.decide(cause));
    }

    /// The time that the client has to read the end: see [`RunWriter::grace`].
    #[cfg(feature = "server")]
    pub(super) fn grace(&self) -> Option<Duration> {
        self.with(|writer| writer.grace())
    }

    /// Sets the time that the client has to read an end which the agent has not written.
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

    /// Forgets the waker, so that writes wake no task.
    #[cfg(feature = "server")]
    pub(super) fn clear_waker(&self) {
        self.shared.lock().waker = None;
    }

    /// See [`Shared`].
    #[cfg(feature = "server")]
    pub(super) fn wake_later(&self, waker: &Waker) -> bool {
        self.shared.wake_later(waker)
    }

    /// Writes, if the limit of waiting bytes is not exceeded.
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

    /// Calls `work` with the writer.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut RunWriter) -> R) -> R {
        self.shared.with(work)
    }

    pub(super) fn lock_state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A message, tool call, step or subagent, which is closed when this value is dropped.
///
/// ```
/// use ag_ui_native::server::{Ending, Run, WireFormat};
///
/// let input = ag_ui_native::types::RunAgentInput::new("t1", "r1", vec![]);
/// let message = Run::begin(input, WireFormat::Text, false, Default::default())?.text_message()?;
/// message.write("Hello!")?;
/// message.end(&Ending::Success(None))?;
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
pub struct OpenEntry {
    run: Run,
    entity: Entity,
    id: String,
}

impl OpenEntry {
    /// The id of the entity; of a step its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Appends text to a message, or to the arguments of a tool call.
    ///
    /// # Errors
    /// `sequence_broken` if the entity is closed, or has no text.
    pub fn write(&self, delta: &str) -> Result<(), Error> {
        self.run.writing(|writer| writer.write(self.entity, delta))
    }

    /// Writes a provider's encrypted value for a message or tool call, with the provider's name for that kind of value.
    /// The client keeps the value and sends it back in the next run.
    ///
    /// # Errors
    /// Those of [`write`](Self::write); `invalid_value` for a step or a subagent, which have no such value.
    pub fn encrypted_value(&self, value: impl Into<String>, value_type: Option<&str>) -> Result<(), Error> {
        let subtype = match self.entity.kind() {
            EntityKind::TextMessage | EntityKind::ReasoningMessage => ReasoningEncryptedValueSubtype::Message,
            EntityKind::ToolCall => ReasoningEncryptedValueSubtype::ToolCall,
            kind => {
                let detail = format!("{kind:?} holds no encrypted value: messages and tool calls do");
                let error = Error::new(Code::InvalidValue, detail);
                return Err(error.advise("write it to a message or a tool call"));
            }
        };
        let mut event = ReasoningEncryptedValueEvent::new(subtype, &self.id, value);
        event.encrypted_value_type = value_type.map(str::to_owned);
        self.run.send(event)
    }

    /// Closes the entity; a subagent ends by `ending`. Dropping the value ends it with success.
    ///
    /// # Errors
    /// Events that the wire format cannot encode.
    pub fn end(self, ending: &Ending) -> Result<(), Error> {
        self.run.with(|writer| writer.end_as(self.entity, ending))
    }

    /// Closes a subagent whose agent has ended. If the agent has not returned and the cause of the run's end is fixed, the
    /// subagent ends by that cause.
    ///
    /// # Errors
    /// Events that the wire format cannot encode.
    pub fn end_by(self, cause: Cause) -> Result<(), Error> {
        self.run.with(|writer| writer.end_by(self.entity, cause))
    }
}

impl Drop for OpenEntry {
    fn drop(&mut self) {
        // An END event has no values that a wire format could refuse.
        let _ = self.run.with(|writer| writer.end_dropped(self.entity));
    }
}
