//! `EventPipeline` turns the bytes of a stream into changes of a conversation.

use ag_ui_native::bindings::client::lost;
use ag_ui_native::bindings::decoder::{Decoder as CoreDecoder, Warning, Warnings};
use ag_ui_native::bindings::pipeline::{
    Output, OutputKind, Pipeline as CorePipeline, PipelineOptions, Stages,
};
use ag_ui_native::bindings::reduce::Reducer as CoreReducer;
use ag_ui_native::bindings::validate::{Build, Nothing};
use ag_ui_native::{Error, Profile};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::build::Dicts;
use crate::bytes::bytes_of;
use crate::compat::version;
use crate::conversation::Conversation;
use crate::conversation::mirror::{Mirror, in_order};
use crate::conversation::start::{ConversationOptions, GivenState, Start};
use crate::error::raised;
use crate::events::Form;
use crate::inlet::{Fed, Inlet};
use crate::keys::Keys;
use crate::members::{WithConversation, WithDecoder, conversation, resumption, shown, warnings};
use crate::model::build::{Models, by_pydantic};
use crate::model::package;
use crate::options::{read_limits, rules};
use crate::report::Reporter;
use crate::request::{PieceWait, clock_time, duration};
use crate::turns::{Collected, Failure, Next, Turns, WithWarnings, collected};

/// Turns the bytes of a stream into changes of a conversation: decodes, translates 0.x, enforces, expands, verifies and
/// reduces.
///
/// `messages` and `state` are the start of the conversation, as of `Reducer`; `profile` and `as_dicts` are those of
/// `EventDecoder`. With `reduce=False` the pipeline returns events instead of changes. The other options are
/// `ag_ui_native.stream.PipelineOptions`. A failure ends the stream: everything before it has been applied, and the
/// exception's `partial` holds the results of the failing call.
#[pyclass(module = "ag_ui_native.stream", frozen, generic)]
#[derive(Debug)]
pub struct EventPipeline(Turns<Piping>);

/// The parts of a pipeline.
#[derive(Debug)]
struct Piping {
    pipeline: CorePipeline,
    conversation: Conversation,
    items: Items,
    as_dicts: bool,
    inlet: Inlet,
    keys: Keys,
    /// The warnings of the conversation.
    warnings: Warnings,
    reporter: Reporter,
}

/// The items that a pipeline returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Items {
    /// Each change of the conversation.
    Changes,
    /// The changes, with adjacent text of one piece for the same message or call joined.
    JoinedChanges,
    /// Each event.
    Events,
    /// Each event with its index in the stream.
    IndexedEvents,
}

