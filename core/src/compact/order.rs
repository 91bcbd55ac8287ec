//! Orders the events of a run.

use super::accesses::{Accesses, resources};
use super::effects::{Effects, Reach};
use super::ends::Ends;
use super::event_table::EventTable;
use super::numbers::NONE;
use super::row::{Kind, Part};
use super::stamped_map::StampedMap;

/// Puts events into order.
#[derive(Debug)]
pub struct Order<'o> {
    table: &'o EventTable,
    ends: Ends<'o>,
    /// The output that the judge has not processed yet: stretches, and events that keep their place.
    out: Vec<Output>,
    /// The judge. It is made at the first stretch whose streams are not in order.
    judge: Option<Judge<'o>>,
    /// The streams of a stretch.
    streams: Option<StampedMap<()>>,
    is_open: bool,
}

#[derive(Debug)]
enum Output {
    Border(usize),
    Stretch(Vec<usize>),
}

/// Decides which events may change places.
#[derive(Debug)]
struct Judge<'o> {
    accesses: Accesses<'o>,
    effects: Effects,
    reach: Reach,
    /// The last unit of each open stream, and whether that unit has its start.
    open: StampedMap<(usize, bool)>,
}

impl<'o> Judge<'o> {
    fn new(table: &'o EventTable) -> Self {
        let resources = resources(table.count);
        Self {
            accesses: Accesses::new(table),
            effects: Effects::new(table.rows.len(), resources),
            reach: Reach::new(resources),
            open: StampedMap::new(2 * table.count),
        }
    }
}

impl<'o> Order<'o> {
    /// Creates an order for the events of a table.
    pub fn new(table: &'o EventTable) -> Self {
        Self {
            table,
            ends: Ends::new(&table.rows, table.count),
            out: Vec::new(),
            judge: None,
            streams: None,
            is_open: false,
        }
    }

    /// True if the order depends on data that only a full table has.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Adds an event that keeps its place.
    pub fn pass(&mut self, index: usize) {
        self.out.push(Output::Border(index));
    }

    /// Returns the order that compaction gives to the events at `order`. Streams are contiguous in it, as far as
    /// possible: in the order of their ends if a replay gives the same result, otherwise in the order of their starts.
    pub fn arrange(&mut self, order: Vec<usize>) -> &[usize] {
        let is_in_order = self.ends.have(&order);
        self.is_open |= !is_in_order && !self.table.is_full;
        let arranged = if is_in_order || self.is_open { order } else { self.moved(&order) };
        self.out.push(Output::Stretch(arranged));
        match self.out.last() {
            Some(Output::Stretch(arranged)) => arranged,
            _ => &[],
        }
    }

    fn moved(&mut self, order: &[usize]) -> Vec<usize> {
        self.settled(order).unwrap_or_else(|| {
            let order = self.by_starts(order);
            self.settled(&order).unwrap_or(order)
        })
    }

    /// Returns the order by ends, if it has the same effects as `order` and is final.
    fn settled(&mut self, order: &[usize]) -> Option<Vec<usize>> {
        let by_ends = self.ends.order(order);
        let is_settled = by_ends == order
            || self.are_same(order, &by_ends)
                && (self.ends.have(&by_ends) || self.ends.order(&by_ends) == by_ends);
        is_settled.then_some(by_ends)
    }

    fn are_same(&mut self, one: &[usize], other: &[usize]) -> bool {
        if self.keeps_starts(one, other) {
            debug_assert!(self.have_same_effects(one, other), "{one:?} {other:?}");
            return true;
        }
        self.have_same_effects(one, other)
    }

    /// True if two orders obviously have the same effects: only deltas and ends have moved, and no other event accesses their
    /// resources, since all events are messages and calls, no call is in a message, and no two have the same id.
    fn keeps_starts(&mut self, one: &[usize], other: &[usize]) -> bool {
        let rows = &self.table.rows;
        let streams = self.streams.get_or_insert_with(|| StampedMap::new(2 * self.table.count));
        streams.clear();
        let is_plain = one.iter().all(|&row| match rows[row].part() {
            None => rows[row].kind == Kind::Other,
            Some((stream, _)) => {
                streams.set(stream, ());
                let is_inside = matches!(rows[row].kind, Kind::CallStart { parent } if parent != NONE);
                !is_inside && streams.get(stream ^ 1).is_none()
            }
        });
        let stays = |row: &&usize| !matches!(rows[**row].part(), Some((_, Part::Delta | Part::End)));
        is_plain && one.iter().filter(stays).eq(other.iter().filter(stays))
    }

    fn have_same_effects(&mut self, one: &[usize], other: &[usize]) -> bool {
        let Judge { accesses, effects, .. } = self.judge();
        effects.are_same(one, other, accesses)
    }

    /// Returns the judge, after it has processed the pending output.
    fn judge(&mut self) -> &mut Judge<'o> {
        let judge = self.judge.get_or_insert_with(|| Judge::new(self.table));
        for passed in self.out.drain(..) {
            match passed {
                Output::Border(index) => judge.accesses.pass(index),
                Output::Stretch(order) => judge.accesses.learn(&order),
            }
        }
        judge
    }

    /// Orders by the starts of streams. An event moves forward to the events of its stream, unless an event that it must not
    /// pass is between them; then the stream begins again at the place of the event.
    fn by_starts(&mut self, order: &[usize]) -> Vec<usize> {
        let rows = &self.table.rows;
        let Judge { accesses, reach, open, .. } = self.judge();
        let mut units: Vec<Vec<usize>> = Vec::new();
        let mut touched = Vec::new();
        reach.clear();
        open.clear();
        accesses.tried(order, |accesses| {
            for &index in order {
                accesses.of(index, &mut touched);
                let part = rows[index].part();
                let earlier = part.and_then(|(stream, part)| {
                    let (unit, is_started) = open.get(stream)?;
                    let is_begun = is_started || part != Part::Start;
                    (is_begun && reach.allows(unit, &touched)).then_some((unit, is_started))
                });
                let unit = earlier.map_or(units.len(), |(unit, _)| unit);
                if earlier.is_none() {
                    units.push(Vec::new());
                }
                units[unit].push(index);
                reach.note(unit, &touched);
                match part {
                    Some((stream, Part::End)) => _ = open.remove(stream),
                    Some((stream, part)) => {
                        let is_started = part == Part::Start || earlier.is_some_and(|(_, started)| started);
                        open.set(stream, (unit, is_started));
                    }
                    None => {}
                }
            }
        });
        units.concat()
    }
}
