//! The stages that make a conversation, and their reports for each event.

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::bindings::decoder::{EventReader, ReadEvent, Warning};
use ag_ui_native::bindings::pipeline::{Output, Pipeline, PipelineOptions, Stages};
use ag_ui_native::bindings::reduce::{
    Change, Conversation, OnPatchFailure, Place, Reducer, Reduction, RunEnd, Slot,
};
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::types::{Interrupt, Message, TokenUsage};
use ag_ui_native::{Error, Limits, Profile, from_json};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Input, failure, plain, strict, told};

pub fn outcome(stage: &str, given: &Input) -> Value {
    let rules = Rules::of(if stage == "relay" { Profile::Relay } else { Profile::Tolerant });
    let stages = Stages { verify: matches!(stage, "pipeline" | "burst"), ..Stages::default() };
    let options = PipelineOptions { rules, stages, ..PipelineOptions::default() };
    let frames = frames(given);
    let mut talk = Talk::of(given);
    let result = match stage {
        "apply" => talk.apply(&given.events),
        "relay" | "burst" => talk.feed(options, &[frames.concat()]),
        _ => talk.feed(options, &frames),
    };
    talk.outcome(result)
}

/// The frames of an input: of its events, or of its texts, which may be spelled in any way.
pub fn frames(given: &Input) -> Vec<String> {
    let frame = |text: &str| format!("data: {}\n\n", text.replace(['\r', '\n'], "\ndata: "));
    match &given.texts {
        Some(texts) => texts.iter().map(|text| frame(text)).collect(),
        None => given.events.iter().map(|event| frame(event.get())).collect(),
    }
}

/// The report for each event, and the conversation.
struct Talk {
    messages: Vec<Message>,
    mirror: Mirror,
}

struct Mirror {
    conversation: Conversation,
    changes: Vec<Value>,
    warnings: Vec<Warning>,
    /// The warnings of the mirror itself in the running call.
    patches: Vec<Warning>,
}

impl Talk {
    fn of(given: &Input) -> Self {
        let messages: Vec<Message> = list(&given.messages);
        let state = given.state.as_ref().map_or("{}", |state| state.get());
        let state = from_json(state, Profile::Tolerant).expect("a state").0;
        let mut conversation = Conversation::new(&messages, state, Limits::default());
        conversation.pending_interrupts = list::<Interrupt>(&given.pending_interrupts);
        let mirror = Mirror { conversation, changes: Vec::new(), warnings: Vec::new(), patches: Vec::new() };
        Self { messages, mirror }
    }

    fn apply(&mut self, events: &[Box<RawValue>]) -> Result<(), Error> {
        let (mut reader, mut reducer): (EventReader, _) = (strict(), Reducer::new(&self.messages));
        events.iter().try_for_each(|event| {
            let result = reader.read(event.get().as_bytes()).and_then(|read| {
                let Some(ReadEvent { index, event, incomplete, .. }) = read else { return Ok(()) };
                let mut reduction =
                    reducer.apply(event, incomplete).map_err(|error| error.of_event(index))?;
                reduction.warnings.drain(..).for_each(|issue| reader.warn(index, issue));
                self.mirror.carry_out(index, reduction, &mut reducer);
                Ok(())
            });
            self.mirror.tell(reader.take_warnings());
            result
        })
    }

    fn feed(&mut self, options: PipelineOptions, chunks: &[String]) -> Result<(), Error> {
        let mut pipeline = Pipeline::new(None, options, &self.messages)?;
        chunks.iter().try_for_each(|chunk| {
            let mut take = |output: Output<'_, ()>, reducer: &mut Reducer| {
                if let Some(reduction) = output.kind.into_reduction() {
                    self.mirror.carry_out(output.index, reduction, reducer);
                }
                Ok(())
            };
            let result = pipeline.feed(chunk.as_bytes(), &mut Nothing, &mut take);
            self.mirror.tell(pipeline.take_warnings());
            result
        })
    }

    fn outcome(self, result: Result<(), Error>) -> Value {
        let Mirror { conversation, changes, warnings, .. } = self.mirror;
        let mut outcome = json!({
            "messages": conversation.message_values().map(plain).collect::<Vec<_>>(),
            "state": plain(&conversation.state),
            "pending_interrupts": plain(&conversation.pending_interrupts),
            "state_in_sync": conversation.state_in_sync,
            "changes": changes,
            "warnings": told(&warnings),
        });
        if let Err(error) = result {
            outcome["error"] = failure(&error);
        }
        outcome
    }
}

