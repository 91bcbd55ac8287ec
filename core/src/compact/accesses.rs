//! The resources that each event reads and writes, in a replay and in verification.

use super::event_table::EventTable;
use super::known_messages::{KnownMessages, MessageKind};
use super::numbers::{ASSISTANT, EMPTY, NONE, Number, REASONING};
use super::row::{Kind, Part, Row};
use super::stamped_map::StampedMap;

/// A resource that events read and write, in a replay or in verification, by number.
pub type Resource = usize;

/// All messages and calls together.
const CONVERSATION: Resource = 0;
/// The set of messages and their order.
const LIST: Resource = 1;
/// The order in which calls begin.
const CALLS: Resource = 2;
/// The order of all events outside of streams.
const OTHERS: Resource = 3;

macro_rules! things_of_ids {
    ($($(#[$doc:meta])+ $name:ident = $place:literal;)+) => {
        $($(#[$doc])+
        fn $name(id: Number) -> Resource {
            4 + 6 * id as usize + $place
        })+
    };
}

things_of_ids! {
    /// The existence and the kind of a message.
    message = 0;
    /// The subagent that a message belongs to.
    owner = 1;
    /// The start of a message.
    start = 2;
    /// A message's text and metadata.
    text = 3;
    /// The existence of a call, its message, and its owner.
    call = 4;
    /// A call's arguments, name and metadata.
    arguments = 5;
}

/// Returns the number of resources for this many numbers.
pub fn resources(numbers: usize) -> usize {
    4 + 6 * numbers
}

/// One access to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write(Trace),
}

/// The result of a write. Events that would write equal results are interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// A result that only this event writes.
    Event(usize),
    /// A new message.
    Made(MessageShape),
    /// A claim on a message by a subagent or the agent itself.
    Claim(Number),
}

/// A message after its first delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageShape {
    id: Number,
    role: Number,
    name: Number,
    tag: Number,
    has_content: bool,
}

/// The accesses of an event.
pub type Touched = Vec<(Resource, Access)>;

/// Computes the accesses of events in order. They depend on the messages and calls that certainly
/// exist when the event arrives.
#[derive(Debug)]
pub struct Accesses<'o> {
    table: &'o EventTable,
    known: KnownMessages,
    /// The effect of later events on starts, by the rows of the starts.
    starts: StampedMap<Start>,
    /// The start of each stream that is open.
    open: StampedMap<usize>,
    /// The last claim on each message.
    claims: StampedMap<Number>,
    index: usize,
    touched: Touched,
}

/// The effect of later events on a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Start {
    #[default]
    Bare,
    /// The message gets a delta.
    Filled,
    /// The stream is open already.
    Repeated,
}

impl<'o> Accesses<'o> {
    /// Creates the accesses for the events of a table.
    pub fn new(table: &'o EventTable) -> Self {
        Self {
            table,
            known: KnownMessages::new(table.count),
            starts: StampedMap::new(table.rows.len()),
            open: StampedMap::new(2 * table.count),
            claims: StampedMap::new(table.count),
            index: 0,
            touched: Vec::new(),
        }
    }

    /// Runs `work` for the events at `order`, with the knowledge so far. Then removes the knowledge that `work` has
    /// added.
    pub fn tried<R>(&mut self, order: &[usize], work: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.known.mark();
        self.begin(order);
        let result = work(self);
        self.known.go_back(mark);
        result
    }

    /// Adds the knowledge from the events at `order`.
    pub fn learn(&mut self, order: &[usize]) {
        self.begin(order);
        let mut touched = Vec::new();
        for &index in order {
            self.of(index, &mut touched);
        }
    }

    /// Adds the knowledge from an event that keeps its place.
    pub fn pass(&mut self, index: usize) {
        self.known.pass(&self.table.rows[index], self.table);
    }

    fn begin(&mut self, order: &[usize]) {
        self.starts.clear();
        self.open.clear();
        self.claims.clear();
        for &index in order {
            match self.table.rows[index].part() {
                Some((stream, Part::Start)) if self.open.get(stream).is_some() => {
                    self.starts.set(index, Start::Repeated);
                }
                Some((stream, Part::Start)) => _ = self.open.set(stream, index),
                Some((stream, Part::Delta)) => {
                    if let Some(start) = self.open.get(stream) {
                        self.starts.set(start, Start::Filled);
                    }
                }
                Some((stream, Part::End)) => _ = self.open.remove(stream),
                None => {}
            }
        }
    }

    /// Computes the accesses of the next event, the one at `index`, into `touched`.
    pub fn of(&mut self, index: usize, touched: &mut Touched) {
        self.index = index;
        self.touched = std::mem::take(touched);
        self.touched.clear();
        let row = &self.table.rows[index];
        self.touch(row);
        if !self.touched.is_empty() {
            self.read(CONVERSATION);
        }
        if row.part().is_none() {
            self.write(OTHERS);
        }
        *touched = std::mem::take(&mut self.touched);
    }

