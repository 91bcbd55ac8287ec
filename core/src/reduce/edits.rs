//! Changes by the application to the messages of an active run.

use super::Reducer;
use super::index::{Index, MessageEntry};
use crate::types::Message;

impl Reducer {
    /// Replaces all messages while the run continues. The slots of the new ones are their places.
    pub fn replace_messages<'m>(&mut self, messages: impl IntoIterator<Item = &'m Message>) {
        self.index = Index::new(messages.into_iter().map(MessageEntry::of));
    }

    /// Appends messages while the run continues. Their slots are the next ones.
    pub fn add_messages<'m>(&mut self, messages: impl IntoIterator<Item = &'m Message>) {
        for message in messages {
            self.index.insert(self.index.len(), MessageEntry::of(message));
        }
    }
}
