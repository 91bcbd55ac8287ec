//! Applies the reducer's output to a conversation.

use ag_ui_native::bindings::decoder::{Warning, Warnings};
use ag_ui_native::bindings::reduce::{Change, ChangeKind, Place, Reducer, Reduction};
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;

use super::Conversation;
use crate::c_api;
use crate::change::ChangeRecord;
use crate::turns::Failure;

/// Applies the changes of events. Python's own errors stop the stream and are kept.
pub struct Mirror<'a, 'py> {
    pub py: Python<'py>,
    conversation: &'a mut Conversation,
    made: &'a mut Vec<Bound<'py, PyAny>>,
    warnings: &'a mut Warnings,
    raised: Option<PyErr>,
    /// True if adjacent text for one place becomes one change.
    joins_text: bool,
    growing: Option<Growing<'py>>,
    /// True if each event is returned with its index.
    indexes_events: bool,
}

/// Text for one place. It is applied at the end of the turn, or before the next other change, since
/// no code can see the difference.
struct Growing<'py> {
    place: Place,
    target: Bound<'py, PyAny>,
    text: String,
    /// The index of its first event.
    index: usize,
}

impl<'a, 'py> Mirror<'a, 'py> {
    pub fn new(
        py: Python<'py>,
        conversation: &'a mut Conversation,
        made: &'a mut Vec<Bound<'py, PyAny>>,
        warnings: &'a mut Warnings,
    ) -> Self {
        Self {
            py,
            conversation,
            made,
            warnings,
            raised: None,
            joins_text: false,
            growing: None,
            indexes_events: false,
        }
    }

    pub fn joining_text(self, joins_text: bool) -> Self {
        Self { joins_text, ..self }
    }

    pub fn indexing_events(self, indexes_events: bool) -> Self {
        Self { indexes_events, ..self }
    }

    pub fn append(&mut self, index: usize, place: Place, text: &str) -> Result<(), Error> {
        if self.growing.as_ref().is_some_and(|growing| growing.place != place) {
            self.grow()?;
        }
        let growing = match &mut self.growing {
            Some(growing) => growing,
            None => match self.conversation.place(self.py, place) {
                Ok(target) => self.growing.insert(Growing { place, target, text: String::new(), index }),
                Err(raised) => return Err(self.stop(raised)),
            },
        };
        growing.text.push_str(text);
        if self.joins_text {
            return Ok(());
        }
        let record = record(&growing.target, c_api::string(self.py, text), index);
        self.take(record)
    }

    /// Applies the collected text.
    fn grow(&mut self) -> Result<(), Error> {
        let Some(Growing { place, target, text, index }) = self.growing.take() else { return Ok(()) };
        match self.conversation.append_text(place, &target, &text) {
            Ok(text) if self.joins_text => self.take(record(&target, text, index)),
            Ok(_) => Ok(()),
            Err(raised) => Err(self.stop(raised)),
        }
    }

    pub fn apply(&mut self, index: usize, reduction: Reduction, reducer: &mut Reducer) -> Result<(), Error> {
        self.grow()?;
        reduction.changes.into_iter().try_for_each(|change| self.carry_out(index, change, reducer))
    }

    fn carry_out(&mut self, index: usize, change: Change, reducer: &mut Reducer) -> Result<(), Error> {
        let (seen, outcome) = match self.conversation.apply(self.py, change) {
            Ok(applied) => applied?,
            Err(raised) => return Err(self.stop(raised)),
        };
        if let Some((slot, activity_type)) = outcome.unpatched {
            reducer.content_unpatched(slot, &activity_type);
        }
        self.warnings.extend(index, outcome.warning);
        let change = seen.into_record(self.py, index);
        self.take(change)
    }

    pub fn take(&mut self, made: PyResult<Bound<'py, PyAny>>) -> Result<(), Error> {
        made.map(|made| self.made.push(made)).map_err(|raised| self.stop(raised))
    }

    pub fn take_event(&mut self, index: usize, made: PyResult<Bound<'py, PyAny>>) -> Result<(), Error> {
        if !self.indexes_events {
            return self.take(made);
        }
        self.take(made.and_then(|event| Ok((event, index).into_pyobject(self.py)?.into_any())))
    }

    fn stop(&mut self, raised: PyErr) -> Error {
        self.raised = Some(raised);
        Error::new(Code::Internal, "Python raised an exception")
    }

    /// Returns the result of a turn.
    pub fn outcome<T>(mut self, result: Result<T, Error>) -> Result<T, Failure> {
        // Text that was added before a failure counts.
        let result = self.grow().and(result);
        self.raised.map_or(Ok(()), Err)?;
        Ok(result?)
    }
}

/// Makes the change for collected text.
fn record<'py>(
    target: &Bound<'py, PyAny>,
    text: Bound<'py, PyAny>,
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let record =
        ChangeRecord { kind: ChangeKind::TextAppended, target: Some(target.clone()), value: Some(text) };
    record.into_record(target.py(), index)
}

/// Returns the warnings of both kinds in the order of events.
pub fn in_order(mut warnings: Vec<Warning>, of_conversation: Vec<Warning>) -> Vec<Warning> {
    if !of_conversation.is_empty() {
        warnings.extend(of_conversation);
        warnings.sort_by_key(|warning| warning.event_index);
    }
    warnings
}
