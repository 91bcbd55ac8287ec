//! How a host that has events of its own hands over their table: each row in a few numbers.

use std::sync::LazyLock;

use super::event_table::EventTable;
use super::numbers::{NONE, Number};
use super::row::{Kind, List, Row};
use crate::schema::TypeDef;
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;

/// How many words a row has: a head, and numbers of up to four members, 0 for what is not there. The head is the place of the event's type among
/// all, or any behind those for what is none, and flags.
pub const ROW_WORDS: usize = 5;
/// The part of a head that is the place.
const PLACE: u32 = 0xff;

const MESSAGE: &str = "messageId";
const CALL: &str = "toolCallId";
const TAG: &str = "subagentRunId";

/// What else a head says of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// It has metadata.
    Metadata = 1 << 8,
    /// It is a delta or a state with a time stamp, a provider's event or members that are not declared; or a row of several deltas.
    Dressed = 1 << 9,
    /// It replaces nothing.
    Keeps = 1 << 10,
}

/// What compaction makes of the events of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// They begin a stream, or end it.
    Edge,
    /// They add to a stream; several that stand together and have the same numbers and no metadata are one row.
    Delta,
    /// A state, or what changes it.
    State,
    /// They stay. Several that stand together and have the same numbers are one row.
    Same,
    /// They stay.
    Stays,
}

/// How the events of a type become rows.
#[derive(Clone, Copy, Debug)]
pub struct RowLayout {
    /// What compaction makes of them.
    pub shape: Shape,
    /// The members that are numbers, by column.
    pub columns: &'static [&'static str],
    /// The path of its list of messages.
    pub list: &'static [&'static str],
    /// Makes the kind of the last columns and the flags.
    kind: fn(Number, Number, u32) -> Kind,
}

impl RowLayout {
    /// True if anything is known of the type.
    pub fn is_known(&self) -> bool {
        (self.kind)(NONE, NONE, 0) != Kind::Other
    }
}

/// How the events of a type become rows.
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

/// Types that nothing is known of.
const OTHER: RowLayout =
    RowLayout { shape: Shape::Same, columns: &[], list: &[], kind: |_, _, _| Kind::Other };

static OUTLINED: LazyLock<Vec<RowLayout>> =
    LazyLock::new(|| Event::UNION.variants.iter().map(|variant| row_layout(variant.ty)).collect());

fn list(start: Number, end: Number) -> List {
    List::of(start as usize, end as usize)
}

impl EventTable {
    /// The table that a host has written down: words of rows, of which `count` numbers are those of strings; and, if it is full, lists of messages: of each
    /// message the role, the id, how many calls, and their ids. Where a list begins and ends are the last two words of its row.
    pub(super) fn read(count: usize, words: &[u32], listed: Option<&[u32]>) -> Self {
        let is_full = listed.is_some();
        let listed = listed.unwrap_or_default();
        let most = words.len() + listed.len() + super::KNOWN_STRINGS.len() + 1;
        let count = count.min(most);
        let (rows, _) = words.as_chunks::<ROW_WORDS>();
        let row = |&[head, id, tag, one, other]: &[u32; ROW_WORDS]| {
            let of = OUTLINED.get((head & PLACE) as usize).unwrap_or(&OTHER);
            let known = |number: Number| if (number as usize) < count { number } else { NONE };
            // The last two are places of a list, if the type has one.
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
