//! The stages of a stream one by one, on event objects of any form: enforcement, chunk expansion, verification,
//! compaction.

use ag_ui_native::compact::{Compacted, compact};
use ag_ui_native::expand::{ChunkExpander as CoreExpander, Expansion};
use ag_ui_native::stream::{EventReader, ReadEvent};
use ag_ui_native::types::Event;
use ag_ui_native::verify::{EventVerifier as CoreVerifier, Kind};
use ag_ui_native::{Error, Limits, Rules, to_json};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::{guard, raised};
use crate::events::{Form, json_of};
use crate::report::Reporter;
use crate::stream::{read_limits, rules};

/// Reads events of any form, one behind the other.
#[derive(Debug)]
pub struct Source {
    reader: EventReader,
    reporter: Reporter,
}

impl Source {
    fn new(
        py: Python<'_>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
        make: impl FnOnce(Rules, Limits) -> EventReader,
    ) -> PyResult<Self> {
        let (_, rules) = rules(profile, false, false)?;
        Ok(Self { reader: make(rules, read_limits(limits)?), reporter: Reporter::new(py, on_warning) })
    }

    /// The next event; nothing if the profile leaves it out.
    fn next(&mut self, object: &Bound<'_, PyAny>) -> PyResult<Result<Option<ReadEvent>, Error>> {
        let read = self.reader.read(json_of(object)?.as_bytes());
        self.reporter.report(object.py(), &self.reader.take_warnings())?;
        Ok(read)
    }
}

/// Passes events through a stage that hands on or makes events.
fn pass<'py>(
    events: &Bound<'py, PyAny>,
    source: &mut Source,
    mut stage: impl FnMut(Event) -> Result<Expansion, Error>,
) -> PyResult<Bound<'py, PyList>> {
    let py = events.py();
    let out = PyList::empty(py);
    for object in events.try_iter()? {
        let object = object?;
        let expansion = source.next(&object)?.and_then(|read| {
            let Some(ReadEvent { index, event, mended, .. }) = read else { return Ok(None) };
            let expansion = stage(event).map_err(|error| error.of_event(index))?;
            Ok(Some((expansion, mended)))
        });
        match expansion {
            Ok(Some((expansion, mended))) => hand_over(&object, expansion, mended, &out)?,
            Ok(None) => {}
            Err(error) => return Err(raised(py, &error, Some(out))),
        }
    }
    Ok(out)
}

/// Appends what came of `object`: the object itself where it was passed on as it is.
fn hand_over(
    object: &Bound<'_, PyAny>,
    expansion: Expansion,
    mended: bool,
    out: &Bound<'_, PyList>,
) -> PyResult<()> {
    let form = Form::of(object);
    for made in expansion.made {
        out.append(form.make(object.py(), "Event", &to_json(&made))?)?;
    }
    match expansion.passed {
        Some(event) if mended => out.append(form.make(object.py(), "Event", &to_json(&event))?),
        Some(_) => out.append(object),
        None => Ok(()),
    }
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
    guard(events.py(), || {
        let mut source = Source::new(events.py(), profile, limits, on_warning, EventReader::enforcing)?;
        pass(events, &mut source, |event| Ok(Expansion { made: Vec::new(), passed: Some(event) }))
    })
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
    guard(events.py(), || {
        let mut source = Source::new(events.py(), profile, limits, on_warning, EventReader::new)?;
        let mut expander = CoreExpander::new(read_limits(limits)?);
        pass(events, &mut source, |event| expander.push(event))
    })
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
    guard(events.py(), || {
        let mut source = Source::new(events.py(), profile, limits, on_warning, EventReader::new)?;
        let mut verifier = CoreVerifier::new(read_limits(limits)?);
        pass(events, &mut source, |event| {
            verifier.check(&event)?;
            Ok(Expansion { made: Vec::new(), passed: Some(event) })
        })
    })
}

