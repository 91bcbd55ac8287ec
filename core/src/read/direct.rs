//! The short way through a document that is plainly valid: straight from the text to what is made of it, no tape, no
//! second look. Whatever is unusual (escapes like `\u00e9`, members out of order, anything to mend or to refuse) is left to
//! the general way, which gives the same result and says what is wrong.

use std::borrow::Cow;

use super::{Build, Reader};
use crate::json::{ParseOptions, Tape, plain_len, unescaped};
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

/// A string as it stands in the document.
#[derive(Clone, Copy)]
struct Text<'a> {
    raw: &'a str,
    /// It has escapes, all of them of two characters.
    escaped: bool,
}

/// The members of an object up to its tag: strings all of them.
#[derive(Clone, Copy, Default)]
struct Head<'a> {
    members: [Option<(&'a str, Text<'a>)>; MAX_HEAD],
    /// Whether another member follows.
    more: bool,
}

/// Most members that are read before the tag must have come.
const MAX_HEAD: usize = 3;

impl<B: Build> Reader<'_, B> {
    /// Reads an event that is plainly valid.
    pub fn direct_event(&mut self, json: &str, depth: usize, tape: &mut Tape) -> Option<B::Value> {
        self.direct(json, depth, tape, |reader, cursor| {
            let (event, head) = cursor.head(Event::UNION)?;
            reader.event_type = Some(event);
            reader.direct_object(cursor, event.ty, head)
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

    /// Reads an object of which the head has been read.
    fn direct_object(
        &mut self,
        cursor: &mut Cursor<'_>,
        ty: &'static TypeDef,
        head: Head<'_>,
    ) -> Option<B::Value> {
        let mut object = self.build.object(ty);
        let mut given = 0u32;
        let mut next = 0;
        // In order and each once, so that the members come out as the general way has them.
        let mut place = |key: &str| {
            let index = next + ty.fields.get(next..)?.iter().position(|field| field.wire == key)?;
            given |= 1 << index;
            next = index + 1;
            Some(index)
        };
        for (key, text) in head.members.into_iter().flatten() {
            let index = place(key)?;
            let value = self.direct_text(text, &ty.fields[index].kind)?;
            self.build.member(&mut object, index, value);
        }
        let mut more = head.more;
        while more {
            let index = place(cursor.key()?)?;
            let field = &ty.fields[index];
            if field.is_optional() && cursor.peek() == Some(b'n') {
                return None;
            }
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
            _ if first == b'"' => {
                let text = cursor.string()?;
                self.direct_text(text, kind)
            }
            Kind::Bool => cursor.bool().map(|value| self.build.bool(value)),
            Kind::Int53 | Kind::UInt53 => {
                let int = cursor.int()?;
                kind.integer_range().contains(&int).then(|| self.build.int(int))
            }
            Kind::Object(ty) => {
                cursor.enter(b'{')?;
                let head = Head { more: !cursor.skip(b'}'), ..Head::default() };
                self.direct_object(cursor, ty, head)
            }
            Kind::Union(union) => {
                let (variant, head) = cursor.head(union)?;
                self.direct_object(cursor, variant.ty, head)
            }
            Kind::List(item) => self.direct_list(cursor, item, 0),
            Kind::Content => self.direct_list(cursor, &Kind::Union(ContentPart::UNION), 0),
            _ => None,
        }
    }

    /// A string where a value of `kind` is expected.
    #[inline]
    fn direct_text(&mut self, text: Text<'_>, kind: &'static Kind) -> Option<B::Value> {
        match kind {
            Kind::Text | Kind::Content => {}
            Kind::Pointer if JsonPointer::is_valid(&text.plain()) => {}
            Kind::Literal(literal) => return (text.raw == *literal).then(|| self.build.literal(literal)),
            Kind::Enum(set) => {
                let index = set.values.iter().position(|value| *value == text.raw)?;
                return Some(self.build.choice(set, index));
            }
            _ => return None,
        }
        Some(self.build.text(&text.plain()))
    }

    fn direct_free(&mut self, cursor: &mut Cursor<'_>) -> Option<B::Value> {
        let options = ParseOptions { depth: cursor.depth, lossy: false };
        let (node, end) = cursor.tape.parse_value(cursor.json, cursor.at, options).ok()?;
        cursor.at = end;
        Some(self.build.json(node))
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

    /// A key without escapes, and its colon. A space behind the colon is allowed.
    #[inline]
    fn key(&mut self) -> Option<&'a str> {
        let key = self.string()?;
        let colon = self.skip(b':');
        self.skip(b' ');
        (colon && !key.escaped).then_some(key.raw)
    }

    #[inline]
    fn string(&mut self) -> Option<Text<'a>> {
        let bytes = self.json.as_bytes();
        if self.peek() != Some(b'"') {
            return None;
        }
        let start = self.at + 1;
        let mut end = start + plain_len(&bytes[start..]);
        let mut escaped = false;
        while bytes.get(end) == Some(&b'\\') {
            unescaped(*bytes.get(end + 1)?)?;
            escaped = true;
            end += 2;
            end += plain_len(&bytes[end..]);
        }
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        Some(Text { raw: &self.json[start..end], escaped })
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

    /// Enters an object and reads on to its tag, which may stand behind strings.
    fn head(&mut self, union: &UnionDef) -> Option<(&'static Variant, Head<'a>)> {
        self.enter(b'{')?;
        let mut head = Head::default();
        for member in &mut head.members {
            let key = self.key()?;
            let text = self.string()?;
            *member = Some((key, text));
            head.more = self.more(b'}')?;
            if key == union.tag {
                let variant = union.variants.iter().find(|variant| variant.tag == text.raw)?;
                return Some((variant, head));
            }
            if !head.more {
                break;
            }
        }
        None
    }
}

impl<'a> Text<'a> {
    /// The text without escapes.
    #[inline]
    fn plain(self) -> Cow<'a, str> {
        if self.escaped { unescape(self.raw).into() } else { self.raw.into() }
    }
}

fn unescape(mut raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    while let Some((plain, behind)) = raw.split_at_checked(plain_len(raw.as_bytes())) {
        text.push_str(plain);
        let Some(character) = behind.as_bytes().get(1) else { break };
        text.extend(unescaped(*character));
        raw = &behind[2..];
    }
    text
}
