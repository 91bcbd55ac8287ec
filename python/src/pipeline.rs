//! `Reducer` and `EventPipeline`: events, or the bytes of a stream, in; changes of a conversation out.

use ag_ui_native::pipeline::{EventPipeline as CorePipeline, Output, OutputKind, PipelineOptions, Stages};
use ag_ui_native::read::{Build, Nothing};
use ag_ui_native::reduce::{OnPatchFailure, Reducer as CoreReducer, Reduction};
use ag_ui_native::stream::{EventReader, ReadEvent, Warning};
use ag_ui_native::types::{Interrupt, Message};
use ag_ui_native::{Code, Error, Limits, Profile, to_json};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::build::{Dicts, Models, by_pydantic};
use crate::compat::version;
use crate::conversation::Conversation;
use crate::error::{guard, raised};
use crate::events::{Form, json_of, typed};
use crate::keys::Keys;
use crate::partial::PartialArguments;
use crate::patch;
use crate::report::Reporter;
use crate::stream::{bytes_of, read_limits, rules};

/// What a conversation begins with, and how it is kept.
struct Start {
    messages: Vec<Message>,
    conversation: Conversation,
}

/// The options that reducers and pipelines share.
struct Settings<'a, 'py> {
    messages: Option<&'a Bound<'py, PyAny>>,
    state: Option<&'a Bound<'py, PyAny>>,
    pending_interrupts: Option<&'a Bound<'py, PyAny>>,
    on_patch_failure: Option<&'a str>,
    as_dicts: bool,
    profile: Profile,
    limits: Limits,
}

impl Start {
    /// Copies what the caller gives: his objects are never changed nor held.
    fn new<'py>(py: Python<'py>, settings: &Settings<'_, 'py>) -> PyResult<Self> {
        let given = items(settings.messages)?;
        let form = match given.first() {
            _ if settings.as_dicts => Form::Dicts,
            Some(first) => Form::of(first),
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
struct Mirror<'a, 'py> {
    py: Python<'py>,
    conversation: &'a mut Conversation,
    changes: Vec<Bound<'py, PyAny>>,
    warnings: Vec<Warning>,
    raised: Option<PyErr>,
}

impl<'a, 'py> Mirror<'a, 'py> {
    fn new(py: Python<'py>, conversation: &'a mut Conversation) -> Self {
        Self { py, conversation, changes: Vec::new(), warnings: Vec::new(), raised: None }
    }

    fn apply(&mut self, index: usize, reduction: Reduction, reducer: &mut CoreReducer) -> Result<(), Error> {
        for change in reduction.changes {
            let (seen, outcome) = match self.conversation.apply(self.py, change) {
                Ok(applied) => applied?,
                Err(raised) => return Err(self.stop(raised)),
            };
            if let Some((slot, activity_type)) = outcome.unpatched {
                reducer.content_unpatched(slot, &activity_type);
            }
            self.warnings.extend(outcome.warning.map(|issue| Warning { event_index: index, issue }));
            match seen.into_change(self.py, index) {
                Ok(change) => self.changes.push(change),
                Err(raised) => return Err(self.stop(raised)),
            }
        }
        Ok(())
    }

    fn stop(&mut self, raised: PyErr) -> Error {
        self.raised = Some(raised);
        Error::new(Code::Internal, "the host raised an exception")
    }

    /// What the call returns or raises, after all that came before a failure has been reported.
    fn finish(
        self,
        result: Result<(), Error>,
        mut warnings: Vec<Warning>,
        reporter: &Reporter,
    ) -> PyResult<Bound<'py, PyList>> {
        warnings.extend(self.warnings);
        warnings.sort_by_key(|warning| warning.event_index);
        let changes = PyList::new(self.py, self.changes)?;
        reporter.report(self.py, &warnings)?;
        match (self.raised, result) {
            (Some(raised), _) => Err(raised),
            (None, Err(error)) => Err(raised(self.py, &error, Some(changes))),
            (None, Ok(())) => Ok(changes),
        }
    }
}

/// Turns events into changes of a conversation.
///
/// `messages`, `state` and `pending_interrupts` are what the conversation begins with; they are copied. Messages are
/// kept in the form they are given in: instances, dictionaries with the keys of the wire, or the official package's
/// instances; `as_dicts` asks for dictionaries. Events are read by `profile` within `limits`. `on_patch_failure` is
/// `flag` (a warning, and `state_in_sync` is False until the next snapshot; the default) or `error` (the default of
/// the strict profile).
#[pyclass(module = "ag_ui_native.stream")]
#[derive(Debug)]
pub struct Reducer {
    core: CoreReducer,
    conversation: Conversation,
    reader: EventReader,
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
        Ok(Self {
            core: CoreReducer::new(&start.messages),
            conversation: start.conversation,
            reader: EventReader::new(rules, limits),
            reporter: Reporter::new(py, on_warning),
        })
    }

    /// Applies one event, of any form, and returns its changes.
    ///
    /// Raises AGUIValidationError for what is no event, AGUISequenceError for a chunk, AGUIPatchError under the policy
    /// `error`.
    #[pyo3(signature = (event: "object") -> "list[Change]")]
    fn apply<'py>(&mut self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = event.py();
        let json = json_of(event)?;
        let Self { core, reader, conversation, .. } = self;
        let mut mirror = Mirror::new(py, conversation);
        let result = guard(py, || {
            Ok(reader.read(json.as_bytes()).and_then(|read| {
                let Some(ReadEvent { index, event, incomplete, .. }) = read else { return Ok(()) };
                let applied = core.apply(event, incomplete).and_then(|mut reduction| {
                    reduction.warnings.drain(..).for_each(|issue| reader.warn(index, issue));
                    mirror.apply(index, reduction, core)
                });
                applied.map_err(|error| error.of_event(index))
            }))
        })?;
        mirror.finish(result, reader.take_warnings(), &self.reporter)
    }

    /// The arguments of a tool call as they arrive, a `PartialArguments` that follows the call to its end; None if no
    /// call has this id.
    ///
    /// Raises AGUIValidationError if what has come so far is no JSON.
    #[pyo3(signature = (tool_call_id: "str") -> "PartialArguments | None")]
    fn partial_arguments(
        &mut self,
        py: Python<'_>,
        tool_call_id: &str,
    ) -> PyResult<Option<Py<PartialArguments>>> {
        let place = self.core.call(tool_call_id);
        place.map(|place| self.conversation.partial_arguments(py, place)).transpose()
    }

    /// The messages: always the same list, of live objects.
    #[getter]
    fn messages(&self, py: Python<'_>) -> Py<PyList> {
        self.conversation.messages.clone_ref(py)
    }

    /// The state, a live object.
    #[getter]
    fn state(&self, py: Python<'_>) -> Py<PyAny> {
        self.conversation.state.clone_ref(py)
    }

    /// The interrupts that wait for an answer.
    #[getter]
    fn pending_interrupts(&self, py: Python<'_>) -> Py<PyList> {
        self.conversation.pending_interrupts.clone_ref(py)
    }

    /// Whether the state is the agent's: no patch of it has failed since the last snapshot.
    #[getter]
    fn state_in_sync(&self) -> bool {
        self.conversation.state_in_sync
    }

    /// What was mended, left out or ignored so far.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Py<PyList> {
        self.reporter.warnings.clone_ref(py)
    }
}

