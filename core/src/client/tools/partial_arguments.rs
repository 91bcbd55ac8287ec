//! The arguments of tool calls while they arrive.

use std::sync::Mutex;

use crate::collections::HashMap;
use crate::json::{PartialJson, Value};
use crate::limits::Limits;

/// Parsers of the calls whose arguments a subscriber has read.
pub(in crate::client) type PartialArguments = Mutex<ArgumentParsers>;

/// By the ids of the calls: the document, and how many bytes of the text it has read.
#[derive(Debug, Default)]
pub(in crate::client) struct ArgumentParsers(HashMap<String, (PartialJson, usize)>);

impl ArgumentParsers {
    /// Parses the arguments so far. The text may only have grown since the last call with this id.
    pub fn value(&mut self, id: &str, text: &str) -> Value {
        let anew = || (PartialJson::new(Limits::default()), 0);
        let (document, read) = self.0.entry(id.to_owned()).or_insert_with(anew);
        // Behind a fault nothing more is read: what stands before it still counts.
        let _ = document.feed(text.get(*read..).unwrap_or_default());
        *read = text.len();
        document.value().clone()
    }

    /// Forgets all parsers: the messages have been replaced.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
