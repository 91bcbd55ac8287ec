//! `EventEncoder` encodes events as frames of the text transport or the binary one.

pub mod fastcall;
mod other;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::protobuf::{self, ProtobufEncoder};
use ag_ui_native::{Error, Issue, Limits, Profile};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::c_api::{self, Obj};
use crate::error::{guard, raised};
use crate::model::encode::encode;
use crate::options::rules;
use crate::report::report_issues;
use crate::turns::aside;

const BEFORE: &str = "data: ";
const AFTER: &str = "\n\n";

/// Encodes events for the wire.
///
/// Takes the events of this package and of `ag_ui`, their subclasses, any other pydantic model, and dictionaries with the keys of
/// the wire. `accept` is the header of the request. It has an effect only with `protobuf`: if it names the media type of the binary
/// transport acceptably (wildcards do not count), `encode` and `encode_binary` return frames of that transport. Dictionaries, and
/// on the binary transport all events, are validated by `profile` first. `strict` refuses invalid events and those that protobuf
/// cannot hold; `tolerant` repairs or drops them with a warning in the log (the frame of a dropped event is empty); `relay` keeps
/// undeclared parts. Optional members that are None are left out, except those of dictionaries by `relay`. With `timestamps`, an
/// event without a timestamp is written with the time of its encoding; the event itself is not changed.
#[pyclass(module = "ag_ui_native.encoder.encoder", subclass, dict, weakref, frozen, generic)]
#[derive(Debug)]
pub struct EventEncoder {
    timestamps: AtomicBool,
    /// True if the binary transport is requested and allowed.
    is_binary: AtomicBool,
    binary: Mutex<Binary>,
}

/// The encoder of the binary transport, once it is needed.
#[derive(Debug, Default)]
struct Binary {
    rules: Rules,
    encoder: Option<Box<ProtobufEncoder>>,
}

#[pymethods]
impl EventEncoder {
    #[new]
    #[pyo3(
        signature = (*_args, **_named),
        text_signature = "(accept=None, *, timestamps=False, protobuf=False, profile='strict')"
    )]
    fn new(_args: &Bound<'_, PyTuple>, _named: Option<&Bound<'_, PyDict>>) -> Self {
        let binary = Mutex::new(Binary { rules: Rules::of(Profile::Strict), encoder: None });
        Self { timestamps: AtomicBool::new(false), is_binary: AtomicBool::new(false), binary }
    }

    #[pyo3(signature = (
        accept: "str | None" = None, *, timestamps: "bool" = false, protobuf: "bool" = false, profile: "str" = "strict"
    ) -> "None")]
    fn __init__(
        &self,
        accept: Option<&Bound<'_, PyAny>>,
        timestamps: bool,
        protobuf: bool,
        profile: &str,
    ) -> PyResult<()> {
        let (_, rules) = rules(profile, false, false)?;
        let accept = accept.and_then(|accept| c_api::text(accept.as_borrowed())).unwrap_or_default();
        self.timestamps.store(timestamps, Relaxed);
        self.is_binary.store(protobuf && protobuf::accepts(accept, false), Relaxed);
        *self.binary() = Binary { rules, encoder: None };
        Ok(())
    }

    /// The content type of the frames of `encode`.
    fn get_content_type(&self) -> &'static str {
        if self.is_binary.load(Relaxed) {
            protobuf::MEDIA_TYPE
        } else {
            ag_ui_native::bindings::sse::MEDIA_TYPE
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("{}(content_type='{}')", slf.get_type().name()?, slf.get().get_content_type()))
    }

    /// The event as a server-sent event. A subclass that overrides this method changes the result of `encode` on the text
    /// transport.
    #[pyo3(signature = (event: "object") -> "str")]
    fn _encode_sse<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = event.py();
        guard(py, || self.sse(event.as_borrowed()))
    }

    /// Replaces `encode` for a subclass that overrides `_encode_sse`: the native `encode` would not call it.
    #[classmethod]
    #[pyo3(signature = (**named))]
    fn __init_subclass__(class: &Bound<'_, PyType>, named: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let py = class.py();
        let others = py.import("builtins")?.getattr("super")?.call1((py.get_type::<Self>(), class))?;
        others.call_method("__init_subclass__", (), named)?;
        let own = class.getattr("__dict__")?;
        if own.contains("_encode_sse")? && !own.contains("encode")? {
            let encode = py.import("ag_ui_native.encoder.encoder")?.getattr("encode_by_sse")?;
            class.setattr("encode", encode)?;
        }
        Ok(())
    }

    /// The event as a frame of the binary transport, for any `accept`: its length in four bytes, and the message.
    ///
    /// Raises AGUIValidationError with the path for an invalid event, and for one that protobuf cannot hold.
    #[pyo3(signature = (event: "object") -> "bytes")]
    fn encode_protobuf<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = event.py();
        guard(py, || self.frame(event.as_borrowed()))
    }
}

