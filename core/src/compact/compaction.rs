//! What a list of events was compacted to.

use crate::types::Event;
use crate::warning::Warning;

/// What a list of events was compacted to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// The events, in order.
    pub events: Vec<Compacted>,
    /// State deltas that did not apply and are left out.
    pub warnings: Vec<Warning>,
}

/// One event of a compacted list.
#[derive(Clone, Debug, PartialEq)]
pub enum Compacted {
    /// The event at this index of the input, as it was.
    Kept(usize),
    /// An event that stands for several, or for one that carried more than a replay needs.
    Made(Box<Event>),
}

impl Compaction {
    /// The compacted events themselves; `events` is the list that was compacted.
    pub fn into_events(self, events: &[Event]) -> Vec<Event> {
        let event = |compacted| match compacted {
            Compacted::Kept(index) => events[index].clone(),
            Compacted::Made(event) => *event,
        };
        self.events.into_iter().map(event).collect()
    }
}

/// An event that was made; the one it was made from if it is no different.
pub fn made(event: Event, events: &[Event], from: usize) -> Compacted {
    if event == events[from] { Compacted::Kept(from) } else { Compacted::Made(Box::new(event)) }
}
