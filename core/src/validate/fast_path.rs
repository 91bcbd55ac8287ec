//! The fast path through a document that is plainly valid: straight from the text to the result, without a tape and in one pass.
//! Everything unusual (members out of order, parts to repair or to refuse) is left to the general path, which gives the same result
//! and says what is wrong.
//!
//! These are all fast paths. Each recognizes its input exactly and completely, or yields to the general path. Each is compared with
//! the general path on text in every spelling (`tests/json/fast_paths.rs`, `fuzz/`). Each pays for more than a tenth of a row of
//! `make bench`; otherwise it is removed:
//!
//! | path | file | row of the benchmark |
//! |---|---|---|
//! | documents, straight from the text | here, `cursor.rs` | decode a stream |
//! | the same, into the structs of Rust without records between | `direct.rs` | decode text |
//! | events with only string members, from a host | `fast_strings` | protobuf encode text, reduce a text delta |
//! | the same, from a message | `protobuf/plain.rs` | protobuf decode text |
//! | events that pass all stages of a pipeline, or add text to its conversation | `pipeline.rs` | decode a stream and verify it, one event a read; client |
//! | patches that set a few scalars | `patch/scalar_patch.rs`, `patch/scalar_patch.cts` | STATE_DELTA of one operation |
//!
//! Two readers of JSON text exist, this one and the parser (`json/tape.rs`); both take their tokens from one scanner
//! (`json/scan.rs`).

use super::build::Build;
use super::cursor::{Cursor, DocumentCursor, FreeText, Mark};
use super::nothing::Nothing;
use super::validator::Validator;
use crate::json::{Input as _, Tape};
use crate::profile::Rules;
use crate::schema::{FieldDef, Kind, TypeDef, UnionDef, Variant};
use crate::types::{BinaryInputContent, ContentPart, Event, JsonPointer};

