//! The output of a call of an engine: one string, marks into it, errors and warnings. `lib/stream/event_reader.cts` reads it.

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::Writer;
use ag_ui_native::{Error, Warning};

use crate::error;

/// The text and the marks that cross after one call.
#[derive(Debug)]
pub struct OutputBuffer {
    /// The pieces of text, one after the other.
    pub text: Writer,
    /// The text in UTF-16, once finished; empty if it is ASCII.
    pub wide: Vec<u16>,
    /// Numbers, among them the ends of pieces: in UTF-16 units, once finished.
    pub marks: Vec<u32>,
    /// The indexes of the marks that are ends of pieces.
    ends: Vec<usize>,
}

impl Default for OutputBuffer {
    fn default() -> Self {
        let text = Writer::new(NumberStyle::JavaScript);
        Self { text, wide: Vec::new(), marks: Vec::new(), ends: Vec::new() }
    }
}

impl OutputBuffer {
    /// Removes all text and marks.
    pub fn clear(&mut self) {
        self.text.out.clear();
        self.wide.clear();
        self.marks.clear();
        self.ends.clear();
    }

    /// Ends a piece: the text that has been written to `text` since the last one.
    pub fn end_piece(&mut self) {
        self.ends.push(self.marks.len());
        self.marks.push(to_u32(self.text.out.len()));
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

/// The result of the same input if it is repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// The result is unknown.
    #[default]
    Unknown,
    /// The same result.
    Same,
    /// The last of the events that were made.
    Last,
    /// The result of the call before; input with another id and no other difference gives the same events with that id.
    Next,
}

/// The results of a call.
#[derive(Debug, Default)]
pub struct Output {
    /// The events or changes that were made.
    pub buffer: OutputBuffer,
    /// The error of a call that failed.
    pub error: Option<Error>,
    /// The warnings that JavaScript has not asked for yet.
    pub warnings: Vec<Warning>,
    /// The result that the same input gives next time.
    pub repeat: Repeat,
    /// A run has ended, and no other one has begun since.
    pub has_ended: bool,
}

impl Output {
    /// Ends the stream with a failure that did not come from its input.
    pub fn fail(&mut self, error: Error) {
        self.error = Some(error);
        self.buffer.clear();
    }

    /// Adds the warnings of the stages before those of patches for the same events.
    pub fn add_warnings(&mut self, warnings: Vec<Warning>) {
        self.warnings.splice(0..0, warnings);
    }

    /// Returns the warnings since the last request, as JSON text.
    pub fn take_warnings(&mut self) -> String {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.sort_by_key(|warning| warning.event_index);
        error::warnings(&warnings)
    }
}

/// A call's events stay below 4 GiB: one event does, and JavaScript strings are shorter.
#[allow(clippy::cast_possible_truncation)]
pub fn to_u32(value: usize) -> u32 {
    value as u32
}
