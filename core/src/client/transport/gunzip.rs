//! Bodies that are compressed by gzip (RFC 1952), in steps of bounded length.

use std::fmt;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, TINFL_LZ_DICT_SIZE, decompress};

use crate::error::{Code, Error};

/// Decodes gzip. A step decodes at most 32 KiB, so limits and timeouts are checked in between, and decoded data is not lost if the
/// following data is corrupt. An end within a member is no error here: the decoder of events reports the truncated stream.
pub struct Gunzip {
    input: Vec<u8>,
    /// The number of input bytes read.
    read: usize,
    inflate: Box<DecompressorOxide>,
    /// The last output: the data that follows refers to it.
    window: Box<[u8]>,
    /// The place of the next byte in the window.
    place: usize,
    part: Part,
    /// The optional parts of the head that are still to be read.
    flags: u8,
    sum: u32,
    length: u32,
}

/// A part of a member.
#[derive(Clone, Copy)]
enum Part {
    /// The first ten bytes, and how many of them were read.
    Head(usize),
    ExtraLength,
    /// The second byte of that length, after its lower byte.
    ExtraLengthEnd(u8),
    /// A number of bytes that are skipped.
    Skipped(usize),
    /// A name or a comment, up to a zero.
    Text,
    Body,
    /// Checksum and length, and how many of their bytes were read.
    Tail(usize),
    /// After a member there may be another one, or zeros.
    Between,
    Padding,
    /// The data is not gzip.
    Corrupt,
}

const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
const HEAD: usize = 10;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const CHECKED: u8 = 2;
const RESERVED: u8 = 0xe0;

impl Default for Gunzip {
    fn default() -> Self {
        Self {
            input: Vec::new(),
            read: 0,
            inflate: Box::default(),
            window: vec![0; TINFL_LZ_DICT_SIZE].into_boxed_slice(),
            place: 0,
            part: Part::Head(0),
            flags: 0,
            sum: 0,
            length: 0,
        }
    }
}

impl Gunzip {
    /// Takes the next piece of the body. Call it when [`step`](Self::step) returns `None`.
    pub fn feed(&mut self, piece: &[u8]) {
        self.input.drain(..self.read);
        self.read = 0;
        self.input.extend_from_slice(piece);
    }

    /// Returns the next decoded bytes; `None` if the next piece is needed.
    ///
    /// # Errors
    /// `connection_lost` if the data is no gzip, or its checksum is wrong.
    pub fn step(&mut self) -> Result<Option<&[u8]>, Error> {
        loop {
            match self.part {
                Part::Corrupt => {
                    return Err(Error::new(
                        Code::ConnectionLost,
                        "the header says gzip, but the body is not valid gzip",
                    )
                    .advise("repair the compression of the server or its proxy; the events received before are complete"));
                }
                Part::Body => {
                    let made = self.inflated();
                    if !made.is_empty() {
                        return Ok(Some(&self.window[made]));
                    }
                    if matches!(self.part, Part::Body) {
                        return Ok(None);
                    }
                }
                part => {
                    let Some(&byte) = self.input.get(self.read) else { return Ok(None) };
                    self.read += 1;
                    self.part = self.behind(part, byte).unwrap_or(Part::Corrupt);
                }
            }
        }
    }

    /// Decodes available data up to the end of the window. Returns the decoded range of the window.
    fn inflated(&mut self) -> std::ops::Range<usize> {
        let Self { inflate, window, place, .. } = self;
        let (status, read, made) =
            decompress(inflate, &self.input[self.read..], window, *place, TINFL_FLAG_HAS_MORE_INPUT);
        let made = *place..*place + made;
        self.read += read;
        self.place = made.end % window.len();
        self.sum = checksum(self.sum, &window[made.clone()]);
        #[allow(clippy::cast_possible_truncation)] // It is counted modulo 2^32.
        let length = made.len() as u32;
        self.length = self.length.wrapping_add(length);
        match status {
            TINFLStatus::Done => self.part = Part::Tail(0),
            TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => {}
            _ => self.part = Part::Corrupt,
        }
        made
    }

    /// The part that follows a byte outside of the compressed data; `None` if the byte is not allowed there.
    fn behind(&mut self, part: Part, byte: u8) -> Option<Part> {
        match part {
            Part::Head(at) => {
                let is_wrong = MAGIC.get(at).is_some_and(|expected| byte != *expected);
                if at == MAGIC.len() {
                    self.flags = byte;
                }
                (!is_wrong && self.flags & RESERVED == 0)
                    .then(|| if at + 1 < HEAD { Part::Head(at + 1) } else { self.rest_of_head() })
            }
            Part::ExtraLength => Some(Part::ExtraLengthEnd(byte)),
            Part::ExtraLengthEnd(lower) => match u16::from_le_bytes([lower, byte]) {
                0 => Some(self.rest_of_head()),
                length => Some(Part::Skipped(length.into())),
            },
            Part::Skipped(left) if left > 1 => Some(Part::Skipped(left - 1)),
            Part::Text if byte != 0 => Some(part),
            Part::Skipped(_) | Part::Text => Some(self.rest_of_head()),
            Part::Tail(at) => {
                let expected = if at < 4 { self.sum } else { self.length };
                let is_right = expected.to_le_bytes()[at % 4] == byte;
                is_right.then_some(if at < 7 { Part::Tail(at + 1) } else { Part::Between })
            }
            Part::Between | Part::Padding if byte == 0 => Some(Part::Padding),
            Part::Between => self.behind(Part::Head(0), byte),
            Part::Padding | Part::Body | Part::Corrupt => None,
        }
    }

    /// Returns the next part of the head; after the last part, the body.
    fn rest_of_head(&mut self) -> Part {
        let parts = [
            (EXTRA, Part::ExtraLength),
            (NAME, Part::Text),
            (COMMENT, Part::Text),
            (CHECKED, Part::Skipped(2)),
        ];
        for (flag, part) in parts {
            if self.flags & flag != 0 {
                self.flags &= !flag;
                return part;
            }
        }
        self.inflate.init();
        (self.place, self.sum, self.length) = (0, 0, 0);
        Part::Body
    }
}

impl fmt::Debug for Gunzip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Gunzip").finish_non_exhaustive()
    }
}

/// Continues a CRC-32 with further bytes.
fn checksum(sum: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!sum, |sum, byte| SUMS[usize::from(sum.to_le_bytes()[0] ^ byte)] ^ (sum >> 8))
}

/// The CRC table.
const SUMS: [u32; 256] = {
    let mut sums = [0; 256];
    let mut byte: u32 = 0;
    while byte < 256 {
        let (mut sum, mut bit) = (byte, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
            bit += 1;
        }
        sums[byte as usize] = sum;
        byte += 1;
    }
    sums
};
