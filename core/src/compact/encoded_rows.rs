//! The table of a host with its own events: each row as a few numbers.

use std::sync::LazyLock;

use super::event_table::EventTable;
use super::numbers::{NONE, Number};
use super::row::{Kind, List, Row};
use crate::schema::TypeDef;
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;

/// Number of words of a row: a head, and the numbers of up to four members, 0 for an absent one. The head holds the place of the
/// event's type among all types (a larger place for an undeclared type) and flags.
pub const ROW_WORDS: usize = 5;
/// The bits of a head that hold the place.
const PLACE: u32 = 0xff;

const MESSAGE: &str = "messageId";
const CALL: &str = "toolCallId";
const TAG: &str = "subagentRunId";

/// A flag of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// It has metadata.
    Metadata = 1 << 8,
    /// A delta or a state has a timestamp, a provider's event or undeclared members; or the row stands for several deltas.
    Dressed = 1 << 9,
    /// The event does not replace the activity.
    Keeps = 1 << 10,
}

/// The treatment of a type's events by compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// They begin or end a stream.
    Edge,
    /// They add to a stream. Adjacent ones with the same numbers and no metadata share a row.
    Delta,
    /// They set or change the state.
    State,
    /// They stay unchanged. Adjacent ones with the same numbers share a row.
    Same,
    /// They stay.
    Stays,
}

/// The row of a type's events.
#[derive(Clone, Copy, Debug)]
pub struct RowLayout {
    /// The treatment of the events by compaction.
    pub shape: Shape,
    /// The members that are numbers, in the order of the columns.
    pub columns: &'static [&'static str],
    /// The path of its list of messages.
    pub list: &'static [&'static str],
    /// Makes the kind from the last two columns and the head.
    kind: fn(Number, Number, u32) -> Kind,
}

impl RowLayout {
    /// True if compaction treats the type differently from unknown ones.
    pub fn is_known(&self) -> bool {
        (self.kind)(NONE, NONE, 0) != Kind::Other
    }
}

/// Returns the row of a type's events.
pub fn row_layout(ty: &'static TypeDef) -> RowLayout {
    macro_rules! row_layout {
        ($($($type:ident)|+ => $shape:ident, $columns:expr, $list:expr, $kind:expr;)+) => {
            match () {
                $(() if [$($type::TYPE),+].into_iter().any(|other| std::ptr::eq(ty, other)) => {
                    RowLayout { shape: Shape::$shape, columns: &$columns, list: &$list, kind: $kind }
                })+
                () => OTHER,
            }
        };
    }
    row_layout! {
        TextMessageContentEvent => Delta, [MESSAGE, TAG], [], |_, _, _| Kind::TextDelta;
        ToolCallArgsEvent => Delta, [CALL, TAG], [], |_, _, _| Kind::CallDelta;
        TextMessageStartEvent => Edge, [MESSAGE, TAG, "role", "name"], [],
            |role, name, _| Kind::TextStart { role, name };
        TextMessageEndEvent => Edge, [MESSAGE, TAG], [], |_, _, _| Kind::TextEnd;
        ToolCallStartEvent => Edge, [CALL, TAG, "parentMessageId"], [],
            |parent, _, _| Kind::CallStart { parent };
        ToolCallEndEvent => Edge, [CALL, TAG], [], |_, _, _| Kind::CallEnd;
        ToolCallResultEvent => Stays, [MESSAGE, TAG, CALL], [], |call, _, _| Kind::Result { call };
        ReasoningMessageStartEvent => Stays, [MESSAGE, TAG], [], |_, _, _| Kind::ReasoningStart;
        ReasoningMessageContentEvent | ReasoningMessageEndEvent | ActivityDeltaEvent =>
            Same, [MESSAGE, TAG], [], |_, _, _| Kind::Addition;
        ReasoningEncryptedValueEvent => Stays, ["entityId", TAG], [], |_, _, _| Kind::EncryptedValue;
        ActivitySnapshotEvent => Stays, [MESSAGE, TAG], [],
            |_, _, head| Kind::Activity { replaces: head & Flag::Keeps as u32 == 0 };
        MessagesSnapshotEvent => Stays, [], ["messages"],
            |start, end, _| Kind::Messages(list(start, end));
        RunStartedEvent => Stays, [], ["input", "messages"],
            |start, end, _| Kind::RunStart(list(start, end));
        RunFinishedEvent | RunErrorEvent => Stays, [], [], |_, _, _| Kind::RunEnd;
        TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent =>
            Same, [], [], |_, _, _| Kind::Chunk;
        StateSnapshotEvent => State, [], [], |_, _, _| Kind::StateSnapshot;
        StateDeltaEvent => State, [], [], |_, _, _| Kind::StateDelta;
    }
}

/// The row of types without a treatment of their own.
const OTHER: RowLayout =
    RowLayout { shape: Shape::Same, columns: &[], list: &[], kind: |_, _, _| Kind::Other };

static ROW_LAYOUTS: LazyLock<Vec<RowLayout>> =
    LazyLock::new(|| Event::UNION.variants.iter().map(|variant| row_layout(variant.ty)).collect());

fn list(start: Number, end: Number) -> List {
    List::of(start as usize, end as usize)
}

impl EventTable {
    /// Reads the table of a host: the words of the rows, which use `count` numbers of strings; and for a full table the lists of
    /// messages, with the role, the id, the number of calls and their ids of each message. The last two words of a row with a list
    /// are its start and end.
    pub(super) fn read(count: usize, words: &[u32], listed: Option<&[u32]>) -> Self {
        let is_full = listed.is_some();
        let listed = listed.unwrap_or_default();
        let most = words.len() + listed.len() + super::KNOWN_STRINGS.len() + 1;
        let count = count.min(most);
        let (rows, _) = words.as_chunks::<ROW_WORDS>();
        let row = |&[head, id, tag, one, other]: &[u32; ROW_WORDS]| {
            let of = ROW_LAYOUTS.get((head & PLACE) as usize).unwrap_or(&OTHER);
            let known = |number: Number| if (number as usize) < count { number } else { NONE };
            // The last two words are the range of a list, if the type has one.
            let [one, other] = if of.list.is_empty() { [known(one), known(other)] } else { [one, other] };
            Row {
                kind: (of.kind)(one, other, head),
                id: known(id),
                tag: known(tag),
                has_metadata: head & Flag::Metadata as u32 != 0,
                is_dressed: head & Flag::Dressed as u32 != 0,
            }
        };
        Self { rows: rows.iter().map(row).collect(), listed: listed.to_vec(), count, is_full }
    }
}
