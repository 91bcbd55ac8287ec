//! The runs of a stream after the first, with their messages.

use super::change::{Arranged, Change};
use crate::collections::HashMap;
use crate::types::Message;

/// Records which run of a stream added which message. The first run is not recorded.
#[derive(Clone, Debug, Default)]
pub struct LaterRuns {
    has_begun: bool,
    ids: Vec<String>,
    /// The number of the run of each message, from 1.
    messages: HashMap<String, usize>,
}

impl LaterRuns {
    /// The ids of the runs after the first.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The messages of these runs, each with the number of its run, from 1.
    pub fn messages(&self) -> impl Iterator<Item = (&str, usize)> {
        self.messages.iter().map(|(id, &run)| (id.as_str(), run))
    }

    /// The number of the run that added a message; 0 for the first run and for unknown messages.
    pub fn run_of(&self, message_id: &str) -> usize {
        self.messages.get(message_id).copied().unwrap_or_default()
    }

    pub(super) fn begin(&mut self, run_id: &str) {
        if self.has_begun {
            self.ids.push(run_id.to_owned());
        }
        self.has_begun = true;
    }

    /// Called when a run has ended. A run that fails at once has no RUN_STARTED.
    pub(super) fn end(&mut self) {
        self.has_begun = true;
    }

    pub(super) fn note(&mut self, changes: &[Change]) {
        if self.ids.is_empty() {
            return;
        }
        for change in changes {
            match change {
                Change::Insert { message, .. } => self.take(message),
                Change::Arrange(arranged) => arranged.iter().for_each(|place| {
                    if let Arranged::New(message) = place {
                        self.take(message);
                    }
                }),
                _ => {}
            }
        }
    }

    fn take(&mut self, message: &Message) {
        self.messages.entry(message.id().to_owned()).or_insert(self.ids.len());
    }
}
