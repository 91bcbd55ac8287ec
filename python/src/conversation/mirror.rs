//! What the reducer's output does to a conversation.

use ag_ui_native::host::decoder::Warning;
use ag_ui_native::host::reduce::{Change, Reducer, Reduction};
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;

use super::Conversation;
use crate::turns::Failure;

/// Carries out what an event changes. Python's own errors stop the stream and are kept.
pub struct Mirror<'a, 'py> {
    pub py: Python<'py>,
    pub conversation: &'a mut Conversation,
    pub made: &'a mut Vec<Bound<'py, PyAny>>,
    pub warnings: &'a mut Vec<Warning>,
    pub raised: Option<PyErr>,
}

impl<'py> Mirror<'_, 'py> {
    pub fn apply(&mut self, index: usize, reduction: Reduction, reducer: &mut Reducer) -> Result<(), Error> {
        let result =
            reduction.changes.into_iter().try_for_each(|change| self.carry_out(index, change, reducer));
        let lost = self.conversation.lost_number();
        self.warnings.extend(lost.map(|issue| Warning { event_index: index, issue }));
        result
    }

    fn carry_out(&mut self, index: usize, change: Change, reducer: &mut Reducer) -> Result<(), Error> {
        let (seen, outcome) = match self.conversation.apply(self.py, change) {
            Ok(applied) => applied?,
            Err(raised) => return Err(self.stop(raised)),
        };
        if let Some((slot, activity_type)) = outcome.unpatched {
            reducer.content_unpatched(slot, &activity_type);
        }
        self.warnings.extend(outcome.warning.map(|issue| Warning { event_index: index, issue }));
        let change = seen.into_record(self.py, index);
        self.take(change)
    }

    pub fn take(&mut self, made: PyResult<Bound<'py, PyAny>>) -> Result<(), Error> {
        made.map(|made| self.made.push(made)).map_err(|raised| self.stop(raised))
    }

    fn stop(&mut self, raised: PyErr) -> Error {
        self.raised = Some(raised);
        Error::new(Code::Internal, "Python raised an exception")
    }

    /// What a turn comes to.
    pub fn outcome<T>(self, result: Result<T, Error>) -> Result<T, Failure> {
        self.raised.map_or(Ok(()), Err)?;
        Ok(result?)
    }
}

/// Warnings of both kinds in the order of events.
pub fn in_order(mut warnings: Vec<Warning>, of_conversation: &mut Vec<Warning>) -> Vec<Warning> {
    if !of_conversation.is_empty() {
        warnings.append(of_conversation);
        warnings.sort_by_key(|warning| warning.event_index);
    }
    warnings
}
