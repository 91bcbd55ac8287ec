//! Compaction: a list of events made shorter that still says the same. Three things hold for every list: if it passes
//! verification, so does what it is compacted to; both reduce to the same messages and state, wherever a replay starts
//! (an id must not name one kind of thing there and another in the list); and compacting again changes nothing.

mod accesses;
mod compaction;
mod effects;
mod join;
mod known;
mod order;
mod state;
mod streams;

use accesses::Accesses;
pub use compaction::{Compacted, Compaction};
use known::KnownMessages;
use order::arrange;
use streams::{StreamPart, part};

use crate::expand::ChunkExpander;
use crate::types::Event;
use crate::verify::EventVerifier;

/// Joins the deltas of each text message and each tool call into one, and folds a state snapshot and the deltas behind
/// it into one snapshot. Chunks stay as they are, and nothing passes them; nor, where that would matter, what may
/// close them while they are open; expand them first to have them joined.
///
/// Events inside an open message move behind it, messages come out in the order of their ends, and the state comes last in
/// its run, as far as a replay cannot tell the difference. Nothing passes the beginning or the end of a run. What is
/// joined keeps its metadata and loses `timestamp` and `rawEvent`.
pub fn compact(events: &[Event]) -> Compaction {
    let compaction = compact_around(events, false);
    if !events.iter().any(is_chunk) || standing(events) <= standing(&compaction.clone().into_events(events)) {
        return compaction;
    }
    compact_around(events, true)
}

/// Compacts between the borders. With `still`, nothing passes anything while chunks are open: what comes may close them, or
/// belong to what they have opened.
fn compact_around(events: &[Event], still: bool) -> Compaction {
    let mut compaction = Compaction::default();
    let mut known = KnownMessages::default();
    let mut stretch = Stretch::default();
    let (mut chunked, mut stands) = (false, false);
    for (index, event) in events.iter().enumerate() {
        let follows = std::mem::replace(&mut stands, still && chunked);
        if is_border(event) {
            stretch.write(events, &mut known, &mut compaction);
            compaction.events.push(Compacted::Kept(index));
            known.pass(event);
        } else {
            if (stands || follows) && !(index > 0 && continues(event, &events[index - 1])) {
                stretch.write(events, &mut known, &mut compaction);
            }
            stretch.push(index, event);
        }
        chunked = match event {
            chunk if is_chunk(chunk) => true,
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => false,
            _ => chunked,
        };
    }
    stretch.write(events, &mut known, &mut compaction);
    compaction
}

/// Whether the event is a delta behind one of the same stream and tag: the two close the same and can be joined.
fn continues(event: &Event, before: &Event) -> bool {
    let delta = |event| part(event).filter(|(_, part)| *part == StreamPart::Delta).map(|(stream, _)| stream);
    delta(event).is_some()
        && delta(event) == delta(before)
        && event.subagent_run_id() == before.subagent_run_id()
}

fn is_chunk(event: &Event) -> bool {
    matches!(event, Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_))
}

/// Whether nothing passes the event, wherever it stands.
fn is_border(event: &Event) -> bool {
    is_chunk(event) || matches!(event, Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_))
}

/// How well a list stands: its chunks expand, and what they expand to passes verification.
fn standing(events: &[Event]) -> (bool, bool) {
    let (mut expander, mut verifier) = (ChunkExpander::default(), EventVerifier::default());
    let mut in_order = true;
    for event in events {
        let Ok(expansion) = expander.expand(event.clone()) else { return (false, false) };
        let mut made = expansion.made.iter().chain(&expansion.passed);
        in_order &= made.all(|event| verifier.check(event).is_ok());
    }
    (true, in_order)
}

/// Indices of the events between two that nothing passes. The state and the rest have nothing to do with each other.
#[derive(Default)]
struct Stretch {
    state: Vec<usize>,
    rest: Vec<usize>,
}

impl Stretch {
    fn push(&mut self, index: usize, event: &Event) {
        match event {
            Event::StateSnapshot(_) | Event::StateDelta(_) => self.state.push(index),
            _ => self.rest.push(index),
        }
    }

    /// Writes what has been collected, and forgets it.
    fn write<'e>(&mut self, events: &'e [Event], known: &mut KnownMessages<'e>, compaction: &mut Compaction) {
        let Self { state, rest } = std::mem::take(self);
        let order = arrange(events, &rest, known);
        join::write(events, &order, &mut compaction.events);
        state::write(events, &state, compaction);
        let mut accesses = Accesses::new(events, &order, known);
        for &index in &order {
            accesses.of(index);
        }
        let learnt = accesses.into_known();
        known.absorb(learnt);
    }
}
