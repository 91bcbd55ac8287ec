//! The tokens of JSON text. Every reader of whole documents takes its tokens from here, so that no reader can take for a
//! number, a string or a space what another does not.

use super::{plain_len, unescaped};
use crate::error::Code;

/// What was wrong, at which byte, and what was expected.
pub type SyntaxFailure = (Code, usize, &'static str);

/// A place in JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'s> {
    text: &'s str,
    at: usize,
}

/// Where strings with escapes are unescaped, one behind the other.
#[derive(Debug, Default)]
pub struct Unescaped {
    /// The text.
    pub text: String,
    /// Replace a lone surrogate by U+FFFD instead of refusing it.
    pub lossy: bool,
    /// Byte offset of the first that was replaced.
    pub replaced: Option<usize>,
}

impl Unescaped {
    /// Forgets what was unescaped before.
    pub fn clear(&mut self, lossy: bool) {
        self.text.clear();
        self.lossy = lossy;
        self.replaced = None;
    }
}

impl<'s> Scanner<'s> {
    /// A place in a text.
    #[inline]
    pub fn new(text: &'s str, at: usize) -> Self {
        Self { text, at }
    }

    /// Where it is.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes back to where it was.
    #[inline]
    pub fn return_to(&mut self, at: usize) {
        self.at = at;
    }

    /// True if nothing is left.
    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// What is left.
    #[inline]
    pub fn rest(&self) -> &'s [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The text from a place to here.
    #[inline]
    pub fn since(&self, start: usize) -> &'s str {
        // Tokens begin and end at ASCII bytes, so both ends are ends of characters.
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The byte ahead.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes bytes that have been looked at.
    #[inline]
    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    /// Passes `byte` if it is ahead.
    #[inline]
    pub fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Passes what may stand between tokens.
    #[inline]
    pub fn space(&mut self) {
        // Nearly always there is none, and what stands there is above the space.
        while let Some(byte) = self.peek()
            && byte <= b' '
            && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    /// Passes `word` if it is ahead.
    #[inline]
    pub fn word(&mut self, word: &str) -> bool {
        let there = self.rest().starts_with(word.as_bytes());
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// A number.
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

    /// A string without escapes, if one is ahead; without its quotes.
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

    /// A string, whose opening quote is ahead: without its quotes if it has no escapes; else nothing, and its content goes
    /// behind what is unescaped already.
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

    /// The rest of a string that began at `plain`, where something that does not stand for itself is ahead.
    fn escaped(&mut self, mut plain: usize, to: &mut Unescaped) -> Result<(), SyntaxFailure> {
        loop {
            to.text.push_str(self.since(plain));
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

    /// Reads an escape sequence; what is not yet unescaped begins at the place returned.
    fn escape(&mut self, to: &mut Unescaped) -> Result<usize, SyntaxFailure> {
        self.at += 1;
        match self.peek() {
            // These stand for themselves, in front of what follows.
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
            None if to.lossy => {
                to.replaced.get_or_insert(start);
                char::REPLACEMENT_CHARACTER
            }
            None => return Err((Code::LoneSurrogate, start, "both halves of a surrogate pair")),
        };
        to.text.push(character);
        Ok(())
    }

    /// The four digits behind the `u` that is ahead.
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

    /// Passes `byte`, which must be ahead.
    #[inline]
    pub fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), SyntaxFailure> {
        if self.skip(byte) { Ok(()) } else { self.fail(expected) }
    }

    /// Something else stands here than what was expected.
    pub fn fail<T>(&self, expected: &'static str) -> Result<T, SyntaxFailure> {
        Err((Code::InvalidJson, self.at, expected))
    }
}
