//! The rules for producers of events. Readers need not detect these faults, and most do not.

use super::identity::broken;
use crate::collections::{HashMap, HashSet, IndexMap};
use crate::error::{Error, quoted};
use crate::json::Value;
use crate::limits::Limits;
use crate::rule::Rule;
use crate::types::{
    ActivityDeltaEvent, Event, JsonPatchOperation, Message, RunFinishedEvent, RunFinishedOutcome,
    TextMessageRole, TextMessageStartEvent, TokenUsage, ToolCallStartEvent,
};

/// The kind of a message of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageKind {
    Text,
    Result,
    Reasoning,
    Activity,
}

impl MessageKind {
    fn of(message: &Message) -> Self {
        match message {
            Message::Tool(_) => Self::Result,
            Message::Reasoning(_) => Self::Reasoning,
            Message::Activity(_) => Self::Activity,
            _ => Self::Text,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Text => "a text message",
            Self::Result => "the result of a tool call",
            Self::Reasoning => "a reasoning message",
            Self::Activity => "an activity",
        }
    }
}

/// A message, with its author if it is text.
#[derive(Clone, Debug)]
struct Known {
    kind: MessageKind,
    speaker: Option<Speaker>,
}

type Speaker = (TextMessageRole, Option<String>);

/// A tool call, as its START names it.
#[derive(Clone, Debug)]
struct OpenedCall {
    name: String,
    parent: Option<String>,
}

/// The messages and calls of a stream so far; and for its last run the active invocations and the pending calls. It holds at most
/// `run_entities` of each, and none with an id longer than `id_bytes`; entities beyond that are not checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Producer {
    messages: HashMap<String, Known>,
    calls: HashMap<String, OpenedCall>,
    tags: HashSet<String>,
    tally: IndexMap<String, Tally>,
}

/// The state of a call in the run.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    started: bool,
    answered: bool,
}

impl Producer {
    /// Checks that a producer may send the event. The order of events is checked before.
    pub fn judge(&self, event: &Event) -> Result<(), Error> {
        match event {
            Event::TextMessageStart(e) => {
                self.judge_kind(&e.message_id, MessageKind::Text)?;
                self.judge_text(e)
            }
            Event::ReasoningMessageStart(e) => self.judge_kind(&e.message_id, MessageKind::Reasoning),
            Event::ToolCallResult(e) => self.judge_kind(&e.message_id, MessageKind::Result),
            Event::ActivitySnapshot(e) => self.judge_kind(&e.message_id, MessageKind::Activity),
            Event::ToolCallStart(e) => self.judge_call(e),
            Event::ActivityDelta(e) => judge_content(e),
            Event::SubagentStarted(e) if self.tags.contains(&e.subagent_run_id) => {
                refuse(Rule::V50, "/subagentRunId", format!("subagent {}", quoted(&e.subagent_run_id)))
            }
            Event::RunFinished(e) => {
                self.judge_pending(e)?;
                judge_usage(e.usage.as_deref().unwrap_or_default())
            }
            Event::RunError(e) => judge_usage(e.usage.as_deref().unwrap_or_default()),
            _ => Ok(()),
        }
    }

    /// Records an event that was checked.
    pub fn note(&mut self, event: &Event, limits: &Limits) {
        match event {
            Event::RunStarted(e) => {
                self.tags.clear();
                self.tally.clear();
                let messages = e.input.as_ref().map(|input| input.messages.as_slice());
                self.restate(messages.unwrap_or_default(), limits);
            }
            Event::MessagesSnapshot(e) => self.restate(&e.messages, limits),
            // The first start decides the author.
            Event::TextMessageStart(e) if !self.messages.contains_key(&e.message_id) => {
                self.know(&e.message_id, MessageKind::Text, Some((role_of(e), e.name.clone())), limits);
            }
            Event::ReasoningMessageStart(e) => self.know(&e.message_id, MessageKind::Reasoning, None, limits),
            Event::ActivitySnapshot(e) => self.know(&e.message_id, MessageKind::Activity, None, limits),
            Event::ToolCallResult(e) => {
                self.know(&e.message_id, MessageKind::Result, None, limits);
                self.count(&e.tool_call_id, limits, |tally| tally.answered = true);
            }
            Event::ToolCallStart(e) => {
                let parent = e.parent_message_id.as_deref();
                self.know_call(&e.tool_call_id, &e.tool_call_name, parent, limits);
                self.count(&e.tool_call_id, limits, |tally| tally.started = true);
            }
            _ => {}
        }
        if let Some(tag) = event.subagent_run_id()
            && !matches!(event, Event::SubagentStarted(_))
            && !self.tags.contains(tag)
            && is_kept(tag, self.tags.len(), limits)
        {
            self.tags.insert(tag.to_owned());
        }
    }

