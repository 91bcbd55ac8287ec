//! Compaction makes a list of events shorter without changing its meaning. Three properties hold for every list: if the list passes
//! verification, so does the result; both reduce to the same messages and state, for every start of a replay except two; and
//! compacting again changes nothing.
//!
//! The two exceptions are starts that the list itself does not show:
//! - a reasoning message has the id of a text message that the list begins, which replaces it.
//! - a tool call that the list begins exists already, in another message than the list names.
//!
//! If the list shows that an id exists already (by a snapshot, the messages of a run's input, or an earlier event), the order of the events
//! that depend on it stays.
//!
//! The decision uses only numbers (`event_table.rs`). Its result is a plan (`plan.rs`), which is then applied to the events (`apply.rs`).
//! A host with its own events hands over numbers, and applies the plan itself.

mod accesses;
mod apply;
mod compaction;
mod effects;
mod encoded_rows;
mod ends;
mod event_table;
mod join;
mod known_messages;
mod numbers;
mod order;
mod plan;
mod row;
mod stamped_map;
mod state;

pub use compaction::{Compacted, Compaction};
pub(crate) use compaction::{joined, merge};
pub use encoded_rows::{Flag, ROW_WORDS, RowLayout, Shape, row_layout};
use event_table::EventTable;
use join::Chains;
pub use numbers::KNOWN_STRINGS;
use order::Order;
pub use plan::{Action, CompactionPlan};
use row::Kind;

use crate::expand::ChunkExpander;
use crate::profile::Profile;
use crate::types::Event;
use crate::verify::EventVerifier;

/// Joins the deltas of each text message and each tool call into one, and folds a state snapshot and the deltas after it
/// into one snapshot. Chunks stay unchanged, and no event passes them. Events that may close open chunks are not passed
/// either, where that would matter. Expand chunks first to have them joined.
///
/// Events inside an open message move after it, messages come in the order of their ends, and the state comes last in its run, as far as
/// a replay has the same result. No event passes the beginning or the end of a run. A joined event keeps its metadata and loses
/// `timestamp` and `rawEvent`.
pub fn compact(events: &[Event]) -> Compaction {
    plan(events).apply(events)
}

/// Computes the compaction as a plan; each event is one of its rows.
pub fn plan(events: &[Event]) -> CompactionPlan {
    let mut table = EventTable::of(events, false);
    let (mut plan, is_open) = plan_for(&table, false);
    if is_open {
        table = EventTable::of(events, true);
        plan = plan_for(&table, false).0;
    }
    if !table.has_chunks() || plan.is_in_order() {
        return plan;
    }
    if validity(events) <= validity(&plan.apply(events).into_events(events)) {
        return plan;
    }
    plan_for(&table, true).0
}

/// The missing data for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A full table.
    Table,
    /// The events themselves: the effect of chunks among them depends on more than the table.
    Events,
}

/// Returns the plan for events whose numbers a host has handed over (see `encoded_rows.rs`): `count` numbers, the words of the
/// rows and, for a full table, of the lists. In a table that is not full, only neighbours need the same numbers for the same
/// strings.
pub fn read_plan(count: usize, rows: &[u32], listed: Option<&[u32]>) -> Result<CompactionPlan, Missing> {
    let table = EventTable::read(count, rows, listed);
    match plan_for(&table, false) {
        (_, true) => Err(Missing::Table),
        (plan, _) if table.has_chunks() && !plan.is_in_order() => Err(Missing::Events),
        (plan, _) => Ok(plan),
    }
}

/// Makes the plan between the borders. Also returns whether the decision needs a full table. With
/// `keeps_order_in_chunks`, no event passes another while chunks are open, since it may close them or belong to what
/// they have opened.
fn plan_for(table: &EventTable, keeps_order_in_chunks: bool) -> (CompactionPlan, bool) {
    let rows = &table.rows;
    let mut plan = CompactionPlan::with_capacity(rows.len());
    let mut order = Order::new(table);
    let mut stretch = Stretch::new(table);
    let (mut chunked, mut stands) = (false, false);
    for (index, row) in rows.iter().enumerate() {
        let follows = std::mem::replace(&mut stands, keeps_order_in_chunks && chunked);
        if row.is_border() {
            stretch.write(table, &mut order, &mut plan);
            plan.keep(index);
            order.pass(index);
        } else {
            if (stands || follows) && !(index > 0 && row.continues(&rows[index - 1])) {
                stretch.write(table, &mut order, &mut plan);
            }
            stretch.push(table, index);
        }
        chunked = match row.kind {
            Kind::Chunk => true,
            Kind::RunStart(_) | Kind::RunEnd | Kind::Messages(_) => false,
            _ => chunked,
        };
    }
    stretch.write(table, &mut order, &mut plan);
    (plan, order.is_open())
}

/// Returns whether the chunks of a list expand, and whether the result passes verification.
fn validity(events: &[Event]) -> (bool, bool) {
    let (mut expander, mut verifier) =
        (ChunkExpander::default(), EventVerifier::default().with_profile(Profile::Relay));
    let mut in_order = true;
    for event in events {
        let Ok(expansion) = expander.expand(event.clone()) else { return (false, false) };
        let mut made = expansion.made.iter().chain(&expansion.passed);
        in_order &= made.all(|event| verifier.check(event).is_ok());
    }
    (true, in_order)
}

/// Rows between two borders. The state and the other rows are independent.
struct Stretch {
    state: Vec<usize>,
    rest: Vec<usize>,
    chains: Chains,
}

impl Stretch {
    fn new(table: &EventTable) -> Self {
        let chains = Chains::new(table.rows.len(), 2 * table.count);
        Self { state: Vec::new(), rest: Vec::new(), chains }
    }

    fn push(&mut self, table: &EventTable, index: usize) {
        let rows = &table.rows;
        match rows[index].kind {
            Kind::StateSnapshot | Kind::StateDelta => self.state.push(index),
            _ if self.chains.take(rows, index) => {}
            _ => self.rest.push(index),
        }
    }

    /// Writes the collected rows to the plan, and drops them.
    fn write(&mut self, table: &EventTable, order: &mut Order<'_>, plan: &mut CompactionPlan) {
        let rest = order.arrange(std::mem::take(&mut self.rest));
        join::write(&table.rows, rest, &self.chains, plan);
        state::decide(&table.rows, &self.state, plan);
        self.state.clear();
        self.chains.end();
    }
}
