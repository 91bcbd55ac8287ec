//! A position in the text of a document, for the fast path. Its methods return `None` for everything unusual.

use crate::json::{Assemble, NoValue, Node, Number, ParseOptions, Scanner, Tape};
use crate::schema::{FieldDef, UnionDef};

/// A position in a document, with the state of reading from it.
///
/// The tokens come from the [`Scanner`], as those of the parser do. The cursor only checks their order.
#[derive(Debug)]
pub struct Cursor<'a, 't> {
    json: &'a str,
    scan: Scanner<'a>,
    /// Number of further levels of nesting that are allowed.
    depth: usize,
    /// Memory for unescaped strings, and for free values that are parsed.
    tape: &'t mut Tape,
}

/// A position in a document whose values keep nothing of its text.
pub type DocumentCursor<'a> = Cursor<'a, 'a>;

/// See [`Cursor::mark`].
pub type Mark = (usize, usize);

impl<'a, 't> Cursor<'a, 't> {
    /// The beginning of a document. At most `depth` levels of nesting are read.
    pub fn new(json: &'a str, depth: usize, tape: &'t mut Tape) -> Self {
        let mut scan = Scanner::new(json, 0);
        scan.space();
        Self { json, scan, depth, tape }
    }

    /// True if only white space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.scan.space();
        self.scan.is_at_end()
    }

    /// The current position.
    pub fn mark(&self) -> Mark {
        (self.scan.at(), self.depth)
    }

    /// Moves back to an earlier position.
    pub fn return_to(&mut self, mark: Mark) {
        self.scan.return_to(mark.0);
        self.depth = mark.1;
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.scan.peek()
    }

    /// Enters a list or an object. Returns whether it has content. [`leave`](Self::leave) gives the
    /// level back.
    #[inline]
    pub fn enter(&mut self, open: u8, close: u8) -> Option<bool> {
        self.depth = self.depth.checked_sub(1)?;
        self.scan.skip(open).then_some(())?;
        self.scan.space();
        Some(!self.scan.skip(close))
    }

    /// See [`enter`](Self::enter).
    #[inline]
    pub fn leave(&mut self) {
        self.depth += 1;
    }

    /// Moves after a value. Returns whether another one follows in the same container.
    #[inline]
    pub fn more(&mut self, close: u8) -> Option<bool> {
        loop {
            match self.peek()? {
                b',' => {
                    self.scan.pass(1);
                    self.scan.space();
                    return Some(true);
                }
                byte if byte == close => {
                    self.scan.pass(1);
                    return Some(false);
                }
                b' ' | b'\n' | b'\r' | b'\t' => self.scan.space(),
                _ => return None,
            }
        }
    }

    /// Reads the string ahead if it is one of `texts`, which need no escapes. Returns its index.
    #[inline]
    pub fn string_among(&mut self, mut texts: impl Iterator<Item = &'static str>) -> Option<usize> {
        let [b'"', ahead @ ..] = self.scan.rest() else { return None };
        let mut length = 0;
        let index = texts.position(|text| {
            length = text.len();
            // The lengths are compared first, since most differ.
            ahead.get(length) == Some(&b'"') && begins(ahead, text)
        })?;
        self.scan.pass(length + 2);
        Some(index)
    }

    /// Reads the key ahead and its colon if it is one of `fields`. Returns its index.
    #[inline]
    pub fn field(&mut self, fields: &'static [FieldDef]) -> Option<usize> {
        let ahead = self.scan.rest();
        let is_ahead = |field: &FieldDef| {
            // The lengths are compared first, since most differ.
            ahead.get(field.key.len() - 2) == Some(&b'"') && begins(ahead, field.key)
        };
        let index = fields.iter().position(is_ahead)?;
        self.scan.pass(fields[index].key.len());
        self.scan.space();
        Some(index)
    }

    /// Passes `key`, with its quotes and colon, if it is ahead.
    #[inline(always)]
    #[allow(clippy::inline_always)] // It is compared fast where it is a constant.
    pub fn key(&mut self, key: &'static str) -> bool {
        let is_ahead = self.scan.word(key);
        if is_ahead {
            self.scan.space();
        }
        is_ahead
    }

    /// Moves from a key to its value.
    #[inline]
    pub fn colon(&mut self) -> Option<()> {
        self.scan.space();
        self.scan.skip(b':').then_some(())?;
        self.scan.space();
        Some(())
    }

    /// A string without escapes.
    #[inline]
    pub fn plain(&mut self) -> Option<&'a str> {
        self.scan.plain()
    }

    #[inline]
    pub fn string(&mut self) -> Option<&str> {
        match self.scan.plain() {
            None if self.peek() == Some(b'"') => self.tape.unescape(&mut self.scan).ok(),
            plain => plain,
        }
    }

    /// Passes a string that is read later.
    #[inline]
    pub fn pass_string(&mut self) -> Option<()> {
        self.string().map(drop)
    }

    /// Parses a value of any kind.
    pub fn free(&mut self) -> Option<Node<'_>> {
        let options = ParseOptions { depth: self.depth, replace_invalid_text: false };
        self.tape.parse_value(self.json, &mut self.scan, options).ok()
    }

    pub fn bool(&mut self) -> Option<bool> {
        let value = self.scan.word("true");
        (value || self.scan.word("false")).then_some(value)
    }

    pub fn null(&mut self) -> Option<()> {
        self.scan.word("null").then_some(())
    }

    /// A number within the range of doubles.
    pub fn number(&mut self) -> Option<Number> {
        self.scan.number().ok().map(Number::parse).filter(|number| !number.is_infinite())
    }

    /// Moves from a key to the value of `key`. Only strings may stand between them.
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

    /// The text from a mark to the position.
    pub fn since(&self, (start, _): Mark) -> &'a str {
        self.scan.since(start)
    }

    /// The place of the variant of the object ahead, by its tag; and the position after the tag.
    pub fn variant(&mut self, union: &UnionDef) -> Option<(usize, Mark)> {
        let start = self.mark();
        self.enter(b'{', b'}')?;
        self.seek(union.tag)?;
        let place = self.string_among(union.variants.iter().map(|variant| variant.tag))?;
        let behind = self.mark();
        self.return_to(start);
        Some((place, behind))
    }

    /// The string under `key`, without moving. It must stand after `mark`, where a member has ended, with only
    /// strings between them.
    pub fn text_behind(&mut self, mark: Mark, key: &'static str) -> Option<&'a str> {
        self.behind(mark, key, Self::plain)
    }

    /// Like [`text_behind`](Self::text_behind), for a string that may have escapes.
    pub fn read_behind(&mut self, mark: Mark, key: &'static str, read: impl FnOnce(&str)) -> Option<()> {
        self.behind(mark, key, |cursor| cursor.string().map(read))
    }

    fn behind<T>(
        &mut self,
        mark: Mark,
        key: &'static str,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let start = self.mark();
        self.return_to(mark);
        let is_there = self.more(b'}') == Some(true) && self.seek(key).is_some();
        let made = is_there.then(|| read(self)).flatten();
        self.return_to(start);
        made
    }

    /// Builds a value of any kind while reading it.
    pub fn assemble<A: Assemble>(&mut self, to: &mut A) -> Option<A::Value> {
        match self.peek()? {
            b'"' => self.string().map(|text| to.text(text)),
            b'{' => {
                let mut object = to.object();
                let mut more = self.enter(b'{', b'}')?;
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
                let mut items = Vec::new();
                let mut more = self.enter(b'[', b']')?;
                while more {
                    items.push(self.assemble(to)?);
                    more = self.more(b']')?;
                }
                self.leave();
                Some(to.list(items))
            }
            b't' | b'f' => self.bool().map(|value| to.bool(value)),
            b'n' => self.null().map(|()| to.null()),
            _ => self.number().map(|number| to.number(number)),
        }
    }
}