    fn judge_kind(&self, id: &str, kind: MessageKind) -> Result<(), Error> {
        match self.messages.get(id) {
            Some(known) if known.kind != kind => {
                let detail = format!("{} was {}", quoted(id), known.kind.as_str());
                refuse(Rule::V47, "/messageId", detail)
            }
            _ => Ok(()),
        }
    }

    /// A missing role means the assistant; a missing name matches any.
    fn judge_text(&self, start: &TextMessageStartEvent) -> Result<(), Error> {
        let known = self.messages.get(&start.message_id).and_then(|known| known.speaker.as_ref());
        let Some((role, name)) = known else { return Ok(()) };
        let message = quoted(&start.message_id);
        if *role != role_of(start) {
            return refuse(Rule::V48, "/role", format!("message {message} of {}", role.as_str()));
        }
        if start.name.is_some() && start.name != *name {
            return refuse(Rule::V48, "/name", format!("message {message}"));
        }
        Ok(())
    }

    fn judge_call(&self, start: &ToolCallStartEvent) -> Result<(), Error> {
        let Some(OpenedCall { name, parent }) = self.calls.get(&start.tool_call_id) else { return Ok(()) };
        let call = quoted(&start.tool_call_id);
        if *name != start.tool_call_name {
            return refuse(Rule::V49, "/toolCallName", format!("call {call} of {}", quoted(name)));
        }
        if start.parent_message_id.is_some() && start.parent_message_id != *parent {
            return refuse(Rule::V49, "/parentMessageId", format!("call {call}"));
        }
        Ok(())
    }

    fn judge_pending(&self, finished: &RunFinishedEvent) -> Result<(), Error> {
        let Some(RunFinishedOutcome::Success(outcome)) = &finished.outcome else { return Ok(()) };
        let Some(named) = &outcome.pending_tool_call_ids else { return Ok(()) };
        let path = "/outcome/pendingToolCallIds";
        let waits = |id: &str| self.tally.get(id).is_some_and(|call| call.started && !call.answered);
        if let Some(other) = named.iter().find(|id| !waits(id)) {
            return refuse(
                Rule::V51,
                path,
                format!("call {} has a result, or is not of this run", quoted(other)),
            );
        }
        let once: HashSet<&str> = named.iter().map(String::as_str).collect();
        if let Some((left, _)) = self.tally.iter().find(|(id, _)| waits(id) && !once.contains(id.as_str())) {
            return refuse(Rule::V51, path, format!("call {} is missing", quoted(left)));
        }
        if once.len() < named.len() {
            return refuse(Rule::V51, path, "a call is named twice".to_owned());
        }
        Ok(())
    }

    /// Takes over the messages of a list. They replace earlier entries.
    fn restate(&mut self, messages: &[Message], limits: &Limits) {
        for message in messages {
            let speaker = match message {
                Message::Developer(m) => Some((TextMessageRole::Developer, m.name.clone())),
                Message::System(m) => Some((TextMessageRole::System, m.name.clone())),
                Message::User(m) => Some((TextMessageRole::User, m.name.clone())),
                Message::Assistant(m) => Some((TextMessageRole::Assistant, m.name.clone())),
                _ => None,
            };
            self.know(message.id(), MessageKind::of(message), speaker, limits);
            for call in message.tool_calls() {
                self.know_call(&call.id, &call.function.name, Some(message.id()), limits);
            }
        }
    }

