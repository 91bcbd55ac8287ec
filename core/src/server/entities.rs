//! The open entities of a writer.

use super::frame_buffer::Template;
use crate::types::{
    Event, EventType, ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent,
};
use crate::verify::{EntityKind, EventVerifier};

/// A handle of a message, tool call, step or subagent. It stays valid as a value when the entity is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entity {
    kind: EntityKind,
    slot: u32,
    generation: u32,
}

impl Entity {
    /// The kind of the entity.
    #[doc(hidden)]
    pub fn kind(self) -> EntityKind {
        self.kind
    }

    /// The type of the event that appends to the entity.
    pub(super) fn continued_by(self) -> Option<EventType> {
        match self.kind {
            EntityKind::TextMessage => Some(EventType::TextMessageContent),
            EntityKind::ReasoningMessage => Some(EventType::ReasoningMessageContent),
            EntityKind::ToolCall => Some(EventType::ToolCallArgs),
            EntityKind::ReasoningSpan | EntityKind::Step | EntityKind::Subagent => None,
        }
    }

    /// The handle as a number that a double holds exactly, for hosts.
    #[doc(hidden)]
    pub fn number(self) -> u64 {
        let place = EntityKind::ALL.iter().position(|&kind| kind == self.kind).unwrap_or_default() as u64;
        (u64::from(self.generation) << SLOT_BITS | u64::from(self.slot)) << KIND_BITS | place
    }

    /// The handle with this number, see [`number`](Self::number). Other numbers give a handle of no open entity.
    #[doc(hidden)]
    #[allow(clippy::cast_possible_truncation)] // Only the needed bits are kept.
    pub fn from_number(number: u64) -> Option<Self> {
        let kind = *EntityKind::ALL.get((number & ((1 << KIND_BITS) - 1)) as usize)?;
        let slot = (number >> KIND_BITS & ((1 << SLOT_BITS) - 1)) as u32;
        let generation = (number >> (KIND_BITS + SLOT_BITS)) as u32 & MAX_GENERATION;
        Some(Self { kind, slot, generation })
    }
}

const KIND_BITS: u32 = 3;
const SLOT_BITS: u32 = 24;
/// The highest generation of a slot. After it, a stale entity could be taken for a new one.
const MAX_GENERATION: u32 = (1 << 26) - 1;

/// An open entity.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub kind: EntityKind,
    /// The id of the entity; of a step its name.
    pub id: String,
    /// The id of the subagent invocation that it belongs to.
    pub tag: Option<String>,
    /// The template of the event that appends to it.
    addition: Option<Addition>,
    /// True if the reasoning span with the same id ends with it.
    pub spans: bool,
    /// The value of `possible_ends` when the entity was last known to be open.
    seen: u64,
}

/// The event that appends to a message or tool call.
#[derive(Clone, Debug)]
struct Addition {
    /// The event with an empty delta.
    event: Event,
    template: Template,
}

impl Open {
    /// The entity that `event` opens.
    pub fn by(event: &Event) -> Option<Self> {
        let addition = |mut event: Event, tag: &Option<String>| {
            if let Some(own) = event.subagent_run_id_mut() {
                own.clone_from(tag);
            }
            Some(Addition { template: Template::of(&event), event })
        };
        let (kind, id, addition) = match event {
            Event::TextMessageStart(e) => {
                let content = TextMessageContentEvent::new(&e.message_id, "");
                (EntityKind::TextMessage, &e.message_id, addition(content.into(), &e.subagent_run_id))
            }
            Event::ReasoningMessageStart(e) => {
                let content = ReasoningMessageContentEvent::new(&e.message_id, "");
                (EntityKind::ReasoningMessage, &e.message_id, addition(content.into(), &e.subagent_run_id))
            }
            Event::ToolCallStart(e) => {
                let arguments = ToolCallArgsEvent::new(&e.tool_call_id, "");
                (EntityKind::ToolCall, &e.tool_call_id, addition(arguments.into(), &e.subagent_run_id))
            }
            Event::ReasoningStart(e) => (EntityKind::ReasoningSpan, &e.message_id, None),
            Event::StepStarted(e) => (EntityKind::Step, &e.step_name, None),
            Event::SubagentStarted(e) => (EntityKind::Subagent, &e.subagent_run_id, None),
            _ => return None,
        };
        let tag = match event {
            Event::SubagentStarted(e) => e.parent_subagent_run_id.as_deref(),
            event => event.subagent_run_id(),
        };
        let tag = tag.map(str::to_owned);
        Some(Self { kind, id: id.clone(), tag, addition, spans: false, seen: 0 })
    }
}

