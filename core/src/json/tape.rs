//! The parser: one pass over the text, no recursion, onto a flat tape that borrows from it.

use super::{Input, Number, View, plain_len, unescaped};
use crate::error::Code;

/// Storage for parsed documents, reused from one to the next.
#[derive(Debug, Default)]
pub struct Tape {
    entries: Vec<Entry>,
    open: Vec<Open>,
    unescaped: String,
    /// Byte offset of the first lone surrogate that was replaced.
    replaced: Option<usize>,
}

/// A container being parsed.
#[derive(Clone, Copy, Debug)]
struct Open {
    entry: usize,
    is_object: bool,
    /// Index of the last key's entry (objects), number of items so far (lists).
    last: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: EntryKind,
    /// Where the value's own text stands in the source, quotes included.
    start: u32,
    end: u32,
    /// Where an escaped string's content stands among the unescaped ones.
    text: (u32, u32),
    /// Index behind the value and all it contains.
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

/// Text that is no JSON document, or not an acceptable one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// `invalid_json`, `lone_surrogate` or `limit_exceeded` (the depth).
    pub code: Code,
    /// Byte offset into the text.
    pub offset: usize,
    /// JSON pointer of the value that was being read.
    pub path: String,
    /// What was expected.
    pub expected: &'static str,
}

/// What the parser accepts.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Deepest nesting of lists and objects.
    pub depth: usize,
    /// Replace a lone surrogate by U+FFFD instead of refusing it.
    pub lossy: bool,
}

impl Tape {
    /// Parses `source`, which must be one JSON document, and returns its root.
    pub fn parse<'t>(&'t mut self, source: &'t str, options: Options) -> Result<Node<'t>, Syntax> {
        self.clear();
        let mut parser = Parser { tape: self, text: source, source: source.as_bytes(), at: 0, options };
        match parser.document() {
            Ok(()) => Ok(Node { tape: self, source, index: 0 }),
            Err((code, offset, expected)) => {
                Err(Syntax { code, offset, path: self.path_of_failure(source), expected })
            }
        }
    }

    /// Parses the value that starts at byte `at` of `source`, and returns it and where it ends. What stands behind it
    /// is not looked at.
    pub fn parse_value<'t>(
        &'t mut self,
        source: &'t str,
        at: usize,
        options: Options,
    ) -> Result<(Node<'t>, usize), Failure> {
        self.clear();
        let mut parser = Parser { tape: self, text: source, source: source.as_bytes(), at, options };
        parser.tree()?;
        let end = parser.at;
        Ok((Node { tape: self, source, index: 0 }, end))
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.open.clear();
        self.unescaped.clear();
        self.replaced = None;
    }

    /// Pointer to where parsing stopped, from the containers that were still open.
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

