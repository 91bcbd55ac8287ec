//! The parser for a document in pieces. It reports how the document grows, and keeps only its own
//! position.

use std::fmt::Write as _;

use super::growth::{Grow, Growth};
use super::token::{Digits, unescape};
use crate::error::{Code, Error, push_token};
use crate::json::text::plain_len;
use crate::limits::Limits;

/// Parses a JSON document that arrives in pieces of any size. It reads each byte once.
#[derive(Debug)]
pub struct PartialParser {
    limits: Limits,
    state: ParserState,
    open: Vec<OpenContainer>,
    /// The value being read, or the last one in its object.
    pointer: String,
    /// Bytes read so far.
    offset: usize,
    /// The unfinished number or key, or the part of a string that has not been reported.
    token: String,
    /// The unfinished escape sequence.
    escape: Vec<u8>,
    /// Length of all pointers reported so far.
    reported: usize,
    failed: bool,
}

/// The expected continuation.
#[derive(Clone, Copy, Debug)]
enum ParserState {
    /// A value, or the end of a list without items.
    Value { may_close: bool },
    /// A key, or the end of an object without members.
    Key { may_close: bool },
    /// The colon after a key.
    Colon,
    /// The rest of `null`, `true` or `false`, with the length of the part read so far.
    Word(&'static str, usize),
    /// The rest of a number.
    Number(Digits),
    /// The rest of a string.
    Text(StringRole),
    /// The rest of an escape sequence.
    Escape(StringRole),
    /// The continuation after a value: a comma, or the end of its container.
    Behind,
}

/// The role of a string.
#[derive(Clone, Copy, Debug)]
enum StringRole {
    Key,
    /// A value that has not been reported yet.
    New,
    /// A value whose beginning has been reported.
    Begun,
}

/// An open list or object.
#[derive(Debug)]
struct OpenContainer {
    is_object: bool,
    /// Length of its own pointer.
    pointer: usize,
    /// Place of a list's next item.
    index: usize,
}

impl PartialParser {
    /// Creates a new parser. Two limits apply: `depth`, and `event_bytes` for the whole text and for all reported
    /// pointers together.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            state: ParserState::Value { may_close: false },
            open: Vec::new(),
            pointer: String::new(),
            offset: 0,
            token: String::new(),
            escape: Vec::new(),
            reported: 0,
            failed: false,
        }
    }

    /// Reads the next piece, and reports how the document grows. The text before a fault is reported too.
    ///
    /// Errors are `invalid_json`, `lone_surrogate` and `limit_exceeded`, with byte offsets into the whole text, and
    /// `decoder_failed` after one of them.
    pub fn feed(&mut self, delta: &str, grow: &mut Grow<'_>) -> Result<(), Error> {
        self.guarded(|parser| {
            let result = parser.read(delta, grow);
            parser.report_text(grow);
            result
        })
    }

    /// Ends the text. Empty or blank text counts as a document that grows no further.
    pub fn finish(&mut self, grow: &mut Grow<'_>) -> Result<(), Error> {
        self.guarded(|parser| {
            while !parser.is_complete() && !parser.is_blank() {
                // Only a number can be unfinished here; the end of the text ends it.
                parser.step(None, grow)?;
            }
            Ok(())
        })
    }

    /// True if the document is whole. A number at the root is whole once other text follows it.
    pub fn is_complete(&self) -> bool {
        !self.failed && self.open.is_empty() && matches!(self.state, ParserState::Behind)
    }

    fn is_blank(&self) -> bool {
        self.open.is_empty() && matches!(self.state, ParserState::Value { .. })
    }

    /// Runs `work`, unless the parser has failed before.
    fn guarded(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        if self.failed {
            return Err(Error::new(Code::DecoderFailed, ""));
        }
        let result = work(self);
        self.failed = result.is_err();
        result
    }

    fn read(&mut self, delta: &str, grow: &mut Grow<'_>) -> Result<(), Error> {
        let limit = self.limits.event_bytes;
        if delta.len() > limit.saturating_sub(self.offset) {
            return Err(Error::limit("event_bytes", limit));
        }
        let bytes = delta.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let plain = if let ParserState::Text(_) = self.state { plain_len(&bytes[at..]) } else { 0 };
            let taken = if plain > 0 {
                // The text is cut at ASCII bytes, so both sides hold whole characters.
                self.token.push_str(delta.get(at..at + plain).unwrap_or_default());
                plain
            } else {
                usize::from(self.step(Some(byte), grow)?)
            };
            at += taken;
            self.offset += taken;
        }
        Ok(())
    }

    /// Reads one byte, or the end of the text. Returns whether the byte is used up: the byte after a number is not.
    fn step(&mut self, byte: Option<u8>, grow: &mut Grow<'_>) -> Result<bool, Error> {
        match (self.state, byte) {
            (
                ParserState::Value { .. }
                | ParserState::Key { .. }
                | ParserState::Colon
                | ParserState::Behind,
                Some(b' ' | b'\n' | b'\r' | b'\t'),
            ) => {}
            (ParserState::Value { may_close: true }, Some(b']'))
            | (ParserState::Key { may_close: true }, Some(b'}')) => {
                self.close(grow)?;
            }
            (ParserState::Value { .. }, byte) => self.begin(byte, grow)?,
            (ParserState::Key { .. }, Some(b'"')) => self.state = ParserState::Text(StringRole::Key),
            (ParserState::Key { .. }, _) => return self.fail("a key in double quotes"),
            (ParserState::Colon, Some(b':')) => self.state = ParserState::Value { may_close: false },
            (ParserState::Colon, _) => return self.fail("`:`"),
            (ParserState::Behind, byte) => self.go_on(byte, grow)?,
            (ParserState::Word(word, length), byte) => self.word(word, length, byte, grow)?,
            (ParserState::Number(digits), byte) => return self.number(digits, byte, grow),
            (ParserState::Text(part), Some(b'"')) => self.end_text(part, grow)?,
            (ParserState::Text(part), Some(b'\\')) => {
                self.escape.push(b'\\');
                self.state = ParserState::Escape(part);
            }
            (ParserState::Text(_), Some(_)) => return self.fail("a character that needs no escape"),
            (ParserState::Text(_), None) => return self.fail("the end of the string"),
            (ParserState::Escape(part), byte) => self.escape(part, byte)?,
        }
        Ok(true)
    }

    /// Begins a value at its first byte.
    fn begin(&mut self, byte: Option<u8>, grow: &mut Grow<'_>) -> Result<(), Error> {
        self.state = match byte {
            Some(b'"') => ParserState::Text(StringRole::New),
            Some(b'{') => return self.open(true, grow),
            Some(b'[') => return self.open(false, grow),
            Some(b't') => ParserState::Word("true", 1),
            Some(b'f') => ParserState::Word("false", 1),
            Some(b'n') => ParserState::Word("null", 1),
            Some(sign @ b'-') => {
                self.token.push(char::from(sign));
                ParserState::Number(Digits::Start)
            }
            Some(digit @ b'0'..=b'9') => return self.number(Digits::Start, Some(digit), grow).map(drop),
            _ => return self.fail("a value"),
        };
        Ok(())
    }

    fn open(&mut self, is_object: bool, grow: &mut Grow<'_>) -> Result<(), Error> {
        let depth = self.limits.effective_depth();
        if self.open.len() >= depth {
            let error = Error::at(Code::LimitExceeded, self.path(), format!("depth is {depth}"));
            return Err(Error { offset: Some(self.offset), limit: Some("depth"), ..error });
        }
        self.open.push(OpenContainer { is_object, pointer: self.pointer.len(), index: 0 });
        if is_object {
            grow(Growth::Object);
            self.state = ParserState::Key { may_close: true };
        } else {
            grow(Growth::List);
            self.pointer.push_str("/0");
            self.state = ParserState::Value { may_close: true };
        }
        Ok(())
    }

    fn close(&mut self, grow: &mut Grow<'_>) -> Result<(), Error> {
        if let Some(open) = self.open.pop() {
            self.pointer.truncate(open.pointer);
        }
        grow(Growth::Close);
        self.complete(grow)
    }

    /// Reads the byte after a value.
    fn go_on(&mut self, byte: Option<u8>, grow: &mut Grow<'_>) -> Result<(), Error> {
        match (self.open.last().map(|open| open.is_object), byte) {
            (Some(true), Some(b'}')) | (Some(false), Some(b']')) => return self.close(grow),
            (Some(true), Some(b',')) => self.state = ParserState::Key { may_close: false },
            (Some(false), Some(b',')) => self.state = ParserState::Value { may_close: false },
            (Some(true), _) => return self.fail("`,` or `}`"),
            (Some(false), _) => return self.fail("`,` or `]`"),
            (None, _) => return self.fail("the end of the document"),
        }
        Ok(())
    }

    fn word(
        &mut self,
        word: &'static str,
        length: usize,
        byte: Option<u8>,
        grow: &mut Grow<'_>,
    ) -> Result<(), Error> {
        if word.as_bytes().get(length).copied() != byte {
            return self.fail_at(Code::InvalidJson, self.offset - length, "a value");
        }
        if length + 1 < word.len() {
            self.state = ParserState::Word(word, length + 1);
            return Ok(());
        }
        grow(match word {
            "null" => Growth::Null,
            word => Growth::Bool(word == "true"),
        });
        self.complete(grow)
    }

    /// Reads a byte of a number. Returns whether the byte belongs to it.
    fn number(&mut self, digits: Digits, byte: Option<u8>, grow: &mut Grow<'_>) -> Result<bool, Error> {
        if let Some(byte) = byte
            && let Some(next) = digits.next(byte)
        {
            self.token.push(char::from(byte));
            self.state = ParserState::Number(next);
            return Ok(true);
        }
        if !digits.may_end() {
            return self.fail("a digit");
        }
        grow(Growth::Number(&self.token));
        self.token.clear();
        self.complete(grow)?;
        Ok(false)
    }

    fn end_text(&mut self, part: StringRole, grow: &mut Grow<'_>) -> Result<(), Error> {
        if !matches!(part, StringRole::Key) {
            self.report_text(grow);
            return self.complete(grow);
        }
        grow(Growth::Key(&self.token));
        self.pointer.truncate(self.open.last().map_or(0, |open| open.pointer));
        self.pointer.push('/');
        self.pointer.push_str(&self.token.replace('~', "~0").replace('/', "~1"));
        self.token.clear();
        self.state = ParserState::Colon;
        Ok(())
    }

    /// Reports the text of an open string that has not been reported.
    fn report_text(&mut self, grow: &mut Grow<'_>) {
        let (ParserState::Text(part) | ParserState::Escape(part)) = &mut self.state else { return };
        match part {
            StringRole::Key => return,
            StringRole::New => grow(Growth::Text(&self.token)),
            StringRole::Begun if self.token.is_empty() => {}
            StringRole::Begun => grow(Growth::Append(&self.token)),
        }
        *part = StringRole::Begun;
        self.token.clear();
    }

    fn escape(&mut self, part: StringRole, byte: Option<u8>) -> Result<(), Error> {
        // No sequence continues with a space, so at the end of the text the error names the missing
        // part.
        self.escape.push(byte.unwrap_or(b' '));
        match unescape(&self.escape) {
            Ok(None) => {}
            Ok(Some(character)) => {
                self.token.push(character);
                self.escape.clear();
                self.state = ParserState::Text(part);
            }
            Err((code, place, expected)) => {
                return self.fail_at(code, self.offset + 1 - self.escape.len() + place, expected);
            }
        }
        Ok(())
    }

    /// Reports that the value at the pointer is whole.
    fn complete(&mut self, grow: &mut Grow<'_>) -> Result<(), Error> {
        // The limit on reported pointers keeps a long key from being repeated for each of a million
        // items below it.
        self.reported += self.pointer.len();
        if self.reported > self.limits.event_bytes {
            let detail = format!("event_bytes is {}, for the pointers reported", self.limits.event_bytes);
            let error = Error::at(Code::LimitExceeded, self.path(), detail);
            return Err(Error { offset: Some(self.offset), limit: Some("event_bytes"), ..error });
        }
        grow(Growth::Complete(&self.pointer));
        if let Some(open) = self.open.last_mut()
            && !open.is_object
        {
            open.index += 1;
            self.pointer.truncate(open.pointer);
            // Writing to a string does not fail.
            let _ = write!(self.pointer, "/{}", open.index);
        }
        self.state = ParserState::Behind;
        Ok(())
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, Error> {
        self.fail_at(Code::InvalidJson, self.offset, expected)
    }

    fn fail_at<T>(&self, code: Code, offset: usize, expected: &'static str) -> Result<T, Error> {
        let detail = format!("expected {expected} at byte {offset}");
        Err(Error { offset: Some(offset), ..Error::at(code, self.path(), detail) })
    }

    /// Returns the pointer in the form of errors, with long keys cut.
    fn path(&self) -> String {
        // An invalid key belongs to the object, not to the member before it.
        let end = match self.state {
            ParserState::Text(StringRole::Key) | ParserState::Escape(StringRole::Key) => {
                self.open.last().map_or(0, |open| open.pointer)
            }
            _ => self.pointer.len(),
        };
        let mut path = String::new();
        for token in self.pointer[..end].split('/').skip(1) {
            push_token(&mut path, &token.replace("~1", "/").replace("~0", "~"));
        }
        path
    }
}
