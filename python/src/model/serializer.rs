//! pydantic's serializer of a class, called past the methods that would hand it each option.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::c_api;
use crate::model::method::Call;
use crate::model::pydantic;

/// The options of both dumps in every supported version of pydantic. Their defaults are those of the serializer.
const OPTIONS: [&str; 11] = [
    "include",
    "exclude",
    "context",
    "by_alias",
    "exclude_unset",
    "exclude_defaults",
    "exclude_none",
    "round_trip",
    "warnings",
    "fallback",
    "serialize_as_any",
];

/// Runs `model_dump`.
pub fn dump<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = call.py();
    let (name, method) = (intern!(py, "model_dump"), intern!(py, "to_python"));
    serialize(call, name, method, "mode").unwrap_or_else(|| pydantic::call(call, name))
}

/// Runs `model_dump_json`.
pub fn dump_json<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = call.py();
    let (name, method) = (intern!(py, "model_dump_json"), intern!(py, "to_json"));
    match serialize(call, name, method, "indent") {
        Some(json) => json?.call_method0(intern!(py, "decode")),
        None => pydantic::call(call, name),
    }
}

/// Calls a method of the serializer with the options; `None` if pydantic's own method of this name has to.
fn serialize<'py>(
    call: &Call<'_, 'py>,
    name: &Bound<'py, PyString>,
    method: &Bound<'py, PyString>,
    option: &str,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let (py, this) = (call.py(), call.this());
    let mut names = call.named().into_iter().flatten().map(|(name, _)| c_api::text(name));
    let is_known = |name: Option<&str>| name.is_some_and(|name| name == option || OPTIONS.contains(&name));
    let is_plain = call.positional().len() == 0 && names.all(is_known);
    if !is_plain || !pydantic::follows(&this.get_type(), name) {
        return None;
    }
    let serializer = this.getattr(intern!(py, "__pydantic_serializer__"));
    let method = serializer.and_then(|serializer| serializer.getattr(method));
    Some(method.and_then(|method| pydantic::pass(call, &method, Some(this))))
}
