//! What applications change of the messages while a run goes on.

use super::Reducer;
use super::index::{Index, MessageEntry};
use crate::types::Message;

impl Reducer {
    /// Somebody has put other messages in the place of all; the run goes on. Their slots are their places.
    pub fn replace_messages<'m>(&mut self, messages: impl IntoIterator<Item = &'m Message>) {
        self.index = Index::new(messages.into_iter().map(MessageEntry::of));
    }

    /// Somebody has added messages at the end; the run goes on. Their slots are the next ones.
    pub fn add_messages<'m>(&mut self, messages: impl IntoIterator<Item = &'m Message>) {
        for message in messages {
            self.index.insert(self.index.len(), MessageEntry::of(message));
        }
    }
}
