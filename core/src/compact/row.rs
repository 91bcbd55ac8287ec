//! One event of a table, and its stream.

use std::ops::Range;

use super::numbers::Number;

/// The data of an event that compaction uses.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub kind: Kind,
    /// The id of the thing that the event is about.
    pub id: Number,
    /// Its `subagentRunId`.
    pub tag: Number,
    pub has_metadata: bool,
    /// True if it has members that a replay does not need, or replaces several deltas that differ only in
    /// their text.
    pub is_dressed: bool,
}

/// The kind of an event for compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    TextStart {
        role: Number,
        name: Number,
    },
    TextDelta,
    TextEnd,
    CallStart {
        parent: Number,
    },
    CallDelta,
    CallEnd,
    Result {
        call: Number,
    },
    ReasoningStart,
    /// An addition to reasoning or to an activity.
    Addition,
    EncryptedValue,
    Activity {
        replaces: bool,
    },
    Messages(List),
    RunStart(List),
    RunEnd,
    Chunk,
    StateSnapshot,
    StateDelta,
    /// Any other event; also several adjacent ones.
    Other,
}

/// The range of a list of messages among those of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    start: u32,
    end: u32,
}

impl List {
    /// No list.
    pub const ABSENT: Self = Self { start: 0, end: 0 };
    /// Returns the list from `start` to `end`.
    pub fn of(start: usize, end: usize) -> Self {
        let [start, end] = [start, end].map(|place| u32::try_from(place).unwrap_or(u32::MAX));
        Self { start, end }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text message or a tool call: twice the number of its id, and one more for a call.
pub type Stream = usize;

/// True if a stream is a call's.
pub fn is_call(stream: Stream) -> bool {
    stream % 2 == 1
}

/// The part of a stream that an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The beginning of the stream.
    Start,
    /// A further part of the stream.
    Delta,
    /// The end of the stream.
    End,
}

impl Row {
    /// Returns the stream of the event, and its part in it.
    pub fn part(&self) -> Option<(Stream, Part)> {
        let text = 2 * self.id as usize;
        Some(match self.kind {
            Kind::TextStart { .. } => (text, Part::Start),
            Kind::TextDelta => (text, Part::Delta),
            Kind::TextEnd => (text, Part::End),
            Kind::CallStart { .. } => (text + 1, Part::Start),
            Kind::CallDelta => (text + 1, Part::Delta),
            Kind::CallEnd => (text + 1, Part::End),
            _ => return None,
        })
    }

    /// True if no event may pass this one.
    pub fn is_border(&self) -> bool {
        matches!(self.kind, Kind::Chunk | Kind::RunStart(_) | Kind::RunEnd)
    }

    /// True if this is a delta of the same stream and tag as another, so that both can be joined.
    pub fn continues(&self, before: &Self) -> bool {
        matches!(self.kind, Kind::TextDelta | Kind::CallDelta)
            && (self.kind, self.id, self.tag) == (before.kind, before.id, before.tag)
    }
}
