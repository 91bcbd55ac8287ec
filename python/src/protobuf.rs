//! `proto`: single events as protobuf messages.

use ag_ui_native::bindings::protobuf::{ProtobufEncoder, is_media_type};
use ag_ui_native::{Error, Profile};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bytes::bytes_of;
use crate::error::{guard, raised};
use crate::events::json_of;
use crate::model::documents::{DocumentOptions, decode_protobuf};
use crate::options::{read_limits, rules};
use crate::report::report_issues;
use crate::turns::aside;

/// An event as a protobuf message, without the length of a frame.
///
/// Takes the objects that `EventEncoder` takes. Optional members that are None are left out. The event is validated by
/// `profile` first. Values that protobuf cannot hold (numbers beyond 2^53, undeclared members, unknown types) are an error
/// by `strict` and a warning by the other profiles; an event of an unknown type gives no bytes. Raises AGUIValidationError
/// with the path of the fault, AGUILimitError.
#[pyfunction]
#[pyo3(signature = (
    event: "object", *, profile: "str" = "strict", limits: "object | None" = None, on_warning: "object | None" = None
) -> "bytes")]
pub fn encode_protobuf<'py>(
    event: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
    on_warning: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = event.py();
    let (_, rules) = rules(profile, false, false)?;
    let limits = read_limits(limits)?;
    let json = json_of(event)?;
    let mut encoder = ProtobufEncoder::new(rules, limits);
    let made = guard(py, || Ok(aside(py, json.len(), || encoder.encode(json.as_bytes()))))?
        .map_err(|error: Error| raised(py, &error, None))?;
    let message = PyBytes::new(py, made.message.unwrap_or_default());
    report_issues(py, &made.warnings, on_warning, Some(message.as_any()))?;
    Ok(message)
}

/// Returns true if a content type is that of the binary transport, with or without parameters.
#[pyfunction]
#[pyo3(signature = (content_type: "str") -> "bool")]
pub fn is_protobuf(content_type: &str) -> bool {
    is_media_type(content_type)
}

/// The event of a protobuf message, which has no length of a frame.
///
/// The options are those of `stream.EventDecoder`. Raises AGUIValidationError (`unknown_event_type`; `invalid_protobuf` with
/// the offset of the fault), AGUILimitError.
#[pyfunction]
#[pyo3(signature = (
    message: "bytes | bytearray | memoryview", *, profile: "str" = "tolerant", limits: "object | None" = None,
    replace_invalid_text: "bool" = false, on_warning: "object | None" = None, as_dicts: "bool" = false
) -> "object")]
pub fn decode_protobuf_event<'py>(
    message: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
    replace_invalid_text: bool,
    on_warning: Option<&Bound<'py, PyAny>>,
    as_dicts: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = message.py();
    let (profile, rules) = rules(profile, replace_invalid_text, false)?;
    let options = DocumentOptions {
        rules,
        limits: read_limits(limits)?,
        as_dicts: as_dicts || profile == Profile::Relay,
    };
    let bytes = bytes_of(message)?;
    let (value, issues) = guard(py, || decode_protobuf(py, bytes.as_bytes(), &options))?;
    report_issues(py, &issues, on_warning, value.as_ref())?;
    Ok(value)
}
