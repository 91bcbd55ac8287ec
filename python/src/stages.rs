//! The stages of a stream one by one, on event objects of any form: enforcement, chunk expansion, verification,
//! compaction.

use ag_ui_native::host::Rules;
use ag_ui_native::host::compact::{Compacted, compact};
use ag_ui_native::host::expand::{ChunkExpander as CoreExpander, Expansion};
use ag_ui_native::host::stream::{EventReader, ReadEvent, Warning};
use ag_ui_native::host::verify::{EventVerifier as CoreVerifier, Kind};
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Limits, to_json};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::error::{guard, raised};
use crate::events::{Form, json_of};
use crate::options::{read_limits, rules};
use crate::report::{Reporter, leave_partial};
use crate::turns::{Collected, Failure, Next, Parts, Turns, end};

/// A reader of events for what a stage is given besides them.
fn reader(
    profile: &str,
    limits: Option<&Bound<'_, PyAny>>,
    make: impl FnOnce(Rules, Limits) -> EventReader,
) -> PyResult<EventReader> {
    let (_, rules) = rules(profile, false, false)?;
    Ok(make(rules, read_limits(limits)?))
}

/// Reads events of any form one behind the other, and hands those that the profile does not leave out to `take`.
fn read_each<'py>(
    events: &Bound<'py, PyAny>,
    reader: &mut EventReader,
    mut take: impl FnMut(Bound<'py, PyAny>, ReadEvent) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for object in events.try_iter()? {
        let object = object?;
        if let Some(read) = reader.read(&*json_of(&object)?)? {
            take(object, read)?;
        }
    }
    Ok(())
}

/// What a function returns or raises. Its callbacks come last; where Python code raises, its exception gets what was made
/// as `partial`.
fn finish<'py>(
    py: Python<'py>,
    reader: &mut EventReader,
    on_warning: Option<Py<PyAny>>,
    outcome: Result<(), Failure>,
    made: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let told = Reporter::new(py, on_warning).report(py, &reader.take_warnings());
    end(py, outcome, told, made, |raised, made| {
        leave_partial(py, raised, made);
        Ok(())
    })
}

/// Passes events through a stage that hands on or makes events.
fn pass<'py>(
    events: &Bound<'py, PyAny>,
    mut reader: EventReader,
    on_warning: Option<Py<PyAny>>,
    mut stage: impl FnMut(Event) -> Result<Expansion, Error>,
) -> PyResult<Bound<'py, PyList>> {
    let py = events.py();
    guard(py, || {
        let mut made = Vec::new();
        let outcome =
            read_each(events, &mut reader, |object, read| step(&object, read, &mut stage, &mut made));
        finish(py, &mut reader, on_warning, outcome, made)
    })
}

/// Takes one event through a stage, and hands over what comes of it: the object itself where it is passed on as it is.
fn step<'py>(
    object: &Bound<'py, PyAny>,
    read: ReadEvent,
    stage: &mut impl FnMut(Event) -> Result<Expansion, Error>,
    made: &mut Vec<Bound<'py, PyAny>>,
) -> Result<(), Failure> {
    let ReadEvent { index, event, mended, .. } = read;
    let expansion = stage(event).map_err(|error| error.of_event(index))?;
    let form = Form::of(object)?;
    for event in expansion.made {
        made.push(form.make(object.py(), "Event", &to_json(&event))?);
    }
    match expansion.passed {
        Some(event) if mended => made.push(form.make(object.py(), "Event", &to_json(&event))?),
        Some(_) => made.push(object.clone()),
        None => {}
    }
    Ok(())
}

/// Events as AG-UI 1.0 has them: what it does not know is left out, with a warning each time; malformed known
/// material fails.
///
/// Takes events of any form and returns a list of the same form; an event that needs no mending is the caller's own
/// object. Raises AGUIValidationError with `event_index`; its `partial` holds the events before.
#[pyfunction]
#[pyo3(signature = (
    events: "Iterable[object]", *, profile: "str" = "tolerant", limits: "object | None" = None,
    on_warning: "object | None" = None
) -> "list")]
pub fn enforce_events<'py>(
    events: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
    on_warning: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let reader = reader(profile, limits, EventReader::enforcing)?;
    pass(events, reader, on_warning, |event| Ok(Expansion { made: Vec::new(), passed: Some(event) }))
}

