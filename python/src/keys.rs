//! A cache of short strings. Keys of free objects and ids of a run repeat; reusing an object saves making and
//! hashing another.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::c_api;

/// Slots of the cache; a power of two.
const SLOTS: usize = 256;
/// The longest key that is kept, in bytes.
const LONGEST_KEY: usize = 40;
/// Lengths of values that look like ids.
const MIN_ID: usize = 16;
const MAX_ID: usize = 48;

/// The cache of strings, by their text.
#[derive(Debug, Default)]
pub struct Keys {
    slots: Vec<Entry>,
    last_id: Entry,
}

impl Keys {
    /// Returns the Python string of a key: the cached one, or a new one.
    #[inline]
    pub fn get<'py>(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyString> {
        if text.len() > LONGEST_KEY {
            return PyString::new(py, text);
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, Entry::default);
        }
        self.slots[slot_of(text.as_bytes())].string(py, text)
    }

    /// Returns the string of a value. The last one that looks like an id is cached.
    #[inline]
    pub fn text<'py>(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
        if is_id(text) { self.last_id.string(py, text).into_any() } else { c_api::string(py, text) }
    }
}

/// The last string of a slot. Its text is stored beside it, so a comparison calls no Python function.
#[derive(Debug, Default)]
struct Entry {
    text: String,
    string: Option<Py<PyString>>,
}

impl Entry {
    #[inline]
    fn string<'py>(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyString> {
        if let Some(string) = &self.string
            && self.text == text
        {
            return string.bind(py).clone();
        }
        let string = PyString::new(py, text);
        self.text.clear();
        self.text.push_str(text);
        let old = self.string.replace(string.clone().unbind());
        // The string is dropped as a bound reference. pyo3 does not count the native methods of the protocol classes
        // as its own, and would defer another drop.
        drop(old.map(|old| old.into_bound(py)));
        string
    }
}

/// True if a text looks like an id: it has a usual length, and does not begin like words.
#[inline]
fn is_id(text: &str) -> bool {
    // All bytes are checked at once: without branches the loop becomes vector instructions.
    let is_word =
        |head: &[u8; MIN_ID]| head.iter().fold(0, |spaces, &byte| spaces | u8::from(byte == b' ')) == 0;
    text.len() <= MAX_ID && text.as_bytes().first_chunk().is_some_and(is_word)
}

/// Returns the slot of a text, by its length and some of its bytes.
#[inline]
fn slot_of(text: &[u8]) -> usize {
    let at = |index: usize| text.get(index).map_or(0, |&byte| usize::from(byte));
    let last = text.len().saturating_sub(1);
    let mixed = ((at(0) * 31 + at(last / 2)) * 31 + at(last)) * 31;
    (mixed ^ text.len()) & (SLOTS - 1)
}