impl Mirror {
    fn carry_out(&mut self, index: usize, reduction: Reduction, reducer: &mut Reducer) {
        for change in reduction.changes {
            let (kind, target, end) = seen(&change);
            let outcome = self.conversation.apply(change);
            let failed = outcome.failure.and_then(|error| OnPatchFailure::Flag.judge(&error).ok());
            let kind = if failed.is_some() { "patch_failed" } else { kind };
            self.patches.extend(failed.map(|issue| Warning { event_index: index, issue }));
            if let Some((slot, activity_type)) = outcome.unpatched {
                reducer.content_unpatched(slot, &activity_type);
            }
            let id = target.map(|target| self.id(target));
            self.changes.push(json!([index, kind, id, end]));
        }
    }

    /// Ends a call: sorts its warnings by event.
    fn tell(&mut self, mut warnings: Vec<Warning>) {
        warnings.append(&mut self.patches);
        warnings.sort_by_key(|warning| warning.event_index);
        self.warnings.append(&mut warnings);
    }

    fn id(&self, place: Place) -> Value {
        match place {
            Place::Message(slot) => plain(self.conversation.message(slot))["id"].clone(),
            Place::Call(slot, call) => {
                let calls = plain(self.conversation.message(slot))["toolCalls"].take();
                let count = calls.as_array().map_or(0, Vec::len);
                calls[call.min(count.saturating_sub(1))]["id"].clone()
            }
        }
    }
}

/// The place of a call that was just added.
const LAST: usize = usize::MAX;

/// Returns the report of a change: its kind, its target, and the end of a run.
fn seen(change: &Change) -> (&'static str, Option<Place>, Value) {
    let message = |kind, slot: &Slot| (kind, Some(Place::Message(*slot)), Value::Null);
    match change {
        Change::Insert { slot, .. } => message("message_inserted", slot),
        Change::Replace { slot, .. } => message("message_replaced", slot),
        Change::Arrange(_) => ("messages_arranged", None, Value::Null),
        Change::AddCall { slot, .. } => ("call_added", Some(Place::Call(*slot, LAST)), Value::Null),
        Change::Append { place, .. } => ("text_appended", Some(*place), Value::Null),
        Change::Set { place, .. } => ("member_set", Some(*place), Value::Null),
        Change::SetContent { slot, .. } => message("content_set", slot),
        Change::Merge { place, .. } => ("metadata_merged", Some(*place), Value::Null),
        Change::PatchContent { slot, .. } => message("content_patched", slot),
        Change::SetState(_) => ("state_set", None, Value::Null),
        Change::PatchState { .. } => ("state_patched", None, Value::Null),
        Change::SetInterrupts(_) => ("interrupts_set", None, Value::Null),
        Change::MessageEnded(slot) => message("message_ended", slot),
        Change::CallEnded(slot, call) => ("call_ended", Some(Place::Call(*slot, *call)), Value::Null),
        Change::RunFinished { end, usage } => ("run_finished", None, run_end(end, usage.as_deref())),
        Change::RunFailed { message, code, usage } => {
            let usage = usage.as_deref().map(entries);
            ("run_failed", None, json!({ "message": message, "code": code, "usage": usage }))
        }
    }
}

fn entries(usage: &[TokenUsage]) -> Vec<Value> {
    usage.iter().map(plain).collect()
}

fn run_end(end: &RunEnd, usage: Option<&[TokenUsage]>) -> Value {
    let (outcome, result, ids, interrupts) = match end {
        RunEnd::Success { result, pending_tool_call_ids } => {
            ("success", result.as_ref().map(plain), Some(pending_tool_call_ids), None)
        }
        RunEnd::Interrupt(interrupts) => ("interrupt", None, None, Some(interrupts)),
        RunEnd::Cancelled => ("cancelled", None, None, None),
    };
    let interrupts = interrupts.map(|interrupts| interrupts.iter().map(plain).collect::<Vec<_>>());
    json!({
        "outcome": outcome, "result": result, "pending_tool_call_ids": ids, "interrupts": interrupts,
        "usage": usage.map(entries)
    })
}

/// Reads a list of the input, each item by itself.
fn list<T: DeclaredType>(items: &[Box<RawValue>]) -> Vec<T> {
    items.iter().map(|item| from_json(item.get(), Profile::Tolerant).expect("it is one").0).collect()
}
