//! Arguments of a tool call that arrive in pieces: reports to JavaScript each step in which their value grows.

use ag_ui_native::bindings::json::{self, PartialParser};
use ag_ui_native::{Code, Error, Limits};

use crate::border::{Ask, Growth};
use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::engine::output::{Output, OutputBuffer};

/// The arguments of one call.
#[derive(Debug)]
pub struct PartialArguments {
    parser: PartialParser,
    output: Output,
}

impl PartialArguments {
    /// Arguments before their first piece.
    pub fn new(limits: Limits) -> Self {
        Self { parser: PartialParser::new(limits), output: Output::default() }
    }

    fn grow(
        &mut self,
        work: impl FnOnce(&mut PartialParser, &mut dyn FnMut(json::Growth<'_>)) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { parser, output: Output { buffer, .. } } = self;
        buffer.clear();
        let result = work(parser, &mut |growth| buffer.growth(growth));
        buffer.finish();
        result
    }
}

impl Engine for PartialArguments {
    fn read(&mut self, delta: &[u8], _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let delta = std::str::from_utf8(delta).map_err(|_| Error::new(Code::InvalidUtf8, ""))?;
        self.grow(|parser, grow| parser.feed(delta, grow))
    }

    fn close(&mut self, _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.grow(PartialParser::finish)
    }

    /// Returns `true` if the arguments are complete.
    fn ask(&mut self, _: Ask, _: &str) -> Result<String, Error> {
        Ok(self.parser.is_complete().to_string())
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }
}

impl OutputBuffer {
    /// Writes one step: its kind, and the end of its piece of text.
    fn growth(&mut self, growth: json::Growth<'_>) {
        let (kind, text) = match growth {
            json::Growth::Key(key) => (Growth::Key, key),
            json::Growth::Object => (Growth::Object, ""),
            json::Growth::List => (Growth::List, ""),
            json::Growth::Text(text) => (Growth::Text, text),
            json::Growth::Append(text) => (Growth::Append, text),
            json::Growth::Null => (Growth::Json, "null"),
            json::Growth::Bool(value) => (Growth::Json, if value { "true" } else { "false" }),
            json::Growth::Number(text) => (Growth::Json, text),
            json::Growth::Close => (Growth::Close, ""),
            json::Growth::Complete(pointer) => (Growth::Complete, pointer),
        };
        self.marks.push(kind.code());
        self.text.out.push_str(text);
        self.end_piece();
    }
}