impl<B: Build> Validator<'_, B> {
    /// Reads an event that is plainly valid.
    pub fn fast_event(&mut self, json: &str, depth: usize, tape: &mut Tape) -> Option<B::Value> {
        let mut event = PlainEvent::of(json, self.rules, depth, tape)?;
        self.event_type = Some(event.variant);
        if self.build.wants_text_of(event.variant.ty) {
            return event.make(self.build);
        }
        let value = self.fast_object(&mut event.cursor, event.variant.ty)?;
        event.cursor.is_at_end().then_some(value)
    }

    /// Reads an event that has just its tag and its required members, which are strings.
    pub fn fast_strings<'s>(
        &mut self,
        event: &'static Variant,
        strings: impl IntoIterator<Item = &'s str>,
    ) -> Option<B::Value> {
        if !allows_fast_path(self.rules) || self.needed(event.ty) != event.ty.required {
            return None;
        }
        self.event_type = Some(event);
        let mut strings = strings.into_iter();
        let mut object = self.build.object(event.ty);
        for (index, field) in event.ty.fields.iter().enumerate().filter(|(_, field)| !field.is_optional()) {
            let value = match field.kind {
                Kind::Literal(literal) => self.build.literal(literal),
                Kind::Enum(set) => {
                    let text = strings.next()?;
                    let index = set.values.iter().position(|value| *value == text)?;
                    self.build.choice(set, index)
                }
                kind => self.fast_text(strings.next()?, &kind)?,
            };
            self.build.member(&mut object, index, value);
        }
        strings.next().is_none().then(|| self.build.end(object))
    }

    /// Reads a value of `kind` that is plainly valid.
    pub fn fast_value(
        &mut self,
        json: &str,
        depth: usize,
        tape: &mut Tape,
        kind: &'static Kind,
    ) -> Option<B::Value> {
        if matches!(kind, Kind::Union(union) if std::ptr::eq(*union, Event::UNION)) {
            return self.fast_event(json, depth, tape);
        }
        if !allows_fast_path(self.rules) {
            return None;
        }
        let mut cursor = Cursor::new(json, depth, tape);
        let value = self.fast_kind(&mut cursor, kind)?;
        cursor.is_at_end().then_some(value)
    }

    /// A bit for each required member. A list that would be filled in counts as required here.
    fn needed(&self, ty: &TypeDef) -> u32 {
        if self.rules.fill_lists { ty.required | ty.filled } else { ty.required }
    }

    fn fast_object(&mut self, cursor: &mut DocumentCursor<'_>, ty: &'static TypeDef) -> Option<B::Value> {
        let more = cursor.enter(b'{', b'}')?;
        let object = self.build.object(ty);
        self.fast_members(cursor, ty, object, 0, more)
    }

    /// Reads an object of a union.
    fn fast_variant(
        &mut self,
        cursor: &mut DocumentCursor<'_>,
        union: &'static UnionDef,
    ) -> Option<B::Value> {
        let start = cursor.mark();
        let Some((ty, tag, ahead)) = self.fast_tag(cursor, union) else {
            cursor.return_to(start);
            let (place, _) = cursor.variant(union)?;
            return self.fast_object(cursor, union.variants[place].ty);
        };
        let mut object = self.build.object(ty);
        let mut given = 1 << tag.0;
        if let Some((index, value)) = ahead {
            self.build.member(&mut object, index, value);
            given |= 1 << index;
        }
        let literal = self.build.literal(tag.1);
        self.build.member(&mut object, tag.0, literal);
        let more = cursor.more(b'}')?;
        self.fast_members(cursor, ty, object, given, more)
    }

    /// Reads the beginning of an object of a union: its tag comes first, or after one text such as `id`. Returns
    /// its type, its tag, and that text, with the indexes of both.
    #[allow(clippy::type_complexity)] // Named where it is taken apart.
    fn fast_tag(
        &mut self,
        cursor: &mut DocumentCursor<'_>,
        union: &'static UnionDef,
    ) -> Option<(&'static TypeDef, (usize, &'static str), Option<(usize, B::Value)>)> {
        let known = union.variants.first()?.ty.fields;
        cursor.enter(b'{', b'}')?.then_some(())?;
        let mut field = &known[cursor.field(known)?];
        let mut ahead = None;
        if matches!(field.kind, Kind::Text) {
            ahead = Some((field.key, self.build.text(cursor.string()?)));
            cursor.more(b'}')?.then_some(())?;
            field = &known[cursor.field(known)?];
        }
        field.is_tag().then_some(())?;
        let ty = union.variants[cursor.string_among(union.variants.iter().map(|variant| variant.tag))?].ty;
        let tag = ty.tag()?;
        let Some((key, value)) = ahead else { return Some((ty, tag, None)) };
        let is_it = |field: &FieldDef| field.key == key && matches!(field.kind, Kind::Text);
        let index = ty.fields[..tag.0].iter().position(is_it)?;
        Some((ty, tag, Some((index, value))))
    }

    /// Reads the members after those of `given`.
    fn fast_members(
        &mut self,
        cursor: &mut DocumentCursor<'_>,
        ty: &'static TypeDef,
        mut object: B::Object,
        mut given: u32,
        mut more: bool,
    ) -> Option<B::Value> {
        let mut next = (u32::BITS - given.leading_zeros()) as usize;
        while more {
            // The members must be in order and unique, as the general path returns them.
            let index = next + cursor.field(&ty.fields[next..])?;
            let field = &ty.fields[index];
            next = index + 1;
            if field.is_optional() && cursor.peek() == Some(b'n') {
                return None;
            }
            given |= 1 << index;
            let value = match field.kind {
                Kind::List(item) => self.fast_list(cursor, item, field.min_items)?,
                _ => self.fast_kind(cursor, &field.kind)?,
            };
            self.build.member(&mut object, index, value);
            more = cursor.more(b'}')?;
        }
        cursor.leave();
        self.given = given;
        let stray = ty.about & given & !(given << 1);
        let whole = self.needed(ty) & !given | stray == 0;
        (whole && !std::ptr::eq(ty, BinaryInputContent::TYPE)).then(|| self.build.end(object))
    }

    fn fast_list(
        &mut self,
        cursor: &mut DocumentCursor<'_>,
        item: &'static Kind,
        min_items: usize,
    ) -> Option<B::Value> {
        let mut more = cursor.enter(b'[', b']')?;
        let mut items = Vec::new();
        while more {
            items.push(self.fast_kind(cursor, item)?);
            more = cursor.more(b']')?;
        }
        cursor.leave();
        (items.len() >= min_items).then(|| self.build.list(items))
    }

    #[inline]
    fn fast_kind(&mut self, cursor: &mut DocumentCursor<'_>, kind: &'static Kind) -> Option<B::Value> {
        let first = cursor.peek()?;
        match kind {
            Kind::Any => self.fast_free(cursor),
            Kind::Dict if first == b'{' => self.fast_free(cursor),
            Kind::Literal(literal) => {
                cursor.string_among([*literal].into_iter())?;
                Some(self.build.literal(literal))
            }
            Kind::Enum(set) => {
                let index = cursor.string_among(set.values.iter().copied())?;
                Some(self.build.choice(set, index))
            }
            _ if first == b'"' => self.fast_text(cursor.string()?, kind),
            Kind::Bool => cursor.bool().map(|value| self.build.bool(value)),
            Kind::Int53 | Kind::UInt53 => {
                let int = cursor.number()?.as_int()?;
                kind.integer_range().contains(&int).then(|| self.build.int(int))
            }
            Kind::Object(ty) => self.fast_object(cursor, ty),
            Kind::Union(union) => self.fast_variant(cursor, union),
            Kind::List(item) => self.fast_list(cursor, item, 0),
            Kind::Content => self.fast_list(cursor, &Kind::Union(ContentPart::UNION), 0),
            _ => None,
        }
    }

    /// Reads a string as a value of `kind`.
    #[inline]
    fn fast_text(&mut self, text: &str, kind: &Kind) -> Option<B::Value> {
        match kind {
            Kind::Text | Kind::Content => Some(self.build.text(text)),
            Kind::Pointer => JsonPointer::is_valid(text).then(|| self.build.text(text)),
            _ => None,
        }
    }

    fn fast_free(&mut self, cursor: &mut DocumentCursor<'_>) -> Option<B::Value> {
        let start = cursor.mark();
        self.build.json_text(FreeText::new(cursor)).or_else(|| {
            cursor.return_to(start);
            // The general path reports numbers that are lost.
            cursor.free().filter(|node| !node.may_hold_infinite()).map(|node| self.build.json(node))
        })
    }
}