/// Takes a stream of events from bytes to changes of a conversation: decodes, translates 0.x, enforces, expands,
/// verifies and reduces.
///
/// The options are those of `EventDecoder` and `Reducer`. `peer` is the newest version that the peer is taken to speak, if
/// that is an older one. `expand`, `verify` and `reduce` switch stages off; without
/// `reduce` the pipeline returns events instead of changes. A failure ends the stream: everything before it has been
/// applied, and the exception's `partial` holds what the failing call had made.
#[pyclass(module = "ag_ui_native.stream")]
#[derive(Debug)]
pub struct EventPipeline {
    pipeline: CorePipeline,
    conversation: Conversation,
    reduces: bool,
    as_dicts: bool,
    keys: Keys,
    reporter: Reporter,
}

#[pymethods]
impl EventPipeline {
    #[new]
    #[pyo3(signature = (
        content_type: "str | None" = None, *, messages: "Iterable[object]" = None, state: "object" = None,
        pending_interrupts: "Iterable[object]" = None, profile: "str" = "tolerant", limits: "object | None" = None,
        lossy: "bool" = false, go_names: "bool" = false, peer: "str | None" = None, expand: "bool" = true, verify: "bool | None" = None,
        reduce: "bool" = true, on_patch_failure: "str | None" = None, on_warning: "object | None" = None,
        as_dicts: "bool" = false
    ))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // Named ones.
    fn new(
        py: Python<'_>,
        content_type: Option<&str>,
        messages: Option<&Bound<'_, PyAny>>,
        state: Option<&Bound<'_, PyAny>>,
        pending_interrupts: Option<&Bound<'_, PyAny>>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        lossy: bool,
        go_names: bool,
        peer: Option<&str>,
        expand: bool,
        verify: Option<bool>,
        reduce: bool,
        on_patch_failure: Option<&str>,
        on_warning: Option<Py<PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, lossy, go_names)?;
        let limits = read_limits(limits)?;
        let as_dicts = as_dicts || profile == Profile::Relay;
        let settings =
            Settings { messages, state, pending_interrupts, on_patch_failure, as_dicts, profile, limits };
        let start = Start::new(py, &settings)?;
        let stages = Stages { expand, verify: verify.unwrap_or(Stages::of(profile).verify), reduce };
        let peer = peer.map(version).transpose()?;
        let options = PipelineOptions { rules, limits, stages, peer };
        let pipeline = CorePipeline::new(content_type, options, &start.messages)
            .map_err(|error| raised(py, &error, None))?;
        let reporter = Reporter::new(py, on_warning);
        let conversation = start.conversation;
        Ok(Self { pipeline, conversation, reduces: reduce, as_dicts, keys: Keys::default(), reporter })
    }

    /// Reads a piece of the stream and returns the changes it brings.
    #[pyo3(signature = (data: "bytes | bytearray | memoryview") -> "list")]
    fn feed<'py>(&mut self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let bytes = bytes_of(data)?;
        self.step(py, Some(bytes.as_bytes()))
    }

    /// Ends the stream and returns the last changes.
    ///
    /// Raises AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does.
    #[pyo3(signature = () -> "list")]
    fn close<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.step(py, None)
    }

    /// The arguments of a tool call as they arrive, a `PartialArguments` that follows the call to its end; None if no
    /// call has this id.
    ///
    /// Raises AGUIValidationError if what has come so far is no JSON.
    #[pyo3(signature = (tool_call_id: "str") -> "PartialArguments | None")]
    fn partial_arguments(
        &mut self,
        py: Python<'_>,
        tool_call_id: &str,
    ) -> PyResult<Option<Py<PartialArguments>>> {
        let place = self.pipeline.reducer().call(tool_call_id);
        place.map(|place| self.conversation.partial_arguments(py, place)).transpose()
    }

    /// The messages: always the same list, of live objects.
    #[getter]
    fn messages(&self, py: Python<'_>) -> Py<PyList> {
        self.conversation.messages.clone_ref(py)
    }

    /// The state, a live object.
    #[getter]
    fn state(&self, py: Python<'_>) -> Py<PyAny> {
        self.conversation.state.clone_ref(py)
    }

    /// The interrupts that wait for an answer.
    #[getter]
    fn pending_interrupts(&self, py: Python<'_>) -> Py<PyList> {
        self.conversation.pending_interrupts.clone_ref(py)
    }

    /// Whether the state is the agent's: no patch of it has failed since the last snapshot.
    #[getter]
    fn state_in_sync(&self) -> bool {
        self.conversation.state_in_sync
    }

    /// What was mended, left out or ignored so far.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Py<PyList> {
        self.reporter.warnings.clone_ref(py)
    }

    /// The id last set in the stream, to resume from; empty if none was.
    #[getter]
    fn last_event_id(&self) -> String {
        String::from_utf8_lossy(self.pipeline.decoder().last_event_id()).into_owned()
    }

    /// How long the server asks to wait before connecting again, in milliseconds.
    #[getter]
    fn retry(&self) -> Option<u64> {
        self.pipeline.decoder().retry()
    }
}

