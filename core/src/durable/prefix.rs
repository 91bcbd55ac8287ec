//! The beginning of a run, compacted for clients that join.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cursor::{Cursor, Incarnation};
use super::deltas::Deltas;
use super::frame::{Frame, event_of};
use super::key::LogKey;
use crate::compact::compact;
use crate::encode::to_json;
use crate::error::Error;
use crate::profile::Profile;
use crate::types::Event;
use crate::verify::EventVerifier;

/// The bytes of new frames behind which a prefix is compacted again. A long prefix waits for as many bytes as it has, so
/// that the work is linear.
const CHECKPOINT: usize = 256 << 10;

/// The frames of a log up to a place, compacted: with the frames behind that place they give the same messages and the
/// same state as all frames of the log. Open messages and calls are begun in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefix {
    through: Cursor,
    events: Vec<Event>,
    /// The next event, which may still grow.
    deltas: Option<Deltas>,
    /// The bytes of the events that are compacted.
    compacted: usize,
    /// The bytes of the frames since then.
    added: usize,
}

/// The description of a prefix, in the header of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefixHead {
    /// The number of its frames.
    pub frames: usize,
    /// The number of the log's last frame in it.
    pub through: u64,
}

impl Prefix {
    pub(super) fn new(incarnation: Incarnation) -> Self {
        let through = Cursor { incarnation, number: 0 };
        Self { through, events: vec![], deltas: None, compacted: 0, added: 0 }
    }

    /// The place behind the last frame.
    pub fn through(&self) -> Cursor {
        self.through
    }

    /// The description of the prefix.
    pub fn head(&self) -> PrefixHead {
        PrefixHead { frames: self.events.len(), through: self.through.number }
    }

    /// The frames of the prefix.
    pub fn frames(&self) -> Vec<Frame> {
        self.events.iter().map(|event| to_json(event).into()).collect()
    }

    /// Adds the next frames of the log.
    pub(super) fn push(&mut self, frames: &[Frame]) -> Result<(), Error> {
        for frame in frames {
            if !self.deltas.as_mut().is_some_and(|deltas| deltas.push(frame)) {
                self.finish_deltas()?;
                self.deltas = Deltas::begin(frame);
                if self.deltas.is_none() {
                    self.push_event(frame.as_str())?;
                }
            }
            self.through.number += 1;
            self.added += frame.len();
            if self.added >= CHECKPOINT.max(self.compacted) {
                self.compact()?;
            }
        }
        Ok(())
    }

    fn push_event(&mut self, json: &str) -> Result<(), Error> {
        self.events.push(event_of(json)?);
        Ok(())
    }

    fn finish_deltas(&mut self) -> Result<(), Error> {
        self.deltas.take().map_or(Ok(()), |deltas| self.push_event(&deltas.finish()))
    }

    pub(super) fn compact(&mut self) -> Result<(), Error> {
        if self.added == 0 {
            return Ok(());
        }
        self.finish_deltas()?;
        let shorter = compact(&self.events).into_events(&self.events);
        // Strict readers hold a producer to more than compaction does.
        if is_legal(&shorter) || !is_legal(&self.events) {
            self.events = shorter;
        }
        self.compacted = self.events.iter().map(|event| to_json(event).len()).sum();
        self.added = 0;
        Ok(())
    }

    /// The bytes of its events.
    fn bytes(&self) -> usize {
        self.compacted + self.added
    }
}

fn is_legal(events: &[Event]) -> bool {
    let mut verifier = EventVerifier::default().with_profile(Profile::Strict);
    events.iter().all(|event| verifier.check(event).is_ok())
}

/// The prefixes of logs that clients joined last: the next one that joins reads only what is behind. Clones share them.
#[derive(Clone, Debug)]
pub struct PrefixCache(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    max_bytes: usize,
    bytes: usize,
    prefixes: HashMap<LogKey, (u64, Prefix)>,
    /// The number of uses so far.
    uses: u64,
}

impl Default for PrefixCache {
    fn default() -> Self {
        Self::new(64 << 20)
    }
}

impl PrefixCache {
    /// A cache that holds about this number of bytes at most.
    pub fn new(max_bytes: usize) -> Self {
        Self(Arc::new(Mutex::new(Kept { max_bytes, bytes: 0, prefixes: HashMap::new(), uses: 0 })))
    }

    /// The prefix of a log that was kept, for [`Reader::join`](super::Reader::join).
    pub fn get(&self, key: &LogKey) -> Option<Prefix> {
        self.kept().get(key)
    }

    /// Keeps a prefix. Those that were not used for the longest time make room.
    pub fn put(&self, key: LogKey, prefix: Prefix) {
        self.kept().put(key, prefix);
    }

    /// Forgets the prefix of a log.
    pub fn remove(&self, key: &LogKey) {
        self.kept().remove(key);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn get(&mut self, key: &LogKey) -> Option<Prefix> {
        self.uses += 1;
        let (used, prefix) = self.prefixes.get_mut(key)?;
        *used = self.uses;
        Some(prefix.clone())
    }

    fn put(&mut self, key: LogKey, prefix: Prefix) {
        self.remove(&key);
        let bytes = prefix.bytes();
        while self.bytes + bytes > self.max_bytes {
            let oldest = self.prefixes.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { return };
            self.remove(&oldest);
        }
        self.uses += 1;
        self.bytes += bytes;
        self.prefixes.insert(key, (self.uses, prefix));
    }

    fn remove(&mut self, key: &LogKey) {
        if let Some((_, prefix)) = self.prefixes.remove(key) {
            self.bytes -= prefix.bytes();
        }
    }
}