/// A shorter list of events that comes to the same: pieces of text and arguments joined, states applied.
///
/// Takes events of any form and returns a list of the same form. Chunks are not expanded.
/// Raises AGUIValidationError with `event_index` for what is no event.
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
    guard(py, || {
        let mut source = Source::new(py, profile, limits, on_warning, EventReader::new)?;
        let (mut objects, mut origins, mut typed) = (Vec::new(), Vec::new(), Vec::new());
        for object in events.try_iter()? {
            let object = object?;
            if let Some(read) = source.next(&object)?.map_err(|error| raised(py, &error, None))? {
                objects.push(object);
                origins.push((read.index, read.mended));
                typed.push(read.event);
            }
        }
        let form = objects.first().map(Form::of).unwrap_or_default();
        let compaction = compact(&typed);
        for warning in compaction.warnings {
            source.reader.warn(origins[warning.event_index].0, warning.issue);
        }
        source.reporter.report(py, &source.reader.take_warnings())?;
        let made = compaction.events.into_iter().map(|event| match event {
            Compacted::Kept(place) if !origins[place].1 => Ok(objects[place].clone()),
            Compacted::Kept(place) => form.make(py, "Event", &to_json(&typed[place])),
            Compacted::Made(event) => form.make(py, "Event", &to_json(&*event)),
        });
        PyList::new(py, made.collect::<PyResult<Vec<_>>>()?)
    })
}

/// Turns chunk events into the START, CONTENT and END events they stand for, one event at a time.
#[pyclass(module = "ag_ui_native.stream")]
#[derive(Debug)]
pub struct ChunkExpander {
    expander: CoreExpander,
    source: Source,
}

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
        let source = Source::new(py, profile, limits, on_warning, EventReader::new)?;
        Ok(Self { expander: CoreExpander::new(read_limits(limits)?), source })
    }

    /// The events that `event` stands for: itself, if it is no chunk, behind the ENDs of what it closes.
    ///
    /// Raises AGUISequenceError (a C rule).
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&mut self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let Self { expander, source } = self;
        guard(event.py(), || {
            let one = PyList::new(event.py(), [event])?;
            pass(one.as_any(), source, |event| expander.push(event))
        })
    }
}

/// Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent.
#[pyclass(module = "ag_ui_native.stream")]
#[derive(Debug)]
pub struct EventVerifier {
    verifier: CoreVerifier,
    source: Source,
}

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
        let source = Source::new(py, profile, limits, on_warning, EventReader::new)?;
        Ok(Self { verifier: CoreVerifier::new(read_limits(limits)?), source })
    }

    /// Takes the next event. After a failure the verifier takes no more.
    ///
    /// Raises AGUISequenceError (a V rule).
    #[pyo3(signature = (event: "object") -> "None")]
    fn check(&mut self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        self.take(event, CoreVerifier::check)
    }

    /// Takes the next event; one that is refused changes nothing, and others may follow.
    ///
    /// Raises AGUISequenceError (a V rule).
    #[pyo3(signature = (event: "object") -> "None")]
    fn admit(&mut self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        self.take(event, CoreVerifier::admit)
    }

    /// Ends the stream.
    ///
    /// Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
    #[pyo3(signature = () -> "None")]
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.verifier.finish().map_err(|error| raised(py, &error, None))
    }

    /// Whether a run has begun and not ended.
    #[getter]
    fn is_running(&self) -> bool {
        self.verifier.is_running()
    }

    /// What is open, in order of opening: (kind, id or name, subagent run id or None). The kinds are `step`, `message`,
    /// `reasoning message`, `reasoning span`, `tool call` and `subagent`.
    #[getter]
    fn open(&self) -> Vec<(&'static str, String, Option<String>)> {
        let of_kind = |kind: &Kind| {
            let open = self.verifier.open(*kind).into_iter();
            open.map(|open| (kind.as_str(), open.id.to_owned(), open.subagent_run_id.map(str::to_owned)))
                .collect::<Vec<_>>()
        };
        Kind::ALL.iter().flat_map(of_kind).collect()
    }
}

impl EventVerifier {
    fn take(
        &mut self,
        event: &Bound<'_, PyAny>,
        step: impl Fn(&mut CoreVerifier, &Event) -> Result<(), Error>,
    ) -> PyResult<()> {
        let py = event.py();
        guard(py, || {
            let taken = self.source.next(event)?.and_then(|read| {
                let Some(ReadEvent { index, event, .. }) = read else { return Ok(()) };
                step(&mut self.verifier, &event).map_err(|error| error.of_event(index))
            });
            taken.map_err(|error| raised(py, &error, None))
        })
    }
}
