//! Feeds bytes into a stream: a piece at a time, in turns that let other threads work.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ag_ui_native::Error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::turns::Next;

/// The argument of a call.
#[derive(Debug)]
pub enum Fed<'py> {
    /// A piece of the stream.
    Bytes(Bound<'py, PyBytes>),
    /// The end of the stream.
    End,
}

/// Feeds bytes into a stream. If a signal ends a call, the next call reads the remaining bytes first.
#[derive(Debug, Default)]
pub struct Inlet {
    waiting: VecDeque<(Py<PyBytes>, usize)>,
    ends: bool,
}

/// Number of bytes read at once.
const PIECE: usize = 8 << 10;
/// The longest time of a turn, without its last piece.
const TURN: Duration = Duration::from_millis(3);

impl Inlet {
    /// Passes pieces, and then the end, to `read`, until none is pending or the turn is over. `fed` is the argument of the
    /// call; in its later turns it is `None`.
    #[inline]
    pub fn turn(
        &mut self,
        py: Python<'_>,
        fed: Option<Fed<'_>>,
        mut read: impl FnMut(Option<&[u8]>) -> Result<(), Error>,
    ) -> Result<Next, Error> {
        match fed {
            Some(Fed::Bytes(bytes)) => {
                let all = bytes.as_bytes();
                if self.waiting.is_empty() && all.len() <= PIECE {
                    return read(Some(all)).map(|()| Next::Done);
                }
                self.waiting.push_back((bytes.unbind(), 0));
            }
            Some(Fed::End) => self.ends = true,
            None => {}
        }
        let mut began = None;
        while let Some((bytes, at)) = self.waiting.pop_front() {
            let all = bytes.bind(py).as_bytes();
            let end = all.len().min(at + PIECE);
            let result = read(Some(&all[at..end]));
            if result.is_err() {
                self.waiting.clear();
                return result.map(|()| Next::Done);
            }
            if end < all.len() {
                self.waiting.push_front((bytes, end));
            }
            if !self.waiting.is_empty() && began.get_or_insert_with(Instant::now).elapsed() > TURN {
                return Ok(Next::Turn);
            }
        }
        if std::mem::take(&mut self.ends) { read(None).map(|()| Next::Done) } else { Ok(Next::Done) }
    }
}
