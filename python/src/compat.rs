//! Compatibility with peers of AG-UI 0.x.

use ag_ui_native::bindings::compat::{self, ProtocolVersion};
use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::run_input::input_terms;
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Code, Error, Issue, Limits, Profile, from_json, to_json};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::bytes::{bytes_of, json_bytes};
use crate::error::{guard, raised, warning};
use crate::events::{Form, json_of};
use crate::model::documents::{DocumentOptions, try_decode};
use crate::options::{read_limits, rules};

/// The converted input, with the warnings.
type Made<'py> = (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

/// A run's input in the form of an older peer, and the warnings about losses.
///
/// `peer` is the newest version the peer speaks, such as `0.0.39`. Takes an instance or a dictionary and returns the
/// like. Raises AGUIValidationError for an invalid input, ValueError for an invalid version.
#[pyfunction]
#[pyo3(signature = (input: "object", peer: "str") -> "tuple[object, list[ProtocolWarning]]")]
pub fn downgrade_input<'py>(input: &Bound<'py, PyAny>, peer: &str) -> PyResult<Made<'py>> {
    let py = input.py();
    guard(py, || {
        let read = from_json::<RunAgentInput>(&*json_of(input)?, Profile::Tolerant);
        let (mut changed, mut issues) = read.map_err(|error| raised(py, &error, None))?;
        issues.extend(changed.downgrade(version(peer)?));
        made(input, &changed, &issues)
    })
}

/// A run's input in the form of 1.0, if its messages have retired binary parts, and the warnings about the
/// conversion.
///
/// Takes a dictionary with the keys of the wire, and returns another.
#[pyfunction]
#[pyo3(signature = (input: "dict[str, object]") -> "tuple[dict[str, object], list[ProtocolWarning]]")]
pub fn upgrade_input<'py>(input: &Bound<'py, PyAny>) -> PyResult<Made<'py>> {
    let py = input.py();
    guard(py, || {
        let json = json_of(input)?;
        let options = ParseOptions { depth: Limits::MAX_DEPTH, replace_invalid_text: false };
        let mut tape = Tape::default();
        let parsed = tape.parse(&json, options).map_err(|syntax| PyValueError::new_err(syntax.expected))?;
        let mut value = parsed.to_value();
        let issues = compat::upgrade_input(&mut value);
        let loads = py.import("json")?.getattr("loads")?;
        Ok((loads.call1((to_json(&value),))?, warnings(py, &issues)?))
    })
}

/// Reads the body of a request as a run's input. Returns it with the warnings.
#[pyfunction]
#[pyo3(signature = (
    body: "bytes | bytearray | memoryview | str | dict[str, object]", *, profile: "str" = "tolerant",
    limits: "object | None" = None
) -> "tuple[object, list[ProtocolWarning]]")]
pub fn read_run_input<'py>(
    body: &Bound<'py, PyAny>,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Made<'py>> {
    let py = body.py();
    guard(py, || {
        let (profile, _) = rules(profile, false, false)?;
        let limits = read_limits(limits)?;
        let read = if body.is_instance_of::<PyDict>() {
            input_from(py, json_of(body)?.as_bytes(), profile, limits)
        } else if body.is_instance_of::<PyString>() {
            input_from(py, &json_bytes(body)?, profile, limits)
        } else {
            input_from(py, bytes_of(body)?.as_bytes(), profile, limits)
        };
        read?.map_err(|error| raised(py, &error, None))
    })
}

/// Makes the input of a run from the body of a request, with the warnings; or returns the fault of the body.
pub fn input_from<'py>(
    py: Python<'py>,
    body: &[u8],
    profile: Profile,
    limits: Limits,
) -> PyResult<Result<Made<'py>, Error>> {
    let (rules, limits) = match input_terms(body, profile, limits) {
        Ok(terms) => terms,
        Err(fault) => return Ok(Err(fault)),
    };
    let options = DocumentOptions { rules, limits, as_dicts: false };
    let (input, mut issues) = match try_decode(py, body.into(), RunAgentInput::DECLARED_KIND, &options)? {
        Ok((Some(input), issues)) => (input, issues),
        Ok((None, _)) => return Ok(Err(Error::new(Code::Internal, ""))),
        Err(fault) => return Ok(Err(fault)),
    };
    let declared: Option<String> = input.getattr(intern!(py, "protocol_version"))?.extract()?;
    issues.extend(compat::check_protocol_version(declared.as_deref()));
    Ok(Ok((input, warnings(py, &issues)?)))
}

/// The warning about the version that a peer declares: if it is newer than ours or invalid; otherwise None.
#[pyfunction]
#[pyo3(signature = (declared: "str | None") -> "ProtocolWarning | None")]
pub fn check_protocol_version<'py>(
    py: Python<'py>,
    declared: Option<&str>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    compat::check_protocol_version(declared).map(|issue| warning(py, &issue, None)).transpose()
}

/// Parses a version.
pub fn version(text: &str) -> PyResult<ProtocolVersion> {
    ProtocolVersion::parse(text).ok_or_else(|| {
        PyValueError::new_err(format!(
            "version: expected numbers such as \"1.1\" or \"0.0.39\", got {text:?}"
        ))
    })
}

fn made<'py, T: DeclaredType>(
    given: &Bound<'py, PyAny>,
    changed: &T,
    issues: &[Issue],
) -> PyResult<Made<'py>> {
    let py = given.py();
    Ok((Form::of(given)?.make(py, changed)?, warnings(py, issues)?))
}

fn warnings<'py>(py: Python<'py>, issues: &[Issue]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    issues.iter().map(|issue| warning(py, issue, None)).collect()
}
