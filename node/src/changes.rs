//! Changes of a conversation as they cross: `lib/changes.cts` reads them.

use ag_ui_native::json::Writer;
use ag_ui_native::patch::{Direct, MAX_DIRECT_PARTS, Step, direct};
use ag_ui_native::reduce::{Arranged, Change, Member, Place, RunEnd};
use ag_ui_native::schema::FieldType;
use ag_ui_native::{Limits, Object, Value};

use crate::problems::number;
use crate::tape::{Tape, to_u32};

/// Marks of a change: kind, index of the event, slot (of an inserted message: its place), call, and the end of its piece
/// of text. Calls count from 1; 0 is the message itself.
const WIDTH: usize = 5;

/// The tape is handed over before there are more marks than this on it: `lib/engine.cts` has room for as many.
const ROOM: usize = 256 * WIDTH;

/// And when there is more text than this on it, in bytes: strings of JavaScript end at half a gigabyte.
const MUCH_TEXT: usize = 16 * 1024 * 1024;

/// What happens. The order is that of `kinds` in `lib/changes.cts`.
#[derive(Clone, Copy, Debug)]
enum Kind {
    MessageInserted,
    MessageReplaced,
    MessagesArranged,
    MessageEnded,
    CallAdded,
    CallEnded,
    TextAppended,
    MemberSet,
    ContentSet,
    ContentPatched,
    MetadataMerged,
    StateSet,
    StatePatched,
    PatchFailed,
    InterruptsSet,
    RunFinished,
    RunFailed,
    /// Not a change: an operation of the patch that follows. The slot is 1 for one that replaces, the piece its path.
    Operation,
    /// A step of the operation's path: the place of an item from 1, or `END`; and the name of a member, unless that is
    /// the item's index.
    Step,
    /// The operation's value. The slot is 1 for a string, 0 for JSON text.
    Value,
}

/// The place of an item that is to be behind all others.
const END: u32 = u32::MAX;

impl Tape {
    /// Whether no further change has room.
    pub fn is_full(&self) -> bool {
        self.marks.len() + WIDTH * (1 + MAX_DIRECT_PARTS) > ROOM || self.text.out.len() > MUCH_TEXT
    }

    /// Writes a change that the event at `index` makes.
    pub fn change(&mut self, index: usize, change: &Change, limits: &Limits) {
        if let Change::PatchState { operations, incomplete } = change
            && let Some(operations) = direct(operations, limits)
        {
            operations.for_each(|operation| self.operation(operation));
            return self.row(Kind::StatePatched, index, 0, u32::from(*incomplete));
        }
        let (kind, slot, call) = write(change, &mut self.text);
        self.row(kind, index, to_u32(slot), to_u32(call));
    }

    /// Writes an operation in parts, which JavaScript can carry out as they are.
    fn operation(&mut self, operation: Direct<'_>) {
        self.text.out.push_str(operation.path);
        self.row(Kind::Operation, 0, u32::from(operation.replaces), 0);
        for step in operation.steps() {
            let mut place = 0;
            match step {
                Step::Name(name) => self.text.out.push_str(&name),
                Step::End => place = END,
                Step::Index(index) => match u32::try_from(index) {
                    Ok(item) if item < END - 1 => place = item + 1,
                    // No list is that long.
                    _ => self.text.uint(index as u64),
                },
            }
            self.row(Kind::Step, 0, place, 0);
        }
        match operation.value {
            Value::String(text) => self.text.out.push_str(text),
            value => self.text.value(value),
        }
        self.row(Kind::Value, 0, u32::from(operation.value.as_str().is_some()), 0);
    }

    fn row(&mut self, kind: Kind, index: usize, slot: u32, call: u32) {
        self.marks.extend([kind as u32, to_u32(index), slot, call]);
        self.end_piece();
    }

    /// Writes that a patch did not apply and that the conversation goes on without it.
    pub fn patch_failed(&mut self, index: usize, patch: &Change) {
        let (slot, is_content) = match patch {
            Change::PatchContent { slot, .. } => (*slot, 1),
            _ => (0, 0),
        };
        if let Change::PatchContent { operations, .. } | Change::PatchState { operations, .. } = patch {
            operations.write(&mut self.text);
        }
        self.row(Kind::PatchFailed, index, to_u32(slot), is_content);
    }
}

/// Writes the piece of a change, and returns its kind, its slot (or position) and its call.
fn write(change: &Change, text: &mut Writer) -> (Kind, usize, usize) {
    match change {
        Change::Insert { position, message, .. } => {
            message.write(text);
            (Kind::MessageInserted, *position, 0)
        }
        Change::Replace { slot, message } => {
            message.write(text);
            (Kind::MessageReplaced, *slot, 0)
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
            (Kind::MessagesArranged, 0, 0)
        }
        Change::AddCall { slot, call } => {
            call.write(text);
            (Kind::CallAdded, *slot, 0)
        }
        Change::Append { place, text: appended } => {
            text.out.push_str(appended);
            at(Kind::TextAppended, *place)
        }
        Change::Set { place, member, value } => {
            let mut pair = text.list();
            pair.input(&Value::from(name_of(*member, *place)));
            if let Some(value) = value {
                pair.item(value);
            }
            pair.end();
            at(Kind::MemberSet, *place)
        }
        Change::SetContent { slot, content } => {
            text.dict(content);
            (Kind::ContentSet, *slot, 0)
        }
        Change::Merge { place, metadata } => {
            text.dict(metadata);
            at(Kind::MetadataMerged, *place)
        }
        Change::PatchContent { slot, operations, activity_type } => {
            let mut pair = text.list();
            pair.item(operations);
            pair.item(activity_type);
            pair.end();
            (Kind::ContentPatched, *slot, 0)
        }
        Change::SetState(state) => {
            text.value(state);
            (Kind::StateSet, 0, 0)
        }
        Change::PatchState { operations, incomplete } => {
            operations.write(text);
            (Kind::StatePatched, 0, usize::from(*incomplete))
        }
        Change::SetInterrupts(interrupts) => {
            interrupts.write(text);
            (Kind::InterruptsSet, 0, 0)
        }
        Change::MessageEnded(slot) => (Kind::MessageEnded, *slot, 0),
        Change::CallEnded(slot, call) => (Kind::CallEnded, *slot, call + 1),
        Change::RunFinished(end) => {
            text.value(&run_end(end).into());
            (Kind::RunFinished, 0, 0)
        }
        Change::RunFailed { message, code } => {
            let code = code.iter().map(|code| ("code", code.clone()));
            let failure: Object = std::iter::once(("message", message.clone())).chain(code).collect();
            text.dict(&failure);
            (Kind::RunFailed, 0, 0)
        }
    }
}

fn at(kind: Kind, place: Place) -> (Kind, usize, usize) {
    match place {
        Place::Message(slot) => (kind, slot, 0),
        Place::Call(slot, call) => (kind, slot, call + 1),
    }
}

fn name_of(member: Member, place: Place) -> &'static str {
    match (member, place) {
        (Member::Text, Place::Message(_)) => "content",
        (Member::Text, Place::Call(..)) => "arguments",
        (Member::Name, _) => "name",
        (Member::EncryptedValue, _) => "encryptedValue",
        (Member::ActivityType, _) => "activityType",
        (Member::SubagentRunId, _) => "subagentRunId",
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
