//! Frames of the binary transport: a length of four bytes, the highest first, and as many bytes of message.

use crate::error::{Code, Error};

const HEADER: usize = 4;

/// Reads frames out of bytes that arrive in pieces of any size. Nothing is set aside for a length that is only declared.
#[derive(Debug)]
pub struct FrameReader {
    limit: usize,
    /// The unfinished frame at the end of what was fed.
    rest: Vec<u8>,
    /// No frame has been read yet.
    at_start: bool,
}

impl FrameReader {
    /// A reader that refuses messages of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, rest: Vec::new(), at_start: true }
    }

    /// Reads a piece and hands the message of every frame that it completes to `take`.
    pub fn feed(
        &mut self,
        mut bytes: &[u8],
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !self.rest.is_empty() && !bytes.is_empty() {
            let wanted = self.length(&self.rest)?.map_or(HEADER, |length| HEADER + length);
            let (taken, left) = bytes.split_at(bytes.len().min(wanted - self.rest.len()));
            self.rest.extend_from_slice(taken);
            bytes = left;
            if self.length(&self.rest)?.is_some_and(|length| self.rest.len() == HEADER + length) {
                let mut frame = std::mem::take(&mut self.rest);
                take(&frame[HEADER..])?;
                self.at_start = false;
                // Its memory serves the next, unless that was a large one.
                if frame.capacity() <= KEPT {
                    frame.clear();
                    self.rest = frame;
                }
            }
        }
        while let Some(length) = self.length(bytes)? {
            let Some(message) = bytes.get(HEADER..HEADER + length) else { break };
            take(message)?;
            self.at_start = false;
            bytes = &bytes[HEADER + length..];
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    /// Ends the stream; fails if a frame was cut.
    pub fn finish(&mut self) -> Result<(), Error> {
        let left = self.rest.len();
        if left == 0 {
            return Ok(());
        }
        Err(Error::new(Code::StreamTruncated, format!("{left} bytes of a frame are left")))
    }

    /// The length that a header declares, once it is whole.
    fn length(&self, frame: &[u8]) -> Result<Option<usize>, Error> {
        let Some(header) = frame.first_chunk::<HEADER>() else { return Ok(None) };
        let length = u32::from_be_bytes(*header) as usize;
        if length > self.limit {
            // No frame is as long as the first characters of a text say.
            let is_text = header.iter().all(|&byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'));
            return Err(if self.at_start && is_text {
                Error::new(Code::WrongContentType, "text where a protobuf frame begins")
            } else {
                Error::limit("event_bytes", self.limit)
            });
        }
        Ok(Some(length))
    }
}

/// The message that one whole frame carries.
pub fn message_of(frame: &[u8]) -> Result<&[u8], Error> {
    let declared = frame.first_chunk::<HEADER>().map(|header| u32::from_be_bytes(*header) as usize);
    let message = frame.get(HEADER..).unwrap_or_default();
    match declared {
        Some(length) if length == message.len() => Ok(message),
        Some(length) if length < message.len() => {
            let detail = format!("{} bytes behind the frame", message.len() - length);
            Err(Error::new(Code::InvalidProtobuf, detail))
        }
        _ => Err(Error::new(Code::StreamTruncated, format!("{} bytes of a frame are left", frame.len()))),
    }
}

/// Memory of an unfinished frame that is kept for the next.
const KEPT: usize = 64 * 1024;
