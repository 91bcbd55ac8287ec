//! A document that arrives in pieces, such as the arguments of a tool call, with its value so far.

mod growth;
mod parser;
mod token;
mod tree;

pub use growth::{Grow, Growth};
pub use parser::PartialParser;

use super::{Object, Value};
use crate::error::Error;
use crate::limits::Limits;
use tree::GrowingValue;

/// A JSON document that arrives in pieces of any size, with its value so far: the value of the text if everything
/// open were closed. A string grows as it arrives; a number, `true`, `false`, `null` or key counts once it is
/// finished, an escape sequence once it is whole. If a key occurs several times, the last member counts.
///
/// Tool calls without arguments are streamed as no text at all. So as long as no value has begun, the value is an
/// empty object, and text without a value counts as an empty object.
///
/// The cost of all pieces together is linear in their text, however small they are; each also costs a step for every
/// list and object that is open. This is the partial parse of `TOOL_CALL_ARGS`; hosts that keep values of their own
/// use [`PartialParser`].
#[derive(Debug)]
pub struct PartialJson {
    parser: PartialParser,
    tree: GrowingValue,
    completed: Vec<String>,
}

impl PartialJson {
    /// Creates an empty document. Two limits apply: `depth`, and `event_bytes` for the whole text.
    pub fn new(limits: Limits) -> Self {
        let tree = GrowingValue::new(Value::Object(Object::default()));
        Self { parser: PartialParser::new(limits), tree, completed: Vec::new() }
    }

    /// Reads the next piece. The text before a fault still counts.
    ///
    /// Errors are `invalid_json`, `lone_surrogate` and `limit_exceeded`, with byte offsets into the whole text, and
    /// `decoder_failed` after one of them.
    pub fn feed(&mut self, delta: &str) -> Result<(), Error> {
        self.step(|parser, grow| parser.feed(delta, grow))
    }

    /// Returns the value so far.
    pub fn value(&self) -> &Value {
        self.tree.value()
    }

    /// Returns the values that the last piece completed, as JSON pointers: members, items, the document itself (``),
    /// in the order of their ends: lists and objects come after their content.
    pub fn completed(&self) -> &[String] {
        &self.completed
    }

    /// True if the document is whole. A number at the root is whole once other text follows it.
    pub fn is_complete(&self) -> bool {
        self.parser.is_complete()
    }

    /// Ends the text, and returns the document. Errors are those of [`Self::feed`]; a cut document is `invalid_json`.
    pub fn finish(mut self) -> Result<Value, Error> {
        self.step(PartialParser::finish)?;
        Ok(self.tree.into_value())
    }

    fn step(
        &mut self,
        run: impl FnOnce(&mut PartialParser, &mut Grow<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { parser, tree, completed } = self;
        completed.clear();
        tree.unfold();
        let result = run(parser, &mut |growth| match growth {
            Growth::Complete(pointer) => completed.push(pointer.to_owned()),
            other => tree.grow(other),
        });
        tree.fold();
        result
    }
}
