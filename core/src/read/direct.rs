//! The short way through a document that is plainly valid: straight from the text to what is made of it, no tape, no
//! second look. Whatever is unusual (members out of order, anything to mend or to refuse) is left to the general way,
//! which gives the same result and says what is wrong.

use super::{Build, Reader};
use crate::json::{Node, ParseOptions, Tape, plain_len};
use crate::schema::{Kind, TypeDef, UnionDef, Variant};
use crate::types::{BinaryInputContent, ContentPart, Event, JsonPointer};

/// A place in a document, and what reading on from it takes.
struct Cursor<'a> {
    json: &'a str,
    at: usize,
    /// How many more levels of nesting are allowed.
    depth: usize,
    /// Where free values are parsed.
    tape: &'a mut Tape,
}

impl<B: Build> Reader<'_, B> {
    /// Reads an event that is plainly valid.
    pub fn direct_event(&mut self, json: &str, depth: usize, tape: &mut Tape) -> Option<B::Value> {
        self.direct(json, depth, tape, |reader, cursor| {
            let event = cursor.variant(Event::UNION)?;
            reader.event_type = Some(event);
            reader.direct_object(cursor, event.ty)
        })
    }

    /// Reads a value of `kind` that is plainly valid.
    pub fn direct_value(
        &mut self,
        json: &str,
        depth: usize,
        tape: &mut Tape,
        kind: &'static Kind,
    ) -> Option<B::Value> {
        if matches!(kind, Kind::Union(union) if std::ptr::eq(*union, Event::UNION)) {
            return self.direct_event(json, depth, tape);
        }
        self.direct(json, depth, tape, |reader, cursor| reader.direct_kind(cursor, kind))
    }

    fn direct(
        &mut self,
        json: &str,
        depth: usize,
        tape: &mut Tape,
        read: impl FnOnce(&mut Self, &mut Cursor<'_>) -> Option<B::Value>,
    ) -> Option<B::Value> {
        if self.rules.non_empty || self.rules.fill_lists || self.rules.lossy {
            return None;
        }
        let mut cursor = Cursor { json, at: 0, depth, tape };
        let value = read(self, &mut cursor)?;
        (cursor.at == json.len()).then_some(value)
    }

    fn direct_object(&mut self, cursor: &mut Cursor<'_>, ty: &'static TypeDef) -> Option<B::Value> {
        cursor.enter(b'{')?;
        let mut object = self.build.object(ty);
        let mut given = 0u32;
        let mut next = 0;
        let mut more = !cursor.skip(b'}');
        while more {
            // In order and each once, so that the members come out as the general way has them.
            let index = next + cursor.key_among(ty.fields[next..].iter().map(|field| field.wire))?;
            let field = &ty.fields[index];
            next = index + 1;
            if field.is_optional() && cursor.peek() == Some(b'n') {
                return None;
            }
            given |= 1 << index;
            let value = match field.kind {
                Kind::List(item) => self.direct_list(cursor, item, field.min_items)?,
                _ => self.direct_kind(cursor, &field.kind)?,
            };
            self.build.member(&mut object, index, value);
            more = cursor.more(b'}')?;
        }
        cursor.depth += 1;
        let whole = ty.required & !given == 0;
        (whole && !std::ptr::eq(ty, BinaryInputContent::TYPE)).then(|| self.build.end(object))
    }

    fn direct_list(
        &mut self,
        cursor: &mut Cursor<'_>,
        item: &'static Kind,
        min_items: usize,
    ) -> Option<B::Value> {
        cursor.enter(b'[')?;
        let mut items = Vec::new();
        let mut more = !cursor.skip(b']');
        while more {
            items.push(self.direct_kind(cursor, item)?);
            more = cursor.more(b']')?;
        }
        cursor.depth += 1;
        (items.len() >= min_items).then(|| self.build.list(items))
    }

    #[inline]
    fn direct_kind(&mut self, cursor: &mut Cursor<'_>, kind: &'static Kind) -> Option<B::Value> {
        let first = cursor.peek()?;
        match kind {
            Kind::Any => self.direct_free(cursor),
            Kind::Dict if first == b'{' => self.direct_free(cursor),
            Kind::Literal(literal) => {
                cursor.string_among([*literal].into_iter())?;
                Some(self.build.literal(literal))
            }
            Kind::Enum(set) => {
                let index = cursor.string_among(set.values.iter().copied())?;
                Some(self.build.choice(set, index))
            }
            _ if first == b'"' => self.direct_text(cursor.string()?, kind),
            Kind::Bool => cursor.bool().map(|value| self.build.bool(value)),
            Kind::Int53 | Kind::UInt53 => {
                let int = cursor.int()?;
                kind.integer_range().contains(&int).then(|| self.build.int(int))
            }
            Kind::Object(ty) => self.direct_object(cursor, ty),
            Kind::Union(union) => {
                let variant = cursor.variant(union)?;
                self.direct_object(cursor, variant.ty)
            }
            Kind::List(item) => self.direct_list(cursor, item, 0),
            Kind::Content => self.direct_list(cursor, &Kind::Union(ContentPart::UNION), 0),
            _ => None,
        }
    }

    /// A string where a value of `kind` is expected.
    #[inline]
    fn direct_text(&mut self, text: &str, kind: &'static Kind) -> Option<B::Value> {
        match kind {
            Kind::Text | Kind::Content => Some(self.build.text(text)),
            Kind::Pointer => JsonPointer::is_valid(text).then(|| self.build.text(text)),
            _ => None,
        }
    }

    fn direct_free(&mut self, cursor: &mut Cursor<'_>) -> Option<B::Value> {
        cursor.free().map(|node| self.build.json(node))
    }
}

