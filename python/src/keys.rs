//! Short strings seen before. Keys of free objects and ids of a run of events come again and again; handing out the
//! same object saves making and hashing another.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::raw;

/// Slots of the cache; a power of two.
const SLOTS: usize = 512;
/// Longest key that is kept, in bytes.
const LONGEST_KEY: usize = 40;
/// Lengths of values that look like ids.
const ID_LENGTHS: std::ops::RangeInclusive<usize> = 16..=48;

/// Strings by their text.
#[derive(Debug, Default)]
pub struct Keys {
    slots: Vec<Option<Py<PyString>>>,
    last_id: Option<Py<PyString>>,
}

impl Keys {
    /// The string of a key.
    #[inline]
    pub fn get<'py>(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyString> {
        if text.len() > LONGEST_KEY {
            return PyString::new(py, text);
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let slot = &mut self.slots[slot_of(text.as_bytes())];
        if let Some(known) = slot
            && raw::text(known.bind(py).as_any().as_borrowed()) == Some(text)
        {
            return known.bind(py).clone();
        }
        let string = PyString::new(py, text);
        keep(py, slot, &string);
        string
    }

    /// The string of a value; the last that looked like an id is kept for the next.
    #[inline]
    pub fn text<'py>(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
        if !ID_LENGTHS.contains(&text.len()) || text.contains(' ') {
            return raw::string(py, text);
        }
        if let Some(known) = &self.last_id
            && raw::text(known.bind(py).as_any().as_borrowed()) == Some(text)
        {
            return known.bind(py).clone().into_any();
        }
        let string = PyString::new(py, text);
        keep(py, &mut self.last_id, &string);
        string.into_any()
    }
}

/// Puts a string into a slot. The old one is dropped as a bound reference: pyo3 does not count the native methods of
/// the protocol classes as its own, and would put off dropping another.
fn keep(py: Python<'_>, slot: &mut Option<Py<PyString>>, string: &Bound<'_, PyString>) {
    let old = slot.replace(string.clone().unbind());
    drop(old.map(|old| old.into_bound(py)));
}

/// Where a text is kept: its length, its first and its last bytes say.
#[inline]
fn slot_of(text: &[u8]) -> usize {
    let word =
        |bytes: &[u8]| bytes.iter().fold(0usize, |sum, &byte| (sum << 5) ^ (sum >> 2) ^ usize::from(byte));
    let head = &text[..text.len().min(4)];
    let tail = &text[text.len().saturating_sub(4)..];
    (word(head).wrapping_mul(31) ^ word(tail) ^ (text.len() << 4)) & (SLOTS - 1)
}
