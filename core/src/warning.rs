//! Warnings about repaired or dropped parts of a stream's events.

use std::fmt;

use crate::error::{Code, Issue};
use crate::limits::Limits;

/// A warning about one event of a stream.
///
/// ```
/// use ag_ui_native::Code;
/// use ag_ui_native::stream::EventDecoder;
///
/// let mut decoder = EventDecoder::new();
/// let bytes = b"data: {\"type\":\"STEP_STARTED\",\"stepName\":\"plan\",\"color\":\"red\"}\n\n";
/// decoder.feed(bytes).try_for_each(|event| event.map(drop))?;
/// let warnings = decoder.take_warnings();
/// assert_eq!((warnings[0].event_index, warnings[0].issue.code), (0, Code::UnknownField));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Index of the event in its stream, counting from 0; events left out count too.
    pub event_index: usize,
    /// The repaired or dropped part.
    pub issue: Issue,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "event {}: {}", self.event_index, self.issue)
    }
}

/// The warnings about a stream that have not been taken yet. Their number is limited; the last one says that others were
/// dropped.
#[derive(Debug)]
pub struct Warnings {
    waiting: Vec<Warning>,
    /// Number of all warnings so far, with those that were dropped.
    count: usize,
    limit: usize,
}

impl Warnings {
    /// Makes an empty list. `limits.warnings` is the maximum number of warnings in it.
    pub fn new(limits: &Limits) -> Self {
        Self { waiting: Vec::new(), count: 0, limit: limits.warnings }
    }

    /// Adds a warning about an event.
    pub fn push(&mut self, event_index: usize, issue: Issue) {
        self.count = self.count.saturating_add(1);
        if self.count <= self.limit {
            self.waiting.push(Warning { event_index, issue });
        } else if self.count == self.limit.saturating_add(1) {
            let issue = Issue::new(Code::LimitExceeded, "", format!("warnings is {}", self.limit));
            self.waiting.push(Warning { event_index, issue });
        }
    }

    /// Adds warnings about an event.
    pub fn extend(&mut self, event_index: usize, issues: impl IntoIterator<Item = Issue>) {
        issues.into_iter().for_each(|issue| self.push(event_index, issue));
    }

    /// Returns and removes the waiting warnings.
    pub fn take(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.waiting)
    }
}