    fn touch(&mut self, row: &Row) {
        let &Row { kind, id, tag, has_metadata, .. } = row;
        let minds = tag != NONE || has_metadata;
        match kind {
            Kind::TextStart { role, name } => {
                let has_content = self.starts.get(self.index) == Some(Start::Filled);
                let role = if role == NONE { ASSISTANT } else { role };
                self.make(MessageShape { id, role, name, tag, has_content });
                if let Some(MessageKind::Lasting | MessageKind::Any | MessageKind::Unsure) =
                    self.known.message(id)
                {
                    // This message replaces a reasoning message with its id.
                    self.write(message(id));
                    self.known.set_message(id, MessageKind::Begun);
                }
                self.claim(id, tag);
                self.write(start(id));
                self.merge(text(id), has_metadata);
            }
            Kind::TextDelta | Kind::Addition => self.append(id),
            Kind::TextEnd => {
                self.look(message(id), minds);
                self.merge(text(id), has_metadata);
            }
            Kind::CallStart { parent } => self.call(id, tag, parent),
            Kind::CallDelta => {
                self.read(call(id));
                self.write(arguments(id));
            }
            Kind::CallEnd => {
                self.look(call(id), minds);
                self.merge(arguments(id), has_metadata);
            }
            Kind::Result { call: answered } => {
                // A result that follows its call keeps that place when other messages are appended.
                if self.known.call(answered) != Some(true) {
                    self.write(LIST);
                }
                self.write(message(id));
                self.take(id, tag);
                self.read(call(answered));
                // It may come before another message with its id.
                self.known.set_message(id, MessageKind::Any);
            }
            Kind::ReasoningStart => {
                self.make(MessageShape { id, role: REASONING, name: NONE, tag, has_content: true });
                self.merge(text(id), has_metadata);
            }
            Kind::EncryptedValue => {
                self.read(message(id));
                self.read(call(id));
                // Until its start, verification looks for a reasoning message with this id.
                self.look(start(id), tag != NONE);
                self.look(owner(id), tag != NONE);
            }
            Kind::Activity { replaces } => self.activity(id, replaces),
            Kind::Messages(list) => {
                self.write(CONVERSATION);
                self.known.replace(list, self.table);
            }
            Kind::RunStart(_)
            | Kind::RunEnd
            | Kind::Chunk
            | Kind::StateSnapshot
            | Kind::StateDelta
            | Kind::Other => {}
        }
    }

    fn call(&mut self, id: Number, tag: Number, parent: Number) {
        let known = self.known.call(id);
        self.write(arguments(id));
        if self.is_repeated() && known == Some(true) {
            return self.read(call(id));
        }
        self.write(call(id));
        if !self.is_repeated() {
            self.write(CALLS);
            match parent {
                NONE => {}
                // Verification asks for the owner that the call had before, which may be another.
                _ if known.is_some() && tag == NONE => self.take(parent, tag),
                _ => self.claim(parent, tag),
            }
        }
        if known == Some(true) {
            return;
        }
        // Verification accepts an empty id as an id, a replay does not.
        let parent = Some(parent).filter(|&parent| parent != NONE && parent != EMPTY);
        self.known.set_call(id);
        if known == Some(false) {
            // The call may have existed, and then the event creates nothing.
            return [Some(id), parent].into_iter().flatten().for_each(|id| self.make_perhaps(id));
        }
        if let Some(parent) = parent {
            self.make(MessageShape { id: parent, role: ASSISTANT, name: NONE, tag, has_content: true });
        }
        // A parent that cannot hold calls gets none.
        if parent.is_none_or(|parent| self.known.message(parent) != Some(MessageKind::Assistant)) {
            self.make_perhaps(id);
        }
    }

    fn activity(&mut self, id: Number, replaces: bool) {
        self.append(id);
        self.write(message(id));
        match self.known.message(id) {
            Some(MessageKind::Lasting) => return,
            None if replaces => self.known.set_message(id, MessageKind::Lasting),
            None => self.known.set_message(id, MessageKind::Any),
            Some(_) if !replaces => {}
            Some(_) => {
                self.write(CONVERSATION);
                self.known.lose_calls();
                self.known.set_message(id, MessageKind::Lasting);
            }
        }
        self.write(LIST);
    }

    /// Creates a message, unless one with its id exists.
    fn make(&mut self, shape: MessageShape) {
        match self.known.message(shape.id) {
            None => {
                let made = Access::Write(Trace::Made(shape));
                self.touched.extend([(LIST, made), (message(shape.id), made)]);
                let is_reasoning = shape.role == REASONING;
                let kind = if is_reasoning { MessageKind::Any } else { MessageKind::Begun };
                self.known.set_message(shape.id, kind);
            }
            Some(MessageKind::Unsure) => self.make_perhaps(shape.id),
            Some(_) => {}
        }
        self.read(message(shape.id));
    }

    fn make_perhaps(&mut self, id: Number) {
        self.write(LIST);
        self.write(message(id));
        self.known.set_message(id, MessageKind::Unsure);
    }

    /// Claims the message for `tag`. The claim has no effect if the message has no owner.
    fn claim(&mut self, id: Number, tag: Number) {
        if self.is_repeated() {
            return;
        }
        if self.claims.set(id as usize, tag) != Some(tag) {
            self.touched.push((owner(id), Access::Write(Trace::Claim(tag))));
        }
        self.read(owner(id));
    }

    /// Makes `tag` the owner of the message.
    fn take(&mut self, id: Number, tag: Number) {
        self.write(owner(id));
        self.claims.set(id as usize, tag);
    }

    fn is_repeated(&self) -> bool {
        self.starts.get(self.index) == Some(Start::Repeated)
    }

    fn append(&mut self, id: Number) {
        self.read(message(id));
        self.write(text(id));
    }

    fn merge(&mut self, thing: Resource, has_metadata: bool) {
        if has_metadata {
            self.write(thing);
        }
    }

    fn look(&mut self, thing: Resource, minds: bool) {
        if minds {
            self.read(thing);
        }
    }

    fn read(&mut self, thing: Resource) {
        self.touched.push((thing, Access::Read));
    }

    fn write(&mut self, thing: Resource) {
        self.touched.push((thing, Access::Write(Trace::Event(self.index))));
    }
}
