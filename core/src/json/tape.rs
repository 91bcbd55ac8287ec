//! The parser: one pass over the text, no recursion, onto a flat tape that borrows from it.

use super::scan::{Scanner, SyntaxFailure, Unescaped};
use super::{Input, Number, View};
use crate::error::Code;

/// Memory for parsed documents. It is reused from one document to the next.
#[derive(Debug, Default)]
pub struct Tape {
    entries: Vec<TapeEntry>,
    open: Vec<OpenContainer>,
    unescaped: Unescaped,
    /// True if a number is beyond the range of a double.
    has_infinite: bool,
}

/// A container being parsed.
#[derive(Clone, Copy, Debug)]
struct OpenContainer {
    entry: usize,
    is_object: bool,
    /// Index of the last key's entry (objects), number of items so far (lists).
    last: usize,
}

#[derive(Clone, Copy, Debug)]
struct TapeEntry {
    kind: EntryKind,
    /// The range of the value's own text in the source, with quotes.
    start: u32,
    end: u32,
    /// The range of an escaped string's content in the unescaped text.
    text: (u32, u32),
    /// Index after the value and its content.
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    Null,
    True,
    False,
    Number,
    Plain,
    Escaped,
    List,
    Object,
}

/// A syntax error: the text is not a JSON document, or exceeds the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// `invalid_json`, `lone_surrogate` or `limit_exceeded` (the depth).
    pub code: Code,
    /// Byte offset into the text.
    pub offset: usize,
    /// JSON pointer of the value that was being read.
    pub path: String,
    /// The expected text.
    pub expected: &'static str,
}

/// ParseOptions of the parser.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions {
    /// The deepest nesting of lists and objects.
    pub depth: usize,
    /// Replaces a lone surrogate with U+FFFD instead of refusing it.
    pub replace_invalid_text: bool,
}

impl Tape {
    /// Parses `source`, which must be one JSON document, and returns its root.
    pub fn parse<'t>(&'t mut self, source: &'t str, options: ParseOptions) -> Result<Node<'t>, Syntax> {
        self.clear(options);
        let mut parser = Parser { tape: self, scan: Scanner::new(source, 0), source, depth: options.depth };
        match parser.document() {
            Ok(()) => Ok(Node { tape: self, source, index: 0 }),
            Err((code, offset, expected)) => {
                Err(Syntax { code, offset, path: self.path_of_failure(source), expected })
            }
        }
    }

    /// Parses the next value. The text after it is not checked.
    pub(crate) fn parse_value<'t>(
        &'t mut self,
        source: &'t str,
        scan: &mut Scanner<'_>,
        options: ParseOptions,
    ) -> Result<Node<'t>, SyntaxFailure> {
        self.clear(options);
        let mut parser =
            Parser { tape: self, scan: Scanner::new(source, scan.at()), source, depth: options.depth };
        parser.tree()?;
        scan.pass(parser.scan.at() - scan.at());
        Ok(Node { tape: self, source, index: 0 })
    }

    /// Unescapes the next string.
    pub(crate) fn unescape(&mut self, scan: &mut Scanner<'_>) -> Result<&str, SyntaxFailure> {
        self.unescaped.clear(false);
        // The first string takes memory once.
        self.unescaped.text.reserve(scan.rest().len().min(256));
        let plain = scan.string(&mut self.unescaped)?;
        debug_assert!(plain.is_none());
        Ok(&self.unescaped.text)
    }

    fn clear(&mut self, options: ParseOptions) {
        self.entries.clear();
        self.open.clear();
        self.unescaped.clear(options.replace_invalid_text);
        self.has_infinite = false;
    }

    /// Returns the pointer to the place at which parsing stopped, from the containers that were open.
    fn path_of_failure(&self, source: &str) -> String {
        let mut path = String::new();
        for open in &self.open {
            if !open.is_object {
                crate::error::push_token(&mut path, &open.last.to_string());
            } else if open.last > 0 {
                let key = Node { tape: self, source, index: open.last };
                crate::error::push_token(&mut path, key.text().unwrap_or_default());
            }
        }
        path
    }
}

struct Parser<'t, 's> {
    tape: &'t mut Tape,
    scan: Scanner<'s>,
    source: &'s str,
    /// The deepest nesting.
    depth: usize,
}

