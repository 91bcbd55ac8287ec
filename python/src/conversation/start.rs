//! The start of a conversation.

use std::convert::Infallible;

use ag_ui_native::bindings::reduce::OnPatchFailure;
use ag_ui_native::types::{Interrupt, Message};
use ag_ui_native::{Limits, Profile};
use pyo3::Borrowed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Conversation;
use crate::events::{Form, typed_at};
use crate::patch::whole_state;

/// A new conversation.
pub struct Start {
    /// The messages in core's form.
    pub messages: Vec<Message>,
    /// The Python objects, with the other options.
    pub conversation: Conversation,
}

/// A state, if one is given: `None` is JSON's null, and `...` means that no state is given.
#[derive(Debug)]
pub struct GivenState<'py>(pub Option<Bound<'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for GivenState<'py> {
    type Error = Infallible;

    fn extract(state: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self((!state.is(state.py().Ellipsis())).then(|| state.to_owned())))
    }
}

/// The options that reducers and pipelines share.
#[derive(Default)]
pub struct ConversationOptions<'a, 'py> {
    pub messages: Option<&'a Bound<'py, PyAny>>,
    pub state: Option<Bound<'py, PyAny>>,
    pub pending_interrupts: Option<&'a Bound<'py, PyAny>>,
    pub on_patch_failure: Option<&'a str>,
    pub as_dicts: bool,
    pub profile: Profile,
    pub limits: Limits,
}

impl Start {
    /// Copies the caller's objects, so that these are never changed or kept.
    pub fn new<'py>(py: Python<'py>, settings: &ConversationOptions<'_, 'py>) -> PyResult<Self> {
        let given = items(settings.messages)?;
        let form = match given.first() {
            _ if settings.as_dicts => Form::Dicts,
            Some(first) => Form::of(first)?,
            None => Form::Models,
        };
        let (mut messages, mut objects) = (Vec::new(), Vec::new());
        for (index, object) in given.iter().enumerate() {
            let message: Message = typed_at(&format!("/messages/{index}"), object, settings.limits)?;
            objects.push(form.make(py, &message)?);
            messages.push(message);
        }
        let mut interrupts = Vec::new();
        for (index, object) in items(settings.pending_interrupts)?.iter().enumerate() {
            let place = format!("/pendingInterrupts/{index}");
            let interrupt: Interrupt = typed_at(&place, object, settings.limits)?;
            interrupts.push(form.make(py, &interrupt)?);
        }
        let state = match &settings.state {
            Some(state) => whole_state(state, &settings.limits)?,
            None => PyDict::new(py).into_any(),
        };
        let on_patch_failure = match settings.on_patch_failure {
            None => OnPatchFailure::of(settings.profile),
            Some(name) => OnPatchFailure::parse(name).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "on_patch_failure: expected \"flag\" or \"error\", got {name:?}"
                ))
            })?,
        };
        let conversation =
            Conversation::new(py, objects, state, interrupts, form, on_patch_failure, settings.limits)?;
        Ok(Self { messages, conversation })
    }
}

fn items<'py>(list: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    list.map_or_else(|| Ok(Vec::new()), |list| list.try_iter()?.collect())
}
