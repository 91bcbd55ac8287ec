//! The scanner of JSON tokens. Every reader of whole documents uses it, so all readers agree on numbers, strings and
//! white space.

use super::{plain_len, unescaped};
use crate::error::Code;

/// The code of a fault, its byte, and the expected text.
pub type SyntaxFailure = (Code, usize, &'static str);

/// A position in JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'s> {
    text: &'s str,
    at: usize,
}

/// Collects the text of strings with escapes, one after the other.
#[derive(Debug, Default)]
pub struct Unescaped {
    /// The text.
    pub text: String,
    /// Replaces a lone surrogate with U+FFFD instead of refusing it.
    pub replace_invalid_text: bool,
    /// Byte offset of the first replaced surrogate.
    pub replaced: Option<usize>,
}

impl Unescaped {
    /// Drops the text of the previous document.
    pub fn clear(&mut self, replace_invalid_text: bool) {
        self.text.clear();
        self.replace_invalid_text = replace_invalid_text;
        self.replaced = None;
    }
}

impl<'s> Scanner<'s> {
    /// Creates a scanner at a position of a text.
    #[inline]
    pub fn new(text: &'s str, at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the position.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Moves back to an earlier position.
    #[inline]
    pub fn return_to(&mut self, at: usize) {
        self.at = at;
    }

    /// True at the end of the text.
    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Returns the rest of the text.
    #[inline]
    pub fn rest(&self) -> &'s [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Returns the text from `start` to the position.
    #[inline]
    pub fn since(&self, start: usize) -> &'s str {
        // Tokens begin and end at ASCII bytes, so both ends are character borders.
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Returns the next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips bytes that the caller has read.
    #[inline]
    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    /// Skips `byte` if it is the next one.
    #[inline]
    pub fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Skips white space between tokens.
    #[inline]
    pub fn space(&mut self) {
        // White space is rare: the next byte is usually greater than the space.
        while let Some(byte) = self.peek()
            && byte <= b' '
            && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    /// Skips `word` if it comes next.
    #[inline]
    pub fn word(&mut self, word: &str) -> bool {
        let there = self.rest().starts_with(word.as_bytes());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<&'s str, SyntaxFailure> {
        let start = self.at;
        self.skip(b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return self.fail("a digit"),
        }
        if self.skip(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.since(start))
    }

    fn digits(&mut self) -> Result<(), SyntaxFailure> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { self.fail("a digit") } else { Ok(()) }
    }

    /// Reads a string without escapes, if one comes next. Returns it without its quotes.
    #[inline]
    pub fn plain(&mut self) -> Option<&'s str> {
        let start = self.at + 1;
        let ahead = self.text.as_bytes().get(start..)?;
        let len = plain_len(ahead);
        if self.peek() != Some(b'"') || ahead.get(len) != Some(&b'"') {
            return None;
        }
        self.at = start + len + 1;
        self.text.get(start..start + len)
    }

    /// Reads a string. The next byte is its opening quote. Returns it without its quotes if it has no escapes; otherwise it
    /// appends its content to `to` and returns `None`.
    #[inline]
    pub fn string(&mut self, to: &mut Unescaped) -> Result<Option<&'s str>, SyntaxFailure> {
        let start = self.at + 1;
        self.at = start;
        self.at += plain_len(self.rest());
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(self.text.get(start..self.at - 1));
        }
        self.escaped(start, to).map(|()| None)
    }

    /// Reads the rest of a string that begins at `plain`. An escape, or a character that needs one,
    /// comes next.
    fn escaped(&mut self, mut plain: usize, to: &mut Unescaped) -> Result<(), SyntaxFailure> {
        loop {
            self.copy(plain, &mut to.text);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => plain = self.escape(to)?,
                Some(_) => return self.fail("a character that needs no escape"),
                None => return self.fail("the end of the string"),
            }
            self.at += plain_len(self.rest());
        }
        self.at += 1;
        Ok(())
    }

    /// Appends the text from `start` to the position. Of a short one sixteen bytes are copied, and the rest is cut off: a copy of a
    /// fixed length takes a few instructions.
    #[inline]
    fn copy(&self, start: usize, to: &mut String) {
        let length = self.at - start;
        match self.text.get(start..start + 16) {
            Some(chunk) if length <= chunk.len() => {
                let end = to.len() + length;
                to.push_str(chunk);
                to.truncate(end);
            }
            _ => to.push_str(self.since(start)),
        }
    }

    /// Reads an escape sequence. Returns the place from which text is still to be copied.
    fn escape(&mut self, to: &mut Unescaped) -> Result<usize, SyntaxFailure> {
        self.at += 1;
        match self.peek() {
            // These characters mean themselves, so they are copied with the text that follows.
            Some(b'"' | b'\\' | b'/') => {
                self.at += 1;
                return Ok(self.at - 1);
            }
            Some(b'u') => self.unicode(to)?,
            byte => {
                let Some(character) = byte.and_then(unescaped) else {
                    return self.fail("an escape sequence");
                };
                self.at += 1;
                to.text.push(character);
            }
        }
        Ok(self.at)
    }

    fn unicode(&mut self, to: &mut Unescaped) -> Result<(), SyntaxFailure> {
        let start = self.at - 1;
        let first = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with(b"\\u") {
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
            None if to.replace_invalid_text => {
                to.replaced.get_or_insert(start);
                char::REPLACEMENT_CHARACTER
            }
            None => return Err((Code::LoneSurrogate, start, "both halves of a surrogate pair")),
        };
        to.text.push(character);
        Ok(())
    }

    /// Reads the four digits after the `u`, which is the next byte.
    fn hex(&mut self) -> Result<u32, SyntaxFailure> {
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

    /// Skips `byte`. Fails if it is not the next one.
    #[inline]
    pub fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), SyntaxFailure> {
        if self.skip(byte) { Ok(()) } else { self.fail(expected) }
    }

    /// Fails because the next text is not the expected one.
    pub fn fail<T>(&self, expected: &'static str) -> Result<T, SyntaxFailure> {
        Err((Code::InvalidJson, self.at, expected))
    }
}
