//! Measures the length of operations as JSON.

use crate::json::NumberStyle;
use crate::json::{Input, View, Writer};

/// True if the value takes at most `most` bytes as JSON. Writing stops soon after the limit.
pub fn is_within<'a, I: Input<'a>>(value: I, most: usize, style: NumberStyle) -> bool {
    Scale(Writer::new(style)).fits(value, most)
}

/// Measures operations and values by writing them.
pub struct Scale(Writer);

impl Default for Scale {
    fn default() -> Self {
        Self(Writer::new(NumberStyle::default()))
    }
}

/// The lengths count the comma between operations.
const BARE: usize = r#"{"op":"remove","path":},"#.len();
const MOVE: usize = r#"{"op":"move","from":,"path":},"#.len();
const VALUED: usize = r#"{"op":"","path":,"value":},"#.len();

impl Scale {
    /// Returns the number of bytes of a `remove`.
    pub fn bare(&mut self, path: &str) -> usize {
        BARE + self.text(path)
    }

    /// Returns the number of bytes of a `move`.
    pub fn moved(&mut self, from: &str, path: &str) -> usize {
        MOVE + self.text(from) + self.text(path)
    }

    /// Returns the number of bytes of an operation with a value.
    pub fn valued<'a, I: Input<'a>>(&mut self, op: &str, path: &str, value: I) -> usize {
        let around = VALUED + op.len() + self.text(path);
        self.0.out.clear();
        self.0.input(value);
        around + self.0.out.len()
    }

    /// True if a `replace` is shorter than `bytes`.
    pub fn is_shorter<'a, I: Input<'a>>(&mut self, path: &str, value: I, bytes: usize) -> bool {
        let around = VALUED + "replace".len() + self.text(path);
        self.0.out.clear();
        bytes > around && self.fits(value, bytes - around - 1)
    }

    fn text(&mut self, text: &str) -> usize {
        self.0.out.clear();
        self.0.text(text);
        self.0.out.len()
    }

    /// Writes the value, but stops soon after `most` bytes. Returns whether it fits into them.
    fn fits<'a, I: Input<'a>>(&mut self, value: I, most: usize) -> bool {
        let out = &mut self.0.out;
        match value.view() {
            View::List(items) => {
                out.push('[');
                for (index, item) in items.enumerate() {
                    if index > 0 {
                        self.0.out.push(',');
                    }
                    if !self.fits(item, most) {
                        return false;
                    }
                }
                self.0.out.push(']');
            }
            View::Object(members) => {
                out.push('{');
                for (index, (key, member)) in members.enumerate() {
                    if index > 0 {
                        self.0.out.push(',');
                    }
                    self.0.text(key);
                    self.0.out.push(':');
                    if !self.fits(member, most) {
                        return false;
                    }
                }
                self.0.out.push('}');
            }
            _ => self.0.input(value),
        }
        self.0.out.len() <= most
    }
}