fn allows_fast_path(rules: Rules) -> bool {
    !(rules.non_empty || rules.replace_invalid_text)
}

/// An event that seems plainly valid. The caller can look at its members before reading it.
#[derive(Debug)]
pub struct PlainEvent<'a> {
    /// Its type.
    pub variant: &'static Variant,
    rules: Rules,
    cursor: DocumentCursor<'a>,
    /// The position after its tag.
    behind_tag: Mark,
    /// A bit for each member that was present in the last reading.
    given: u32,
}

impl<'a> PlainEvent<'a> {
    /// The event of a text, if its type is found.
    pub fn of(json: &'a str, rules: Rules, depth: usize, tape: &'a mut Tape) -> Option<Self> {
        allows_fast_path(rules).then_some(())?;
        let mut cursor = Cursor::new(json, depth, tape);
        let (place, behind_tag) = cursor.variant(Event::UNION)?;
        Some(Self { variant: &Event::UNION.variants[place], rules, cursor, behind_tag, given: 0 })
    }

    /// Reads the event, and returns the value that `build` makes. `None` if it is not plainly valid. It can be
    /// read again.
    pub fn make<B: Build>(&mut self, build: &mut B) -> Option<B::Value> {
        let start = self.cursor.mark();
        let value = if build.wants_text_of(self.variant.ty) {
            self.read(&mut Nothing).map(|()| build.event_text(self.cursor.since(start)))
        } else {
            self.read(build)
        };
        let is_whole = self.cursor.is_at_end();
        self.cursor.return_to(start);
        value.filter(|_| is_whole)
    }

    fn read<B: Build>(&mut self, build: &mut B) -> Option<B::Value> {
        let mut validator = Validator::new(self.rules, build);
        let value = validator.fast_object(&mut self.cursor, self.variant.ty);
        self.given = validator.given;
        value
    }

    /// A string after the tag, with only strings between them, before the event is read.
    pub fn text(&mut self, key: &'static str) -> Option<&'a str> {
        self.cursor.text_behind(self.behind_tag, key)
    }

    /// Appends a string to `text` that may have escapes.
    pub fn read_text(&mut self, key: &'static str, text: &mut String) -> Option<()> {
        self.cursor.read_behind(self.behind_tag, key, |found| text.push_str(found))
    }

    /// True if the member was present in the last reading.
    pub fn had(&self, key: &str) -> bool {
        self.variant.ty.field_index(key, 0).is_some_and(|index| self.given & 1 << index != 0)
    }
}