/// True if `ahead` begins with `text`. Names are short: comparing two words that may overlap is faster than a call of
/// `memcmp`.
#[inline]
fn begins(ahead: &[u8], text: &str) -> bool {
    fn ends_alike<const N: usize>(ahead: &[u8], text: &[u8]) -> bool {
        ahead.first_chunk::<N>() == text.first_chunk() && ahead.last_chunk::<N>() == text.last_chunk()
    }
    let Some(ahead) = ahead.get(..text.len()) else { return false };
    match text.len() {
        8..=16 => ends_alike::<8>(ahead, text.as_bytes()),
        4..8 => ends_alike::<4>(ahead, text.as_bytes()),
        _ => ahead == text.as_bytes(),
    }
}

/// A free value that is still text.
#[derive(Debug)]
pub struct FreeText<'c, 'a>(&'c mut DocumentCursor<'a>);

impl<'c, 'a> FreeText<'c, 'a> {
    /// The value at the cursor.
    pub(super) fn new(cursor: &'c mut DocumentCursor<'a>) -> Self {
        Self(cursor)
    }

    /// Builds the value. `None` if it is unusual; then it comes again, from the tape.
    pub fn assemble<A: Assemble>(self, to: &mut A) -> Option<A::Value> {
        self.0.assemble(to)
    }

    /// The text of the value, once it is checked. `None` if it is unusual.
    pub fn source(self) -> Option<&'a str> {
        let start = self.0.mark();
        self.0.assemble(&mut NoValue)?;
        Some(self.0.since(start))
    }
}