#[pymethods]
impl EventPipeline {
    #[new]
    #[pyo3(signature = (
        content_type: "str | None" = None, *, messages: "Iterable[object]" = None, state: "object" = GivenState(None),
        pending_interrupts: "Iterable[object]" = None, profile: "str" = "tolerant", limits: "object | None" = None,
        replace_invalid_text: "bool" = false, go_member_names: "bool" = false, peer: "str | None" = None, expand: "bool" = true, verify: "bool | None" = None,
        reduce: "bool" = true, on_patch_failure: "str | None" = None, on_warning: "object | None" = None,
        as_dicts: "bool" = false
    ), text_signature = "(content_type=None, *, messages=None, state=..., profile='tolerant', reduce=True, as_dicts=False, **options)")]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // Named ones.
    fn new(
        py: Python<'_>,
        content_type: Option<&str>,
        messages: Option<&Bound<'_, PyAny>>,
        state: GivenState<'_>,
        pending_interrupts: Option<&Bound<'_, PyAny>>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        replace_invalid_text: bool,
        go_member_names: bool,
        peer: Option<&str>,
        expand: bool,
        verify: Option<bool>,
        reduce: bool,
        on_patch_failure: Option<&str>,
        on_warning: Option<Py<PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, replace_invalid_text, go_member_names)?;
        let limits = read_limits(limits)?;
        let as_dicts = as_dicts || profile == Profile::Relay;
        if !as_dicts {
            package::require_classes(py)?;
        }
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
        let stages = Stages { expand, verify: verify.unwrap_or(Stages::of(profile).verify), reduce };
        let peer = peer.map(version).transpose()?;
        let options = PipelineOptions { rules, limits, stages, peer };
        Self::of(py, content_type, &options, start, as_dicts, on_warning)
    }

    /// A pipeline for the input of a client's middleware: all events, translated from 0.x.
    #[staticmethod]
    #[pyo3(name = "_before_middleware", signature = (
        content_type: "str | None" = None, *, profile: "str" = "tolerant", limits: "object | None" = None, peer: "str | None" = None,
        on_warning: "object | None" = None
    ) -> "EventPipeline")]
    fn before_middleware(
        py: Python<'_>,
        content_type: Option<&str>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        peer: Option<&str>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (profile, _) = rules(profile, false, false)?;
        let limits = read_limits(limits)?;
        package::require_classes(py)?;
        let start =
            Start::new(py, &ConversationOptions { profile, limits, ..ConversationOptions::default() })?;
        let options = PipelineOptions::before_middleware(profile, limits, peer.map(version).transpose()?);
        Self::of(py, content_type, &options, start, false, on_warning)
    }

    /// Reads a piece of the stream and returns its changes.
    #[pyo3(signature = (data: "bytes | bytearray | memoryview") -> "list")]
    fn feed<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        self.step(py, Fed::Bytes(bytes_of(data)?))
    }

    /// Ends the stream and returns the last changes.
    ///
    /// Raises AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does.
    #[pyo3(signature = () -> "list")]
    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.step(py, Fed::End)
    }

    /// The transport has failed with this code (empty for an exception of the application). `close` raises that, unless the run has
    /// ended or the stream itself is invalid.
    #[pyo3(name = "_lose", signature = (code: "str") -> "None")]
    fn lose(&self, py: Python<'_>, code: &str) -> PyResult<()> {
        self.0.with(py, |parts| {
            parts.pipeline.lose(lost(code));
            Ok(())
        })
    }

    /// True if a run has ended, and no other has begun since: only then does `_idle_time` differ from the limit.
    #[getter(_has_ended)]
    fn has_ended(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.pipeline.has_ended()))
    }

    /// The seconds to wait for the next piece from `now` on, with `idle` as the limit; None means no limit. False means that the stream is
    /// at its end.
    #[pyo3(name = "_idle_time", signature = (now: "float", idle: "float | None", is_one_run: "bool") -> "float | Literal[False] | None")]
    fn idle_time(
        &self,
        py: Python<'_>,
        now: f64,
        idle: Option<f64>,
        is_one_run: bool,
    ) -> PyResult<PieceWait> {
        self.0.with(py, |parts| {
            Ok(parts.pipeline.idle_time(clock_time(now), idle.map(duration), is_one_run).into())
        })
    }

    /// From now on, adjacent text of one piece for the same message or call is one change. For pipelines that return changes.
    #[pyo3(name = "_join_text", signature = () -> "None")]
    fn join_text(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |parts| {
            parts.items = Items::JoinedChanges;
            Ok(())
        })
    }

    /// From now on, each event is returned as a tuple of the event and its index in the stream. For pipelines that return events.
    #[pyo3(name = "_index_events", signature = () -> "None")]
    fn index_events(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |parts| {
            parts.items = Items::IndexedEvents;
            Ok(())
        })
    }

    /// Sets the ids that the stream was requested with.
    #[pyo3(name = "_of_run", signature = (thread_id: "str", run_id: "str") -> "None")]
    fn of_run(&self, py: Python<'_>, thread_id: &str, run_id: &str) -> PyResult<()> {
        self.0.with(py, |parts| {
            parts.pipeline.ask(thread_id, run_id);
            Ok(())
        })
    }
}

collected!(EventPipeline);
warnings!(EventPipeline);
shown!(EventPipeline);
conversation!(EventPipeline);
resumption!(EventPipeline);

