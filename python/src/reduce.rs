//! `Reducer`: events in, changes of a conversation out.

use ag_ui_native::host::decoder::{EventReader, ReadEvent, Warning};
use ag_ui_native::host::reduce::{Change, OnPatchFailure, Reducer as CoreReducer, Reduction};
use ag_ui_native::types::{Interrupt, Message};
use ag_ui_native::{Code, Error, Limits, Profile, to_json};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{PyTraverseError, PyVisit};

use crate::conversation::Conversation;
use crate::error::raised;
use crate::events::{Form, json_of, typed};
use crate::members::{WithConversation, conversation, shown, warnings};
use crate::options::{read_limits, rules};
use crate::patch;
use crate::report::Reporter;
use crate::turns::{Collected, Failure, Next, Parts, Turns, collected};

/// What a conversation begins with, and how it is kept.
pub struct Start {
    pub messages: Vec<Message>,
    pub conversation: Conversation,
}

/// The options that reducers and pipelines share.
pub struct Settings<'a, 'py> {
    pub messages: Option<&'a Bound<'py, PyAny>>,
    pub state: Option<&'a Bound<'py, PyAny>>,
    pub pending_interrupts: Option<&'a Bound<'py, PyAny>>,
    pub on_patch_failure: Option<&'a str>,
    pub as_dicts: bool,
    pub profile: Profile,
    pub limits: Limits,
}

impl Start {
    /// Copies what the caller gives: his objects are never changed nor held.
    pub fn new<'py>(py: Python<'py>, settings: &Settings<'_, 'py>) -> PyResult<Self> {
        let given = items(settings.messages)?;
        let form = match given.first() {
            _ if settings.as_dicts => Form::Dicts,
            Some(first) => Form::of(first)?,
            None => Form::Models,
        };
        let (mut messages, mut objects) = (Vec::new(), Vec::new());
        for object in given {
            let message: Message = typed(&object, settings.limits)?;
            objects.push(form.make(py, "Message", &to_json(&message))?);
            messages.push(message);
        }
        let mut interrupts = Vec::new();
        for object in items(settings.pending_interrupts)? {
            let interrupt: Interrupt = typed(&object, settings.limits)?;
            interrupts.push(form.make(py, "Interrupt", &to_json(&interrupt))?);
        }
        let state = match settings.state {
            Some(state) => patch::copy(state, &settings.limits).map_err(|error| raised(py, &error, None))?,
            None => PyDict::new(py).into_any(),
        };
        let on_patch_failure = match settings.on_patch_failure {
            None => OnPatchFailure::of(settings.profile),
            Some(name) => OnPatchFailure::parse(name).ok_or_else(|| {
                PyValueError::new_err(format!("on_patch_failure is flag or error, not {name:?}"))
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

/// Carries out what an event changes. Python's own errors stop the stream and are kept.
pub struct Mirror<'a, 'py> {
    pub py: Python<'py>,
    pub conversation: &'a mut Conversation,
    pub made: &'a mut Vec<Bound<'py, PyAny>>,
    pub warnings: &'a mut Vec<Warning>,
    pub raised: Option<PyErr>,
}

impl<'py> Mirror<'_, 'py> {
    pub fn apply(
        &mut self,
        index: usize,
        reduction: Reduction,
        reducer: &mut CoreReducer,
    ) -> Result<(), Error> {
        let result =
            reduction.changes.into_iter().try_for_each(|change| self.carry_out(index, change, reducer));
        let lost = self.conversation.lost_number();
        self.warnings.extend(lost.map(|issue| Warning { event_index: index, issue }));
        result
    }

    fn carry_out(&mut self, index: usize, change: Change, reducer: &mut CoreReducer) -> Result<(), Error> {
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

/// Turns events into changes of a conversation.
///
/// `messages`, `state` and `pending_interrupts` are what the conversation begins with; they are copied. Messages are
/// kept in the form they are given in: instances, dictionaries with the keys of the wire, or the official package's
/// instances; `as_dicts` asks for dictionaries. Events are read by `profile` within `limits`. `on_patch_failure` is
/// `flag` (a warning, and `state_in_sync` is False until the next snapshot; the default) or `error` (the default of
/// the strict profile).
#[pyclass(module = "ag_ui_native.stream", frozen, generic)]
#[derive(Debug)]
pub struct Reducer(Turns<Reducing>);

/// What a reducer works with.
#[derive(Debug)]
struct Reducing {
    core: CoreReducer,
    conversation: Conversation,
    reader: EventReader,
    /// What the conversation warns of.
    warnings: Vec<Warning>,
    reporter: Reporter,
}

#[pymethods]
impl Reducer {
    #[new]
    #[pyo3(signature = (
        messages: "Iterable[object]" = None, state: "object" = None, pending_interrupts: "Iterable[object]" = None, *,
        profile: "str" = "tolerant", limits: "object | None" = None, on_patch_failure: "str | None" = None,
        on_warning: "object | None" = None, as_dicts: "bool" = false
    ))]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn new(
        py: Python<'_>,
        messages: Option<&Bound<'_, PyAny>>,
        state: Option<&Bound<'_, PyAny>>,
        pending_interrupts: Option<&Bound<'_, PyAny>>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_patch_failure: Option<&str>,
        on_warning: Option<Py<PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, false, false)?;
        let limits = read_limits(limits)?;
        let settings =
            Settings { messages, state, pending_interrupts, on_patch_failure, as_dicts, profile, limits };
        let start = Start::new(py, &settings)?;
        Ok(Self(Turns::new(Reducing {
            core: CoreReducer::new(&start.messages).with_limits(limits),
            conversation: start.conversation,
            reader: EventReader::new(rules, limits),
            warnings: Vec::new(),
            reporter: Reporter::new(py, on_warning),
        })))
    }

    /// Applies one event, of any form, and returns its changes.
    ///
    /// Raises AGUIValidationError for what is no event, AGUISequenceError for a chunk, AGUIPatchError under the policy
    /// `error`.
    #[pyo3(signature = (event: "object") -> "list[Change]")]
    fn apply<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = event.py();
        let json = json_of(event)?;
        self.0.call(py, |parts, made| parts.apply(py, &json, made))
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
        let Self { core, reader, conversation, warnings, .. } = self;
        let Some(ReadEvent { index, event, incomplete, .. }) = reader.read(json)? else {
            return Ok(Next::Done);
        };
        let mut mirror = Mirror { py, conversation, made, warnings, raised: None };
        let applied = core.apply(event, incomplete).and_then(|mut reduction| {
            reduction.warnings.drain(..).for_each(|issue| reader.warn(index, issue));
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

impl Parts for Reducing {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        in_order(self.reader.take_warnings(), &mut self.warnings)
    }

    fn summary(&self, py: Python<'_>) -> String {
        self.conversation.summary(py)
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
