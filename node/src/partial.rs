//! Arguments of a tool call that arrive in pieces: tells JavaScript how their value grows.

use ag_ui_native::Limits;
use ag_ui_native::host::json::{self, PartialParser};
use ag_ui_native::{Code, Error};

use crate::border::{Ask, Growth};
use crate::engine::{Engine, Output};
use crate::raw::Host;
use crate::tape::Tape;

/// The arguments of one call.
#[derive(Debug)]
pub struct PartialArguments {
    parser: PartialParser,
    output: Output,
}

impl PartialArguments {
    /// Arguments of which nothing has come.
    pub fn new(limits: Limits) -> Self {
        Self { parser: PartialParser::new(limits), output: Output::default() }
    }
}

impl Engine for PartialArguments {
    fn run(&mut self, input: Option<&[u8]>, _: &mut Host) -> Result<(), Error> {
        let Self { parser, output: Output { tape, .. } } = self;
        tape.clear();
        let grow = &mut |growth: json::Growth<'_>| tape.growth(growth);
        let result = match input.map(std::str::from_utf8) {
            Some(Ok(delta)) => parser.feed(delta, grow),
            Some(Err(_)) => Err(Error::new(Code::InvalidUtf8, "")),
            None => parser.finish(grow),
        };
        tape.finish();
        result
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// Whether they are whole.
    fn ask(&mut self, _: Ask) -> String {
        self.parser.is_complete().to_string()
    }
}

impl Tape {
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
