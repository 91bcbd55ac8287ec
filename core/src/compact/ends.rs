//! The order in which streams end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::row::{Part, Row, Stream, is_call};
use super::stamped_map::StampedMap;

/// A chain of rows: its first and its last row.
type Chain = Option<(usize, usize)>;

/// An open stream, with the rows that wait for its end.
#[derive(Debug)]
struct OpenStream {
    stream: Stream,
    own: Chain,
    held: Chain,
    is_started: bool,
    /// True once it is in the output.
    is_out: bool,
}

/// Orders rows by the ends of their streams.
#[derive(Debug)]
pub struct Ends<'o> {
    rows: &'o [Row],
    /// For each row, the next row of its chain.
    next: Vec<usize>,
    numbers: usize,
    waiting: Vec<OpenStream>,
    /// The place of each open stream in `waiting`.
    places: StampedMap<usize>,
    /// The places of started messages and calls, the first on top; some of them are in the output
    /// already.
    started: [BinaryHeap<Reverse<usize>>; 2],
    out: Vec<usize>,
}

impl<'o> Ends<'o> {
    /// Creates the order for rows with this many numbers.
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

    /// True if no stream has other events inside it. Then `order` is already the order of the streams' ends.
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

    /// Orders rows by the ends of their streams. Other events go after the first open message, or else after the first
    /// open tool call. Streams without an end come last: text messages, then tool calls.
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
        // Rows before the start are not part of the stream.
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

    /// Makes an event outside of streams wait for the first open stream.
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

    /// Moves a stream and the rows that wait for it to the output.
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
