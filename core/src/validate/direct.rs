//! Reads Rust structs that are plainly valid, straight from the text: the fast path of `fast_path.rs` for programs in Rust, without
//! records between. The declarations in `core/src/types/` make a reader for every type. What it leaves to the general path is the same.

use std::borrow::Cow;

use super::cursor::Cursor;
use crate::Value;
use crate::json::{Input, MAX_SAFE_INTEGER, NoValue, RawValue, Tape, Tree};
use crate::profile::{Rules, UnsafeIntegers};

/// A type that is read straight from the text of a document.
pub trait Direct<'a>: Sized {
    /// The value of a member that is left out; `None` if it is required.
    const ABSENT: Option<Self> = None;

    /// Reads a value that is plainly valid. `None` for everything unusual.
    fn read(reader: &mut DirectReader<'a, '_>) -> Option<Self>;
}

/// A position in the text of a document that is read into structs.
#[derive(Debug)]
pub struct DirectReader<'a, 't> {
    cursor: Cursor<'a, 't>,
    /// An absent list would be filled in.
    fill_lists: bool,
}

/// The position inside an object. Its members must be in order and unique, as the general path returns them.
#[derive(Debug)]
pub struct DirectObject<'r, 'a, 't> {
    reader: &'r mut DirectReader<'a, 't>,
    /// Another member follows.
    more: bool,
}

impl<'a, 't> DirectReader<'a, 't> {
    /// Reads a whole document. `None` for everything unusual.
    pub fn document<T: Direct<'a>>(
        json: &'a str,
        rules: Rules,
        depth: usize,
        tape: &'t mut Tape,
    ) -> Option<T> {
        let reports_more = rules.non_empty || rules.replace_invalid_text;
        if reports_more || rules.unsafe_integers != UnsafeIntegers::Allow {
            return None;
        }
        let mut reader = Self { cursor: Cursor::new(json, depth, tape), fill_lists: rules.fill_lists };
        let value = T::read(&mut reader)?;
        reader.cursor.is_at_end().then_some(value)
    }

    /// Returns the next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.cursor.peek()
    }

    /// Reads a string that is looked at.
    #[inline]
    pub fn string(&mut self) -> Option<&str> {
        self.cursor.string()
    }

    /// Reads a string that is kept, in the text of the document if it has no escapes.
    #[inline]
    pub fn text(&mut self) -> Option<Cow<'a, str>> {
        match self.cursor.plain() {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.cursor.string().map(|text| Cow::Owned(text.to_owned())),
        }
    }

    /// Reads one of the strings of a closed set. Returns its index.
    #[inline]
    pub fn choice(&mut self, values: &'static [&'static str]) -> Option<usize> {
        self.cursor.string_among(values.iter().copied())
    }

    /// Reads `true` or `false`.
    pub fn bool(&mut self) -> Option<bool> {
        self.cursor.bool()
    }

    /// Reads an integer between `least` and 2^53 - 1.
    pub fn int(&mut self, least: i64) -> Option<i64> {
        self.cursor.number()?.as_int().filter(|int| (least..=MAX_SAFE_INTEGER).contains(int))
    }

    /// Reads a value of any kind.
    pub fn free(&mut self) -> Option<Value> {
        let start = self.cursor.mark();
        self.cursor.assemble(&mut Tree::default()).or_else(|| {
            self.cursor.return_to(start);
            // The general path reports numbers that are lost.
            self.cursor.free().filter(|node| !node.may_hold_infinite()).map(Input::to_value)
        })
    }

    /// Checks a value of any kind, and returns its text.
    pub fn raw(&mut self) -> Option<RawValue<'a>> {
        let start = self.cursor.mark();
        if self.cursor.assemble(&mut NoValue).is_none() {
            self.cursor.return_to(start);
            self.cursor.free().filter(|node| !node.may_hold_infinite())?;
        }
        Some(RawValue::checked(self.cursor.since(start)))
    }

    /// Reads a list.
    pub fn list<T: Direct<'a>>(&mut self) -> Option<Vec<T>> {
        let mut more = self.cursor.enter(b'[', b']')?;
        // Most lists within others have one item.
        let mut items = Vec::with_capacity(usize::from(more));
        while more {
            items.push(T::read(self)?);
            more = self.cursor.more(b']')?;
        }
        self.cursor.leave();
        Some(items)
    }

    /// True if an absent member with this rule would be filled in.
    pub fn fills(&self, rule: &str) -> bool {
        self.fill_lists && rule == "absent_is_empty"
    }

    /// Enters an object.
    #[inline]
    pub fn object(&mut self) -> Option<DirectObject<'_, 'a, 't>> {
        let more = self.cursor.enter(b'{', b'}')?;
        Some(DirectObject { reader: self, more })
    }

    /// Returns the tag of the object ahead, the string under `key`.
    #[inline]
    pub fn tag(&mut self, key: &'static str) -> Option<&'a str> {
        let start = self.cursor.mark();
        self.cursor.enter(b'{', b'}')?;
        self.cursor.seek(key)?;
        let tag = self.cursor.plain()?;
        self.cursor.return_to(start);
        Some(tag)
    }
}

impl<'a> DirectObject<'_, 'a, '_> {
    /// Reads the next declared member, or finds it absent; `key` is the quoted key with its colon.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A key is compared fast where it is a constant.
    pub fn field<T: Direct<'a>>(&mut self, key: &'static str) -> Option<T> {
        if self.more && self.reader.cursor.key(key) { self.value() } else { T::ABSENT }
    }

    #[inline]
    fn value<T: Direct<'a>>(&mut self) -> Option<T> {
        let value = T::read(self.reader)?;
        self.more = self.reader.cursor.more(b'}')?;
        Some(value)
    }

    /// Passes the tag.
    #[inline(always)]
    #[allow(clippy::inline_always)] // As above.
    pub fn tag(&mut self, key: &'static str, tag: &'static str) -> Option<()> {
        (self.more && self.reader.cursor.key(key)).then_some(())?;
        self.reader.cursor.string_among([tag].into_iter())?;
        self.more = self.reader.cursor.more(b'}')?;
        Some(())
    }

    /// Leaves the object.
    #[inline]
    pub fn end(self) -> Option<()> {
        self.reader.cursor.leave();
        (!self.more).then_some(())
    }
}
