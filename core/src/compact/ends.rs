//! The order in which streams end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::row::{Part, Row, Stream, is_call};
use super::stamped_map::StampedMap;

/// Rows one behind the other: the first, and the last.
type Chain = Option<(usize, usize)>;

/// A stream that waits for its end, and the rows that wait for it.
#[derive(Debug)]
struct OpenStream {
    stream: Stream,
    own: Chain,
    held: Chain,
    is_started: bool,
    /// It has come out.
    is_out: bool,
}

/// Orders rows by the ends of their streams.
#[derive(Debug)]
pub struct Ends<'o> {
    rows: &'o [Row],
    /// Of each row the next one of its line.
    next: Vec<usize>,
    numbers: usize,
    waiting: Vec<OpenStream>,
    /// The place of each open stream among those that wait.
    places: StampedMap<usize>,
    /// The places of what has been started, messages and calls, the first on top; some are out already.
    started: [BinaryHeap<Reverse<usize>>; 2],
    out: Vec<usize>,
}

impl<'o> Ends<'o> {
    /// For rows of so many numbers.
    pub fn new(rows: &'o [Row], numbers: usize) -> Self {
        Self {
            rows,
            next: Vec::new(),
            waiting: Vec::new(),
            numbers,
            places: StampedMap::new(0),
            started: Default::default(),
            out: Vec::new(),
        }
    }

    /// True if no stream has anything else in it: then this is the order of their ends.
    pub fn have(&self, order: &[usize]) -> bool {
        let mut open = None;
        order.iter().all(|&row| match self.rows[row].part() {
            None => open.is_none(),
            Some((stream, part)) => {
                let is_alone = open.is_none_or(|open| open == stream);
                open = (part != Part::End).then_some(stream);
                is_alone
            }
        })
    }

    /// The order in which streams end; other events stand behind the message that was open first when they came, or else
    /// behind the tool call. Streams without an end come last: text messages, then tool calls.
    pub fn order(&mut self, order: &[usize]) -> Vec<usize> {
        if self.next.is_empty() {
            self.next.resize(self.rows.len(), 0);
            self.places = StampedMap::new(2 * self.numbers);
        }
        self.waiting.clear();
        self.places.clear();
        self.started.iter_mut().for_each(BinaryHeap::clear);
        self.out = Vec::with_capacity(order.len());
        for &row in order {
            match self.rows[row].part() {
                Some((stream, part)) => self.take(row, stream, part),
                None => self.hold(row),
            }
        }
        for calls in [false, true] {
            for place in 0..self.waiting.len() {
                if is_call(self.waiting[place].stream) == calls {
                    self.release(place);
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    fn take(&mut self, row: usize, stream: Stream, part: Part) {
        let mut place = self.places.get(stream);
        // What came before the start is no part of the stream.
        if part == Part::Start
            && let Some(before) = place.filter(|&before| !self.waiting[before].is_started)
        {
            self.release(before);
            place = None;
        }
        let place = place.unwrap_or_else(|| {
            let (own, held) = (None, None);
            self.waiting.push(OpenStream { stream, own, held, is_started: false, is_out: false });
            self.places.set(stream, self.waiting.len() - 1);
            self.waiting.len() - 1
        });
        let open = &mut self.waiting[place];
        append(&mut self.next, &mut open.own, row);
        match part {
            Part::Start if !open.is_started => {
                open.is_started = true;
                self.started[usize::from(is_call(stream))].push(Reverse(place));
            }
            Part::Start | Part::Delta => {}
            Part::End => {
                self.places.remove(stream);
                self.release(place);
            }
        }
    }

    /// Has an event that is part of no stream wait for the one that was open first.
    fn hold(&mut self, row: usize) {
        for started in &mut self.started {
            while let Some(&Reverse(place)) = started.peek() {
                let open = &mut self.waiting[place];
                if !open.is_out {
                    return append(&mut self.next, &mut open.held, row);
                }
                started.pop();
            }
        }
        self.out.push(row);
    }

    /// A stream comes out, and what waits for it.
    fn release(&mut self, place: usize) {
        let open = &mut self.waiting[place];
        if std::mem::replace(&mut open.is_out, true) {
            return;
        }
        for (first, last) in [open.own, open.held].into_iter().flatten() {
            let mut row = first;
            self.out.push(row);
            while row != last {
                row = self.next[row];
                self.out.push(row);
            }
        }
    }
}

fn append(next: &mut [usize], line: &mut Chain, row: usize) {
    match line {
        Some((_, last)) => {
            next[*last] = row;
            *last = row;
        }
        None => *line = Some((row, row)),
    }
}
