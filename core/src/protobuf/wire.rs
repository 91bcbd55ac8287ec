//! The wire format of protobuf: tags, varints, lengths.

use std::ops::Range;

/// Wire types.
pub const VARINT: u32 = 0;
pub const FIXED64: u32 = 1;
pub const BYTES: u32 = 2;
const GROUP: u32 = 3;
const GROUP_END: u32 = 4;
const FIXED32: u32 = 5;

/// The deepest nesting of groups, as in other implementations.
const MAX_GROUPS: usize = 100;

/// Writes a message from its end to its beginning. So every length is known when it is written.
#[derive(Debug, Default)]
pub struct Backward {
    bytes: Vec<u8>,
    /// The start of the written bytes.
    start: usize,
}

impl Backward {
    /// Drops the written bytes.
    pub fn clear(&mut self) {
        self.start = self.bytes.len();
    }

    /// Returns the written bytes.
    pub fn written(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Returns the number of the written bytes.
    pub fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// Returns the bytes written while the length grew from `range.start` to `range.end`.
    pub fn between(&self, range: &Range<usize>) -> &[u8] {
        let end = self.bytes.len();
        &self.bytes[end - range.end..end - range.start]
    }

    /// Prepends bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        if bytes.len() > self.start {
            self.grow(bytes.len());
        }
        self.start -= bytes.len();
        self.bytes[self.start..][..bytes.len()].copy_from_slice(bytes);
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let mut bytes = vec![0; (2 * self.bytes.len()).max(self.len() + more + 256)];
        let start = bytes.len() - self.len();
        bytes[start..].copy_from_slice(self.written());
        *self = Self { bytes, start };
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        if self.start == 0 {
            self.grow(1);
        }
        self.start -= 1;
        self.bytes[self.start] = byte;
    }

    /// Prepends a varint of minimal length.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // Only the low byte is used.
    pub fn varint(&mut self, value: u64) {
        if value < 0x80 { self.byte(value as u8) } else { self.multibyte_varint(value) }
    }

    #[allow(clippy::cast_possible_truncation)] // As above.
    fn multibyte_varint(&mut self, mut value: u64) {
        let mut digits = [0; 10];
        let mut count = 0;
        while value >= 0x80 {
            digits[count] = value as u8 | 0x80;
            value >>= 7;
            count += 1;
        }
        digits[count] = value as u8;
        self.bytes(&digits[..=count]);
    }

    /// Prepends the tag of a field.
    #[inline]
    pub fn tag(&mut self, number: u32, wire: u32) {
        self.varint(u64::from(number << 3 | wire));
    }

    /// Makes the bytes written since length `end` the content of a field.
    #[inline]
    pub fn close(&mut self, number: u32, end: usize) {
        self.varint((self.len() - end) as u64);
        self.tag(number, BYTES);
    }

    /// Makes the bytes written since length `end` the rest of a base event, and prepends the number of its type.
    pub fn base(&mut self, slot: u32, end: usize) {
        if slot > 0 {
            self.varint(u64::from(slot));
            self.tag(1, VARINT);
        }
        self.close(1, end);
    }

    /// Prepends a field of text.
    #[inline]
    pub fn text(&mut self, number: u32, text: &str) {
        let end = self.len();
        self.bytes(text.as_bytes());
        self.close(number, end);
    }

    /// Prepends a field with an integer. A negative one takes ten bytes.
    pub fn int(&mut self, number: u32, value: i64) {
        self.varint(value.cast_unsigned());
        self.tag(number, VARINT);
    }
}

/// One field of a message.
#[derive(Clone, Copy, Debug)]
pub struct Field<'m> {
    /// Its number.
    pub number: u32,
    /// Its content.
    pub payload: Payload<'m>,
}

/// The content of a field.
#[derive(Clone, Copy, Debug)]
pub enum Payload<'m> {
    /// A varint.
    Varint(u64),
    /// Eight bytes.
    Fixed64(u64),
    /// Text, bytes or a message.
    Bytes(&'m [u8]),
    /// Four bytes. The protocol has no such field.
    Fixed32,
    /// A group. The protocol has no such field.
    Group,
}

/// Bytes that are not a message: the fault, and the number of bytes left at it.
#[derive(Clone, Copy, Debug)]
pub struct Malformed {
    /// The fault.
    pub what: &'static str,
    /// Number of bytes from the fault to the end of the message.
    pub left: usize,
}

/// The fields of a message, in their order.
#[derive(Clone, Debug)]
pub struct Fields<'m>(&'m [u8]);

impl<'m> Fields<'m> {
    /// Returns the fields of `message`.
    pub fn of(message: &'m [u8]) -> Self {
        Self(message)
    }

    #[inline]
    fn field(&mut self) -> Result<Field<'m>, Malformed> {
        let (number, wire) = self.tag()?;
        let payload = match wire {
            VARINT => Payload::Varint(self.varint()?),
            FIXED64 => {
                let bytes = self.take(8)?;
                Payload::Fixed64(u64::from_le_bytes(std::array::from_fn(|index| bytes[index])))
            }
            BYTES => {
                let length = self.varint()?;
                Payload::Bytes(self.take(usize::try_from(length).unwrap_or(usize::MAX))?)
            }
            FIXED32 => self.take(4).map(|_| Payload::Fixed32)?,
            GROUP => self.group(number).map(|()| Payload::Group)?,
            GROUP_END => return Err(self.malformed("the end of a group that was not begun")),
            _ => return Err(self.malformed("an unknown wire type")),
        };
        Ok(Field { number, payload })
    }

    /// Skips a group with its content.
    fn group(&mut self, number: u32) -> Result<(), Malformed> {
        let mut open = vec![number];
        while let Some(&innermost) = open.last() {
            let before = self.clone();
            let (number, wire) = self.tag()?;
            match wire {
                GROUP if open.len() < MAX_GROUPS => open.push(number),
                GROUP => return Err(self.malformed("too many nested groups")),
                GROUP_END if number == innermost => drop(open.pop()),
                GROUP_END => return Err(self.malformed("the end of a group that is not the innermost one")),
                _ => {
                    *self = before;
                    self.field()?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn tag(&mut self) -> Result<(u32, u32), Malformed> {
        let tag = self.number(5)?;
        match u32::try_from(tag) {
            Ok(tag) if tag >> 3 > 0 => Ok((tag >> 3, tag & 7)),
            _ => Err(self.malformed("an invalid field number")),
        }
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Malformed> {
        self.number(10)
    }

    /// Reads a varint of at most `longest` bytes.
    fn number(&mut self, longest: usize) -> Result<u64, Malformed> {
        let mut value = 0u64;
        for (index, &byte) in self.0.iter().take(longest).enumerate() {
            // The tenth byte has room for one bit. Other implementations drop further bits, too.
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                self.0 = &self.0[index + 1..];
                return Ok(value);
            }
        }
        Err(self.malformed(if self.0.len() < longest {
            "an incomplete number"
        } else {
            "a number longer than its type allows"
        }))
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<&'m [u8], Malformed> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| self.malformed("a field longer than its message"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn malformed(&self, what: &'static str) -> Malformed {
        Malformed { what, left: self.0.len() }
    }
}

impl<'m> Iterator for Fields<'m> {
    type Item = Result<Field<'m>, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() { None } else { Some(self.field()) }
    }
}

/// Returns the value of an enumeration.
#[allow(clippy::cast_possible_truncation)] // It has 32 bits, as everywhere.
pub fn enumerated(value: u64) -> i64 {
    i64::from(value as i32)
}
