//! Which events may change places: those that touch different resources, or the same one without a difference.

use super::accesses::{Access, Accesses, Resource, Touched, Trace};
use super::stamped_map::StampedMap;

/// All that events do, in one order: to each thing what is written, one behind the other, and which events read how much of it.
#[derive(Debug)]
pub struct Effects {
    /// What is written, and the place of what is written to the same thing next.
    writes: Vec<(Trace, usize)>,
    /// What each event reads: how much of it has been written then.
    reads: Vec<(Resource, usize)>,
    /// Where the reads of an event begin and end, by its row.
    places: StampedMap<(usize, usize)>,
    /// The places of the first and the last of what is written to a thing, counted from 1.
    first: StampedMap<usize>,
    last: StampedMap<usize>,
    touched: Touched,
}

impl Effects {
    /// For so many rows and resources.
    pub fn new(rows: usize, resources: usize) -> Self {
        let (first, last) = (StampedMap::new(resources), StampedMap::new(resources));
        let places = StampedMap::new(rows);
        Self { writes: Vec::new(), reads: Vec::new(), places, first, last, touched: Vec::new() }
    }

    /// True if two orders of the same events do the same, and so come to the same.
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

    /// True if an event does in the other order what it does in the noted one.
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

/// How far forward resources are written in a list of units that is still growing.
#[derive(Debug)]
pub struct Reach {
    /// The last unit that writes a thing. Nobody reads what the later events of a stream write.
    last: StampedMap<usize>,
}

impl Reach {
    /// Over so many resources.
    pub fn new(resources: usize) -> Self {
        Self { last: StampedMap::new(resources) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.last.clear();
    }

    /// True if a later event of a stream may stand in `unit`: nothing that it touches is written behind that.
    pub fn allows(&self, unit: usize, touched: &Touched) -> bool {
        touched.iter().all(|&(thing, _)| self.last.get(thing).is_none_or(|last| last <= unit))
    }

    /// Notes that an event stands in `unit`.
    pub fn note(&mut self, unit: usize, touched: &Touched) {
        for &(thing, access) in touched {
            if access != Access::Read {
                let last = self.last.get(thing).unwrap_or_default();
                self.last.set(thing, unit.max(last));
            }
        }
    }
}
