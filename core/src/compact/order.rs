//! In which order the events of a run come out.

use std::collections::{BTreeSet, HashMap};

use super::accesses::Accesses;
use super::effects::{Reach, effects};
use super::known::KnownMessages;
use super::streams::{StreamId, StreamPart, part};
use crate::types::Event;

/// The order that compaction gives the events at `order`. Streams stand together in it, as far as that is possible: in the
/// order of their ends if a replay cannot tell the difference, else where they began.
pub fn arrange<'e>(events: &'e [Event], order: &[usize], known: &KnownMessages<'e>) -> Vec<usize> {
    settled(events, order, known).unwrap_or_else(|| {
        let order = by_starts(events, order, known);
        settled(events, &order, known).unwrap_or(order)
    })
}

/// The order by ends, if it has the same effects as `order` and is final.
fn settled<'e>(events: &'e [Event], order: &[usize], known: &KnownMessages<'e>) -> Option<Vec<usize>> {
    let by_ends = by_ends(events, order);
    let is_settled = by_ends == order
        || effects(events, order, known) == effects(events, &by_ends, known)
            && self::by_ends(events, &by_ends) == by_ends;
    is_settled.then_some(by_ends)
}

/// A stream that waits for its end, and the events that wait for it.
struct OpenStream<'e> {
    stream: StreamId<'e>,
    events: Vec<usize>,
    held: Vec<usize>,
}

/// The order in which streams end; other events stand behind the message that was open first when they came, or else
/// behind the tool call. Streams without an end come last: text messages, then tool calls.
fn by_ends(events: &[Event], order: &[usize]) -> Vec<usize> {
    let mut out = Vec::with_capacity(order.len());
    let mut waiting: Vec<Option<OpenStream<'_>>> = Vec::new();
    let mut places: HashMap<StreamId<'_>, usize> = HashMap::new();
    let (mut started_messages, mut started_calls) = (BTreeSet::new(), BTreeSet::new());
    for &index in order {
        let Some((stream, part)) = part(&events[index]) else {
            let holder = started_messages.first().or(started_calls.first());
            match holder.and_then(|&place: &usize| waiting[place].as_mut()) {
                Some(open) => open.held.push(index),
                None => out.push(index),
            }
            continue;
        };
        let started = match stream {
            StreamId::Text(_) => &mut started_messages,
            StreamId::Tool(_) => &mut started_calls,
        };
        // What came before the start is no part of the stream.
        if part == StreamPart::Start
            && let Some(&place) = places.get(&stream)
            && !started.contains(&place)
        {
            places.remove(&stream);
            out.extend(waiting[place].take().into_iter().flat_map(OpenStream::all));
        }
        let place = *places.entry(stream).or_insert_with(|| {
            waiting.push(Some(OpenStream { stream, events: Vec::new(), held: Vec::new() }));
            waiting.len() - 1
        });
        waiting[place].iter_mut().for_each(|open| open.events.push(index));
        match part {
            StreamPart::Start => {
                started.insert(place);
            }
            StreamPart::Delta => {}
            StreamPart::End => {
                places.remove(&stream);
                started.remove(&place);
                out.extend(waiting[place].take().into_iter().flat_map(OpenStream::all));
            }
        }
    }
    let (messages, calls): (Vec<_>, Vec<_>) =
        waiting.into_iter().flatten().partition(|open| matches!(open.stream, StreamId::Text(_)));
    out.extend(messages.into_iter().chain(calls).flat_map(OpenStream::all));
    out
}

impl OpenStream<'_> {
    fn all(self) -> impl Iterator<Item = usize> {
        self.events.into_iter().chain(self.held)
    }
}

/// The order in which streams begin. An event is drawn forward to those of its stream that came before, unless something
/// stands in between that it must not pass: then it begins again where it is.
fn by_starts<'e>(events: &'e [Event], order: &[usize], known: &KnownMessages<'e>) -> Vec<usize> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    let mut open: HashMap<StreamId<'_>, (usize, bool)> = HashMap::new();
    let mut accesses = Accesses::new(events, order, known);
    let mut reach = Reach::default();
    for &index in order {
        let accesses = accesses.of(index);
        let part = part(&events[index]);
        let earlier = part.and_then(|(stream, part)| {
            let &(unit, is_started) = open.get(&stream)?;
            let is_begun = is_started || part != StreamPart::Start;
            (is_begun && reach.allows(unit, &accesses)).then_some(unit)
        });
        let unit = earlier.unwrap_or(units.len());
        if earlier.is_none() {
            units.push(Vec::new());
        }
        units[unit].push(index);
        reach.note(unit, &accesses);
        match part {
            Some((stream, StreamPart::End)) => {
                open.remove(&stream);
            }
            Some((stream, part)) => {
                let is_started = part == StreamPart::Start || earlier.is_some() && open[&stream].1;
                open.insert(stream, (unit, is_started));
            }
            None => {}
        }
    }
    units.concat()
}