impl<'a> Cursor<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Enters a list or an object; whoever leaves it gives the level back.
    #[inline]
    fn enter(&mut self, open: u8) -> Option<()> {
        self.depth = self.depth.checked_sub(1)?;
        self.skip(open).then_some(())
    }

    /// Behind a value: whether another follows in the same container. A space behind the comma is allowed.
    #[inline]
    fn more(&mut self, close: u8) -> Option<bool> {
        if self.skip(b',') {
            self.skip(b' ');
            return Some(true);
        }
        self.skip(close).then_some(false)
    }

    /// Reads the string ahead if it is one of `texts`, which need no escapes: which.
    #[inline]
    fn string_among(&mut self, mut texts: impl Iterator<Item = &'static str>) -> Option<usize> {
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

    /// Reads the key ahead and its colon, if it is one of `names`: which.
    #[inline]
    fn key_among(&mut self, names: impl Iterator<Item = &'static str>) -> Option<usize> {
        let index = self.string_among(names)?;
        self.colon()?;
        Some(index)
    }

    /// Behind a key. A space behind the colon is allowed.
    #[inline]
    fn colon(&mut self) -> Option<()> {
        let colon = self.skip(b':');
        self.skip(b' ');
        colon.then_some(())
    }

    /// A string without escapes.
    #[inline]
    fn plain(&mut self) -> Option<&'a str> {
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
    fn string(&mut self) -> Option<&str> {
        match self.plain() {
            None if self.peek() == Some(b'"') => self.free()?.text(),
            plain => plain,
        }
    }

    /// Passes a string that is read later: only its end is looked for.
    fn pass_string(&mut self) -> Option<()> {
        let [b'"', ahead @ ..] = self.json.as_bytes().get(self.at..)? else { return None };
        let end = memchr::memchr(b'"', ahead)?;
        if end > 0 && ahead[end - 1] == b'\\' {
            // The quote may be part of the text.
            return self.string().map(|_| ());
        }
        self.at += end + 2;
        Some(())
    }

    /// A value of any kind.
    fn free(&mut self) -> Option<Node<'_>> {
        let options = ParseOptions { depth: self.depth, lossy: false };
        let (node, end) = self.tape.parse_value(self.json, self.at, options).ok()?;
        self.at = end;
        Some(node)
    }

    fn bool(&mut self) -> Option<bool> {
        let rest = &self.json[self.at..];
        let value = rest.starts_with("true");
        if !value && !rest.starts_with("false") {
            return None;
        }
        self.at += if value { 4 } else { 5 };
        Some(value)
    }

    /// An integer of few digits, without fraction and exponent.
    fn int(&mut self) -> Option<i64> {
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

    /// The variant of the object ahead, by its tag, which may stand behind strings.
    fn variant(&mut self, union: &UnionDef) -> Option<&'static Variant> {
        let start = self.at;
        self.skip(b'{');
        while self.string_among([union.tag].into_iter()).is_none() {
            self.pass_string()?;
            self.colon()?;
            self.pass_string()?;
            if !self.more(b'}')? {
                return None;
            }
        }
        self.colon()?;
        let index = self.string_among(union.variants.iter().map(|variant| variant.tag))?;
        self.at = start;
        Some(&union.variants[index])
    }
}