impl EventPipeline {
    fn of(
        py: Python<'_>,
        content_type: Option<&str>,
        options: &PipelineOptions,
        start: Start,
        as_dicts: bool,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let pipeline = CorePipeline::new(content_type, *options, &start.messages)
            .map_err(|error| raised(py, &error, None))?;
        Ok(Self(Turns::new(Piping {
            pipeline,
            conversation: start.conversation,
            items: if options.stages.reduce { Items::Changes } else { Items::Events },
            as_dicts,
            inlet: Inlet::default(),
            keys: Keys::default(),
            warnings: Warnings::new(&options.limits),
            reporter: Reporter::new(py, on_warning),
        })))
    }

    /// Feeds bytes, or ends the stream.
    fn step<'py>(&self, py: Python<'py>, fed: Fed<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut fed = Some(fed);
        self.0.call(py, |parts, made| parts.turn(py, fed.take(), made))
    }
}

impl Piping {
    /// Reads pieces until all is read or the turn is over.
    fn turn<'py>(
        &mut self,
        py: Python<'py>,
        fed: Option<Fed<'py>>,
        made: &mut Vec<Bound<'py, PyAny>>,
    ) -> Result<Next, Failure> {
        let Self { pipeline, conversation, items, inlet, keys, as_dicts, warnings, .. } = self;
        let reduces = matches!(items, Items::Changes | Items::JoinedChanges);
        let form = if *as_dicts { Form::Dicts } else { Form::Models };
        let mut mirror = Mirror::new(py, conversation, made, warnings)
            .joining_text(*items == Items::JoinedChanges)
            .indexing_events(*items == Items::IndexedEvents);
        let result = inlet.turn(py, fed, |piece| match Models::new(py, keys) {
            _ if reduces => advance(pipeline, piece, &mut Nothing, &mut mirror, &|()| None, form),
            Some(mut models) if !*as_dicts => {
                advance(pipeline, piece, &mut models, &mut mirror, &|event| Some(Ok(event)), form)
            }
            None if !*as_dicts => {
                let event_of = |event| Some(by_pydantic("Event", &event));
                advance(pipeline, piece, &mut Dicts::new(py, keys), &mut mirror, &event_of, form)
            }
            _ => {
                let event_of = |event| Some(Ok(event));
                advance(pipeline, piece, &mut Dicts::new(py, keys), &mut mirror, &event_of, form)
            }
        });
        mirror.outcome(result)
    }
}

impl WithConversation for Piping {
    fn conversation(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    fn reducer(&mut self) -> &CoreReducer {
        self.pipeline.reducer()
    }
}

impl WithDecoder for Piping {
    fn decoder(&self) -> &CoreDecoder {
        self.pipeline.decoder()
    }
}

impl Collected for Piping {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.conversation.visit(visit)?;
        self.reporter.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.conversation.clear(py);
        self.reporter.clear(py);
    }
}

impl WithWarnings for Piping {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        in_order(self.pipeline.take_warnings(), self.warnings.take())
    }

    fn summary(&self, py: Python<'_>) -> String {
        let events = self.pipeline.decoder().event_count();
        format!("events={events}, {}", self.conversation.summary(py))
    }
}

/// Feeds `chunk`, or ends the stream. `event_of` makes the Python event of a value of `build`.
fn advance<'py, B: Build>(
    pipeline: &mut CorePipeline,
    chunk: Option<&[u8]>,
    build: &mut B,
    mirror: &mut Mirror<'_, 'py>,
    event_of: &dyn Fn(B::Value) -> Option<PyResult<Bound<'py, PyAny>>>,
    form: Form,
) -> Result<(), Error> {
    let mut take = |Output { index, kind, .. }: Output<'_, B::Value>, reducer: &mut CoreReducer| {
        let event = match kind {
            OutputKind::Reduced(reduction) => return mirror.apply(index, reduction, reducer),
            OutputKind::Appended(place, text) => return mirror.append(index, place, text),
            OutputKind::Passed(event) => event_of(event),
            OutputKind::Made(event) => Some(form.make(mirror.py, &event)),
        };
        event.map_or(Ok(()), |event| mirror.take_event(index, event))
    };
    match chunk {
        Some(chunk) => pipeline.feed(chunk, build, &mut take),
        None => pipeline.close(build, &mut take),
    }
}
