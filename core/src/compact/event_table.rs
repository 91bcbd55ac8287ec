//! The table of a list of events: their kinds, and their ids, tags and names as numbers. Compaction decides from this table alone,
//! so a host with its own events hands over numbers and gets a plan.

use super::numbers::{ASSISTANT, EMPTY, NONE, Number, Numbers};
use super::row::{Kind, List, Row};
use crate::types::{Event, Message, TextMessageRole};

/// A list of events as numbers.
#[derive(Clone, Debug, Default)]
pub struct EventTable {
    /// The events. Adjacent events that compaction treats as one share a row.
    pub rows: Vec<Row>,
    /// The messages of snapshots and of inputs of runs, one after the other: for each its role, its id, the number of its
    /// calls, and their ids.
    pub listed: Vec<Number>,
    /// The number of strings that have a number.
    pub count: usize,
    /// True if the table has the lists of messages, and one number for each string. In other tables only neighbours can
    /// be compared.
    pub is_full: bool,
}

/// A message of a list.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'o> {
    pub role: Number,
    pub id: Number,
    calls: &'o [Number],
}

impl<'o> Listed<'o> {
    /// Returns the ids of its calls. Only messages of the assistant have calls.
    pub fn calls(&self) -> &'o [Number] {
        if self.role == ASSISTANT { self.calls } else { &[] }
    }
}

impl EventTable {
    /// Returns the table of `events`. A table that is not full leaves out lists of messages.
    pub fn of(events: &[Event], is_full: bool) -> Self {
        let mut numbers = Numbers::default();
        let mut table = Self { rows: Vec::with_capacity(events.len()), is_full, ..Self::default() };
        for event in events {
            let list = list_of(event).map_or(List::ABSENT, |messages| {
                if is_full { table.list(messages, &mut numbers) } else { List::ABSENT }
            });
            table.rows.push(row(event, list, &mut numbers));
        }
        table.count = numbers.count();
        table
    }

    /// Adds a list of messages.
    fn list<'e>(&mut self, messages: &'e [Message], numbers: &mut Numbers<'e>) -> List {
        let start = self.listed.len();
        for message in messages {
            let calls = message.tool_calls();
            let count = Number::try_from(calls.len()).unwrap_or(Number::MAX);
            self.listed.extend([numbers.of(message.tag()), numbers.of(message.id()), count]);
            self.listed.extend(calls.iter().map(|call| numbers.of(&call.id)));
        }
        List::of(start, self.listed.len())
    }

    /// True if there are chunks among the events.
    pub fn has_chunks(&self) -> bool {
        self.rows.iter().any(|row| row.kind == Kind::Chunk)
    }

    /// Returns the messages of a list. Messages that the host did not hand over are missing.
    pub fn messages(&self, list: List) -> impl Iterator<Item = Listed<'_>> {
        let mut rest = self.listed.get(list.range()).unwrap_or_default();
        std::iter::from_fn(move || {
            let [role, id, count, behind @ ..] = rest else { return None };
            let (calls, behind) = behind.split_at_checked(*count as usize)?;
            rest = behind;
            Some(Listed { role: *role, id: *id, calls })
        })
    }
}

fn list_of(event: &Event) -> Option<&[Message]> {
    match event {
        Event::MessagesSnapshot(event) => Some(&event.messages),
        Event::RunStarted(event) => event.input.as_ref().map(|input| input.messages.as_slice()),
        _ => None,
    }
}

/// Returns the row of one event.
fn row<'e>(event: &'e Event, list: List, numbers: &mut Numbers<'e>) -> Row {
    let mut number = |text: Option<&'e str>| text.map_or(NONE, |text| numbers.of(text));
    let (kind, id) = match event {
        Event::TextMessageStart(e) => {
            let role = e.role.map(TextMessageRole::as_str);
            (Kind::TextStart { role: number(role), name: number(e.name.as_deref()) }, e.message_id.as_str())
        }
        Event::TextMessageContent(e) => (Kind::TextDelta, e.message_id.as_str()),
        Event::TextMessageEnd(e) => (Kind::TextEnd, e.message_id.as_str()),
        Event::ToolCallStart(e) => {
            (Kind::CallStart { parent: number(e.parent_message_id.as_deref()) }, e.tool_call_id.as_str())
        }
        Event::ToolCallArgs(e) => (Kind::CallDelta, e.tool_call_id.as_str()),
        Event::ToolCallEnd(e) => (Kind::CallEnd, e.tool_call_id.as_str()),
        Event::ToolCallResult(e) => {
            (Kind::Result { call: number(Some(&e.tool_call_id)) }, e.message_id.as_str())
        }
        Event::ReasoningMessageStart(e) => (Kind::ReasoningStart, e.message_id.as_str()),
        Event::ReasoningMessageContent(e) => (Kind::Addition, e.message_id.as_str()),
        Event::ReasoningMessageEnd(e) => (Kind::Addition, e.message_id.as_str()),
        Event::ReasoningEncryptedValue(e) => (Kind::EncryptedValue, e.entity_id.as_str()),
        Event::ActivitySnapshot(e) => {
            (Kind::Activity { replaces: e.replace != Some(false) }, e.message_id.as_str())
        }
        Event::ActivityDelta(e) => (Kind::Addition, e.message_id.as_str()),
        Event::MessagesSnapshot(_) => (Kind::Messages(list), ""),
        Event::RunStarted(_) => (Kind::RunStart(list), ""),
        Event::RunFinished(_) | Event::RunError(_) => (Kind::RunEnd, ""),
        Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => {
            (Kind::Chunk, "")
        }
        Event::StateSnapshot(_) => (Kind::StateSnapshot, ""),
        Event::StateDelta(_) => (Kind::StateDelta, ""),
        _ => (Kind::Other, ""),
    };
    Row {
        kind,
        id: if id.is_empty() { EMPTY } else { number(Some(id)) },
        tag: number(event.subagent_run_id()),
        has_metadata: event.metadata().is_some(),
        is_dressed: is_dressed(event),
    }
}

/// True if a delta or a state has members that a replay does not need.
fn is_dressed(event: &Event) -> bool {
    macro_rules! is_dressed {
        ($event:ident) => {
            $event.timestamp.is_some() || $event.raw_event.is_some() || !$event.extra.is_empty()
        };
    }
    match event {
        Event::TextMessageContent(event) => is_dressed!(event),
        Event::ToolCallArgs(event) => is_dressed!(event),
        Event::StateSnapshot(event) => is_dressed!(event),
        _ => false,
    }
}