/// Turns chunk events into the START, CONTENT and END events they stand for; all others pass.
///
/// Takes events of any form and returns a list of the same form. Raises AGUISequenceError (a C rule) with
/// `event_index`; its `partial` holds what came before.
#[pyfunction]
#[pyo3(signature = (
    events: "Iterable[object]", *, profile: "str" = "tolerant", limits: "object | None" = None,
    on_warning: "object | None" = None
) -> "list")]
pub fn expand_chunks<'py>(
    events: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
    on_warning: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut expander = CoreExpander::new(read_limits(limits)?);
    pass(events, reader(profile, limits, EventReader::new)?, on_warning, |event| expander.push(event))
}

/// Verifies the order of events. The end of the list is not judged: EventVerifier.finish does that.
///
/// Takes events of any form and returns them as a list. Raises AGUISequenceError (a V rule) with `event_index`; its
/// `partial` holds the events before.
#[pyfunction]
#[pyo3(signature = (
    events: "Iterable[object]", *, profile: "str" = "tolerant", limits: "object | None" = None,
    on_warning: "object | None" = None
) -> "list")]
pub fn verify_events<'py>(
    events: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
    on_warning: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut verifier = CoreVerifier::new(read_limits(limits)?);
    pass(events, reader(profile, limits, EventReader::new)?, on_warning, |event| {
        verifier.check(&event)?;
        Ok(Expansion { made: Vec::new(), passed: Some(event) })
    })
}

/// A shorter list of events that comes to the same: pieces of text and arguments joined, states applied.
///
/// Takes events of any form and returns a list of the same form. Chunks are not expanded.
/// Raises AGUIValidationError with `event_index` for what is no event; its `partial` holds those before, compacted.
#[pyfunction]
#[pyo3(signature = (
    events: "Iterable[object]", *, profile: "str" = "tolerant", limits: "object | None" = None,
    on_warning: "object | None" = None
) -> "list")]
pub fn compact_events<'py>(
    events: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
    on_warning: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = events.py();
    let mut reader = reader(profile, limits, EventReader::new)?;
    guard(py, || {
        let (mut objects, mut origins, mut typed) = (Vec::new(), Vec::new(), Vec::new());
        let outcome = read_each(events, &mut reader, |object, read| {
            objects.push(object);
            origins.push((read.index, read.mended));
            typed.push(read.event);
            Ok(())
        });
        let form = objects.first().map(Form::of).transpose()?.unwrap_or_default();
        let compaction = py.detach(|| compact(&typed));
        for warning in compaction.warnings {
            reader.warn(origins[warning.event_index].0, warning.issue);
        }
        let made = compaction.events.into_iter().map(|event| match event {
            Compacted::Kept(place) if !origins[place].1 => Ok(objects[place].clone()),
            Compacted::Kept(place) => form.make(py, "Event", &to_json(&typed[place])),
            Compacted::Made(event) => form.make(py, "Event", &to_json(&*event)),
        });
        let made = made.collect::<PyResult<Vec<_>>>()?;
        finish(py, &mut reader, on_warning, outcome, made)
    })
}

/// What a stage works with that takes one event at a time.
#[derive(Debug)]
struct Stage<S> {
    core: S,
    reader: EventReader,
    reporter: Reporter,
}

impl<S> Stage<S> {
    fn new(
        py: Python<'_>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
        make: impl FnOnce(Limits) -> S,
    ) -> PyResult<Turns<Self>> {
        let reader = reader(profile, limits, EventReader::new)?;
        let core = make(read_limits(limits)?);
        Ok(Turns::new(Self { core, reader, reporter: Reporter::new(py, on_warning) }))
    }
}