/// The open entities, in slots that are reused.
#[derive(Debug, Default)]
pub(super) struct OpenEntities {
    /// The generation of each slot, and its entity.
    places: Vec<(u32, Option<Open>)>,
    free: Vec<u32>,
    /// Counts the events that may have closed an entity: `seen` is outdated if it is less.
    possible_ends: u64,
}

impl OpenEntities {
    pub fn insert(&mut self, open: Open) -> Entity {
        let (kind, open) = (open.kind, Some(Open { seen: self.possible_ends, ..open }));
        let slot = self.free.pop().unwrap_or_else(|| {
            self.places.push((0, None));
            // The limits keep the number of open entities far below this.
            u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
        });
        let (generation, place) = &mut self.places[slot as usize];
        *place = open;
        Entity { kind, slot, generation: *generation }
    }

    /// Returns the template of an entity that is open and has text.
    #[inline]
    pub fn writable(&mut self, entity: Entity, verifier: &EventVerifier) -> Option<&Template> {
        let possible_ends = self.possible_ends;
        let open = self.at(entity)?;
        let addition = open.addition.as_ref()?;
        if open.seen != possible_ends {
            verifier.judge(&addition.event).ok()?;
            open.seen = possible_ends;
        }
        Some(&addition.template)
    }

    /// Returns the event that appends to an entity, unless it was taken.
    pub fn addition(&mut self, entity: Entity) -> Option<&Event> {
        Some(&self.at(entity)?.addition.as_ref()?.event)
    }

    #[inline]
    fn at(&mut self, entity: Entity) -> Option<&mut Open> {
        let (generation, place) = self.places.get_mut(entity.slot as usize)?;
        place.as_mut().filter(|_| *generation == entity.generation)
    }

    /// Takes an entity from its slot. Returns it if it is still open.
    pub fn take(&mut self, entity: Entity, verifier: &EventVerifier) -> Option<Open> {
        let open = self.at(entity)?;
        let is_open = verifier.is_open(open.kind, &open.id, open.tag.as_deref());
        let (generation, place) = self.places.get_mut(entity.slot as usize)?;
        let open = place.take()?;
        *generation = (*generation + 1) & MAX_GENERATION;
        self.free.push(entity.slot);
        is_open.then_some(open)
    }

    /// Returns an open subagent that the subagent `id` has invoked.
    pub fn subagent_of(&self, id: &str) -> Option<Entity> {
        let mut places = self.places.iter().zip(0..);
        places.find_map(|((generation, place), slot)| {
            let open = place.as_ref()?;
            let is_child = open.kind == EntityKind::Subagent && open.tag.as_deref() == Some(id);
            is_child.then_some(Entity { kind: open.kind, slot, generation: *generation })
        })
    }

    /// Notes that an event may have closed open entities.
    pub fn note_possible_end(&mut self) {
        self.possible_ends += 1;
    }

    /// Removes all entities.
    pub fn clear(&mut self) {
        for (slot, (generation, place)) in (0..).zip(&mut self.places) {
            if place.take().is_some() {
                *generation = (*generation + 1) & MAX_GENERATION;
                self.free.push(slot);
            }
        }
    }
}

/// Returns the id of the entity that an event opens; empty for other events.
pub(super) fn opened_id(event: &Event) -> &str {
    match event {
        Event::TextMessageStart(e) => &e.message_id,
        Event::ReasoningStart(e) => &e.message_id,
        Event::ReasoningMessageStart(e) => &e.message_id,
        Event::ToolCallStart(e) => &e.tool_call_id,
        Event::StepStarted(e) => &e.step_name,
        Event::SubagentStarted(e) => &e.subagent_run_id,
        _ => "",
    }
}
