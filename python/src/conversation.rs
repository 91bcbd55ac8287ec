//! Python's mirror of a conversation: carries out what core's reducer says on live Python objects.

use std::collections::HashMap;

use ag_ui_native::host::read::Build;
use ag_ui_native::host::reduce::{Arranged, Change, ChangeKind, Member, OnPatchFailure, Place, RunEnd, Slot};
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Code, Error, Issue, Limits, Object, Value, to_json, to_value};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};

use crate::build::Dicts;
use crate::change::{ChangeRecord, Name};
use crate::error::raised;
use crate::events::{Form, json_of};
use crate::keys::Keys;
use crate::model::instance;
use crate::partial::PartialArguments;
use crate::turns::boolean;
use crate::{patch, raw};

/// Messages, state and pending interrupts.
#[derive(Debug)]
pub struct Conversation {
    /// The messages, in order: always the same list.
    pub messages: Py<PyList>,
    slots: Vec<Py<PyAny>>,
    /// The slots in the order of the list, and the place of each there, as long as nobody else edits it.
    order: Vec<Slot>,
    places: Vec<usize>,
    /// The state.
    pub state: Py<PyAny>,
    /// The interrupts that wait for an answer.
    pub pending_interrupts: Py<PyList>,
    /// The state is the agent's.
    pub state_in_sync: bool,
    /// What a patch that does not apply does.
    pub on_patch_failure: OnPatchFailure,
    form: Form,
    limits: Limits,
    keys: Keys,
    /// A number of the last change is not held as it was written.
    lost_number: bool,
    /// Arguments that somebody reads as they arrive.
    partial_arguments: HashMap<Place, Py<PartialArguments>>,
}

/// What became of a change.
#[derive(Debug, Default)]
pub struct Outcome {
    /// A patch that did not apply.
    pub warning: Option<Issue>,
    /// The activity whose content was not patched, and its type.
    pub unpatched: Option<(Slot, String)>,
}

/// Target and value of a change.
type TargetAndValue<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// What Python programs see of a change, and what became of it; or why the stream fails.
pub type Applied<'py> = Result<(ChangeRecord<'py>, Outcome), Error>;

impl Conversation {
    /// A conversation that begins with `messages`, which are in `form` and nobody else's.
    pub fn new(
        py: Python<'_>,
        messages: Vec<Bound<'_, PyAny>>,
        state: Bound<'_, PyAny>,
        pending_interrupts: Vec<Bound<'_, PyAny>>,
        form: Form,
        on_patch_failure: OnPatchFailure,
        limits: Limits,
    ) -> PyResult<Self> {
        Ok(Self {
            messages: PyList::new(py, &messages)?.unbind(),
            order: (0..messages.len()).collect(),
            places: (0..messages.len()).collect(),
            slots: messages.into_iter().map(Bound::unbind).collect(),
            state: state.unbind(),
            pending_interrupts: PyList::new(py, pending_interrupts)?.unbind(),
            state_in_sync: true,
            on_patch_failure,
            form,
            limits,
            keys: Keys::default(),
            lost_number: false,
            partial_arguments: HashMap::new(),
        })
    }

    /// The arguments of the call at `place`, to be read as they arrive.
    pub fn partial_arguments(&mut self, py: Python<'_>, place: Place) -> PyResult<Py<PartialArguments>> {
        if let Some(known) = self.partial_arguments.get(&place) {
            return Ok(known.clone_ref(py));
        }
        let function = self.holder(self.place(py, place)?, place, Name::Arguments)?;
        let text: String = match self.get(&function, Name::Arguments)? {
            Some(text) => text.extract()?,
            None => String::new(),
        };
        let arguments = PartialArguments::with_limits(py, self.limits);
        arguments.feed(py, &text)?;
        let arguments = Py::new(py, arguments)?;
        self.partial_arguments.insert(place, arguments.clone_ref(py));
        Ok(arguments)
    }

    /// What `repr` shows: nothing of what the messages or the state say.
    pub fn summary(&self, py: Python<'_>) -> String {
        let (messages, pending) = (self.messages.bind(py).len(), self.pending_interrupts.bind(py).len());
        let in_sync = boolean(self.state_in_sync);
        format!("messages={messages}, pending_interrupts={pending}, state_in_sync={in_sync}, ")
    }

