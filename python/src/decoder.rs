//! `EventDecoder` decodes events from the bytes of a stream.

use ag_ui_native::bindings::decoder::{Arrival, Decoder as CoreDecoder, Sink, Warning};
use ag_ui_native::{Code, Error, Profile};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::build::Dicts;
use crate::bytes::bytes_of;
use crate::error::raised;
use crate::inlet::{Fed, Inlet};
use crate::keys::Keys;
use crate::members::{WithDecoder, resumption, shown, warnings};
use crate::model::build::{Models, by_pydantic};
use crate::model::metaclass;
use crate::model::package;
use crate::options::{read_limits, rules};
use crate::report::Reporter;
use crate::turns::{Collected, Failure, Next, Turns, WithWarnings, collected};

/// Decodes a stream of events that arrives in pieces of any size.
///
/// `content_type` is that of the response; a type that is not an event stream is an error. `profile` is `tolerant`,
/// `strict` or `relay`. `as_dicts` returns dictionaries with the keys of the wire instead of instances. The relay profile
/// always returns dictionaries, since instances cannot hold unknown events and `null` where the protocol has no value. The
/// other options are `ag_ui_native.stream.DecodeOptions`.
///
/// `on_warning` is called with each warning, at the end of the call in which it occurs. It may read the decoder; feeding
/// the decoder raises AGUIStreamError `reentrant_call`. If it raises, the next call returns the events of this one first.
///
/// A failure ends the stream. The exception's `partial` holds the events that the failing call had decoded. A long piece
/// is read in turns of a few milliseconds: other threads run in between, and after a signal's exception the next call
/// reads the rest.
#[pyclass(module = "ag_ui_native.stream", frozen, generic)]
#[derive(Debug)]
pub struct EventDecoder(Turns<Decoding>);

/// The parts of a decoder.
#[derive(Debug)]
struct Decoding {
    decoder: CoreDecoder,
    as_dicts: bool,
    inlet: Inlet,
    keys: Keys,
    reporter: Reporter,
}

#[pymethods]
impl EventDecoder {
    #[new]
    #[pyo3(signature = (
        content_type: "str | None" = None, *, profile: "str" = "tolerant", limits: "object | None" = None,
        replace_invalid_text: "bool" = false, go_member_names: "bool" = false, on_warning: "object | None" = None, as_dicts: "bool" = false
    ), text_signature = "(content_type=None, *, profile='tolerant', as_dicts=False, **options)")]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn new(
        py: Python<'_>,
        content_type: Option<&str>,
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        replace_invalid_text: bool,
        go_member_names: bool,
        on_warning: Option<Py<PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, replace_invalid_text, go_member_names)?;
        let limits = read_limits(limits)?;
        let decoder =
            CoreDecoder::new(content_type, rules, limits).map_err(|error| raised(py, &error, None))?;
        let as_dicts = as_dicts || profile == Profile::Relay;
        if !as_dicts {
            package::require_classes(py)?;
        }
        Ok(Self(Turns::new(Decoding {
            decoder,
            as_dicts,
            inlet: Inlet::default(),
            keys: Keys::default(),
            reporter: Reporter::new(py, on_warning),
        })))
    }

    /// Reads a piece of the stream and returns the events it completes.
    #[pyo3(signature = (data: "bytes | bytearray | memoryview") -> "list")]
    fn feed<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        self.step(py, Fed::Bytes(bytes_of(data)?))
    }

    /// Ends the stream and returns the event that lacks only its blank line, if there is one.
    #[pyo3(signature = () -> "list")]
    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.step(py, Fed::End)
    }
}

collected!(EventDecoder);
warnings!(EventDecoder);
shown!(EventDecoder);
resumption!(EventDecoder);

impl EventDecoder {
    /// Feeds bytes, or ends the stream.
    fn step<'py>(&self, py: Python<'py>, fed: Fed<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut fed = Some(fed);
        self.0.call(py, |parts, made| parts.turn(py, fed.take(), made))
    }
}

impl Decoding {
    /// Reads pieces until all is read or the turn is over.
    fn turn<'py>(
        &mut self,
        py: Python<'py>,
        fed: Option<Fed<'py>>,
        made: &mut Vec<Bound<'py, PyAny>>,
    ) -> Result<Next, Failure> {
        let Self { decoder, as_dicts, inlet, keys, .. } = self;
        let by_pydantics = !*as_dicts && !metaclass::is_engaged();
        let mut raised = Ok(());
        let mut take = |arrival: Arrival<'_, _>| {
            let event = if by_pydantics { by_pydantic("Event", &arrival.value) } else { Ok(arrival.value) };
            event.map(|event| made.push(event)).map_err(|error| {
                raised = Err(error);
                Error::new(Code::Internal, "Python raised an exception")
            })
        };
        let next = inlet.turn(py, fed, |piece| match Models::new(py, keys) {
            Some(mut models) if !*as_dicts => advance(decoder, piece, &mut models, &mut take),
            _ => advance(decoder, piece, &mut Dicts::new(py, keys), &mut take),
        });
        raised?;
        Ok(next?)
    }
}

impl WithDecoder for Decoding {
    fn decoder(&self) -> &CoreDecoder {
        &self.decoder
    }
}

impl Collected for Decoding {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.reporter.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.reporter.clear(py);
    }
}

impl WithWarnings for Decoding {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        self.decoder.take_warnings()
    }

    fn summary(&self, _py: Python<'_>) -> String {
        format!("events={}, ", self.decoder.event_count())
    }
}

fn advance<'py, B: ag_ui_native::bindings::validate::Build<Value = Bound<'py, PyAny>>>(
    decoder: &mut CoreDecoder,
    chunk: Option<&[u8]>,
    build: &mut B,
    take: &mut Sink<'_, Bound<'py, PyAny>>,
) -> Result<(), Error> {
    match chunk {
        Some(chunk) => decoder.feed(chunk, build, take),
        None => decoder.close(build, take),
    }
}
