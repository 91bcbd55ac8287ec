//! The writer: compact JSON, with members in the order in which they are given.

use super::number::write_float;
use super::{Input, Number, NumberStyle, Object, Value, View, text};

/// Room for a small event, so that writing one allocates once.
const SMALL: usize = 256;

/// Writes compact JSON into a string.
#[derive(Debug)]
pub struct Writer {
    /// The text written so far.
    pub out: String,
    style: NumberStyle,
    /// The text for a double that JSON cannot express, and whether one was written.
    not_finite: NotFinite,
    has_not_finite: bool,
}

/// The text for a double that JSON cannot express.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotFinite {
    /// `null`
    Null,
    /// A word that is not JSON.
    Word,
    /// A string with this many more letters; see [`NotFinite::text`].
    Text(usize),
}

impl NotFinite {
    /// Returns the text.
    pub fn text(self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Word => "NaN".to_owned(),
            Self::Text(more) => format!("\"NaN{}\"", "N".repeat(more)),
        }
    }
}

impl Default for Writer {
    fn default() -> Self {
        Self::new(NumberStyle::default())
    }
}

impl Writer {
    /// Creates a writer with the spelling of `style` for doubles.
    pub fn new(style: NumberStyle) -> Self {
        Self { out: String::with_capacity(SMALL), style, not_finite: NotFinite::Null, has_not_finite: false }
    }

    /// Creates a writer that marks the places of doubles that JSON cannot express.
    pub(crate) fn marking(mark: NotFinite) -> Self {
        Self { not_finite: mark, ..Self::default() }
    }

    /// True if a double was written that JSON cannot express.
    pub(crate) fn has_not_finite(&self) -> bool {
        self.has_not_finite
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.out.push_str("null");
    }

    /// Writes a boolean.
    pub fn bool(&mut self, value: bool) {
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Writes an integer.
    pub fn int(&mut self, value: i64) {
        if value < 0 {
            self.out.push('-');
        }
        self.uint(value.unsigned_abs());
    }

    /// Writes an integer.
    pub fn uint(&mut self, value: u64) {
        let digit = |value: u64| char::from(b'0' + (value % 10) as u8);
        if value >= 100 {
            self.uint(value / 100);
        }
        if value >= 10 {
            self.out.push(digit(value / 10));
        }
        self.out.push(digit(value));
    }

    /// Writes a double; one that JSON cannot express becomes `null`.
    pub fn float(&mut self, value: f64) {
        if value.is_finite() {
            write_float(&mut self.out, value, self.style);
        } else {
            self.has_not_finite = true;
            self.out.push_str(&self.not_finite.text());
        }
    }

    /// Writes a number.
    pub fn number(&mut self, value: &Number) {
        match value {
            Number::Int(int) => self.int(*int),
            Number::Float(float) => self.float(*float),
            Number::Literal(literal) => self.out.push_str(literal),
        }
    }

    /// Writes a string.
    pub fn text(&mut self, value: &str) {
        text::write(&mut self.out, value);
    }

    /// Starts an object.
    pub fn object(&mut self) -> ObjectWriter<'_> {
        self.out.push('{');
        ObjectWriter { writer: self, empty: true }
    }

    /// Starts a list.
    pub fn list(&mut self) -> ListWriter<'_> {
        self.out.push('[');
        ListWriter { writer: self, empty: true }
    }

    /// Writes any value of core's own tree.
    pub fn value(&mut self, value: &Value) {
        self.input(value);
    }

    /// Writes a free object.
    pub fn dict(&mut self, object: &Object) {
        let mut writer = self.object();
        writer.extra(object);
        writer.end();
    }

    /// Writes a value of any holder.
    pub fn input<'a, I: Input<'a>>(&mut self, input: I) {
        match input.view() {
            View::Null => self.null(),
            View::Bool(value) => self.bool(value),
            View::Number => self.number(&input.number()),
            View::Text(value) => self.text(value),
            View::List(items) => {
                let mut list = self.list();
                for item in items {
                    list.input(item);
                }
                list.end();
            }
            View::Object(members) => {
                let mut object = self.object();
                for (key, member) in members {
                    object.member(key, member);
                }
                object.end();
            }
        }
    }
}

/// Writes the members of one object.
#[derive(Debug)]
pub struct ObjectWriter<'w> {
    writer: &'w mut Writer,
    empty: bool,
}

impl ObjectWriter<'_> {
    fn separate(&mut self) {
        if !self.empty {
            self.writer.out.push(',');
        }
        self.empty = false;
    }

    /// Writes a key with its colon. Returns the writer, for the value.
    #[inline]
    pub(crate) fn key(&mut self, key: &str) -> &mut Writer {
        self.raw(key);
        self.writer
    }

    /// Writes text that is a key with its colon, or a whole member.
    pub fn raw(&mut self, member: &str) {
        self.separate();
        self.writer.out.push_str(member);
    }

    /// Writes a member with a free key.
    pub fn member<'a, I: Input<'a>>(&mut self, key: &str, value: I) {
        self.separate();
        self.writer.text(key);
        self.writer.out.push(':');
        self.writer.input(value);
    }

    /// Writes undeclared members.
    pub fn extra(&mut self, members: &Object) {
        for (key, value) in members {
            self.member(key, value);
        }
    }

    /// Ends the object.
    pub fn end(self) {
        self.writer.out.push('}');
    }
}

/// Writes the items of one list.
#[derive(Debug)]
pub struct ListWriter<'w> {
    writer: &'w mut Writer,
    empty: bool,
}

impl ListWriter<'_> {
    fn separate(&mut self) {
        if !self.empty {
            self.writer.out.push(',');
        }
        self.empty = false;
    }

    /// Separates the items. Returns the writer, for the next item.
    #[inline]
    pub(crate) fn next(&mut self) -> &mut Writer {
        self.separate();
        self.writer
    }

    /// Writes any item.
    pub fn input<'a, I: Input<'a>>(&mut self, value: I) {
        self.separate();
        self.writer.input(value);
    }

    /// Ends the list.
    pub fn end(self) {
        self.writer.out.push(']');
    }
}
