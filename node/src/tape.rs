//! The layout in which what was made crosses: one string, and marks into it. `lib/tape.cts` reads it.

use ag_ui_native::host::NumberStyle;
use ag_ui_native::host::json::Writer;
use ag_ui_native::host::schema::TypeDef;
use ag_ui_native::types::Event;

use crate::border::JSON_TEXT;
use crate::build::{EventBuild, Piece};

/// What crosses after one call.
#[derive(Debug)]
pub struct Tape {
    /// The pieces of text, one behind the other.
    pub text: Writer,
    /// The same in UTF-16, once finished; empty if the text is ASCII.
    pub wide: Vec<u16>,
    /// Numbers, among them the ends of pieces: in UTF-16 units, once finished.
    pub marks: Vec<u32>,
    /// Which of the marks are ends of pieces.
    ends: Vec<usize>,
}

impl Default for Tape {
    fn default() -> Self {
        let text = Writer::new(NumberStyle::JavaScript);
        Self { text, wide: Vec::new(), marks: Vec::new(), ends: Vec::new() }
    }
}

impl Tape {
    /// Empties it.
    pub fn clear(&mut self) {
        self.text.out.clear();
        self.wide.clear();
        self.marks.clear();
        self.ends.clear();
    }

    /// Ends a piece: what has been written to `text` since the last one.
    pub fn end_piece(&mut self) {
        self.ends.push(self.marks.len());
        self.marks.push(to_u32(self.text.out.len()));
    }

    /// Packs the events that `build` made. For each a head, `shape | count << 8 | optional << 16`, and the ends of its
    /// `count` pieces. `optional` has a bit for each optional member that is there: `1 << place in the declaration`.
    pub fn pack(&mut self, events: &[Piece], build: &EventBuild) {
        self.clear();
        for event in events {
            match event {
                Piece::Flat(ty, members) => self.flat(ty, members, build),
                Piece::Json(range) => self.json(&build.json.out[range.clone()]),
                Piece::Made(json) => self.json(json),
                _ => {}
            }
        }
        self.finish();
    }

    fn json(&mut self, json: &str) {
        self.marks.push(JSON_TEXT | 1 << 8);
        self.text.out.push_str(json);
        self.end_piece();
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
                Piece::Text(range) => self.text.out.push_str(&build.strings[range.clone()]),
                Piece::Word(word) => self.text.out.push_str(word),
                Piece::Int(int) => self.text.int(*int),
                _ => {}
            }
            if field.is_optional() {
                optional |= 1 << index;
            }
            self.end_piece();
        }
        let count = to_u32(self.marks.len() - head - 1);
        self.marks[head] = shape(ty) | count << 8 | optional << 16;
    }

    /// Turns the text and the ends of its pieces from bytes into UTF-16 units, unless they are the same.
    pub fn finish(&mut self) {
        let text = &self.text.out;
        if text.is_ascii() {
            return;
        }
        self.wide.reserve(text.len());
        let mut start = 0;
        for &place in &self.ends {
            let end = self.marks[place] as usize;
            let piece = &text[start..end];
            if piece.is_ascii() {
                self.wide.extend(piece.bytes().map(u16::from));
            } else {
                self.wide.extend(piece.encode_utf16());
            }
            self.marks[place] = to_u32(self.wide.len());
            start = end;
        }
    }
}

/// Place of an event's type in the union of events.
fn shape(ty: &TypeDef) -> u32 {
    let place = Event::UNION.variants.iter().position(|variant| std::ptr::eq(variant.ty, ty));
    to_u32(place.unwrap_or_default())
}

/// A call's events stay below 4 GiB: one event does, and JavaScript strings are shorter.
#[allow(clippy::cast_possible_truncation)]
pub fn to_u32(value: usize) -> u32 {
    value as u32
}