impl<S> Collected for Stage<S> {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.reporter.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.reporter.clear(py);
    }
}

impl<S> Parts for Stage<S> {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        self.reader.take_warnings()
    }
}

/// Turns chunk events into the START, CONTENT and END events they stand for, one event at a time.
#[pyclass(module = "ag_ui_native.stream", frozen)]
#[derive(Debug)]
pub struct ChunkExpander(Turns<Stage<CoreExpander>>);

#[pymethods]
impl ChunkExpander {
    #[new]
    #[pyo3(signature = (*, profile: "str" = "tolerant", limits: "object | None" = None, on_warning: "object | None" = None))]
    fn new(
        py: Python<'_>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        Stage::new(py, profile, limits, on_warning, CoreExpander::new).map(Self)
    }

    /// The events that `event` stands for: itself, if it is no chunk, behind the ENDs of what it closes.
    ///
    /// Raises AGUISequenceError (a C rule).
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let json = json_of(event)?;
        self.0.call(event.py(), |parts, made| {
            let Stage { core, reader, .. } = parts;
            if let Some(read) = reader.read(&*json)? {
                step(event, read, &mut |event| core.push(event), made)?;
            }
            Ok(Next::Done)
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        self.0.clear(py);
    }
}

/// Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent.
#[pyclass(module = "ag_ui_native.stream", frozen)]
#[derive(Debug)]
pub struct EventVerifier(Turns<Stage<CoreVerifier>>);

#[pymethods]
impl EventVerifier {
    #[new]
    #[pyo3(signature = (*, profile: "str" = "tolerant", limits: "object | None" = None, on_warning: "object | None" = None))]
    fn new(
        py: Python<'_>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        Stage::new(py, profile, limits, on_warning, CoreVerifier::new).map(Self)
    }

    /// Takes the next event. After a failure the verifier takes no more.
    ///
    /// Raises AGUISequenceError (a V rule).
    #[pyo3(signature = (event: "object") -> "None")]
    fn check(&self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        self.take(event, CoreVerifier::check)
    }

    /// Takes the next event; one that is refused changes nothing, and others may follow.
    ///
    /// Raises AGUISequenceError (a V rule).
    #[pyo3(signature = (event: "object") -> "None")]
    fn admit(&self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        self.take(event, CoreVerifier::admit)
    }

    /// Ends the stream.
    ///
    /// Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
    #[pyo3(signature = () -> "None")]
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |parts| parts.core.finish().map_err(|error| raised(py, &error, None)))
    }

    /// Whether a run has begun and not ended.
    #[getter]
    fn is_running(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.core.is_running()))
    }

    /// What is open, in order of opening: (kind, id or name, subagent run id or None). The kinds are `step`, `message`,
    /// `reasoning message`, `reasoning span`, `tool call` and `subagent`.
    #[getter]
    fn open(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, String, Option<String>)>> {
        self.0.with(py, |parts| {
            let of_kind = |kind: &Kind| {
                let open = parts.core.open(*kind).into_iter();
                open.map(|open| (kind.as_str(), open.id.to_owned(), open.subagent_run_id.map(str::to_owned)))
                    .collect::<Vec<_>>()
            };
            Ok(Kind::ALL.iter().flat_map(of_kind).collect())
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        self.0.clear(py);
    }
}

impl EventVerifier {
    fn take(
        &self,
        event: &Bound<'_, PyAny>,
        judge: impl Fn(&mut CoreVerifier, &Event) -> Result<(), Error>,
    ) -> PyResult<()> {
        let json = json_of(event)?;
        let judged = self.0.call(event.py(), |parts, _| {
            let Stage { core, reader, .. } = parts;
            if let Some(ReadEvent { index, event, .. }) = reader.read(&*json)? {
                judge(core, &event).map_err(|error| error.of_event(index))?;
            }
            Ok(Next::Done)
        });
        judged.map(|_| ())
    }
}
