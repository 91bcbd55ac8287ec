//! Bytes on their way into a stream: a piece at a time, in turns that let others work.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ag_ui_native::Error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::turns::Next;

/// What a call is given.
#[derive(Debug)]
pub enum Fed<'py> {
    /// A piece of the stream.
    Bytes(Bound<'py, PyBytes>),
    /// Its end.
    End,
}

/// Bytes on their way into a stream. What a call has to leave, because a signal ended it, comes first in the next.
#[derive(Debug, Default)]
pub struct Inlet {
    waiting: VecDeque<(Py<PyBytes>, usize)>,
    ends: bool,
}

/// Bytes read at once.
const PIECE: usize = 8 << 10;
/// How long a turn takes, and what its last piece takes over it.
const TURN: Duration = Duration::from_millis(3);

impl Inlet {
    /// Hands pieces to `read`, and then the end, until nothing waits or it is time to let others work. `fed` is what the
    /// call has been given; in its later turns there is nothing.
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
