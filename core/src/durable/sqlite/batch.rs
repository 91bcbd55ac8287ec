//! The frames of one append, as the bytes of one row: each frame behind its length, seven bits a byte, the lowest first.

use super::failure::Failure;
use crate::durable::frame::Frame;

pub fn encode(frames: &[Frame]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(frames.iter().map(|frame| frame.len() + 4).sum());
    for frame in frames {
        let mut length = frame.len();
        while length > 0x7f {
            bytes.push(u8::try_from(length & 0x7f).unwrap_or_default() | 0x80);
            length >>= 7;
        }
        bytes.push(u8::try_from(length).unwrap_or_default());
        bytes.extend_from_slice(frame.as_str().as_bytes());
    }
    bytes
}

/// The texts of the frames.
pub struct Batch<'b>(pub &'b [u8]);

impl<'b> Batch<'b> {
    fn take(&mut self) -> Option<&'b str> {
        let mut length = 0_usize;
        for shift in (0..usize::BITS).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            length |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        simdutf8::basic::from_utf8(text).ok()
    }
}

impl<'b> Iterator for Batch<'b> {
    type Item = Result<&'b str, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let text = self.take();
        if text.is_none() {
            self.0 = &[];
        }
        Some(text.ok_or(Failure::Damaged))
    }
}
