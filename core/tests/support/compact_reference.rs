//! The reference's compaction, as a model.

use ag_ui_native::bindings::{metadata, patch};
use ag_ui_native::types::{Event, StateSnapshotEvent, TextMessageContentEvent, ToolCallArgsEvent};
use ag_ui_native::{Limits, Object};

/// The algorithm of the reference, as the specification describes it: buffers in lists, searched from the start each
/// time.
#[derive(Default)]
pub struct Reference {
    texts: Vec<Buffer>,
    tools: Vec<Buffer>,
    state: Vec<Event>,
    out: Vec<Event>,
}

#[derive(Default)]
struct Buffer {
    id: String,
    start: Option<Event>,
    deltas: Vec<String>,
    later: Option<Object>,
    end: Option<Event>,
    others: Vec<Event>,
}

fn set_metadata(event: &mut Event, metadata: Option<Object>) {
    match event {
        Event::TextMessageStart(event) => event.metadata = metadata,
        Event::ToolCallStart(event) => event.metadata = metadata,
        _ => {}
    }
}

impl Reference {
    pub fn compact(events: &[Event]) -> Vec<Event> {
        let mut reference = Self::default();
        for event in events {
            reference.push(event);
        }
        for buffer in std::mem::take(&mut reference.texts) {
            reference.write(buffer, true);
        }
        for buffer in std::mem::take(&mut reference.tools) {
            reference.write(buffer, false);
        }
        reference.write_state();
        reference.out
    }

    fn push(&mut self, event: &Event) {
        let (is_text, id) = match event {
            Event::TextMessageStart(e) => (true, &e.message_id),
            Event::TextMessageContent(e) => (true, &e.message_id),
            Event::TextMessageEnd(e) => (true, &e.message_id),
            Event::ToolCallStart(e) => (false, &e.tool_call_id),
            Event::ToolCallArgs(e) => (false, &e.tool_call_id),
            Event::ToolCallEnd(e) => (false, &e.tool_call_id),
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => {
                self.write_state();
                return self.out.push(event.clone());
            }
            Event::StateSnapshot(_) | Event::StateDelta(_) => return self.state.push(event.clone()),
            _ => {
                let holder =
                    self.texts.iter_mut().chain(&mut self.tools).find(|buffer| buffer.start.is_some());
                let out = holder.map_or(&mut self.out, |buffer| &mut buffer.others);
                return out.push(event.clone());
            }
        };
        let buffers = if is_text { &mut self.texts } else { &mut self.tools };
        let place = buffers.iter().position(|buffer| buffer.id == *id).unwrap_or_else(|| {
            buffers.push(Buffer { id: id.clone(), ..Buffer::default() });
            buffers.len() - 1
        });
        let buffer = &mut buffers[place];
        match event {
            Event::TextMessageStart(_) | Event::ToolCallStart(_) => {
                let known = buffer.start.as_ref().and_then(|start| start.metadata().cloned());
                let mut start = event.clone();
                if buffer.deltas.is_empty() {
                    set_metadata(&mut start, metadata::merge(known.as_ref(), event.metadata()));
                } else {
                    set_metadata(&mut start, known);
                    buffer.later = metadata::merge(buffer.later.as_ref(), event.metadata());
                }
                buffer.start = Some(start);
            }
            Event::TextMessageContent(TextMessageContentEvent { delta, .. })
            | Event::ToolCallArgs(ToolCallArgsEvent { delta, .. }) => {
                buffer.deltas.push(delta.clone());
                buffer.later = metadata::merge(buffer.later.as_ref(), event.metadata());
            }
            _ => {
                buffer.end = Some(event.clone());
                let buffer = buffers.remove(place);
                self.write(buffer, is_text);
            }
        }
    }

    fn write(&mut self, buffer: Buffer, is_text: bool) {
        self.out.extend(buffer.start);
        let (delta, metadata, id) = (buffer.deltas.concat(), buffer.later, buffer.id);
        if !buffer.deltas.is_empty() {
            self.out.push(if is_text {
                let mut event = TextMessageContentEvent::new(id, delta);
                event.metadata = metadata;
                event.into()
            } else {
                let mut event = ToolCallArgsEvent::new(id, delta);
                event.metadata = metadata;
                event.into()
            });
        }
        self.out.extend(buffer.end);
        self.out.extend(buffer.others);
    }

    fn write_state(&mut self) {
        let state = std::mem::take(&mut self.state);
        let Some(last) = state.iter().rposition(|event| matches!(event, Event::StateSnapshot(_))) else {
            return self.out.extend(state);
        };
        let mut folded = StateSnapshotEvent::default();
        for event in &state {
            folded.metadata = metadata::merge(folded.metadata.as_ref(), event.metadata());
        }
        for event in &state[last..] {
            match event {
                Event::StateSnapshot(event) => folded.snapshot = event.snapshot.clone(),
                Event::StateDelta(event) => {
                    let mut patched = folded.snapshot.clone();
                    if patch::apply(&mut patched, &event.delta, &Limits::default()).is_ok() {
                        folded.snapshot = patched;
                    }
                }
                _ => {}
            }
        }
        self.out.push(folded.into());
    }
}
