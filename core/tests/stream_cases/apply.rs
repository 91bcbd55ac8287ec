//! Section `apply`: the reducer and Rust's mirror.

use ag_ui_native::bindings::reduce::{Change, Conversation, Reducer, RunEnd};
use ag_ui_native::bindings::to_value;
use ag_ui_native::types::{Interrupt, Message};
use ag_ui_native::{Limits, Profile, from_json};
use serde_json::{Value, json};

use super::{Case, failure, judge};

/// A conversation that a reducer changes, with the notifications of the reference's subscribers.
pub struct Session {
    reducer: Reducer,
    pub conversation: Conversation,
    pub new_messages: Vec<Value>,
    new_calls: Vec<Value>,
    finished: Vec<Value>,
}

impl Session {
    /// A conversation from the case's start.
    pub fn of(case: &Case) -> Self {
        let typed = |name: &str| case.input[name].as_array().cloned().unwrap_or_default().into_iter();
        let messages: Vec<Message> = typed("messages")
            .map(|message| from_json::<Message>(message.to_string(), Profile::Strict).unwrap().0)
            .collect();
        let state = case.input.get("state").cloned().unwrap_or_else(|| json!({}));
        let state = from_json::<ag_ui_native::Value>(state.to_string(), Profile::Strict).unwrap().0;
        let mut conversation = Conversation::new(&messages, state, Limits::default());
        conversation.pending_interrupts = typed("pendingInterrupts")
            .map(|interrupt| from_json::<Interrupt>(interrupt.to_string(), Profile::Strict).unwrap().0)
            .collect();
        Self {
            reducer: Reducer::new(&messages),
            conversation,
            new_messages: Vec::new(),
            new_calls: Vec::new(),
            finished: Vec::new(),
        }
    }

    /// Applies an event. Returns the parts that it reports as changed.
    pub fn apply(&mut self, event: ag_ui_native::Event) -> Result<Vec<&'static str>, ag_ui_native::Error> {
        let reduction = self.reducer.apply(event, false)?;
        let (mut messages, mut state) = (reduction.messages, false);
        for change in reduction.changes {
            self.note(&change);
            let outcome = self.conversation.apply(change);
            messages |= outcome.messages;
            state |= outcome.state;
        }
        Ok([(messages, "messages"), (state, "state")]
            .into_iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect())
    }

    fn note(&mut self, change: &Change) {
        let member = |value: &ag_ui_native::Value, key: &str| plain(value)[key].clone();
        match change {
            Change::MessageEnded(slot) => {
                self.new_messages.push(member(self.conversation.message(*slot), "id"));
            }
            Change::CallEnded(slot, call) => {
                let message = plain(self.conversation.message(*slot));
                self.new_calls.push(message["toolCalls"][call]["id"].clone());
            }
            Change::RunFinished { end, .. } => self.finished.push(match end {
                RunEnd::Success { result, pending_tool_call_ids } => {
                    let mut end = json!({"outcome": "success", "pendingToolCallIds": pending_tool_call_ids});
                    if let Some(result) = result {
                        end["result"] = plain(result);
                    }
                    end
                }
                RunEnd::Interrupt(interrupts) => {
                    json!({"outcome": "interrupt", "interrupts": values(interrupts)})
                }
                RunEnd::Cancelled => json!({"outcome": "cancelled"}),
            }),
            _ => {}
        }
    }

    /// Messages and state at the end.
    pub fn result(&self) -> Value {
        let messages: Vec<Value> = self.conversation.message_values().map(plain).collect();
        json!({"messages": messages, "state": plain(&self.conversation.state)})
    }
}

/// Core's value as serde's.
pub fn plain(value: &ag_ui_native::Value) -> Value {
    serde_json::from_str(&ag_ui_native::to_json(value)).unwrap()
}

pub fn values(interrupts: &[Interrupt]) -> Value {
    interrupts.iter().map(|interrupt| plain(&to_value(interrupt))).collect()
}

#[test]
fn apply() {
    judge("apply", true, |case| {
        let mut session = Session::of(case);
        let mut changed = Vec::new();
        let mut failed = None;
        for (at, event) in case.events().into_iter().enumerate() {
            match session.apply(event) {
                Ok(parts) if parts.is_empty() => {}
                Ok(parts) => {
                    let mut entry = vec![json!(at)];
                    entry.extend(parts.into_iter().map(Value::from));
                    changed.push(Value::from(entry));
                }
                Err(error) => {
                    failed = Some((at, error));
                    break;
                }
            }
        }
        let mut result = session.result();
        result["changed"] = changed.into();
        let interrupts = &session.conversation.pending_interrupts;
        if !interrupts.is_empty() || case.input.get("pendingInterrupts").is_some() {
            result["pendingInterrupts"] = values(interrupts);
        }
        for (key, list) in [
            ("finished", session.finished),
            ("newMessages", session.new_messages),
            ("newToolCalls", session.new_calls),
        ] {
            if !list.is_empty() {
                result[key] = list.into();
            }
        }
        match failed {
            None => result,
            Some((at, error)) => failure(json!(at), error.rule().unwrap().as_str(), result),
        }
    });
}
