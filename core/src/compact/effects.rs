//! Decides which events may change places: those that access different resources, or one resource with the
//! same result.

use super::accesses::{Access, Accesses, Resource, Touched, Trace};
use super::stamped_map::StampedMap;

/// The effects of events in one order: the sequence of writes to each resource, and the number of those writes that each event
/// reads.
#[derive(Debug)]
pub struct Effects {
    /// The results of writes, each with the place of the next write to the same resource.
    writes: Vec<(Trace, usize)>,
    /// The reads of all events: the resource, and the number of writes to it before the read.
    reads: Vec<(Resource, usize)>,
    /// The range of an event's reads, by its row.
    places: StampedMap<(usize, usize)>,
    /// The places of the first and the last write to a resource, counted from 1.
    first: StampedMap<usize>,
    last: StampedMap<usize>,
    touched: Touched,
}

impl Effects {
    /// Creates empty effects for this many rows and resources.
    pub fn new(rows: usize, resources: usize) -> Self {
        let (first, last) = (StampedMap::new(resources), StampedMap::new(resources));
        let places = StampedMap::new(rows);
        Self { writes: Vec::new(), reads: Vec::new(), places, first, last, touched: Vec::new() }
    }

    /// True if two orders of the same events have the same effects.
    pub fn are_same(&mut self, one: &[usize], other: &[usize], accesses: &mut Accesses<'_>) -> bool {
        self.note(one, accesses);
        accesses.tried(other, |accesses| {
            self.last.clear();
            let mut written = 0;
            other.iter().all(|&row| self.is_same(row, accesses, &mut written)) && written == self.writes.len()
        })
    }

    fn note(&mut self, order: &[usize], accesses: &mut Accesses<'_>) {
        self.writes.clear();
        self.reads.clear();
        self.first.clear();
        self.last.clear();
        self.places.clear();
        accesses.tried(order, |accesses| {
            for &row in order {
                let start = self.reads.len();
                accesses.of(row, &mut self.touched);
                for &(thing, access) in &self.touched {
                    match access {
                        Access::Read => self.reads.push((thing, self.last.get(thing).unwrap_or_default())),
                        Access::Write(trace) => {
                            self.writes.push((trace, 0));
                            let place = self.writes.len();
                            match self.last.set(thing, place) {
                                Some(before) => self.writes[before - 1].1 = place,
                                None => _ = self.first.set(thing, place),
                            }
                        }
                    }
                }
                self.places.set(row, (start, self.reads.len()));
            }
        });
    }

    /// True if an event has the same effects in the other order as in the noted one.
    fn is_same(&mut self, row: usize, accesses: &mut Accesses<'_>, written: &mut usize) -> bool {
        let (mut at, end) = self.places.get(row).unwrap_or_default();
        accesses.of(row, &mut self.touched);
        for &(thing, access) in &self.touched {
            match access {
                Access::Read => {
                    let read = (thing, self.last.get(thing).unwrap_or_default());
                    if at == end || self.reads[at] != read {
                        return false;
                    }
                    at += 1;
                }
                Access::Write(trace) => {
                    let next = match self.last.get(thing) {
                        Some(last) => self.writes[last - 1].1,
                        None => self.first.get(thing).unwrap_or_default(),
                    };
                    if next == 0 || self.writes[next - 1].0 != trace {
                        return false;
                    }
                    self.last.set(thing, next);
                    *written += 1;
                }
            }
        }
        at == end
    }
}

/// The last unit that writes each resource, in a list of units that is still growing.
#[derive(Debug)]
pub struct Reach {
    /// The last unit that writes each resource. Reads are left out, since no event reads the writes of a stream's later events.
    last: StampedMap<usize>,
}

impl Reach {
    /// Creates an empty list for this many resources.
    pub fn new(resources: usize) -> Self {
        Self { last: StampedMap::new(resources) }
    }

    /// Drops all entries.
    pub fn clear(&mut self) {
        self.last.clear();
    }

    /// True if a later event of a stream may be placed in `unit`: no unit after it writes the resources of the
    /// event.
    pub fn allows(&self, unit: usize, touched: &Touched) -> bool {
        touched.iter().all(|&(thing, _)| self.last.get(thing).is_none_or(|last| last <= unit))
    }

    /// Records that an event is in `unit`.
    pub fn note(&mut self, unit: usize, touched: &Touched) {
        for &(thing, access) in touched {
            if access != Access::Read {
                let last = self.last.get(thing).unwrap_or_default();
                self.last.set(thing, unit.max(last));
            }
        }
    }
}
