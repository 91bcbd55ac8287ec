//! A filter of tool calls.

use crate::collections::HashSet;
use crate::error::Error;
use crate::expand::{ChunkExpander, Expansion};
use crate::types::Event;

/// Removes the events of other tools' calls, from the start to the result. Snapshots are left as they are. An agent uses it as middleware;
/// by itself it takes one event after the other.
///
/// ```
/// use ag_ui_native::client::ToolCallFilter;
/// use ag_ui_native::types::{ToolCallEndEvent, ToolCallStartEvent};
///
/// let mut filter = ToolCallFilter::deny(["delete"]);
/// assert_eq!(filter.push(ToolCallStartEvent::new("a", "delete").into())?, []);
/// assert_eq!(filter.push(ToolCallEndEvent::new("a").into())?, []);
/// assert_eq!(filter.push(ToolCallStartEvent::new("b", "look").into())?.len(), 1);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ToolCallFilter {
    names: HashSet<String>,
    allows: bool,
    expander: ChunkExpander,
    /// The ids of calls whose events are removed.
    refused: HashSet<String>,
}

impl ToolCallFilter {
    /// Keeps only the calls of these tools.
    ///
    /// ```
    /// use ag_ui_native::Event;
    /// use ag_ui_native::client::ToolCallFilter;
    /// use ag_ui_native::types::ToolCallStartEvent;
    ///
    /// let mut filter = ToolCallFilter::allow(["weather"]);
    /// assert!(filter.push(Event::from(ToolCallStartEvent::new("c1", "delete_mail")))?.is_empty());
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    pub fn allow(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::new(names, true)
    }

    /// Removes the calls of these tools.
    pub fn deny(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::new(names, false)
    }

    fn new(names: impl IntoIterator<Item = impl Into<String>>, allows: bool) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { names, allows, expander: ChunkExpander::default(), refused: HashSet::default() }
    }

    /// Takes the next event of a stream. Chunks are expanded.
    ///
    /// # Errors
    /// Rules C01 to C07, for a chunk that is invalid at this place.
    pub fn push(&mut self, event: Event) -> Result<Vec<Event>, Error> {
        self.filter(event).map(|Expansion { made, passed }| made.into_iter().chain(passed).collect())
    }

    /// Like [`push`](Self::push), but returns made and unchanged events separately.
    #[doc(hidden)]
    pub fn filter(&mut self, event: Event) -> Result<Expansion, Error> {
        let Expansion { mut made, passed } = self.expander.expand(event)?;
        made.retain(|event| self.passes(event));
        Ok(Expansion { made, passed: passed.filter(|event| self.passes(event)) })
    }

    fn passes(&mut self, event: &Event) -> bool {
        match event {
            Event::RunStarted(_) => self.refused.clear(),
            Event::ToolCallStart(event) => {
                if self.names.contains(&event.tool_call_name) != self.allows {
                    self.refused.insert(event.tool_call_id.clone());
                }
                return !self.refused.contains(&event.tool_call_id);
            }
            Event::ToolCallArgs(event) => return !self.refused.contains(&event.tool_call_id),
            Event::ToolCallEnd(event) => return !self.refused.contains(&event.tool_call_id),
            Event::ToolCallResult(event) => return !self.refused.remove(&event.tool_call_id),
            _ => {}
        }
        true
    }
}
