//! Python's mirror of a conversation: applies the changes of core's reducer to live Python objects.

mod apply;
mod member;
mod messages;
pub mod mirror;
pub mod start;

use std::collections::HashMap;

use ag_ui_native::bindings::reduce::{Member, OnPatchFailure, Place};
use ag_ui_native::types::Message;
use ag_ui_native::{Code, Error, Issue, Limits};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use self::messages::Messages;
use crate::error::raised;
use crate::events::{Form, typed_at};
use crate::keys::Keys;
use crate::partial::PartialArguments;
use crate::patch::whole_state;
use crate::turns::boolean;

/// Messages, state and pending interrupts.
#[derive(Debug)]
pub struct Conversation {
    messages: Messages,
    /// The state.
    pub state: Py<PyAny>,
    /// The pending interrupts.
    pub pending_interrupts: Py<PyList>,
    /// True if every patch of the state since the last snapshot has been applied.
    pub state_in_sync: bool,
    /// The reaction to a patch that does not apply.
    pub on_patch_failure: OnPatchFailure,
    form: Form,
    limits: Limits,
    keys: Keys,
    /// The readers of arguments that programs have asked for.
    partial_arguments: HashMap<Place, Py<PartialArguments>>,
}

impl Conversation {
    /// Creates a conversation with `messages`, which are in `form` and have no other owner.
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
            messages: Messages::new(py, messages)?,
            state: state.unbind(),
            pending_interrupts: PyList::new(py, pending_interrupts)?.unbind(),
            state_in_sync: true,
            on_patch_failure,
            form,
            limits,
            keys: Keys::default(),
            partial_arguments: HashMap::new(),
        })
    }

    /// Returns a reader of the arguments of the call at `place` while they arrive.
    pub fn partial_arguments(&mut self, py: Python<'_>, place: Place) -> PyResult<Py<PartialArguments>> {
        if let Some(known) = self.partial_arguments.get(&place) {
            return Ok(known.clone_ref(py));
        }
        let text: String = match member::get(self.form, &self.place(py, place)?, place.text())? {
            Some(text) => text.extract()?,
            None => String::new(),
        };
        let arguments = PartialArguments::with_limits(py, self.limits);
        arguments.feed(py, &text)?;
        let arguments = Py::new(py, arguments)?;
        self.partial_arguments.insert(place, arguments.clone_ref(py));
        Ok(arguments)
    }

    /// Replaces all messages by copies of those given, in the form of the former ones.
    pub fn replace_messages(&mut self, given: &Bound<'_, PyAny>) -> PyResult<Vec<Message>> {
        let py = given.py();
        let (mut messages, mut objects) = (Vec::new(), Vec::new());
        for (index, object) in given.try_iter()?.enumerate() {
            let message: Message = typed_at(&format!("/messages/{index}"), &object?, self.limits)?;
            objects.push(self.form.make(py, &message)?);
            messages.push(message);
        }
        self.messages.arrange(py, objects)?;
        self.partial_arguments.clear();
        Ok(messages)
    }

    /// Replaces the state by a copy of another.
    pub fn replace_state(&mut self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state = whole_state(given, &self.limits)?.unbind();
        Ok(())
    }

    /// Returns the text for `repr`. It shows nothing of the content of messages or state.
    pub fn summary(&self, py: Python<'_>) -> String {
        let (messages, pending) = (self.messages.list.bind(py).len(), self.pending_interrupts.bind(py).len());
        let in_sync = boolean(self.state_in_sync);
        format!("messages={messages}, pending_interrupts={pending}, state_in_sync={in_sync}, ")
    }

    /// Returns the messages, in order: always the same list.
    pub fn messages(&self) -> &Py<PyList> {
        &self.messages.list
    }

    /// See `Collected`.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.messages.visit(visit)?;
        visit.call(&self.state)?;
        visit.call(&self.pending_interrupts)?;
        self.partial_arguments.values().try_for_each(|arguments| visit.call(arguments))
    }

    /// See `Collected`.
    pub fn clear(&mut self, py: Python<'_>) {
        self.messages.clear(py);
        self.partial_arguments.clear();
        self.state = py.None();
        self.pending_interrupts = PyList::empty(py).unbind();
    }

    /// Returns the message or call at a place.
    pub fn place<'py>(&self, py: Python<'py>, place: Place) -> PyResult<Bound<'py, PyAny>> {
        match place {
            Place::Message(slot) => Ok(self.messages.get(py, slot).clone()),
            Place::Call(slot, call) => {
                let calls = member::get(self.form, self.messages.get(py, slot), Member::ToolCalls)?;
                calls.and_then(|calls| calls.get_item(call).ok()).ok_or_else(|| call_missing(py))
            }
        }
    }
}

/// Returns the error if other code has edited the list of calls.
fn call_missing(py: Python<'_>) -> PyErr {
    let path = format!("/{}", Member::ToolCalls.path().join("/"));
    let issue = Issue::new(Code::MessageMissing, path, "other code removed the tool call from its message");
    raised(py, &Error::from(vec![issue.advise("do not edit `tool_calls` while a run adds to them")]), None)
}