impl EventPipeline {
    /// Feeds `chunk`, or ends the stream.
    fn step<'py>(&mut self, py: Python<'py>, chunk: Option<&[u8]>) -> PyResult<Bound<'py, PyList>> {
        let Self { pipeline, conversation, keys, as_dicts, reduces, .. } = self;
        let form = if *as_dicts { Form::Dicts } else { Form::Models };
        let mut mirror = Mirror::new(py, conversation);
        let result = guard(py, || {
            Ok(match Models::new(py, keys) {
                _ if *reduces => advance(pipeline, chunk, &mut Nothing, &mut mirror, &|()| None, form),
                Some(mut models) if !*as_dicts => {
                    advance(pipeline, chunk, &mut models, &mut mirror, &|event| Some(Ok(event)), form)
                }
                None if !*as_dicts => {
                    let event_of = |event| Some(by_pydantic("Event", &event));
                    advance(pipeline, chunk, &mut Dicts::new(py, keys), &mut mirror, &event_of, form)
                }
                _ => advance(
                    pipeline,
                    chunk,
                    &mut Dicts::new(py, keys),
                    &mut mirror,
                    &|event| Some(Ok(event)),
                    form,
                ),
            })
        })?;
        let warnings = self.pipeline.take_warnings();
        mirror.finish(result, warnings, &self.reporter)
    }
}

/// Feeds `chunk`, or ends the stream. `event_of` makes Python's event of what `build` makes.
fn advance<'py, B: Build>(
    pipeline: &mut CorePipeline,
    chunk: Option<&[u8]>,
    build: &mut B,
    mirror: &mut Mirror<'_, 'py>,
    event_of: &dyn Fn(B::Value) -> Option<PyResult<Bound<'py, PyAny>>>,
    form: Form,
) -> Result<(), Error> {
    let mut take = |Output { index, kind }: Output<B::Value>, reducer: &mut CoreReducer| {
        let event = match kind {
            OutputKind::Reduced(reduction) => return mirror.apply(index, reduction, reducer),
            OutputKind::Passed(event) => event_of(event),
            OutputKind::Made(event) => Some(form.make(mirror.py, "Event", &to_json(&event))),
        };
        match event.transpose() {
            Ok(event) => mirror.changes.extend(event),
            Err(raised) => return Err(mirror.stop(raised)),
        }
        Ok(())
    };
    match chunk {
        Some(chunk) => pipeline.feed(chunk, build, &mut take),
        None => pipeline.close(build, &mut take),
    }
}