    /// See `Collected`.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.messages)?;
        visit.call(&self.state)?;
        visit.call(&self.pending_interrupts)?;
        self.slots.iter().try_for_each(|message| visit.call(message))?;
        self.partial_arguments.values().try_for_each(|arguments| visit.call(arguments))
    }

    /// See `Collected`.
    pub fn clear(&mut self, py: Python<'_>) {
        self.slots.clear();
        self.order.clear();
        self.places.clear();
        self.partial_arguments.clear();
        self.messages = PyList::empty(py).unbind();
        self.state = py.None();
        self.pending_interrupts = PyList::empty(py).unbind();
    }

    /// The warning about a number of the last changes that Python reads as infinite.
    pub fn lost_number(&mut self) -> Option<Issue> {
        let lost = std::mem::take(&mut self.lost_number);
        lost.then(|| Issue::new(Code::NumberOutOfRange, "", "read as infinite"))
    }

    /// Carries out one change.
    pub fn apply<'py>(&mut self, py: Python<'py>, change: Change) -> PyResult<Applied<'py>> {
        let kind = change.kind();
        let (target, value) = match change {
            Change::Insert { position, message, .. } => {
                let (message, as_inserted) = self.make_twice(py, "Message", &to_json(&message))?;
                self.insert(position, &message)?;
                (Some(as_inserted), None)
            }
            Change::Replace { slot, message } => {
                let (message, as_set) = self.make_twice(py, "Message", &to_json(&message))?;
                if let Some(place) = self.place_in_list(py, slot) {
                    self.messages.bind(py).set_item(place, &message)?;
                }
                self.slots[slot] = message.unbind();
                (Some(as_set), None)
            }
            Change::Arrange(arranged) => {
                let messages = self.arrange(py, arranged)?;
                (None, Some(messages))
            }
            Change::AddCall { slot, call } => {
                let (call, as_added) = self.make_twice(py, "ToolCall", &to_json(&call))?;
                let message = self.slot(py, slot);
                match self.get(message, Name::ToolCalls)? {
                    Some(calls) => calls.cast::<PyList>()?.append(&call)?,
                    None => self.put(message, Name::ToolCalls, PyList::new(py, [&call])?.as_any())?,
                }
                (Some(as_added), None)
            }
            Change::Append { place, text } => self.append_text(py, place, &text)?,
            Change::Set { place, member, value } => self.set(py, place, member, value)?,
            Change::SetContent { slot, content } => {
                let content = Value::Object(content);
                let (made, as_set) = (self.value(py, &content), self.value(py, &content));
                let message = self.slot(py, slot).clone();
                self.put(&message, Name::Content, &made)?;
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
                let made = interrupts.iter().map(|interrupt| self.make(py, "Interrupt", &to_json(interrupt)));
                let made = made.collect::<PyResult<Vec<_>>>()?;
                self.pending_interrupts = PyList::new(py, made)?.unbind();
                (None, None)
            }
            Change::MessageEnded(slot) => (Some(self.slot(py, slot).clone()), None),
            Change::CallEnded(slot, call) => {
                self.partial_arguments.remove(&Place::Call(slot, call));
                (Some(self.place(py, Place::Call(slot, call))?), None)
            }
            Change::RunFinished(end) => (None, Some(self.run_end(py, end)?)),
            Change::RunFailed { message, code } => {
                let value = (message, code).into_pyobject(py)?.into_any();
                (None, Some(value))
            }
        };
        Ok(Ok((ChangeRecord { kind, target, value }, Outcome::default())))
    }

    fn append_text<'py>(
        &mut self,
        py: Python<'py>,
        place: Place,
        text: &str,
    ) -> PyResult<TargetAndValue<'py>> {
        let (object, member) = (self.place(py, place)?, Name::of_text(place));
        let holder = self.holder(object.clone(), place, member)?;
        if let Some(arguments) = self.partial_arguments.get(&place)
            && arguments.get().feed(py, text).is_err()
        {
            // It is no JSON: whoever reads it has seen all that is.
            self.partial_arguments.remove(&place);
        }
        let text = raw::string(py, text);
        append(&self.fields(&holder)?, self.key(py, member), &text)?;
        Ok((Some(object), Some(text)))
    }

    fn set<'py>(
        &self,
        py: Python<'py>,
        place: Place,
        member: Member,
        value: Option<String>,
    ) -> PyResult<TargetAndValue<'py>> {
        let object = self.place(py, place)?;
        let member = Name::of(member, place);
        let holder = self.holder(object.clone(), place, member)?;
        let value = value.map(|value| raw::string(py, &value));
        match &value {
            Some(value) => self.put(&holder, member, value)?,
            None => self.remove(&holder, member)?,
        }
        let pair = (self.key(py, member), value).into_pyobject(py)?.into_any();
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
        let message = self.slot(py, slot).clone();
        let content = self.get(&message, Name::Content)?.unwrap_or_else(|| py.None().into_bound(py));
        match patch::apply_in_place(&content, operations, &self.limits)? {
            Ok(content) => {
                self.put(&message, Name::Content, &content)?;
                self.put(&message, Name::ActivityType, PyString::new(py, activity_type).as_any())?;
            }
            Err(failure) => {
                let old = self.get(&message, Name::ActivityType)?;
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

    /// Arranges the whole list anew, and returns copies of the messages.
    fn arrange<'py>(&mut self, py: Python<'py>, arranged: Vec<Arranged>) -> PyResult<Bound<'py, PyAny>> {
        let message = |entry| match entry {
            Arranged::Kept(slot) => {
                let message = self.slot(py, slot).clone();
                let copy = json_of(&message).and_then(|json| self.form.make(py, "Message", &json));
                // One that somebody has put things into that are no JSON is handed over itself.
                let copy = copy.or_else(|raised| {
                    if raised.is_instance_of::<PyException>(py) { Ok(message.clone()) } else { Err(raised) }
                })?;
                Ok((message, copy))
            }
            Arranged::New(message) => self.make_twice(py, "Message", &to_json(&message)),
        };
        let messages = arranged.into_iter().map(message).collect::<PyResult<Vec<_>>>()?;
        let (messages, copies): (Vec<_>, Vec<_>) = messages.into_iter().unzip();
        let list = self.messages.bind(py);
        list.set_slice(0, list.len(), PyList::new(py, &messages)?.as_any())?;
        self.order = (0..messages.len()).collect();
        self.places = self.order.clone();
        self.slots = messages.into_iter().map(Bound::unbind).collect();
        self.partial_arguments.clear();
        Ok(PyList::new(py, copies)?.into_any())
    }

    /// A new message, which gets the next slot. In a list that somebody has edited it stands behind all, or behind the
    /// message that it would have followed.
    fn insert(&mut self, position: usize, message: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, slot) = (message.py(), self.slots.len());
        let list = self.messages.bind(py);
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

    /// Where the message of a slot stands; nothing if somebody has taken it out.
    fn place_in_list(&self, py: Python<'_>, slot: Slot) -> Option<usize> {
        let (list, message) = (self.messages.bind(py), self.slot(py, slot));
        let place = self.places[slot];
        if list.get_item(place).is_ok_and(|found| found.is(message)) {
            return Some(place);
        }
        list.iter().position(|found| found.is(message))
    }

    fn slot<'a, 'py>(&'a self, py: Python<'py>, slot: Slot) -> &'a Bound<'py, PyAny> {
        self.slots[slot].bind(py)
    }

    fn place<'py>(&self, py: Python<'py>, place: Place) -> PyResult<Bound<'py, PyAny>> {
        match place {
            Place::Message(slot) => Ok(self.slot(py, slot).clone()),
            Place::Call(slot, call) => {
                let calls = self.get(self.slot(py, slot), Name::ToolCalls)?;
                calls.and_then(|calls| calls.get_item(call).ok()).ok_or_else(|| call_missing(py))
            }
        }
    }

    /// The object that holds a member of a place: of a call, name and arguments are its function's.
    fn holder<'py>(
        &self,
        object: Bound<'py, PyAny>,
        place: Place,
        member: Name,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of_function =
            matches!(place, Place::Call(..)) && matches!(member, Name::Arguments | Name::OfFunction);
        if !of_function {
            return Ok(object);
        }
        Ok(self.get(&object, Name::Function)?.unwrap_or(object))
    }

    /// The dictionary of an object's members.
    fn fields<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.form {
            Form::Dicts => Ok(object.clone()),
            _ => instance::dict(object.as_borrowed())
                .ok_or_else(|| pyo3::exceptions::PyTypeError::new_err("not a protocol object")),
        }
    }

    fn key<'py>(&self, py: Python<'py>, name: Name) -> &Bound<'py, PyString> {
        if self.form == Form::Dicts { name.wire(py) } else { name.attribute(py) }
    }

    fn get<'py>(&self, object: &Bound<'py, PyAny>, name: Name) -> PyResult<Option<Bound<'py, PyAny>>> {
        let fields = self.fields(object)?.cast_into::<PyDict>()?;
        Ok(fields.get_item(self.key(object.py(), name))?.filter(|value| !value.is_none()))
    }

    fn put<'py>(&self, object: &Bound<'py, PyAny>, name: Name, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let key = self.key(object.py(), name);
        if self.form == Form::Dicts { object.set_item(key, value) } else { object.setattr(key, value) }
    }

    fn remove(&self, object: &Bound<'_, PyAny>, name: Name) -> PyResult<()> {
        let py = object.py();
        match self.form {
            Form::Dicts => _ = object.call_method1("pop", (self.key(py, name), py.None()))?,
            _ => self.put(object, name, py.None().bind(py))?,
        }
        Ok(())
    }

    fn merge<'py>(&mut self, object: &Bound<'py, PyAny>, metadata: Object) -> PyResult<Bound<'py, PyAny>> {
        let new = self.value(object.py(), &Value::Object(metadata));
        let old = self.get(object, Name::Metadata)?.and_then(|old| old.cast_into::<PyDict>().ok());
        match old {
            // In place: what a message has gathered is not copied for each piece.
            Some(old) => old.update(new.cast::<PyDict>()?.as_mapping())?,
            None => self.put(object, Name::Metadata, new.cast::<PyDict>()?.copy()?.as_any())?,
        }
        Ok(new)
    }

    fn value<'py>(&mut self, py: Python<'py>, value: &Value) -> Bound<'py, PyAny> {
        let mut dicts = Dicts::new(py, &mut self.keys);
        let made = dicts.json(value);
        self.lost_number |= dicts.lost_number();
        made
    }

    /// An object of the conversation's form.
    fn make<'py>(&mut self, py: Python<'py>, type_name: &str, json: &str) -> PyResult<Bound<'py, PyAny>> {
        let (made, issues) = self.form.make_with_issues(py, type_name, json)?;
        self.lost_number |= issues.iter().any(|issue| issue.code == Code::NumberOutOfRange);
        Ok(made)
    }

    /// An object of the conversation, and one like it for the change that tells of it: events change only the first.
    fn make_twice<'py>(
        &mut self,
        py: Python<'py>,
        type_name: &str,
        json: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        Ok((self.make(py, type_name, json)?, self.make(py, type_name, json)?))
    }

    /// Operations as dictionaries, whatever the form of messages.
    fn operations<'py>(
        &mut self,
        py: Python<'py>,
        operations: &[JsonPatchOperation],
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = operations.iter().map(|operation| self.value(py, &to_value(operation)));
        Ok(PyList::new(py, made.collect::<Vec<_>>())?.into_any())
    }

    fn run_end<'py>(&mut self, py: Python<'py>, end: RunEnd) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(py, "ag_ui_native.changes", "RunEnd")?;
        match end {
            RunEnd::Success { result, pending_tool_call_ids } => {
                let result = result.map(|result| self.value(py, &result));
                class.call1(("success", result, pending_tool_call_ids))
            }
            RunEnd::Interrupt(_) => class.call1(("interrupt",)),
            RunEnd::Cancelled => class.call1(("cancelled",)),
        }
    }
}

/// Somebody has edited the list of calls.
fn call_missing(py: Python<'_>) -> PyErr {
    let issue = Issue::new(Code::MessageMissing, "/toolCalls", "the call was taken out of its message");
    raised(py, &Error::from(vec![issue.advise("leave the calls of a message as they are")]), None)
}

/// Appends to a string in a dictionary. The dictionary lets go of it meanwhile: nobody else holding it, it grows in
/// place, and a message of many pieces costs no more than their sum.
fn append(fields: &Bound<'_, PyAny>, key: &Bound<'_, PyString>, text: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = fields.py();
    let fields = fields.cast::<PyDict>()?;
    let Some(known) = fields.get_item(key)? else { return fields.set_item(key, text) };
    fields.set_item(key, py.None())?;
    fields.set_item(key, raw::append(known, text.as_borrowed())?)
}