impl Parser<'_, '_> {
    fn document(&mut self) -> Result<(), SyntaxFailure> {
        self.tree()?;
        self.scan.space();
        if self.scan.is_at_end() { Ok(()) } else { self.scan.fail("the end of the document") }
    }

    /// Parses a value with its content.
    fn tree(&mut self) -> Result<(), SyntaxFailure> {
        if u32::try_from(self.source.len()).is_err() {
            return Err((Code::LimitExceeded, 0, "a document below 4 GiB"));
        }
        self.value()?;
        while let Some(&open) = self.tape.open.last() {
            if open.is_object { self.member(open)? } else { self.item(open)? }
        }
        Ok(())
    }

    /// Reads one step inside an object: its end, or the next key and the value after it.
    fn member(&mut self, open: OpenContainer) -> Result<(), SyntaxFailure> {
        self.scan.space();
        if self.scan.peek() == Some(b'}') {
            self.close(open);
            return Ok(());
        }
        if open.last > 0 {
            self.scan.expect(b',', "`,` or `}`")?;
            self.scan.space();
        }
        if self.scan.peek() != Some(b'"') {
            return self.scan.fail("a key in double quotes");
        }
        let key = self.tape.entries.len();
        if let Err(failure) = self.string() {
            // An invalid key belongs to the object, not to the member before it.
            self.note(0);
            return Err(failure);
        }
        self.note(key);
        self.scan.space();
        self.scan.expect(b':', "`:`")?;
        self.value()
    }

    /// Reads one step inside a list: its end, or the next value.
    fn item(&mut self, open: OpenContainer) -> Result<(), SyntaxFailure> {
        self.scan.space();
        let empty = self.tape.entries.len() == open.entry + 1;
        if self.scan.peek() == Some(b']') {
            self.close(open);
            return Ok(());
        }
        if !empty {
            self.note(open.last + 1);
            self.scan.expect(b',', "`,` or `]`")?;
        }
        self.value()
    }

    /// Stores the last key or index of the innermost container, for the path of an error.
    fn note(&mut self, last: usize) {
        if let Some(open) = self.tape.open.last_mut() {
            open.last = last;
        }
    }

    fn close(&mut self, open: OpenContainer) {
        self.scan.pass(1);
        self.tape.open.pop();
        let next = self.tape.entries.len();
        let entry = &mut self.tape.entries[open.entry];
        entry.end = to_u32(self.scan.at());
        entry.next = to_u32(next);
    }

    /// Reads a scalar, or the start of a container.
    fn value(&mut self) -> Result<(), SyntaxFailure> {
        self.scan.space();
        match self.scan.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.start(EntryKind::Object),
            Some(b'[') => self.start(EntryKind::List),
            Some(b't') => self.word("true", EntryKind::True),
            Some(b'f') => self.word("false", EntryKind::False),
            Some(b'n') => self.word("null", EntryKind::Null),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.scan.at();
                let text = self.scan.number()?;
                self.tape.has_infinite |= Number::is_infinite_text(text);
                self.push(EntryKind::Number, start, (0, 0));
                Ok(())
            }
            _ => self.scan.fail("a value"),
        }
    }

    fn start(&mut self, kind: EntryKind) -> Result<(), SyntaxFailure> {
        let at = self.scan.at();
        if self.tape.open.len() >= self.depth {
            return Err((Code::LimitExceeded, at, "less nesting"));
        }
        let entry = self.tape.entries.len();
        self.tape.open.push(OpenContainer { entry, is_object: kind == EntryKind::Object, last: 0 });
        self.scan.pass(1);
        self.push(kind, at, (0, 0));
        Ok(())
    }

    fn word(&mut self, word: &str, kind: EntryKind) -> Result<(), SyntaxFailure> {
        let start = self.scan.at();
        if !self.scan.word(word) {
            return self.scan.fail("a value");
        }
        self.push(kind, start, (0, 0));
        Ok(())
    }

    fn string(&mut self) -> Result<(), SyntaxFailure> {
        let start = self.scan.at();
        let text = self.tape.unescaped.text.len();
        if self.scan.string(&mut self.tape.unescaped)?.is_some() {
            self.push(EntryKind::Plain, start, (0, 0));
        } else {
            let end = self.tape.unescaped.text.len();
            self.push(EntryKind::Escaped, start, (to_u32(text), to_u32(end)));
        }
        Ok(())
    }

    /// Adds the entry that begins at `start` and ends at the position.
    fn push(&mut self, kind: EntryKind, start: usize, text: (u32, u32)) {
        let next = to_u32(self.tape.entries.len() + 1);
        let end = to_u32(self.scan.at());
        self.tape.entries.push(TapeEntry { kind, start: to_u32(start), end, text, next });
    }
}

