//! Builds events for JavaScript: strings, or JSON text for events with other members.

use std::ops::Range;

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::{Input, Writer};
use ag_ui_native::bindings::schema::{EnumDef, FieldDef, Kind, TypeDef};
use ag_ui_native::bindings::validate::Build;
use ag_ui_native::types::Event;

use crate::border::JSON_TEXT;
use crate::engine::output::{OutputBuffer, to_u32};

/// A validated value. The ranges point into the texts of [`EventBuild`].
#[derive(Clone, Debug)]
pub enum Piece {
    /// A string: a range of `strings`.
    Text(Range<usize>),
    /// One of a closed set of strings.
    Word(&'static str),
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// JSON text: a range of `json`.
    Json(Range<usize>),
    /// The JSON text of an event that was made or changed.
    Made(String),
    /// An event with only strings and integers: its members, including the tag.
    Flat(&'static TypeDef, Vec<(usize, Piece)>),
}

/// An object being made.
#[derive(Debug)]
pub struct Making {
    ty: &'static TypeDef,
    members: Vec<(usize, Piece)>,
    /// Undeclared members: JSON text with key and colon.
    extra: Vec<Range<usize>>,
}

/// Makes the events of one chunk of a stream.
#[derive(Debug)]
pub struct EventBuild {
    /// Strings, one after the other.
    strings: String,
    /// JSON texts, one after the other.
    json: Writer,
    /// Emptied lists of members, to be filled again.
    spare: Vec<Vec<(usize, Piece)>>,
    /// Free values are written anew rather than copied, because their text may not be Unicode.
    rewrite: bool,
}

impl EventBuild {
    /// A builder for a reader; `replace_invalid_text` replaces text that is not Unicode.
    pub fn new(replace_invalid_text: bool) -> Self {
        let json = Writer::new(NumberStyle::JavaScript);
        Self { strings: String::new(), json, spare: Vec::new(), rewrite: replace_invalid_text }
    }

    /// Removes everything made, and empties `events`.
    pub fn clear(&mut self, events: &mut Vec<Piece>) {
        self.strings.clear();
        self.json.out.clear();
        for event in events.drain(..) {
            if let Piece::Flat(_, members) = event {
                self.recycle(members);
            }
        }
    }

    fn recycle(&mut self, mut members: Vec<(usize, Piece)>) {
        if self.spare.len() < MAX_SPARE {
            members.clear();
            self.spare.push(members);
        }
    }

    /// Returns the JSON text of a finished event.
    pub fn json_of(&mut self, event: Piece) -> String {
        let start = self.json.out.len();
        match event {
            Piece::Flat(ty, members) => self.write_object(ty, &members, &[]),
            piece => self.write(&piece),
        }
        self.json.out[start..].to_owned()
    }

    /// Packs events that were made here. Each has a head, `shape | count << 8 | optional << 16`, and the ends of its `count` pieces.
    /// `optional` has a bit for each optional member that is there: `1 << place in the declaration`.
    pub fn pack(&self, events: &[Piece], buffer: &mut OutputBuffer) {
        buffer.clear();
        for event in events {
            match event {
                Piece::Flat(ty, members) => self.pack_flat(ty, members, buffer),
                Piece::Json(range) => pack_json(&self.json.out[range.clone()], buffer),
                Piece::Made(json) => pack_json(json, buffer),
                _ => {}
            }
        }
        buffer.finish();
    }

    /// Packs one flat event: a piece for each member but the tag.
    fn pack_flat(&self, ty: &'static TypeDef, members: &[(usize, Piece)], buffer: &mut OutputBuffer) {
        let head = buffer.marks.len();
        buffer.marks.push(0);
        let mut optional = 0;
        for (index, piece) in members {
            let field = &ty.fields[*index];
            match piece {
                _ if field.is_tag() => continue,
                Piece::Text(range) => buffer.text.out.push_str(&self.strings[range.clone()]),
                Piece::Word(word) => buffer.text.out.push_str(word),
                Piece::Int(int) => buffer.text.int(*int),
                _ => {}
            }
            if field.is_optional() {
                optional |= 1 << index;
            }
            buffer.end_piece();
        }
        let count = to_u32(buffer.marks.len() - head - 1);
        buffer.marks[head] = shape(ty) | count << 8 | optional << 16;
    }

    fn write(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(range) => self.json.text(&self.strings[range.clone()]),
            Piece::Word(word) => self.json.text(word),
            Piece::Bool(value) => self.json.bool(*value),
            Piece::Int(value) => self.json.int(*value),
            Piece::Json(range) => self.json.out.extend_from_within(range.clone()),
            Piece::Made(json) => self.json.out.push_str(json),
            Piece::Flat(..) => self.json.null(),
        }
    }

    fn copy<'a, I: Input<'a>>(&mut self, input: I) {
        match input.source() {
            Some(source) if !self.rewrite => self.json.out.push_str(source),
            _ => self.json.input(input),
        }
    }

    /// Writes an object from its members, separated by commas.
    fn write_object(&mut self, ty: &'static TypeDef, members: &[(usize, Piece)], extra: &[Range<usize>]) {
        let mut separator = '{';
        for (index, piece) in members {
            self.json.out.push(separator);
            // Declared keys need no escape.
            self.json.out.push('"');
            self.json.out.push_str(ty.fields[*index].wire);
            self.json.out.push_str("\":");
            self.write(piece);
            separator = ',';
        }
        for range in extra {
            self.json.out.push(separator);
            self.json.out.extend_from_within(range.clone());
            separator = ',';
        }
        if separator == '{' {
            self.json.out.push('{');
        }
        self.json.out.push('}');
    }
}

impl Build for EventBuild {
    type Value = Piece;
    type Object = Making;

