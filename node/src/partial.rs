//! Arguments of a tool call that arrive in pieces: tells JavaScript how their value grows.

use ag_ui_native::Limits;
use ag_ui_native::error::{Code, Error};
use ag_ui_native::json::{Growth, PartialParser};

use crate::engine::{Engine, Output};
use crate::raw::Host;
use crate::tape::Tape;

/// What happens. The order is that of `Kind` in `lib/partial.cts`.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Key,
    Object,
    List,
    Text,
    Append,
    Json,
    Close,
    Complete,
}

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
        let grow = &mut |growth: Growth<'_>| tape.growth(growth);
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
    fn ask(&mut self, _: u32) -> String {
        self.parser.is_complete().to_string()
    }
}

impl Tape {
    /// Writes one step: its kind, and the end of its piece of text.
    fn growth(&mut self, growth: Growth<'_>) {
        let (kind, text) = match growth {
            Growth::Key(key) => (Kind::Key, key),
            Growth::Object => (Kind::Object, ""),
            Growth::List => (Kind::List, ""),
            Growth::Text(text) => (Kind::Text, text),
            Growth::Append(text) => (Kind::Append, text),
            Growth::Null => (Kind::Json, "null"),
            Growth::Bool(value) => (Kind::Json, if value { "true" } else { "false" }),
            Growth::Number(text) => (Kind::Json, text),
            Growth::Close => (Kind::Close, ""),
            Growth::Complete(pointer) => (Kind::Complete, pointer),
        };
        self.marks.push(kind as u32);
        self.text.out.push_str(text);
        self.end_piece();
    }
}