/// Offsets fit: a document of 4 GiB or more is refused first, and no string grows when it is unescaped.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn to_u32(value: usize) -> u32 {
    value as u32
}

/// A value on a tape.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tape: &'t Tape,
    source: &'t str,
    index: usize,
}

impl<'t> Node<'t> {
    #[inline]
    fn entry(self) -> &'t TapeEntry {
        &self.tape.entries[self.index]
    }

    #[inline]
    fn at(self, index: usize) -> Self {
        Self { index, ..self }
    }

    /// Returns the value's own text in the source.
    pub fn source(self) -> &'t str {
        let entry = self.entry();
        &self.source[entry.start as usize..entry.end as usize]
    }

    /// Returns the byte offset of the first replaced surrogate of the document.
    pub fn replaced(self) -> Option<usize> {
        self.tape.unescaped.replaced
    }

    /// Returns the byte offset of the value in the source.
    pub fn offset(self) -> usize {
        self.entry().start as usize
    }

    /// Returns the string, if the value is one.
    #[inline]
    pub fn text(self) -> Option<&'t str> {
        let entry = self.entry();
        match entry.kind {
            EntryKind::Plain => Some(&self.source[entry.start as usize + 1..entry.end as usize - 1]),
            EntryKind::Escaped => {
                Some(&self.tape.unescaped.text[entry.text.0 as usize..entry.text.1 as usize])
            }
            _ => None,
        }
    }

    /// True if the value is the string `text`. The lengths are compared first, since most differ.
    #[inline]
    fn is(self, text: &str) -> bool {
        let entry = self.entry();
        let is_escaped = entry.kind == EntryKind::Escaped;
        (is_escaped || (entry.end - entry.start) as usize == text.len() + 2) && self.text() == Some(text)
    }
}

impl<'t> Input<'t> for Node<'t> {
    type Items = Items<'t>;
    type Members = Members<'t>;

    #[inline]
    fn view(self) -> View<'t, Self> {
        let entry = self.entry();
        let inside = Items { node: self.at(self.index + 1), end: entry.next as usize };
        match entry.kind {
            EntryKind::Null => View::Null,
            EntryKind::True => View::Bool(true),
            EntryKind::False => View::Bool(false),
            EntryKind::Number => View::Number,
            EntryKind::Plain | EntryKind::Escaped => View::Text(self.text().unwrap_or_default()),
            EntryKind::List => View::List(inside),
            EntryKind::Object => View::Object(Members(inside)),
        }
    }

    #[inline]
    fn is_null(self) -> bool {
        self.entry().kind == EntryKind::Null
    }

    fn member(self, key: &str) -> Option<Self> {
        let View::Object(Members(mut inside)) = self.view() else { return None };
        let mut found = None;
        while let (Some(name), Some(value)) = (inside.next(), inside.next()) {
            if name.is(key) {
                found = Some(value);
            }
        }
        found
    }

    fn number(self) -> Number {
        Number::parse(Node::source(self))
    }

    fn may_hold_infinite(self) -> bool {
        self.tape.has_infinite
    }

    fn source(self) -> Option<&'t str> {
        Some(Node::source(self))
    }
}

/// The items of a list on a tape.
#[derive(Clone, Debug)]
pub struct Items<'t> {
    node: Node<'t>,
    end: usize,
}

impl<'t> Iterator for Items<'t> {
    type Item = Node<'t>;

    #[inline]
    fn next(&mut self) -> Option<Node<'t>> {
        if self.node.index >= self.end {
            return None;
        }
        let item = self.node;
        self.node = item.at(item.entry().next as usize);
        Some(item)
    }
}

/// The members of an object on a tape, with duplicates.
#[derive(Clone, Debug)]
pub struct Members<'t>(Items<'t>);

impl<'t> Iterator for Members<'t> {
    type Item = (&'t str, Node<'t>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = self.0.next()?;
        let value = self.0.next()?;
        Some((key.text().unwrap_or_default(), value))
    }
}