    #[inline]
    fn text(&mut self, text: &str) -> Piece {
        let start = self.strings.len();
        self.strings.push_str(text);
        Piece::Text(start..self.strings.len())
    }

    fn bool(&mut self, value: bool) -> Piece {
        Piece::Bool(value)
    }

    fn int(&mut self, value: i64) -> Piece {
        Piece::Int(value)
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Piece {
        Piece::Word(set.values[index])
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Piece {
        let start = self.json.out.len();
        self.copy(input);
        Piece::Json(start..self.json.out.len())
    }

    /// A result that is JSON text keeps its text.
    fn wants_text_of(&self, ty: &'static TypeDef) -> bool {
        let is_flat = |field: &FieldDef| field.is_optional() || is_scalar(&field.kind);
        !ty.fields.iter().all(is_flat)
    }

    fn event_text(&mut self, text: &str) -> Piece {
        let start = self.json.out.len();
        self.json.out.push_str(text);
        Piece::Json(start..self.json.out.len())
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Piece {
        self.json(input)
    }

    fn list(&mut self, items: Vec<Piece>) -> Piece {
        let start = self.json.out.len();
        self.json.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.json.out.push(',');
            }
            self.write(item);
        }
        self.json.out.push(']');
        Piece::Json(start..self.json.out.len())
    }

    #[inline]
    fn object(&mut self, ty: &'static TypeDef) -> Making {
        Making { ty, members: self.spare.pop().unwrap_or_default(), extra: Vec::new() }
    }

    #[inline]
    fn member(&mut self, object: &mut Making, index: usize, value: Piece) {
        object.members.push((index, value));
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Making, key: &str, input: I) {
        let start = self.json.out.len();
        self.json.text(key);
        self.json.out.push(':');
        self.copy(input);
        object.extra.push(start..self.json.out.len());
    }

    #[inline]
    fn end(&mut self, object: Making) -> Piece {
        let Making { ty, members, extra } = object;
        if ty.is_event() && extra.is_empty() && is_flat(&members) {
            return Piece::Flat(ty, members);
        }
        let start = self.json.out.len();
        self.write_object(ty, &members, &extra);
        self.recycle(members);
        Piece::Json(start..self.json.out.len())
    }
}

/// The maximum number of emptied lists that are kept.
const MAX_SPARE: usize = 1024;

/// True if an event has only strings and integers: JavaScript then makes it without parsing.
fn is_flat(members: &[(usize, Piece)]) -> bool {
    members.iter().all(|(_, piece)| matches!(piece, Piece::Text(_) | Piece::Word(_) | Piece::Int(_)))
}

/// True if a member of this kind is a string or an integer.
fn is_scalar(kind: &Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Pointer | Kind::Int53 | Kind::UInt53 | Kind::Literal(_) | Kind::Enum(_))
}

fn pack_json(json: &str, buffer: &mut OutputBuffer) {
    buffer.marks.push(JSON_TEXT | 1 << 8);
    buffer.text.out.push_str(json);
    buffer.end_piece();
}

/// Place of an event's type in the union of events.
pub fn shape(ty: &TypeDef) -> u32 {
    let place = Event::UNION.variants.iter().position(|variant| std::ptr::eq(variant.ty, ty));
    to_u32(place.unwrap_or_default())
}
