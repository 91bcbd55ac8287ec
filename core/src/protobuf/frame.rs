//! Frames of the binary transport: the length of the message in four bytes, the highest first, and the
//! message.

use crate::error::{Code, Error};

const HEADER: usize = 4;

/// Reads frames from bytes that arrive in pieces of any size. Memory is allocated for bytes that have arrived, never for
/// a declared length.
#[derive(Debug)]
pub struct FrameReader {
    limit: usize,
    /// The unfinished frame at the end of the bytes.
    rest: Vec<u8>,
    /// True until the first frame has been read.
    at_start: bool,
}

impl FrameReader {
    /// Creates a reader that refuses messages of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, rest: Vec::new(), at_start: true }
    }

    /// Reads a piece. Hands the message of every completed frame to `take`.
    pub fn feed(
        &mut self,
        mut bytes: &[u8],
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !self.rest.is_empty() && !bytes.is_empty() {
            let needed = self.length(&self.rest)?.map_or(HEADER, |length| HEADER + length);
            let (taken, left) = bytes.split_at(bytes.len().min(needed - self.rest.len()));
            self.rest.extend_from_slice(taken);
            bytes = left;
            if self.length(&self.rest)?.is_some_and(|length| self.rest.len() == HEADER + length) {
                let mut frame = std::mem::take(&mut self.rest);
                take(&frame[HEADER..])?;
                self.at_start = false;
                // The next frame uses the memory again, unless it is large.
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

    /// Ends the stream. Fails if a frame was cut.
    pub fn finish(&mut self) -> Result<(), Error> {
        let left = self.rest.len();
        if left == 0 {
            return Ok(());
        }
        Err(Error::new(Code::StreamTruncated, format!("the stream ends within a frame: {left} bytes remain")))
    }

    /// Returns the length in a header, once the header is whole.
    fn length(&self, frame: &[u8]) -> Result<Option<usize>, Error> {
        let Some(header) = frame.first_chunk::<HEADER>() else { return Ok(None) };
        let length = u32::from_be_bytes(*header) as usize;
        if length > self.limit {
            // Read as a length, the first characters of a text are beyond the limit.
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

/// Returns the message of one whole frame.
pub fn message_of(frame: &[u8]) -> Result<&[u8], Error> {
    let declared = frame.first_chunk::<HEADER>().map(|header| u32::from_be_bytes(*header) as usize);
    let message = frame.get(HEADER..).unwrap_or_default();
    match declared {
        Some(length) if length == message.len() => Ok(message),
        Some(length) if length < message.len() => {
            let detail = format!("{} bytes behind the frame", message.len() - length);
            Err(Error::new(Code::InvalidProtobuf, detail))
        }
        _ => {
            let detail = format!("the frame is not complete: it has {} bytes", frame.len());
            Err(Error::new(Code::StreamTruncated, detail))
        }
    }
}

/// Maximum number of bytes of memory that are kept from one unfinished frame for the next.
const KEPT: usize = 64 * 1024;
