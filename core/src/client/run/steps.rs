//! The steps of a run: its thread is opened, it is requested, its events are applied, tools answer, and the next run begins.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::time::sleep;

use super::{AgentParts, Phase, RunStream};
use crate::client::conversation::{all_to_send, replace_messages};
use crate::client::event_source::EventSource;
use crate::client::flow::Flow;
use crate::client::opened_thread::OpenedThread;
use crate::client::progress::Progress;
use crate::client::reading::{ReceivedEvent, StepBudget};
use crate::client::result::ClientError;
use crate::client::runs::early_end::Cause;
use crate::client::runs::input::check_by;
use crate::client::runs::members::AgentMembers;
use crate::client::timeout::Timeout;
use crate::client::tools::tool_set::Answering;
use crate::client::transport::opening::now;
use crate::client::transport::request::RunRequest;
use crate::error::{Code, Error, Issue};
use crate::pipeline::Stages;
use crate::reduce::{Change, OnPatchFailure, Place, Reducer};
use crate::types::{Event, Message, RunAgentInput};
use crate::verify::RunIds;
use crate::warning::{Warning, Warnings};

impl RunStream<'_> {
    /// Returns the next event, or the failure that ends the call.
    pub(super) fn poll_event(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Event, ClientError>>> {
        while !matches!(self.phase, Phase::Over) {
            if self.running.is_aborted(context) {
                self.leave();
                break;
            }
            let step = if self.budget.is_over(context) { Poll::Pending } else { self.poll_step(context) };
            let failure = match step {
                Poll::Ready(Ok(None)) => continue,
                Poll::Ready(Ok(Some(event))) => return Poll::Ready(Some(Ok(event))),
                Poll::Ready(Err(failure)) => failure,
                Poll::Pending => {
                    self.budget = StepBudget::default();
                    self.progress.sum_up_calls();
                    let is_late =
                        self.total.as_mut().is_some_and(|total| total.as_mut().poll(context).is_ready());
                    if !is_late {
                        return Poll::Pending;
                    }
                    self.limit
                        .map_or_else(|| Timeout::Total.error(), |limit| Timeout::Total.error_after(limit))
                        .into()
                }
            };
            if self.progress.runs.tolerates_loss(failure.code().as_str()) {
                self.end_answer();
                continue;
            }
            return Poll::Ready(self.fail(failure).map(Err));
        }
        Poll::Ready(None)
    }

    /// Takes one step. Returns the event, if the step has read one.
    fn poll_step(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Event>, ClientError>> {
        match &mut self.phase {
            Phase::Connecting(connecting) => {
                let thread = ready!(connecting.as_mut().poll(context))?;
                self.connected(thread);
            }
            Phase::Beginning => self.begin()?,
            Phase::Reading(source) => {
                let arrival = source.as_mut().poll_next(context);
                self.take_notes();
                match ready!(arrival).transpose()? {
                    Some(arrival) => return Poll::Ready(Ok(Some(self.apply(arrival)?))),
                    None => self.end_answer(),
                }
            }
            Phase::Answering(answering) => match ready!(answering.poll(context)) {
                Some(message) => self.answer(message),
                None => self.start_next_run()?,
            },
            Phase::Over => {}
        }
        Poll::Ready(Ok(None))
    }

    /// Takes the data of an opened thread, and joins its active run, if there is one.
    fn connected(&mut self, thread: OpenedThread) {
        let OpenedThread { messages, state, interrupts, active_run_id, last_run_id } = thread;
        let conversation = &mut *self.agent.conversation;
        let replaced = (messages.is_some(), state.is_some());
        if let Some(messages) = messages {
            replace_messages(conversation, &messages);
        }
        if let Some(state) = state {
            (conversation.state, conversation.state_in_sync) = (state, true);
        }
        conversation.pending_interrupts = interrupts;
        self.notifier.changed(conversation, replaced.0, replaced.1);
        let runs = std::mem::take(&mut self.progress.runs);
        self.progress = Progress::new(self.agent.thread_id, self.agent.conversation, None, runs);
        if active_run_id.is_some() {
            self.options.run_id = active_run_id;
            self.phase = Phase::Beginning;
            return;
        }
        self.progress.opened(last_run_id, &self.agent.conversation.pending_interrupts);
        self.phase = Phase::Over;
        self.close();
    }

    /// Requests the run, or the next one.
    fn begin(&mut self) -> Result<(), Error> {
        let AgentParts { settings, middleware, .. } = self.agent;
        let open = Arc::clone(&self.agent.open);
        self.progress.end_answer(self.agent.conversation, self.reducer.later_runs());
        if self.progress.runs.requested() == 0 {
            self.limit = settings.timeouts.total;
            self.total = settings.timeouts.total.map(|limit| Box::pin(sleep(limit)));
        }
        let message = self.message.take();
        // A message that is refused is not added.
        let (mut input, lost) = self.prepare(message.as_ref())?;
        if let Some(message) = message {
            self.message_id = Some(message.id().to_owned());
            self.notifier.add(self.agent.conversation, vec![message]);
        }
        self.progress.begin(&input.run_id, self.agent.conversation);
        self.progress.result.input_warnings.extend(lost);
        if !self.notifier.is_idle() {
            self.notifier.input = Some(input.clone());
            let answer = self.notifier.initialized(self.agent.conversation, &mut self.reducer);
            if answer.messages || answer.state {
                let (prepared, lost) = self.prepare(None)?;
                input = prepared;
                self.progress.result.input_warnings.extend(lost);
                self.notifier.input = Some(input.clone());
            }
        }
        let notes = self.notes.clone();
        self.phase = Phase::Reading(if middleware.is_empty() {
            let asked = RunIds::of(&input);
            let opening = open(RunRequest::by(input, settings));
            // A run without its end is invalid, even if the profile keeps unknown events.
            let stages = Stages { reduce: false, ..Stages::default() };
            Box::pin(EventSource::new(opening, settings, settings.pipeline(stages), asked, notes))
        } else {
            let runs = self.progress.runs.clone();
            Box::pin(Flow::new(middleware.to_vec(), input, open, settings, notes, runs))
        });
        Ok(())
    }

    /// Returns the input of the run, from the conversation and the call's own message, and the warnings about it.
    fn prepare(&mut self, message: Option<&Message>) -> Result<(RunAgentInput, Vec<Issue>), Error> {
        self.agent.conversation.renumber();
        let AgentParts { thread_id, parent_run_id, conversation, settings, tools, .. } = &self.agent;
        let options = self.options.clone();
        let mut messages = all_to_send(conversation)?;
        messages.extend(message.cloned());
        self.reducer = Reducer::new(&messages).with_limits(settings.limits).with_profile(settings.profile);
        self.applied = Warnings::new(&settings.limits);
        let agent = AgentMembers {
            parent_run_id: parent_run_id.map(str::to_owned),
            tools: tools.declared().cloned().collect(),
            run_id: None,
        };
        let mut input = RunAgentInput::new(*thread_id, options.run_id.unwrap_or_default(), messages);
        input.parent_run_id = options.parent_run_id;
        input.state = Some(conversation.state.clone());
        input.tools = Some(options.tools);
        input.context = Some(options.context);
        input.forwarded_props = options.forwarded_props;
        input.resume = options.resume;
        check_by(settings, &mut input, &agent.tools)?;
        let pending = &conversation.pending_interrupts;
        let lost = self.progress.runs.prepare(&mut input, agent, pending, settings.peer, now())?;
        Ok((input, lost))
    }

    fn apply(&mut self, arrival: ReceivedEvent) -> Result<Event, Error> {
        let Self { agent, notifier, reducer, progress, extended, .. } = self;
        let AgentParts { conversation, settings, .. } = agent;
        let (index, event) = (arrival.index, arrival.event.clone());
        if let Event::RunStarted(started) = &event {
            progress.started(&started.run_id);
        }
        *extended = None;
        let policy = OnPatchFailure::of(settings.profile);
        let has_changes = &mut self.has_changes;
        let look = &mut |change: &Change| {
            *has_changes = true;
            progress.note(change);
            if let Change::Append { place: Place::Message(slot), .. } = change {
                *extended = Some(*slot);
            }
        };
        let issues = if notifier.is_idle() {
            let ReceivedEvent { event, incomplete, .. } = arrival;
            conversation.reduce(reducer, event, incomplete, policy, look).map(|effect| effect.warnings)
        } else {
            notifier.carry_out(conversation, reducer, arrival, policy, look)
        };
        let issues = issues.map_err(|error| error.of_event(index))?;
        self.applied.extend(index, issues);
        let warnings = self.applied.take();
        self.warn(warnings);
        Ok(event)
    }

    /// The answer has ended: calls the tools that have functions here.
    fn end_answer(&mut self) {
        self.end_reading();
        let AgentParts { conversation, tools, .. } = &self.agent;
        let calls = tools.find(&mut self.progress.runs, conversation, &self.reducer);
        if calls.is_empty() {
            self.finish();
        } else {
            self.phase = Phase::Answering(Answering::new(calls, self.agent.settings.limits));
        }
    }

    /// Adds the answer of a tool.
    fn answer(&mut self, message: Message) {
        if let Message::Tool(answer) = &message {
            // A tool that fails after an abort has failed because of it.
            if answer.error.is_some() && self.running.has_aborted() {
                return;
            }
            self.progress.answered(answer);
        }
        self.notifier.add(self.agent.conversation, vec![message]);
    }

    /// All tools have answered: runs the agent again, unless other calls are pending.
    fn start_next_run(&mut self) -> Result<(), Error> {
        if self.progress.runs.starts_next_run()? {
            return self.begin();
        }
        self.finish();
        Ok(())
    }

    /// Aborts the run, if it has not ended: the reader has left it.
    pub(super) fn leave(&mut self) {
        if !matches!(self.phase, Phase::Over) {
            self.fail(Error::new(Code::RunAborted, "").into());
        }
    }

    /// Ends the call early. Returns the failure if it is to be raised.
    fn fail(&mut self, failure: ClientError) -> Option<ClientError> {
        let error = Some(failure.code().as_str());
        let ending = self.progress.end(Cause { error, has_changes: self.has_changes, ..Cause::default() });
        if let Some(id) = self.message_id.take().filter(|_| ending.removes_message) {
            self.agent.conversation.remove_message(&id);
        }
        let failure = failure.with_run(self.progress.summary(self.agent.conversation));
        let is_handled = ending.notifies && self.notify_failed(&failure);
        self.finish();
        (ending.raises && !is_handled).then(|| failure.with_run(self.progress.result.clone()))
    }

    /// Notifies subscribers of a failure. Returns true if one of them handles it.
    fn notify_failed(&mut self, error: &ClientError) -> bool {
        let delivered = self.notifier.failed(self.agent.conversation, &mut self.reducer, error);
        self.progress.runs.is_handled(delivered.stopped)
    }

    /// Takes the notes of the reader into the result.
    fn take_notes(&mut self) {
        let notes = self.notes.with(std::mem::take);
        self.progress.result.input_warnings.extend(notes.input_warnings);
        self.progress.result.last_event_id =
            notes.last_event_id.or(self.progress.result.last_event_id.take());
        self.warn(notes.warnings);
    }

    fn warn(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        for warning in warnings {
            if let Some(on_warning) = self.agent.on_warning {
                on_warning(&warning);
            }
            self.progress.result.warnings.push(warning);
        }
    }

    /// Closes the connection, and notifies subscribers that the run is over.
    fn end_reading(&mut self) {
        self.phase = Phase::Over;
        self.take_notes();
        self.progress.sort_warnings();
        self.notifier.finalized(self.agent.conversation, &mut self.reducer);
    }

    /// Ends the call.
    fn finish(&mut self) {
        self.end_reading();
        self.close();
    }

    /// Sums the call up, and frees the agent.
    fn close(&mut self) {
        self.progress.finish(self.agent.conversation, self.reducer.later_runs());
        self.agent.runs.clone_from(&self.progress.runs);
        self.running.end();
    }
}