/// What was wrong, at which byte, and what was expected.
pub type Failure = (Code, usize, &'static str);

struct Parser<'t, 's> {
    tape: &'t mut Tape,
    text: &'s str,
    /// The bytes of `text`.
    source: &'s [u8],
    at: usize,
    options: Options,
}

impl Parser<'_, '_> {
    fn document(&mut self) -> Result<(), Failure> {
        self.tree()?;
        self.space();
        if self.at < self.source.len() { self.fail("the end of the document") } else { Ok(()) }
    }

    /// A value with all it contains.
    fn tree(&mut self) -> Result<(), Failure> {
        if u32::try_from(self.source.len()).is_err() {
            return Err((Code::LimitExceeded, 0, "a document below 4 GiB"));
        }
        self.value()?;
        while let Some(&open) = self.tape.open.last() {
            if open.is_object { self.member(open)? } else { self.item(open)? }
        }
        Ok(())
    }

    /// One step inside an object: its end, or the next key and the value behind it.
    fn member(&mut self, open: Open) -> Result<(), Failure> {
        self.space();
        if self.peek() == Some(b'}') {
            self.close(open);
            return Ok(());
        }
        if open.last > 0 {
            self.expect(b',', "`,` or `}`")?;
            self.space();
        }
        if self.peek() != Some(b'"') {
            return self.fail("a key in double quotes");
        }
        let key = self.tape.entries.len();
        self.string()?;
        self.note(key);
        self.space();
        self.expect(b':', "`:`")?;
        self.value()
    }

    /// One step inside a list: its end, or the next value.
    fn item(&mut self, open: Open) -> Result<(), Failure> {
        self.space();
        let empty = self.tape.entries.len() == open.entry + 1;
        if self.peek() == Some(b']') {
            self.close(open);
            return Ok(());
        }
        if !empty {
            self.note(open.last + 1);
            self.expect(b',', "`,` or `]`")?;
        }
        self.value()
    }

    /// Remembers the last key or index of the innermost container, for the path of an error.
    fn note(&mut self, last: usize) {
        if let Some(open) = self.tape.open.last_mut() {
            open.last = last;
        }
    }

    fn close(&mut self, open: Open) {
        self.at += 1;
        self.tape.open.pop();
        let next = self.tape.entries.len();
        let entry = &mut self.tape.entries[open.entry];
        entry.end = to_u32(self.at);
        entry.next = to_u32(next);
    }

    /// A scalar, or the start of a container.
    fn value(&mut self) -> Result<(), Failure> {
        self.space();
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.start(EntryKind::Object),
            Some(b'[') => self.start(EntryKind::List),
            Some(b't') => self.word(b"true", EntryKind::True),
            Some(b'f') => self.word(b"false", EntryKind::False),
            Some(b'n') => self.word(b"null", EntryKind::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.fail("a value"),
        }
    }

    fn start(&mut self, kind: EntryKind) -> Result<(), Failure> {
        if self.tape.open.len() >= self.options.depth {
            return Err((Code::LimitExceeded, self.at, "less nesting"));
        }
        let entry = self.tape.entries.len();
        self.tape.open.push(Open { entry, is_object: kind == EntryKind::Object, last: 0 });
        self.push(kind, self.at, self.at + 1, (0, 0));
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &[u8], kind: EntryKind) -> Result<(), Failure> {
        if self.source[self.at..].starts_with(word) {
            self.push(kind, self.at, self.at + word.len(), (0, 0));
            self.at += word.len();
            Ok(())
        } else {
            self.fail("a value")
        }
    }

    fn number(&mut self) -> Result<(), Failure> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return self.fail("a digit"),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.push(EntryKind::Number, start, self.at, (0, 0));
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Failure> {
        let count = self.source[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { self.fail("a digit") } else { Ok(()) }
    }

    fn string(&mut self) -> Result<(), Failure> {
        let start = self.at;
        self.at += 1;
        self.at += plain_len(&self.source[self.at..]);
        if self.peek() == Some(b'"') {
            self.at += 1;
            self.push(EntryKind::Plain, start, self.at, (0, 0));
            return Ok(());
        }
        let text = self.tape.unescaped.len();
        let mut plain = start + 1;
        loop {
            // Cut at ASCII bytes, so both sides are whole characters.
            self.tape.unescaped.push_str(self.text.get(plain..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => plain = self.escape()?,
                Some(_) => return self.fail("a character that needs no escape"),
                None => return self.fail("the end of the string"),
            }
            self.at += plain_len(&self.source[self.at..]);
        }
        self.at += 1;
        let end = self.tape.unescaped.len();
        self.push(EntryKind::Escaped, start, self.at, (to_u32(text), to_u32(end)));
        Ok(())
    }

    /// Reads an escape sequence; what is not yet unescaped begins at the place returned.
    fn escape(&mut self) -> Result<usize, Failure> {
        self.at += 1;
        match self.peek() {
            // These stand for themselves, in front of what follows.
            Some(b'"' | b'\\' | b'/') => {
                self.at += 1;
                return Ok(self.at - 1);
            }
            Some(b'u') => self.unicode()?,
            byte => {
                let Some(character) = byte.and_then(unescaped) else {
                    return self.fail("an escape sequence");
                };
                self.at += 1;
                self.tape.unescaped.push(character);
            }
        }
        Ok(self.at)
    }

    fn unicode(&mut self) -> Result<(), Failure> {
        let start = self.at - 1;
        let first = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.source[self.at..].starts_with(b"\\u") {
            let behind = self.at;
            self.at += 1;
            let second = self.hex()?;
            if (0xdc00..0xe000).contains(&second) {
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            } else {
                self.at = behind;
                first
            }
        } else {
            first
        };
        let character = match char::from_u32(code) {
            Some(character) => character,
            None if self.options.lossy => {
                self.tape.replaced.get_or_insert(start);
                char::REPLACEMENT_CHARACTER
            }
            None => return Err((Code::LoneSurrogate, start, "both halves of a surrogate pair")),
        };
        self.tape.unescaped.push(character);
        Ok(())
    }

    /// The four digits behind the `u` that the parser stands at.
    fn hex(&mut self) -> Result<u32, Failure> {
        self.at += 1;
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else { return self.fail("four hexadecimal digits") };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn push(&mut self, kind: EntryKind, start: usize, end: usize, text: (u32, u32)) {
        let next = to_u32(self.tape.entries.len() + 1);
        self.tape.entries.push(Entry { kind, start: to_u32(start), end: to_u32(end), text, next });
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        // Nearly always there is none, and what stands there is above the space.
        while let Some(byte) = self.peek()
            && byte <= b' '
            && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Failure> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.fail(expected)
        }
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, Failure> {
        Err((Code::InvalidJson, self.at, expected))
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
    fn entry(self) -> &'t Entry {
        &self.tape.entries[self.index]
    }

    #[inline]
    fn at(self, index: usize) -> Self {
        Self { index, ..self }
    }

    /// The value's own text in the source.
    pub fn source(self) -> &'t str {
        let entry = self.entry();
        &self.source[entry.start as usize..entry.end as usize]
    }

    /// Byte offset of the first lone surrogate in the document, where such are replaced.
    pub fn replaced(self) -> Option<usize> {
        self.tape.replaced
    }

    /// Byte offset of the value in the source.
    pub fn offset(self) -> usize {
        self.entry().start as usize
    }

    /// The string, if the value is one.
    #[inline]
    pub fn text(self) -> Option<&'t str> {
        let entry = self.entry();
        match entry.kind {
            EntryKind::Plain => Some(&self.source[entry.start as usize + 1..entry.end as usize - 1]),
            EntryKind::Escaped => Some(&self.tape.unescaped[entry.text.0 as usize..entry.text.1 as usize]),
            _ => None,
        }
    }

    /// Whether the value is the string `text`. Most are told apart by their length.
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

/// The members of an object on a tape, duplicates included.
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
