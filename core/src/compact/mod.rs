//! Compaction: a list of events made shorter that still says the same. Three things hold for every list: if it passes
//! verification, so does what it is compacted to; both reduce to the same messages and state, wherever a replay starts, but for
//! two beginnings; and compacting again changes nothing.
//!
//! The two beginnings, of which the list itself says nothing:
//! - a thought has the id of a text message that the list begins, which makes the thought give way.
//! - a call that the list begins stands already, in another message than the one that the list puts it into.
//!
//! A list that says of itself that an id is there already, by a snapshot, the messages of a run's input or an event before, keeps
//! the order of what depends on that.
//!
//! It is decided from numbers (`outline.rs`) and comes out as a recipe (`recipe.rs`), which is then carried out on the events (`carry_out.rs`): a
//! host with events of its own hands over numbers and carries that out itself.

mod accesses;
mod carry_out;
mod cells;
mod compaction;
mod effects;
mod ends;
mod join;
mod known;
mod numbers;
mod order;
mod outline;
mod recipe;
mod rows;
mod state;
mod words;

pub use compaction::{Compacted, Compaction};
pub(crate) use compaction::{joined, merge};
use join::Chains;
pub use numbers::WORDS;
use order::Order;
use outline::Outline;
pub use recipe::{Action, Recipe};
use rows::Kind;
pub use words::{Flag, Outlined, ROW, Shape, outlined};

use crate::expand::ChunkExpander;
use crate::profile::Profile;
use crate::types::Event;
use crate::verify::EventVerifier;

/// Joins the deltas of each text message and each tool call into one, and folds a state snapshot and the deltas behind
/// it into one snapshot. Chunks stay as they are, and nothing passes them; nor, where that would matter, what may
/// close them while they are open; expand them first to have them joined.
///
/// Events inside an open message move behind it, messages come out in the order of their ends, and the state comes last in
/// its run, as far as a replay cannot tell the difference. Nothing passes the beginning or the end of a run. What is
/// joined keeps its metadata and loses `timestamp` and `rawEvent`.
pub fn compact(events: &[Event]) -> Compaction {
    recipe(events).carry_out(events)
}

/// The same as a recipe; each event is a row of it.
pub fn recipe(events: &[Event]) -> Recipe {
    let mut outline = Outline::of(events, false);
    let (mut recipe, is_open) = recipe_around(&outline, false);
    if is_open {
        outline = Outline::of(events, true);
        recipe = recipe_around(&outline, false).0;
    }
    if !outline.has_chunks() || recipe.is_in_order() {
        return recipe;
    }
    if standing(events) <= standing(&recipe.carry_out(events).into_events(events)) {
        return recipe;
    }
    recipe_around(&outline, true).0
}

/// What is missing to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A full outline.
    Outline,
    /// The events themselves: what chunks among them come to depends on more.
    Events,
}

/// The recipe for events of which a host has handed over numbers, see `words.rs`: `count` of them, the words of rows and, if the outline is full, of
/// lists. If not, only neighbours need to have the same numbers for the same strings.
pub fn read_recipe(count: usize, rows: &[u32], listed: Option<&[u32]>) -> Result<Recipe, Missing> {
    let outline = Outline::read(count, rows, listed);
    match recipe_around(&outline, false) {
        (_, true) => Err(Missing::Outline),
        (recipe, _) if outline.has_chunks() && !recipe.is_in_order() => Err(Missing::Events),
        (recipe, _) => Ok(recipe),
    }
}

/// Decides between the borders, and says whether it would have taken a full outline. With `is_still`, nothing passes anything while
/// chunks are open: what comes may close them, or belong to what they have opened.
fn recipe_around(outline: &Outline, is_still: bool) -> (Recipe, bool) {
    let rows = &outline.rows;
    let mut recipe = Recipe::with_capacity(rows.len());
    let mut order = Order::new(outline);
    let mut stretch = Stretch::new(outline);
    let (mut chunked, mut stands) = (false, false);
    for (index, row) in rows.iter().enumerate() {
        let follows = std::mem::replace(&mut stands, is_still && chunked);
        if row.is_border() {
            stretch.write(outline, &mut order, &mut recipe);
            recipe.keep(index);
            order.pass(index);
        } else {
            if (stands || follows) && !(index > 0 && row.continues(&rows[index - 1])) {
                stretch.write(outline, &mut order, &mut recipe);
            }
            stretch.push(outline, index);
        }
        chunked = match row.kind {
            Kind::Chunk => true,
            Kind::RunStart(_) | Kind::RunEnd | Kind::Messages(_) => false,
            _ => chunked,
        };
    }
    stretch.write(outline, &mut order, &mut recipe);
    (recipe, order.is_open())
}

/// How well a list stands: its chunks expand, and what they expand to passes verification.
fn standing(events: &[Event]) -> (bool, bool) {
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

/// Rows between two that nothing passes. The state and the rest have nothing to do with each other.
struct Stretch {
    state: Vec<usize>,
    rest: Vec<usize>,
    chains: Chains,
}

impl Stretch {
    fn new(outline: &Outline) -> Self {
        let chains = Chains::new(outline.rows.len(), 2 * outline.count);
        Self { state: Vec::new(), rest: Vec::new(), chains }
    }

    fn push(&mut self, outline: &Outline, index: usize) {
        let rows = &outline.rows;
        match rows[index].kind {
            Kind::StateSnapshot | Kind::StateDelta => self.state.push(index),
            _ if self.chains.take(rows, index) => {}
            _ => self.rest.push(index),
        }
    }

    /// Decides on what has been collected, and forgets it.
    fn write(&mut self, outline: &Outline, order: &mut Order<'_>, recipe: &mut Recipe) {
        let rest = order.arrange(std::mem::take(&mut self.rest));
        join::write(&outline.rows, rest, &self.chains, recipe);
        state::decide(&outline.rows, &self.state, recipe);
        self.state.clear();
        self.chains.end();
    }
}
