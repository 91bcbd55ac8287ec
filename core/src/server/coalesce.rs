//! Coalescing: joins adjacent deltas of one entity, within a budget of bytes and of time.

use std::time::Duration;

use crate::compact::{joined, merge};
use crate::types::Event;

/// Joins adjacent deltas of one entity: TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS and REASONING_MESSAGE_CONTENT. It reads no
/// clock: times are durations since a moment that the caller chooses.
///
/// The first of adjacent deltas goes out at once, and so does a delta that arrives `max_delay` after the last one that
/// went out. Deltas in between wait, and are joined. Any other event releases the waiting delta, and follows it. Only
/// deltas with the same `subagentRunId` are joined. Of metadata, the last value of each key is kept; `timestamp` is
/// lost. A delta with a `rawEvent` or undeclared members is not joined.
///
/// ```
/// use std::time::Duration;
/// use ag_ui_native::Event;
/// use ag_ui_native::server::Coalescer;
/// use ag_ui_native::types::TextMessageContentEvent;
///
/// let delta = |text: &str| Event::from(TextMessageContentEvent::new("m", text));
/// let at = Duration::from_millis;
/// let mut coalescer = Coalescer::new(4096, at(50));
/// assert_eq!(coalescer.push(delta("a"), at(0)), [delta("a")]);
/// assert_eq!(coalescer.push(delta("b"), at(1)), []);
/// assert_eq!(coalescer.push(delta("c"), at(2)), []);
/// assert_eq!(coalescer.deadline(), Some(at(50)));
/// assert_eq!(coalescer.flush(at(50)), Some(delta("bc")));
/// ```
#[derive(Clone, Debug)]
pub struct Coalescer(Adjacent<()>);

impl Coalescer {
    /// Makes a coalescer that joins up to `max_bytes` of text and delays it by `max_delay` at most. Without a delay,
    /// nothing is joined.
    pub fn new(max_bytes: usize, max_delay: Duration) -> Self {
        Self(Adjacent::new(max_bytes, max_delay))
    }

    /// Takes the next event, and returns the events that go out now.
    pub fn push(&mut self, event: Event, now: Duration) -> Vec<Event> {
        self.0.push(event, (), now).into_iter().map(|coalesced| coalesced.event).collect()
    }

    /// The latest time to send the waiting event: call [`flush`](Self::flush) then. `None` if no event waits.
    pub fn deadline(&self) -> Option<Duration> {
        self.0.deadline()
    }

    /// Removes and returns the waiting event.
    pub fn flush(&mut self, now: Duration) -> Option<Event> {
        self.0.flush(now).map(|coalesced| coalesced.event)
    }
}

/// An event that goes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Coalesced<T> {
    /// The event.
    pub event: Event,
    /// The caller's object of the event, if the event is unchanged.
    pub object: Option<T>,
}

/// A [`Coalescer`] whose events carry an object of the caller.
#[derive(Clone, Debug)]
pub struct Adjacent<T> {
    max_bytes: usize,
    max_delay: Duration,
    /// The last delta, unless another event has followed it.
    last: Option<Last<T>>,
}

#[derive(Clone, Debug)]
struct Last<T> {
    /// An empty delta of the same entity and tag.
    like: Event,
    sent_at: Duration,
    waiting: Option<Coalesced<T>>,
}

impl<T> Adjacent<T> {
    /// See [`Coalescer::new`].
    pub fn new(max_bytes: usize, max_delay: Duration) -> Self {
        Self { max_bytes, max_delay, last: None }
    }

    /// Takes the next event with its object; see [`Coalescer::push`].
    pub fn push(&mut self, event: Event, object: T, now: Duration) -> Vec<Coalesced<T>> {
        let (max_bytes, max_delay) = (self.max_bytes, self.max_delay);
        let arrived = Coalesced { event, object: Some(object) };
        let Some(last) = self.last.as_mut().filter(|last| is_alike(&last.like, &arrived.event)) else {
            let like = joined(&arrived.event, String::new(), None);
            let waiting = self.flush(now);
            self.last = like.map(|like| Last { like, sent_at: now, waiting: None });
            return waiting.into_iter().chain([arrived]).collect();
        };
        let mut out = Vec::new();
        if last.bytes() + delta(&arrived.event).map_or(0, str::len) > max_bytes {
            out.extend(last.send(now));
        }
        last.join(arrived);
        let is_due = last.sent_at.checked_add(max_delay).is_some_and(|deadline| now >= deadline);
        if is_due || last.bytes() >= max_bytes {
            out.extend(last.send(now));
        }
        out
    }

