//! Partial arguments of tool calls.

use std::sync::Mutex;

use crate::collections::HashMap;
use crate::json::{PartialJson, Value};
use crate::limits::Limits;

/// Parsers of the calls whose arguments a subscriber has read.
pub(in crate::client) type PartialArguments = Mutex<ArgumentParsers>;

/// By the id of the call: its parser, and the number of bytes that it has read.
#[derive(Debug, Default)]
pub(in crate::client) struct ArgumentParsers(HashMap<String, (PartialJson, usize)>);

impl ArgumentParsers {
    /// Parses the arguments so far. The text must begin with the text of the last call with this id.
    pub fn value(&mut self, id: &str, text: &str) -> Value {
        let anew = || (PartialJson::new(Limits::default()), 0);
        let (document, read) = self.0.entry(id.to_owned()).or_insert_with(anew);
        // After a syntax error nothing more is read; the value before it stays.
        let _ = document.feed(text.get(*read..).unwrap_or_default());
        *read = text.len();
        document.value().clone()
    }

    /// Forgets all parsers: the messages have been replaced.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
