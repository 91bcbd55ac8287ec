//! A place in the text of a document, for the short way through it: what is ahead there, if it is nothing unusual.

use crate::json::{Assemble, NoValue, Node, Number, ParseOptions, Scanner, Tape};
use crate::schema::{FieldDef, UnionDef, Variant};

/// A place in a document, and what reading on from it takes.
///
/// Tokens are the [`Scanner`]'s, as the parser's are; what is looked for here is only how they follow each other.
#[derive(Debug)]
pub struct Cursor<'a> {
    json: &'a str,
    scan: Scanner<'a>,
    /// How many more levels of nesting are allowed.
    depth: usize,
    /// Where strings are unescaped, and free values parsed for those who want them so.
    tape: &'a mut Tape,
}

/// See [`Cursor::mark`].
pub type Mark = (usize, usize);

impl<'a> Cursor<'a> {
    /// The beginning of a document, of which `depth` levels of nesting are read.
    pub fn new(json: &'a str, depth: usize, tape: &'a mut Tape) -> Self {
        let mut scan = Scanner::new(json, 0);
        scan.space();
        Self { json, scan, depth, tape }
    }

    /// True if nothing is left but space.
    pub fn is_at_end(&mut self) -> bool {
        self.scan.space();
        self.scan.is_at_end()
    }

    /// Where reading stands.
    pub fn mark(&self) -> Mark {
        (self.scan.at(), self.depth)
    }

    /// Goes back to where reading stood.
    pub fn return_to(&mut self, mark: Mark) {
        self.scan.return_to(mark.0);
        self.depth = mark.1;
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.scan.peek()
    }

    /// Enters a list or an object; leaving it gives the level back. Whether it holds anything.
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

    /// Behind a value: whether another follows in the same container.
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

    /// Reads the string ahead if it is one of `texts`, which need no escapes: which.
    #[inline]
    pub fn string_among(&mut self, mut texts: impl Iterator<Item = &'static str>) -> Option<usize> {
        let [b'"', ahead @ ..] = self.scan.rest() else { return None };
        let mut length = 0;
        let index = texts.position(|text| {
            length = text.len();
            // Most are told apart by their length.
            ahead.get(length) == Some(&b'"') && begins(ahead, text)
        })?;
        self.scan.pass(length + 2);
        Some(index)
    }

    /// Reads the key ahead and its colon, if it is one of the fields': which.
    #[inline]
    pub fn field(&mut self, fields: &'static [FieldDef]) -> Option<usize> {
        let ahead = self.scan.rest();
        let is_ahead = |field: &FieldDef| {
            // Most are told apart by their length.
            ahead.get(field.key.len() - 2) == Some(&b'"') && begins(ahead, field.key)
        };
        let index = fields.iter().position(is_ahead)?;
        self.scan.pass(fields[index].key.len());
        self.scan.space();
        Some(index)
    }

    /// Behind a key: goes to its value.
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

    /// A value of any kind, by the parser.
    pub fn free(&mut self) -> Option<Node<'_>> {
        let options = ParseOptions { depth: self.depth, lossy: false };
        self.tape.parse_value(self.json, &mut self.scan, options).ok()
    }

    pub fn bool(&mut self) -> Option<bool> {
        let value = self.scan.word("true");
        (value || self.scan.word("false")).then_some(value)
    }

    pub fn null(&mut self) -> Option<()> {
        self.scan.word("null").then_some(())
    }

    /// A number that a double reaches: any other is unusual.
    pub fn number(&mut self) -> Option<Number> {
        self.scan.number().ok().map(Number::parse).filter(|number| !number.is_infinite())
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
    pub fn since(&self, (start, _): Mark) -> &'a str {
        self.scan.since(start)
    }

    /// The variant of the object ahead, by its tag; and the place behind that.
    pub fn variant(&mut self, union: &UnionDef) -> Option<(&'static Variant, Mark)> {
        let start = self.mark();
        self.enter(b'{', b'}')?;
        self.seek(union.tag)?;
        let index = self.string_among(union.variants.iter().map(|variant| variant.tag))?;
        let behind = self.mark();
        self.return_to(start);
        Some((&union.variants[index], behind))
    }

    /// The string under `key`, which stands behind `place`, where a member has ended, and behind strings at most.
    pub fn text_behind(&mut self, mark: Mark, key: &'static str) -> Option<&'a str> {
        self.behind(mark, key, Self::plain)
    }

    /// The same for a string that may have escapes.
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

    /// A value of any kind, made while it is read.
    fn assemble<A: Assemble>(&mut self, to: &mut A) -> Option<A::Value> {
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

/// True if `text` stands at the beginning. Names are short: two words that may overlap take less than a call of `memcmp`.
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
        let start = self.0.mark();
        self.0.assemble(&mut NoValue)?;
        Some(self.0.since(start))
    }
}
