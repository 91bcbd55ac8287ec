//! `EventDecoder`: the bytes of a stream in, events out.

use ag_ui_native::stream::{Arrival, EventDecoder as CoreDecoder, Take};
use ag_ui_native::{Error, Limits, Profile, Rules};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView};

use crate::build::{Dicts, Models, by_pydantic};
use crate::error::{guard, raised};
use crate::keys::Keys;
use crate::metaclass;
use crate::report::Reporter;

/// Decodes a stream of events that arrives in pieces of any size.
///
/// `content_type` is that of the response; another than an event stream's is an error. `profile` is `tolerant`,
/// `strict` or `relay`; `limits` an `ag_ui_native.limits.Limits`. `lossy` replaces text that is not Unicode instead
/// of refusing it, `go_names` reads the member names of the protocol's Go document. `on_warning` is called with each
/// warning. `as_dicts` yields dictionaries with the keys of the wire instead of instances; the relay profile always
/// does, because instances cannot hold unknown events and `null` where the protocol has no value.
///
/// A failure ends the stream. The exception's `partial` holds the events that the failing call had decoded.
#[pyclass(module = "ag_ui_native.stream")]
#[derive(Debug)]
pub struct EventDecoder {
    decoder: CoreDecoder,
    as_dicts: bool,
    keys: Keys,
    reporter: Reporter,
}

#[pymethods]
impl EventDecoder {
    #[new]
    #[pyo3(signature = (
        content_type: "str | None" = None, *, profile: "str" = "tolerant", limits: "object | None" = None,
        lossy: "bool" = false, go_names: "bool" = false, on_warning: "object | None" = None, as_dicts: "bool" = false
    ))]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn new(
        py: Python<'_>,
        content_type: Option<&str>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        lossy: bool,
        go_names: bool,
        on_warning: Option<Py<PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, lossy, go_names)?;
        let limits = read_limits(limits)?;
        let decoder =
            CoreDecoder::new(content_type, rules, limits).map_err(|error| raised(py, &error, None))?;
        Ok(Self {
            decoder,
            as_dicts: as_dicts || profile == Profile::Relay,
            keys: Keys::default(),
            reporter: Reporter::new(py, on_warning),
        })
    }

    /// Reads a piece of the stream and returns the events it completes.
    #[pyo3(signature = (data: "bytes | bytearray | memoryview") -> "list")]
    fn feed<'py>(&mut self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let bytes = bytes_of(data)?;
        self.step(py, Some(bytes.as_bytes()))
    }

    /// Ends the stream and returns the event that only lacked its blank line, if there is one.
    #[pyo3(signature = () -> "list")]
    fn close<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.step(py, None)
    }

    /// What was mended or left out so far.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Py<PyList> {
        self.reporter.warnings.clone_ref(py)
    }

    /// The id last set in the stream, to resume from; empty if none was.
    #[getter]
    fn last_event_id(&self) -> String {
        String::from_utf8_lossy(self.decoder.last_event_id()).into_owned()
    }

    /// How long the server asks to wait before connecting again, in milliseconds.
    #[getter]
    fn retry(&self) -> Option<u64> {
        self.decoder.retry()
    }
}

impl EventDecoder {
    /// Feeds `chunk`, or ends the stream.
    fn step<'py>(&mut self, py: Python<'py>, chunk: Option<&[u8]>) -> PyResult<Bound<'py, PyList>> {
        let mut events = Vec::new();
        let Self { decoder, as_dicts, keys, .. } = self;
        let result = guard(py, || {
            let mut take = |arrival: Arrival<'_, _>| {
                events.push(arrival.value);
                Ok(())
            };
            Ok(match Models::new(py, keys) {
                Some(mut models) if !*as_dicts => advance(decoder, chunk, &mut models, &mut take),
                _ => advance(decoder, chunk, &mut Dicts::new(py, keys), &mut take),
            })
        })?;
        if !*as_dicts && !metaclass::is_engaged() {
            events = events.iter().map(|event| by_pydantic("Event", event)).collect::<PyResult<_>>()?;
        }
        let events = PyList::new(py, events)?;
        let warnings = self.decoder.take_warnings();
        self.reporter.report(py, &warnings)?;
        match result {
            Ok(()) => Ok(events),
            Err(error) => Err(raised(py, &error, Some(events))),
        }
    }
}

fn advance<'py, B: ag_ui_native::read::Build<Value = Bound<'py, PyAny>>>(
    decoder: &mut CoreDecoder,
    chunk: Option<&[u8]>,
    build: &mut B,
    take: &mut Take<'_, Bound<'py, PyAny>>,
) -> Result<(), Error> {
    match chunk {
        Some(chunk) => decoder.feed(chunk, build, take),
        None => decoder.close(build, take),
    }
}

/// Bytes from anything that has some.
pub fn bytes_of<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let py = data.py();
    let view = py.get_type::<PyMemoryView>().call1((data,))?;
    Ok(py.get_type::<PyBytes>().call1((view,))?.cast_into()?)
}

/// The rules of a profile by name, with the two options that go with any.
pub fn rules(profile: &str, lossy: bool, go_names: bool) -> PyResult<(Profile, Rules)> {
    let found = Profile::parse(profile).ok_or_else(|| {
        PyValueError::new_err(format!("profile is strict, tolerant or relay, not {profile:?}"))
    })?;
    Ok((found, Rules { lossy, go_names, ..Rules::of(found) }))
}

/// Limits from an object that has them as attributes.
pub fn read_limits(limits: Option<&Bound<'_, PyAny>>) -> PyResult<Limits> {
    let mut read = Limits::default();
    let Some(limits) = limits else { return Ok(read) };
    for (name, ..) in Limits::ALL {
        if let Some(setting) = read.get_mut(name) {
            *setting = limits.getattr(*name)?.extract()?;
        }
    }
    Ok(read)
}
