//! Applies changes one by one.

use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::bindings::reduce::{Arranged, Change, ChangeKind, Member, Place, RunEnd, Slot};
use ag_ui_native::bindings::schema::Kind;
use ag_ui_native::bindings::to_value;
use ag_ui_native::bindings::validate::Build;
use ag_ui_native::types::{JsonPatchOperation, Message, TokenUsage};
use ag_ui_native::{Error, Issue, Object, Value, to_json};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyType};

use super::{Conversation, member};
use crate::build::Dicts;
use crate::change::ChangeRecord;
use crate::events::{json_of, twin};
use crate::{c_api, patch};

/// The outcome of a change.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The warning about a patch that did not apply.
    pub warning: Option<Issue>,
    /// The activity whose content was not patched, with its type.
    pub unpatched: Option<(Slot, String)>,
}

/// Target and value of a change.
type TargetAndValue<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// The change in the form of Python programs, with its outcome; or the error that fails the stream.
pub type Applied<'py> = Result<(ChangeRecord<'py>, Outcome), Error>;

impl Conversation {
    /// Applies one change.
    pub fn apply<'py>(&mut self, py: Python<'py>, change: Change) -> PyResult<Applied<'py>> {
        let kind = change.kind();
        let (target, value) = match change {
            Change::Insert { position, message, .. } => {
                let (message, as_inserted) = self.make_twice(py, &message)?;
                self.messages.insert(position, &message)?;
                (Some(as_inserted), None)
            }
            Change::Replace { slot, message } => {
                let (message, as_set) = self.make_twice(py, &message)?;
                self.messages.replace(slot, &message)?;
                (Some(as_set), None)
            }
            Change::Arrange(arranged) => {
                let messages = self.arrange(py, arranged)?;
                (None, Some(messages))
            }
            Change::AddCall { slot, call } => {
                let (call, as_added) = self.make_twice(py, &call)?;
                let (form, message) = (self.form, self.messages.get(py, slot));
                if let Some(calls) = member::get(form, message, Member::ToolCalls)? {
                    calls.cast::<PyList>()?.append(&call)?;
                } else {
                    member::set(form, message, Member::ToolCalls, PyList::new(py, [&call])?.as_any())?;
                }
                (Some(as_added), None)
            }
            Change::Append { place, text } => {
                let object = self.place(py, place)?;
                let text = self.append_text(place, &object, &text)?;
                (Some(object), Some(text))
            }
            Change::Set { place, member, value } => self.set(py, place, member, value)?,
            Change::SetContent { slot, content } => {
                let content = Value::Object(content);
                let (made, as_set) = (self.value(py, &content), self.value(py, &content));
                let message = self.messages.get(py, slot).clone();
                member::set(self.form, &message, Member::Content, &made)?;
                (Some(message), Some(as_set))
            }
            Change::Merge { place, metadata } => {
                let object = self.place(py, place)?;
                let metadata = self.merge(&object, metadata)?;
                (Some(object), Some(metadata))
            }
            Change::PatchContent { slot, operations, activity_type } => {
                return self.patch_content(py, slot, &operations, &activity_type);
            }
            Change::SetState(state) => {
                self.state = self.value(py, &state).unbind();
                self.state_in_sync = true;
                (None, None)
            }
            Change::PatchState { operations, incomplete } => {
                return self.patch_state(py, &operations, incomplete);
            }
            Change::SetInterrupts(interrupts) => {
                let made = interrupts.iter().map(|interrupt| self.make(py, interrupt));
                let made = made.collect::<PyResult<Vec<_>>>()?;
                self.pending_interrupts = PyList::new(py, made)?.unbind();
                (None, None)
            }
            Change::MessageEnded(slot) => (Some(self.messages.get(py, slot).clone()), None),
            Change::CallEnded(slot, call) => {
                self.partial_arguments.remove(&Place::Call(slot, call));
                (Some(self.place(py, Place::Call(slot, call))?), None)
            }
            Change::RunFinished { end, usage } => (None, Some(self.run_end(py, end, usage)?)),
            Change::RunFailed { message, code, usage } => {
                static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                let class = CLASS.import(py, "ag_ui_native.changes", "RunFailure")?;
                (None, Some(class.call1((message, code, self.usage(py, usage)?))?))
            }
        };
        Ok(Ok((ChangeRecord { kind, target, value }, Outcome::default())))
    }

    /// Appends text to the object at a place.
    pub fn append_text<'py>(
        &mut self,
        place: Place,
        object: &Bound<'py, PyAny>,
        text: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        if let Some(arguments) = self.partial_arguments.get(&place)
            && arguments.get().feed(py, text).is_err()
        {
            // The text is not JSON; its reader has seen all JSON before.
            self.partial_arguments.remove(&place);
        }
        let text = c_api::string(py, text);
        member::append(self.form, object, place.text(), &text)?;
        Ok(text)
    }

    fn set<'py>(
        &self,
        py: Python<'py>,
        place: Place,
        member: Member,
        value: Option<String>,
    ) -> PyResult<TargetAndValue<'py>> {
        let object = self.place(py, place)?;
        let key = member::key(self.form, &object, member)?;
        let value = value.map(|value| c_api::string(py, &value));
        match &value {
            Some(value) => member::set(self.form, &object, member, value)?,
            None => member::remove(self.form, &object, member)?,
        }
        let pair = (key, value).into_pyobject(py)?.into_any();
        Ok((Some(object), Some(pair)))
    }

    fn patch_content<'py>(
        &mut self,
        py: Python<'py>,
        slot: Slot,
        operations: &[JsonPatchOperation],
        activity_type: &str,
    ) -> PyResult<Applied<'py>> {
        let mut outcome = Outcome::default();
        let message = self.messages.get(py, slot).clone();
        let content =
            member::get(self.form, &message, Member::Content)?.unwrap_or_else(|| py.None().into_bound(py));
        match patch::apply_in_place(&content, operations, &self.limits)? {
            Ok(content) => {
                member::set(self.form, &message, Member::Content, &content)?;
                member::set(
                    self.form,
                    &message,
                    Member::ActivityType,
                    PyString::new(py, activity_type).as_any(),
                )?;
            }
            Err(failure) => {
                let old = member::get(self.form, &message, Member::ActivityType)?;
                let old = old.map(|old| old.extract::<String>()).transpose()?.unwrap_or_default();
                outcome.unpatched = Some((slot, old));
                match self.on_patch_failure.judge(&failure) {
                    Ok(issue) => outcome.warning = Some(issue),
                    Err(error) => return Ok(Err(error)),
                }
            }
        }
        let failed = outcome.warning.is_some();
        let kind = if failed { ChangeKind::PatchFailed } else { ChangeKind::ContentPatched };
        let seen =
            ChangeRecord { kind, target: Some(message), value: Some(self.operations(py, operations)?) };
        Ok(Ok((seen, outcome)))
    }

    fn patch_state<'py>(
        &mut self,
        py: Python<'py>,
        operations: &[JsonPatchOperation],
        incomplete: bool,
    ) -> PyResult<Applied<'py>> {
        let mut outcome = Outcome::default();
        match patch::apply_in_place(self.state.bind(py), operations, &self.limits)? {
            Ok(state) => self.state = state.unbind(),
            Err(failure) => match self.on_patch_failure.judge(&failure) {
                Ok(issue) => outcome.warning = Some(issue),
                Err(error) => return Ok(Err(error)),
            },
        }
        let failed = outcome.warning.is_some();
        self.state_in_sync &= !failed && !incomplete;
        let kind = if failed { ChangeKind::PatchFailed } else { ChangeKind::StatePatched };
        let seen = ChangeRecord { kind, target: None, value: Some(self.operations(py, operations)?) };
        Ok(Ok((seen, outcome)))
    }

    /// Rearranges the whole list, and returns copies of the messages.
    fn arrange<'py>(&mut self, py: Python<'py>, arranged: Vec<Arranged>) -> PyResult<Bound<'py, PyAny>> {
        let message = |entry| match entry {
            Arranged::Kept(slot) => {
                let message = self.messages.get(py, slot).clone();
                let copy =
                    json_of(&message).and_then(|json| self.form.read(py, Message::DECLARED_KIND, &json));
                // If other code has put values into the message that are not JSON, the message is passed on
                // itself.
                let copy = copy.map(|(copy, _)| copy).or_else(|raised| {
                    if raised.is_instance_of::<PyException>(py) { Ok(message.clone()) } else { Err(raised) }
                })?;
                Ok((message, copy))
            }
            Arranged::New(message) => self.make_twice(py, &message),
        };
        let messages = arranged.into_iter().map(message).collect::<PyResult<Vec<_>>>()?;
        let (messages, copies): (Vec<_>, Vec<_>) = messages.into_iter().unzip();
        self.messages.arrange(py, messages)?;
        self.partial_arguments.clear();
        Ok(PyList::new(py, copies)?.into_any())
    }

    fn merge<'py>(&mut self, object: &Bound<'py, PyAny>, metadata: Object) -> PyResult<Bound<'py, PyAny>> {
        let new = self.value(object.py(), &Value::Object(metadata));
        let old =
            member::get(self.form, object, Member::Metadata)?.and_then(|old| old.cast_into::<PyDict>().ok());
        match old {
            // The old object is updated in place, so the text that a message has gathered is not
            // copied for each piece.
            Some(old) => old.update(new.cast::<PyDict>()?.as_mapping())?,
            None => member::set(self.form, object, Member::Metadata, new.cast::<PyDict>()?.copy()?.as_any())?,
        }
        Ok(new)
    }

    fn value<'py>(&mut self, py: Python<'py>, value: &Value) -> Bound<'py, PyAny> {
        Dicts::new(py, &mut self.keys).json(value)
    }

    /// Makes an object in the conversation's form.
    fn make<'py, T: DeclaredType>(&mut self, py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, T::DECLARED_KIND, &to_json(value))
    }

    fn read<'py>(&self, py: Python<'py>, kind: &'static Kind, json: &str) -> PyResult<Bound<'py, PyAny>> {
        self.form.read(py, kind, json).map(|(made, _)| made)
    }

    /// Makes an object for the conversation, and an equal one for the change: events modify only the first.
    fn make_twice<'py, T: DeclaredType>(
        &mut self,
        py: Python<'py>,
        value: &T,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let json = to_json(value);
        let made = self.read(py, T::DECLARED_KIND, &json)?;
        let like = match twin(&made, &json) {
            Some(like) => like,
            None => self.read(py, T::DECLARED_KIND, &json)?,
        };
        Ok((made, like))
    }

    /// Makes operations. They are dictionaries for every form of messages.
    fn operations<'py>(
        &mut self,
        py: Python<'py>,
        operations: &[JsonPatchOperation],
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = operations.iter().map(|operation| self.value(py, &to_value(operation)));
        Ok(PyList::new(py, made.collect::<Vec<_>>())?.into_any())
    }

    fn run_end<'py>(
        &mut self,
        py: Python<'py>,
        end: RunEnd,
        usage: Option<Vec<TokenUsage>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(py, "ag_ui_native.changes", "RunEnd")?;
        let usage = self.usage(py, usage)?;
        let (outcome, result, pending, interrupts) = match end {
            RunEnd::Success { result, pending_tool_call_ids } => {
                ("success", result.map(|result| self.value(py, &result)), Some(pending_tool_call_ids), None)
            }
            // The previous change has set them.
            RunEnd::Interrupt(_) => {
                ("interrupt", None, None, Some(PyList::new(py, self.pending_interrupts.bind(py))?))
            }
            RunEnd::Cancelled => ("cancelled", None, None, None),
        };
        class.call1((outcome, result, pending, usage, interrupts))
    }

    fn usage<'py>(
        &mut self,
        py: Python<'py>,
        usage: Option<Vec<TokenUsage>>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        let Some(entries) = usage else { return Ok(None) };
        let made = entries.iter().map(|entry| self.make(py, entry));
        PyList::new(py, made.collect::<PyResult<Vec<_>>>()?).map(Some)
    }
}
