//! `Reducer` turns events into changes of a conversation.

use ag_ui_native::bindings::decoder::{EventReader, ReadEvent, Warning, Warnings};
use ag_ui_native::bindings::reduce::Reducer as CoreReducer;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::conversation::Conversation;
use crate::conversation::mirror::{Mirror, in_order};
use crate::conversation::start::{ConversationOptions, GivenState, Start};
use crate::events::json_of;
use crate::members::{WithConversation, conversation, shown, warnings};
use crate::options::{read_limits, rules};
use crate::report::Reporter;
use crate::turns::{Collected, Failure, Next, Turns, WithWarnings, collected};

/// Turns events into changes of a conversation.
///
/// `messages`, `state` and `pending_interrupts` are the start of the conversation; they are copied. The default state is an empty
/// object; None is null. Messages keep the form in which they are given: instances, dictionaries with the keys of the wire, or the
/// official package's instances; `as_dicts` asks for dictionaries. Events are read by `profile` within `limits`. `on_patch_failure`
/// is `flag` (a warning, and `state_in_sync` is False until the next snapshot; the default) or `error` (the default of the strict
/// profile).
#[pyclass(module = "ag_ui_native.stream", frozen, generic)]
#[derive(Debug)]
pub struct Reducer(Turns<Reducing>);

/// The parts of a reducer.
#[derive(Debug)]
struct Reducing {
    core: CoreReducer,
    conversation: Conversation,
    reader: EventReader,
    /// True if the last event counts as having changed messages.
    messages_changed: bool,
    /// The warnings of the conversation.
    warnings: Warnings,
    reporter: Reporter,
}

#[pymethods]
impl Reducer {
    #[new]
    #[pyo3(signature = (
        messages: "Iterable[object]" = None, state: "object" = GivenState(None), pending_interrupts: "Iterable[object]" = None, *,
        profile: "str" = "tolerant", limits: "object | None" = None, on_patch_failure: "str | None" = None,
        on_warning: "object | None" = None, as_dicts: "bool" = false
    ))]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn new(
        py: Python<'_>,
        messages: Option<&Bound<'_, PyAny>>,
        state: GivenState<'_>,
        pending_interrupts: Option<&Bound<'_, PyAny>>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_patch_failure: Option<&str>,
        on_warning: Option<Py<PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, false, false)?;
        let limits = read_limits(limits)?;
        let settings = ConversationOptions {
            messages,
            state: state.0,
            pending_interrupts,
            on_patch_failure,
            as_dicts,
            profile,
            limits,
        };
        let start = Start::new(py, &settings)?;
        Ok(Self(Turns::new(Reducing {
            core: CoreReducer::new(&start.messages).with_limits(limits).with_profile(profile),
            conversation: start.conversation,
            reader: EventReader::new(rules, limits),
            messages_changed: false,
            warnings: Warnings::new(&limits),
            reporter: Reporter::new(py, on_warning),
        })))
    }

    /// Applies one event of any form, and returns its changes.
    ///
    /// Raises AGUIValidationError for an invalid event, AGUISequenceError for a chunk, AGUIPatchError under the policy
    /// `error`.
    #[pyo3(signature = (event: "object") -> "list[Change]")]
    fn apply<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = event.py();
        let json = json_of(event)?;
        self.0.call(py, |parts, made| parts.apply(py, &json, made))
    }

    /// Applies the event with this index in its stream.
    #[pyo3(name = "_apply_at", signature = (event: "object", index: "int") -> "list[Change]")]
    fn apply_at<'py>(&self, event: &Bound<'py, PyAny>, index: usize) -> PyResult<Bound<'py, PyList>> {
        let py = event.py();
        let json = json_of(event)?;
        self.0.call(py, |parts, made| {
            parts.reader.go_to(index);
            parts.apply(py, &json, made)
        })
    }

    /// The message with an id, a live object; None if there is none. The cost does not depend on the number of
    /// messages.
    #[pyo3(signature = (message_id: "str") -> "Message | None")]
    fn find_message<'py>(&self, py: Python<'py>, message_id: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.with(py, |parts| {
            let place = parts.core.message(message_id);
            place.map(|place| parts.conversation.place(py, place)).transpose()
        })
    }

    /// The tool call with an id, a live object; None if there is none. The cost does not depend on the number of
    /// calls.
    #[pyo3(signature = (tool_call_id: "str") -> "ToolCall | None")]
    fn find_call<'py>(&self, py: Python<'py>, tool_call_id: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.with(py, |parts| {
            let place = parts.core.call(tool_call_id);
            place.map(|place| parts.conversation.place(py, place)).transpose()
        })
    }

    /// True if the last event counts as having changed messages, even if nothing differs.
    #[getter]
    fn messages_changed(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.messages_changed))
    }

    /// Replaces all messages by copies of others, while the run continues.
    #[pyo3(signature = (messages: "Iterable[object]") -> "None")]
    fn replace_messages(&self, messages: &Bound<'_, PyAny>) -> PyResult<()> {
        // The iterable is read before anything is locked, since it may run foreign code.
        let listed = messages.py().get_type::<PyList>().call1((messages,))?;
        self.0.with(messages.py(), |parts| {
            let messages = parts.conversation.replace_messages(&listed)?;
            parts.core.replace_messages(&messages);
            Ok(())
        })
    }

    /// Replaces the state by a copy of another.
    #[pyo3(signature = (state: "object") -> "None")]
    fn replace_state(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.with(state.py(), |parts| parts.conversation.replace_state(state))
    }
}

collected!(Reducer);
warnings!(Reducer);
shown!(Reducer);
conversation!(Reducer);

impl Reducing {
    fn apply<'py>(
        &mut self,
        py: Python<'py>,
        json: &str,
        made: &mut Vec<Bound<'py, PyAny>>,
    ) -> Result<Next, Failure> {
        let Self { core, reader, conversation, warnings, messages_changed, .. } = self;
        *messages_changed = false;
        let Some(ReadEvent { index, event, incomplete, .. }) = reader.read(json)? else {
            return Ok(Next::Done);
        };
        let mut mirror = Mirror::new(py, conversation, made, warnings);
        let applied = core.apply(event, incomplete).and_then(|mut reduction| {
            reduction.warnings.drain(..).for_each(|issue| reader.warn(index, issue));
            *messages_changed = reduction.messages;
            mirror.apply(index, reduction, core)
        });
        mirror.outcome(applied.map_err(|error| error.of_event(index)))?;
        Ok(Next::Done)
    }
}

impl WithConversation for Reducing {
    fn conversation(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    fn reducer(&mut self) -> &CoreReducer {
        &self.core
    }
}

impl Collected for Reducing {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.conversation.visit(visit)?;
        self.reporter.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.conversation.clear(py);
        self.reporter.clear(py);
    }
}

impl WithWarnings for Reducing {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        in_order(self.reader.take_warnings(), self.warnings.take())
    }

    fn summary(&self, py: Python<'_>) -> String {
        self.conversation.summary(py)
    }
}
