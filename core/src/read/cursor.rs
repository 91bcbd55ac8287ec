//! A place in the text of a document, for the short way through it: what is ahead there, if it is nothing unusual.

use super::nothing::Checked;
use crate::json::{Assemble, Input, Node, Number, ParseOptions, Tape, plain_len};
use crate::schema::{FieldDef, UnionDef, Variant};

/// A place in a document, and what reading on from it takes.
#[derive(Debug)]
pub struct Cursor<'a> {
    json: &'a str,
    at: usize,
    /// How many more levels of nesting are allowed.
    depth: usize,
    /// Where free values are parsed.
    tape: &'a mut Tape,
}

impl<'a> Cursor<'a> {
    /// The beginning of a document, of which `depth` levels of nesting are read.
    pub fn new(json: &'a str, depth: usize, tape: &'a mut Tape) -> Self {
        Self { json, at: 0, depth, tape }
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.at == self.json.len()
    }

    /// Where reading stands.
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.depth)
    }

    /// Goes back to where reading stood.
    pub fn return_to(&mut self, place: (usize, usize)) {
        (self.at, self.depth) = place;
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Enters a list or an object; whoever leaves it gives the level back.
    #[inline]
    pub fn enter(&mut self, open: u8) -> Option<()> {
        self.depth = self.depth.checked_sub(1)?;
        self.skip(open).then_some(())
    }

    /// See [`enter`](Self::enter).
    #[inline]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// Behind a value: whether another follows in the same container. A space behind the comma is allowed.
    #[inline]
    pub fn more(&mut self, close: u8) -> Option<bool> {
        if self.skip(b',') {
            self.skip(b' ');
            return Some(true);
        }
        self.skip(close).then_some(false)
    }

    /// Reads the string ahead if it is one of `texts`, which need no escapes: which.
    #[inline]
    pub fn string_among(&mut self, mut texts: impl Iterator<Item = &'static str>) -> Option<usize> {
        let [b'"', ahead @ ..] = self.json.as_bytes().get(self.at..)? else { return None };
        let mut length = 0;
        let index = texts.position(|text| {
            length = text.len();
            // Most are told apart by their length.
            ahead.get(length) == Some(&b'"') && ahead.starts_with(text.as_bytes())
        })?;
        self.at += length + 2;
        Some(index)
    }

    /// Reads the key ahead and its colon, if it is one of the fields': which.
    #[inline]
    pub fn field(&mut self, fields: &'static [FieldDef]) -> Option<usize> {
        let ahead = self.json.as_bytes().get(self.at..)?;
        let is_ahead = |field: &FieldDef| {
            // Most are told apart by their length.
            ahead.get(field.key.len() - 2) == Some(&b'"') && ahead.starts_with(field.key.as_bytes())
        };
        let index = fields.iter().position(is_ahead)?;
        self.at += fields[index].key.len();
        self.skip(b' ');
        Some(index)
    }

    /// Behind a key. A space behind the colon is allowed.
    #[inline]
    pub fn colon(&mut self) -> Option<()> {
        let colon = self.skip(b':');
        self.skip(b' ');
        colon.then_some(())
    }

    /// A string without escapes.
    #[inline]
    pub fn plain(&mut self) -> Option<&'a str> {
        let start = self.at + 1;
        let ahead = self.json.as_bytes().get(start..)?;
        let len = plain_len(ahead);
        if self.peek() != Some(b'"') || ahead.get(len) != Some(&b'"') {
            return None;
        }
        self.at = start + len + 1;
        self.json.get(start..start + len)
    }

    #[inline]
    pub fn string(&mut self) -> Option<&str> {
        match self.plain() {
            None if self.peek() == Some(b'"') => self.free()?.text(),
            plain => plain,
        }
    }

    /// Passes a string that is read later.
    #[inline]
    pub fn pass_string(&mut self) -> Option<()> {
        self.plain().is_some().then_some(()).or_else(|| self.string().map(|_| ()))
    }

    /// A value of any kind.
    pub fn free(&mut self) -> Option<Node<'_>> {
        let options = ParseOptions { depth: self.depth, lossy: false };
        let (node, end) = self.tape.parse_value(self.json, self.at, options).ok()?;
        self.at = end;
        Some(node)
    }

    pub fn bool(&mut self) -> Option<bool> {
        let rest = &self.json[self.at..];
        let value = rest.starts_with("true");
        if !value && !rest.starts_with("false") {
            return None;
        }
        self.at += if value { 4 } else { 5 };
        Some(value)
    }

    pub fn null(&mut self) -> Option<()> {
        let is_ahead = self.json.as_bytes().get(self.at..)?.starts_with(b"null");
        self.at += 4;
        is_ahead.then_some(())
    }

    /// An integer of few digits, without fraction and exponent.
    pub fn int(&mut self) -> Option<i64> {
        let rest = &self.json.as_bytes()[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = sign + digits;
        let leads_with_zero = digits > 1 && rest[sign] == b'0';
        if leads_with_zero || matches!(rest.get(end), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        let int = self.json[self.at..self.at + end].parse().ok()?;
        self.at += end;
        Some(int)
    }

    /// Goes from a key to the value behind the key `key`, past strings at most.
    #[inline]
    pub fn seek(&mut self, key: &'static str) -> Option<()> {
        while self.string_among([key].into_iter()).is_none() {
            self.pass_string()?;
            self.colon()?;
            self.pass_string()?;
            if !self.more(b'}')? {
                return None;
            }
        }
        self.colon()
    }

    /// The text from a place to here.
    pub fn since(&self, start: usize) -> Option<&'a str> {
        self.json.get(start..self.at)
    }

    /// The variant of the object ahead, by its tag; and the place behind that.
    pub fn variant(&mut self, union: &UnionDef) -> Option<(&'static Variant, usize)> {
        let start = self.at;
        self.skip(b'{');
        self.seek(union.tag)?;
        let index = self.string_among(union.variants.iter().map(|variant| variant.tag))?;
        let behind = std::mem::replace(&mut self.at, start);
        Some((&union.variants[index], behind))
    }

    /// The string under `key`, which stands behind `place`, where a member has ended, and behind strings at most.
    pub fn text_behind(&mut self, place: usize, key: &'static str) -> Option<&'a str> {
        let start = std::mem::replace(&mut self.at, place);
        let is_there = self.more(b'}') == Some(true) && self.seek(key).is_some();
        let text = is_there.then(|| self.plain()).flatten();
        self.at = start;
        text
    }

    /// A value of any kind without anything unusual, made while it is read.
    fn assemble<A: Assemble>(&mut self, to: &mut A) -> Option<A::Value> {
        match self.peek()? {
            b'"' => self.string().map(|text| to.text(text)),
            b'{' => {
                self.enter(b'{')?;
                let mut object = to.object();
                let mut more = !self.skip(b'}');
                while more {
                    let key = self.plain()?;
                    self.colon()?;
                    let value = self.assemble(to)?;
                    to.member(&mut object, key, value);
                    more = self.more(b'}')?;
                }
                self.leave();
                Some(to.end(object))
            }
            b'[' => {
                self.enter(b'[')?;
                let mut items = Vec::new();
                let mut more = !self.skip(b']');
                while more {
                    items.push(self.assemble(to)?);
                    more = self.more(b']')?;
                }
                self.leave();
                Some(to.list(items))
            }
            b't' | b'f' => self.bool().map(|value| to.bool(value)),
            b'n' => self.null().map(|()| to.null()),
            _ => match self.int() {
                Some(int) => Some(to.number(Number::Int(int))),
                None => self.free().map(|node| to.number(node.number())),
            },
        }
    }
}

/// A value about which nothing is declared, still as text.
#[derive(Debug)]
pub struct FreeText<'c, 'a>(&'c mut Cursor<'a>);

impl<'c, 'a> FreeText<'c, 'a> {
    /// The value that the cursor stands at.
    pub(super) fn new(cursor: &'c mut Cursor<'a>) -> Self {
        Self(cursor)
    }

    /// Reads it. Nothing if it is unusual: it will come again, from the tape.
    pub fn assemble<A: Assemble>(self, to: &mut A) -> Option<A::Value> {
        self.0.assemble(to)
    }

    /// Its text, once it has been looked at. Nothing if it is unusual.
    pub fn source(self) -> Option<&'a str> {
        let start = self.0.at;
        self.0.assemble(&mut Checked)?;
        self.0.since(start)
    }
}
