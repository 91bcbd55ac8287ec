//! The layout in which events cross: one string, and marks into it. `lib/tape.cts` reads it.

use ag_ui_native::schema::TypeDef;
use ag_ui_native::types::Event;

use crate::events::{EventBuild, Piece};

/// The shape of an event that crosses as JSON text.
const JSON_TEXT: u32 = 255;

/// What crosses after one call.
#[derive(Debug, Default)]
pub struct Tape {
    /// The pieces of all events, one behind the other.
    pub text: String,
    /// The same in UTF-16; empty if the text is ASCII.
    pub wide: Vec<u16>,
    /// For each event a head, `shape | count << 8 | optional << 16`, and the ends of its `count` pieces, in UTF-16
    /// units. `optional` has a bit for each optional member that is there: `1 << place in the declaration`.
    pub marks: Vec<u32>,
}

impl Tape {
    /// Packs the events that `build` made.
    pub fn pack(&mut self, events: &[Piece], build: &EventBuild) {
        self.text.clear();
        self.wide.clear();
        self.marks.clear();
        for event in events {
            match event {
                Piece::Flat(ty, members) => self.flat(ty, members, build),
                Piece::Json(range) => {
                    self.text.push_str(&build.json.out[range.clone()]);
                    self.marks.extend([JSON_TEXT | 1 << 8, to_u32(self.text.len())]);
                }
                _ => {}
            }
        }
        if !self.text.is_ascii() {
            self.widen();
        }
    }

    /// Packs one flat event: a piece for each member but the tag.
    fn flat(&mut self, ty: &'static TypeDef, members: &[(usize, Piece)], build: &EventBuild) {
        let head = self.marks.len();
        self.marks.push(0);
        let mut optional = 0;
        for (index, piece) in members {
            let field = &ty.fields[*index];
            match piece {
                _ if field.is_tag() => continue,
                Piece::Text(range) => self.text.push_str(&build.strings[range.clone()]),
                Piece::Word(word) => self.text.push_str(word),
                Piece::Int(int) => self.text.push_str(&int.to_string()),
                _ => {}
            }
            if field.is_optional() {
                optional |= 1 << index;
            }
            self.marks.push(to_u32(self.text.len()));
        }
        let count = to_u32(self.marks.len() - head - 1);
        self.marks[head] = shape(ty) | count << 8 | optional << 16;
    }

    /// Turns the text and the marks from bytes into UTF-16 units.
    fn widen(&mut self) {
        self.wide.reserve(self.text.len());
        let (mut at, mut start) = (0, 0);
        while at < self.marks.len() {
            let count = self.marks[at] >> 8 & 255;
            for _ in 0..count {
                at += 1;
                let end = self.marks[at] as usize;
                let piece = &self.text[start..end];
                if piece.is_ascii() {
                    self.wide.extend(piece.bytes().map(u16::from));
                } else {
                    self.wide.extend(piece.encode_utf16());
                }
                self.marks[at] = to_u32(self.wide.len());
                start = end;
            }
            at += 1;
        }
    }
}

/// Place of an event's type in the union of events.
fn shape(ty: &TypeDef) -> u32 {
    let place = Event::UNION.variants.iter().position(|variant| std::ptr::eq(variant.ty, ty));
    to_u32(place.unwrap_or_default())
}

/// A chunk's events stay below 4 GiB: one event does, and JavaScript strings are shorter.
#[allow(clippy::cast_possible_truncation)]
fn to_u32(value: usize) -> u32 {
    value as u32
}
