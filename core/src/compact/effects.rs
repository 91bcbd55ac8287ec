//! Which events may change places: those that touch different things, or the same one without a difference.

use std::collections::HashMap;

use super::accesses::{Access, Accesses, Thing, Touched, Trace};
use super::known::KnownMessages;
use crate::types::Event;

/// All that happens to one thing: what is written, in order, and which events read how much of it.
#[derive(Debug, Default, PartialEq)]
pub struct History<'e> {
    writes: Vec<Trace<'e>>,
    reads: Vec<(usize, usize)>,
}

/// What the events at `order` do. Two orders of the same events that do the same come to the same.
pub fn effects<'e>(
    events: &'e [Event],
    order: &[usize],
    known: &KnownMessages<'e>,
) -> HashMap<Thing<'e>, History<'e>> {
    let mut histories: HashMap<Thing<'e>, History<'e>> = HashMap::new();
    let mut accesses = Accesses::new(events, order, known);
    for &index in order {
        for (thing, access) in accesses.of(index) {
            let history = histories.entry(thing).or_default();
            match access {
                Access::Read => history.reads.push((index, history.writes.len())),
                Access::Write(mark) => history.writes.push(mark),
            }
        }
    }
    for history in histories.values_mut() {
        history.reads.sort_unstable();
    }
    histories
}

/// How far forward things are written in a list of units that is still growing.
#[derive(Debug, Default)]
pub struct Reach<'e> {
    /// The last unit that writes a thing. Nobody reads what the later events of a stream write.
    last: HashMap<Thing<'e>, usize>,
}

impl<'e> Reach<'e> {
    /// Whether a later event of a stream may stand in `unit`: nothing that it touches is written behind that.
    pub fn allows(&self, unit: usize, touched: &Touched<'e>) -> bool {
        touched.iter().all(|(thing, _)| self.last.get(thing).is_none_or(|&last| last <= unit))
    }

    /// Notes that an event stands in `unit`.
    pub fn note(&mut self, unit: usize, touched: &Touched<'e>) {
        for (thing, access) in touched {
            if *access != Access::Read {
                let last = self.last.entry(*thing).or_default();
                *last = unit.max(*last);
            }
        }
    }
}
