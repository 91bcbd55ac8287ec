//! The list of messages, which programs may edit, and the places of core's slots in it.

use ag_ui_native::bindings::reduce::Slot;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

/// Messages in order.
#[derive(Debug)]
pub struct Messages {
    /// Always the same list.
    pub list: Py<PyList>,
    slots: Vec<Py<PyAny>>,
    /// The slots in the order of the list, and the place of each slot, provided that no other code edits
    /// the list.
    order: Vec<Slot>,
    places: Vec<usize>,
}

impl Messages {
    /// Creates the list with these messages.
    pub fn new(py: Python<'_>, messages: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let list = PyList::empty(py).unbind();
        let mut made = Self { list, slots: Vec::new(), order: Vec::new(), places: Vec::new() };
        made.arrange(py, messages)?;
        Ok(made)
    }

    /// Replaces all messages.
    pub fn arrange(&mut self, py: Python<'_>, messages: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let list = self.list.bind(py);
        list.set_slice(0, list.len(), PyList::new(py, &messages)?.as_any())?;
        self.order = (0..messages.len()).collect();
        self.places = self.order.clone();
        self.slots = messages.into_iter().map(Bound::unbind).collect();
        Ok(())
    }

    /// Inserts a new message, which gets the next slot. If other code has edited the list, the message goes to the end, or
    /// after the message that it would have followed.
    pub fn insert(&mut self, position: usize, message: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, slot) = (message.py(), self.slots.len());
        let list = self.list.bind(py);
        if position == self.order.len() {
            list.append(message)?;
        } else {
            let before =
                position.checked_sub(1).and_then(|before| self.place_in_list(py, self.order[before]));
            list.insert(before.map_or(position, |before| before + 1), message)?;
        }
        for &moved in &self.order[position..] {
            self.places[moved] += 1;
        }
        self.order.insert(position, slot);
        self.places.push(position);
        self.slots.push(message.clone().unbind());
        Ok(())
    }

    /// Replaces a message. The list is changed only if it still holds the old one.
    pub fn replace(&mut self, slot: Slot, message: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = message.py();
        if let Some(place) = self.place_in_list(py, slot) {
            self.list.bind(py).set_item(place, message)?;
        }
        self.slots[slot] = message.clone().unbind();
        Ok(())
    }

    /// Returns the message of a slot.
    pub fn get<'a, 'py>(&'a self, py: Python<'py>, slot: Slot) -> &'a Bound<'py, PyAny> {
        self.slots[slot].bind(py)
    }

    /// Returns the place of a slot's message; `None` if other code has removed it from the list.
    fn place_in_list(&self, py: Python<'_>, slot: Slot) -> Option<usize> {
        let (list, message) = (self.list.bind(py), self.get(py, slot));
        let place = self.places[slot];
        if list.get_item(place).is_ok_and(|found| found.is(message)) {
            return Some(place);
        }
        list.iter().position(|found| found.is(message))
    }

    /// See `Collected`.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.list)?;
        self.slots.iter().try_for_each(|message| visit.call(message))
    }

    /// See `Collected`.
    pub fn clear(&mut self, py: Python<'_>) {
        let list = PyList::empty(py).unbind();
        *self = Self { list, slots: Vec::new(), order: Vec::new(), places: Vec::new() };
    }
}