    fn know(&mut self, id: &str, kind: MessageKind, speaker: Option<Speaker>, limits: &Limits) {
        if let Some(known) = self.messages.get_mut(id) {
            *known = Known { kind, speaker };
        } else if is_kept(id, self.messages.len(), limits) {
            self.messages.insert(id.to_owned(), Known { kind, speaker });
        }
    }

    fn know_call(&mut self, id: &str, name: &str, parent: Option<&str>, limits: &Limits) {
        if !self.calls.contains_key(id) && is_kept(id, self.calls.len(), limits) {
            let call = OpenedCall { name: name.to_owned(), parent: parent.map(str::to_owned) };
            self.calls.insert(id.to_owned(), call);
        }
    }

    fn count(&mut self, id: &str, limits: &Limits, count: impl FnOnce(&mut Tally)) {
        if let Some(tally) = self.tally.get_mut(id) {
            count(tally);
        } else if is_kept(id, self.tally.len(), limits) {
            count(self.tally.entry(id.to_owned()).or_default());
        }
    }
}

/// True if one more entry may be kept.
fn is_kept(id: &str, known: usize, limits: &Limits) -> bool {
    limits.check_run(known).is_ok() && limits.check_id(id).is_ok()
}

fn role_of(start: &TextMessageStartEvent) -> TextMessageRole {
    start.role.unwrap_or(TextMessageRole::Assistant)
}

/// Checks that the patch keeps an activity's content an object, as far as the patch itself shows. The kind of a moved or copied
/// value is not known here.
fn judge_content(delta: &ActivityDeltaEvent) -> Result<(), Error> {
    let mut wrong = None;
    for (index, operation) in delta.patch.iter().enumerate() {
        match operation {
            JsonPatchOperation::Add(it) if it.path.as_str().is_empty() => {
                wrong = Some(index).filter(|_| !matches!(it.value, Value::Object(_)));
            }
            JsonPatchOperation::Replace(it) if it.path.as_str().is_empty() => {
                wrong = Some(index).filter(|_| !matches!(it.value, Value::Object(_)));
            }
            JsonPatchOperation::Remove(it) if it.path.as_str().is_empty() => wrong = Some(index),
            JsonPatchOperation::Move(it) if it.path.as_str().is_empty() => wrong = None,
            JsonPatchOperation::Copy(it) if it.path.as_str().is_empty() => wrong = None,
            _ => {}
        }
    }
    wrong.map_or(Ok(()), |index| {
        let detail = format!("activity {}", quoted(&delta.message_id));
        refuse(Rule::V52, format!("/patch/{index}"), detail)
    })
}

/// Checks that the counts of each entry match. A missing count was not reported and contradicts nothing.
fn judge_usage(usage: &[TokenUsage]) -> Result<(), Error> {
    for (index, entry) in usage.iter().enumerate() {
        let sum = |counts: [Option<u64>; 2]| counts.into_iter().flatten().fold(0, u64::saturating_add);
        let whole = [entry.input_tokens, entry.output_tokens];
        let is_whole = whole.iter().all(Option::is_some);
        let cached = [entry.cached_input_tokens, entry.cache_write_input_tokens];
        let exceeds = |part: u64, total: Option<u64>| total.is_some_and(|total| part > total);
        let wrong = match entry.total_tokens {
            Some(total) if is_whole && sum(whole) != total => Some("totalTokens"),
            total if exceeds(sum(whole), total) => Some("totalTokens"),
            _ if exceeds(sum(cached), entry.input_tokens) => Some("inputTokens"),
            _ if exceeds(entry.reasoning_tokens.unwrap_or(0), entry.output_tokens) => Some("outputTokens"),
            _ => None,
        };
        if let Some(member) = wrong {
            return refuse(Rule::V53, format!("/usage/{index}/{member}"), String::new());
        }
    }
    Ok(())
}

fn refuse(rule: Rule, path: impl Into<String>, detail: String) -> Result<(), Error> {
    Err(vec![broken(rule, path, detail)].into())
}