impl EventEncoder {
    /// Returns the event as one frame: text, or bytes of the binary transport if that is requested.
    #[inline]
    pub fn text<'py>(&self, event: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.is_binary.load(Relaxed) { self.frame(event) } else { self.sse(event) }
    }

    /// Returns the event as one frame of text, for any `accept`.
    #[inline]
    fn sse<'py>(&self, event: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, now) = (event.py(), self.now());
        match encode(event, now, BEFORE, AFTER, |frame| c_api::string(py, frame))? {
            Some(frame) => Ok(frame),
            None => Ok(c_api::string(py, &self.other_frame(event, now)?)),
        }
    }

    /// Returns the event as one frame in bytes.
    #[inline]
    pub fn bytes<'py>(&self, event: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.is_binary.load(Relaxed) {
            return self.frame(event);
        }
        let (py, now) = (event.py(), self.now());
        let bytes = |frame: &str| PyBytes::new(py, frame.as_bytes()).into_any();
        match encode(event, now, BEFORE, AFTER, bytes)? {
            Some(frame) => Ok(frame),
            None => Ok(bytes(&self.other_frame(event, now)?)),
        }
    }

    /// Returns the frame of text for an event that the engine does not know.
    fn other_frame(&self, event: Obj<'_, '_>, now: Option<i64>) -> PyResult<String> {
        let json = other::json_of(event, self.rules(), now)?;
        Ok(if json.is_empty() { json } else { format!("{BEFORE}{json}{AFTER}") })
    }

    /// Returns the event as one frame of the binary transport.
    fn frame<'py>(&self, event: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, now) = (event.py(), self.now());
        let json = match encode(event, now, "", "", str::to_owned)? {
            Some(json) => json,
            None => other::json_of(event, self.rules(), now)?,
        };
        if json.is_empty() {
            return Ok(PyBytes::new(py, b"").into_any());
        }
        let (frame, warnings) =
            aside(py, json.len(), || self.encode_frame(&json)).map_err(|error| raised(py, &error, None))?;
        report_issues(py, &warnings, None, None)?;
        Ok(PyBytes::new(py, &frame).into_any())
    }

    /// Encodes a frame without running Python code, since another thread could be waiting for the
    /// encoder's lock.
    fn encode_frame(&self, json: &str) -> Result<(Vec<u8>, Vec<Issue>), Error> {
        let mut binary = self.binary();
        let rules = binary.rules;
        let encoder = binary
            .encoder
            .get_or_insert_with(|| Box::new(ProtobufEncoder::new(rules, Limits::default().for_writing())));
        encoder.framed = true;
        let made = encoder.encode(json.as_bytes())?;
        Ok((made.message.unwrap_or_default().to_vec(), made.warnings))
    }

    fn binary(&self) -> MutexGuard<'_, Binary> {
        self.binary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rules(&self) -> Rules {
        self.binary().rules
    }

    fn now(&self) -> Option<i64> {
        if !self.timestamps.load(Relaxed) {
            return None;
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).ok()
    }
}