    /// Called for an event that is no delta. Returns the event that goes out before it, as [`push`](Self::push) does.
    pub fn interrupt(&mut self, now: Duration) -> Option<Coalesced<T>> {
        let waiting = self.flush(now);
        self.last = None;
        waiting
    }

    /// See [`Coalescer::deadline`].
    pub fn deadline(&self) -> Option<Duration> {
        let last = self.last.as_ref().filter(|last| last.waiting.is_some())?;
        Some(last.sent_at.saturating_add(self.max_delay))
    }

    /// See [`Coalescer::flush`].
    pub fn flush(&mut self, now: Duration) -> Option<Coalesced<T>> {
        self.last.as_mut().and_then(|last| last.send(now))
    }

    /// The object of the waiting event.
    pub fn waiting_object(&self) -> Option<&T> {
        self.last.as_ref()?.waiting.as_ref()?.object.as_ref()
    }
}

impl<T> Last<T> {
    /// The bytes of the waiting text.
    fn bytes(&self) -> usize {
        self.waiting.as_ref().and_then(|waiting| delta(&waiting.event)).map_or(0, str::len)
    }

    fn send(&mut self, now: Duration) -> Option<Coalesced<T>> {
        let sent = self.waiting.take()?;
        self.sent_at = now;
        Some(sent)
    }

    fn join(&mut self, arrived: Coalesced<T>) {
        let Some(Coalesced { event, object }) = &mut self.waiting else {
            self.waiting = Some(arrived);
            return;
        };
        if object.take().is_some() {
            let text = delta(event).unwrap_or_default().to_owned();
            *event = joined(event, text, event.metadata().cloned()).unwrap_or_default();
        }
        append(event, &arrived.event);
    }
}

/// True if events of the type are deltas that can be joined.
pub fn is_delta(event_type: &str) -> bool {
    matches!(event_type, "TEXT_MESSAGE_CONTENT" | "TOOL_CALL_ARGS" | "REASONING_MESSAGE_CONTENT")
}

/// True if a delta can be joined with deltas like the first one.
fn is_alike(like: &Event, event: &Event) -> bool {
    let is_same_entity = match (like, event) {
        (Event::TextMessageContent(one), Event::TextMessageContent(other)) => {
            one.message_id == other.message_id && other.raw_event.is_none() && other.extra.is_empty()
        }
        (Event::ToolCallArgs(one), Event::ToolCallArgs(other)) => {
            one.tool_call_id == other.tool_call_id && other.raw_event.is_none() && other.extra.is_empty()
        }
        (Event::ReasoningMessageContent(one), Event::ReasoningMessageContent(other)) => {
            one.message_id == other.message_id && other.raw_event.is_none() && other.extra.is_empty()
        }
        _ => false,
    };
    is_same_entity && like.subagent_run_id() == event.subagent_run_id()
}

fn delta(event: &Event) -> Option<&str> {
    Some(match event {
        Event::TextMessageContent(event) => &event.delta,
        Event::ToolCallArgs(event) => &event.delta,
        Event::ReasoningMessageContent(event) => &event.delta,
        _ => return None,
    })
}

/// Appends the text and the metadata of another delta.
fn append(event: &mut Event, more: &Event) {
    let (text, metadata) = match event {
        Event::TextMessageContent(event) => (&mut event.delta, &mut event.metadata),
        Event::ToolCallArgs(event) => (&mut event.delta, &mut event.metadata),
        Event::ReasoningMessageContent(event) => (&mut event.delta, &mut event.metadata),
        _ => return,
    };
    text.push_str(delta(more).unwrap_or_default());
    merge(metadata, more.metadata());
}
