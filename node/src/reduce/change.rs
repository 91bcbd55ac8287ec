//! Changes of a conversation as they cross: `lib/reduce/changes.cts` reads them.

use ag_ui_native::bindings::json::Writer;
use ag_ui_native::bindings::patch::{MAX_SCALAR_PARTS, ScalarEdit, Token, scalar_edits};
use ag_ui_native::bindings::reduce::{Arranged, Change, ChangeKind, Place, RunEnd};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::to_value;
use ag_ui_native::{Limits, Object, Value};

use crate::border::{CHANGE_WIDTH, END, MAX_CHANGES, MEMBER_SHIFT, Part};
use crate::engine::output::{OutputBuffer, to_u32};
use crate::error::number;

/// The maximum number of marks in a buffer: `lib/native/engine.cts` has room for as many. A full buffer is handed over.
const ROOM: usize = (MAX_CHANGES * CHANGE_WIDTH) as usize;

/// The buffer is also handed over at this many bytes of text: a string of JavaScript ends at half a gigabyte.
const MUCH_TEXT: usize = 16 * 1024 * 1024;

impl OutputBuffer {
    /// True if no further change has room.
    pub fn is_full(&self) -> bool {
        self.marks.len() + CHANGE_WIDTH as usize * (1 + MAX_SCALAR_PARTS) > ROOM
            || self.text.out.len() > MUCH_TEXT
    }

    /// Writes a change that the event at `index` makes.
    pub fn change(&mut self, index: usize, change: &Change, limits: &Limits) {
        if let Change::PatchState { operations, incomplete } = change
            && let Some(operations) = scalar_edits(operations, limits)
        {
            operations.for_each(|operation| self.operation(operation));
            return self.row(head(change), index, 0, u32::from(*incomplete));
        }
        let (slot, call) = write(change, &mut self.text);
        self.row(head(change), index, to_u32(slot), to_u32(call));
    }

    /// Writes an operation in parts that JavaScript carries out directly.
    fn operation(&mut self, operation: ScalarEdit<'_>) {
        self.text.out.push_str(operation.path);
        self.row(Part::Operation.code(), 0, u32::from(operation.replaces), 0);
        for step in operation.steps() {
            let mut place = 0;
            match step {
                Token::Name(name) => self.text.out.push_str(&name),
                Token::End => place = END,
                Token::Index(index) => match u32::try_from(index) {
                    Ok(item) if item < END - 1 => place = item + 1,
                    // No list is that long.
                    _ => self.text.uint(index as u64),
                },
            }
            self.row(Part::Step.code(), 0, place, 0);
        }
        match operation.value {
            Value::String(text) => self.text.out.push_str(text),
            value => self.text.value(value),
        }
        self.row(Part::Value.code(), 0, u32::from(operation.value.as_str().is_some()), 0);
    }

    fn row(&mut self, head: u32, index: usize, slot: u32, call: u32) {
        self.marks.extend([head, to_u32(index), slot, call]);
        self.end_piece();
    }

    /// Writes that a patch did not apply, and that the conversation continues without it.
    pub fn patch_failed(&mut self, index: usize, patch: &Change) {
        let (slot, is_content) = match patch {
            Change::PatchContent { slot, .. } => (*slot, 1),
            _ => (0, 0),
        };
        if let Change::PatchContent { operations, .. } | Change::PatchState { operations, .. } = patch {
            operations.write(&mut self.text);
        }
        self.row(ChangeKind::PatchFailed as u32, index, to_u32(slot), is_content);
    }
}

/// The kind of a change, and the member that it changes.
fn head(change: &Change) -> u32 {
    change.kind() as u32 | change.member().map_or(0, |member| (member as u32) << MEMBER_SHIFT)
}

/// Writes the piece of a change, and returns its slot (or position) and its call.
fn write(change: &Change, text: &mut Writer) -> (usize, usize) {
    match change {
        Change::Insert { position, message, .. } => {
            message.write(text);
            (*position, 0)
        }
        Change::Replace { slot, message } => {
            message.write(text);
            (*slot, 0)
        }
        Change::Arrange(arranged) => {
            let mut list = text.list();
            for entry in arranged {
                match entry {
                    Arranged::Kept(slot) => list.input(&number(*slot)),
                    Arranged::New(message) => list.item(message),
                }
            }
            list.end();
            (0, 0)
        }
        Change::AddCall { slot, call } => {
            call.write(text);
            (*slot, 0)
        }
        Change::Append { place, text: appended } => {
            text.out.push_str(appended);
            at(*place)
        }
        Change::Set { place, value, .. } => {
            if let Some(value) = value {
                text.text(value);
            }
            at(*place)
        }
        Change::SetContent { slot, content } => {
            text.dict(content);
            (*slot, 0)
        }
        Change::Merge { place, metadata } => {
            text.dict(metadata);
            at(*place)
        }
        Change::PatchContent { slot, operations, activity_type } => {
            let mut pair = text.list();
            pair.item(operations);
            pair.item(activity_type);
            pair.end();
            (*slot, 0)
        }
        Change::SetState(state) => {
            text.value(state);
            (0, 0)
        }
        Change::PatchState { operations, incomplete } => {
            operations.write(text);
            (0, usize::from(*incomplete))
        }
        Change::SetInterrupts(interrupts) => {
            interrupts.write(text);
            (0, 0)
        }
        Change::MessageEnded(slot) => (*slot, 0),
        Change::CallEnded(slot, call) => (*slot, call + 1),
        Change::RunFinished { end, usage } => {
            let mut end = run_end(end);
            if let Some(usage) = usage {
                end.insert("usage", to_value(usage));
            }
            text.value(&end.into());
            (0, 0)
        }
        Change::RunFailed { message, code, usage } => {
            let mut failure = Object::from_iter([("message", message.clone())]);
            if let Some(code) = code {
                failure.insert("code", code.clone());
            }
            if let Some(usage) = usage {
                failure.insert("usage", to_value(usage));
            }
            text.dict(&failure);
            (0, 0)
        }
    }
}

fn at(place: Place) -> (usize, usize) {
    match place {
        Place::Message(slot) => (slot, 0),
        Place::Call(slot, call) => (slot, call + 1),
    }
}

fn run_end(end: &RunEnd) -> Object {
    match end {
        RunEnd::Success { result, pending_tool_call_ids } => {
            let mut success = Object::from_iter([("outcome", "success")]);
            if let Some(result) = result {
                success.insert("result", result.clone());
            }
            success.insert("pendingToolCallIds", pending_tool_call_ids.clone());
            success
        }
        RunEnd::Interrupt(_) => Object::from_iter([("outcome", "interrupt")]),
        RunEnd::Cancelled => Object::from_iter([("outcome", "cancelled")]),
    }
}
