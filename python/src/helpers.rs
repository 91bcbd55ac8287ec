//! Core's helper functions, for Python: token usage and ids.

use ag_ui_native::bindings::ids::{IdGenerator, IdKind, TimestampGenerator, UuidGenerator};
use ag_ui_native::types::TokenUsage;
use ag_ui_native::{Number, Object, Profile, Value, from_json};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyMapping};
use pythonize::pythonize;

use crate::c_api::{self, Plain};
use crate::error::{asked, raised};
use crate::events::json_of;

/// Returns an entry of token usage, with the keys of the wire.
pub fn usage_from_vendor<'py>(
    report: &Bound<'py, PyAny>,
    vendor: &str,
    provider: Option<&str>,
    model: Option<&str>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = report.py();
    let report = value(report, 0)?;
    let entry = match vendor {
        "langchain" => TokenUsage::from_langchain(&report, provider, model),
        _ => TokenUsage::from_ai_sdk(&report, provider, model),
    };
    Ok(entry.map(|entry| pythonize(py, &entry)).transpose()?)
}

/// Maximum depth that is read: vendors nest counts two levels deep.
const MAX_DEPTH: usize = 8;

/// Converts a vendor's report, a mapping or an object, to core's value. Values without a JSON form become null: a
/// report must not fail a run, and core takes the usable counts from it.
fn value(report: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let borrowed = report.as_borrowed();
    Ok(match c_api::plain(borrowed) {
        _ if depth > MAX_DEPTH => Value::Null,
        Plain::Bool => Value::Bool(c_api::is_true(borrowed)),
        Plain::Int => c_api::int(borrowed).map_or(Value::Null, Value::from),
        Plain::Text | Plain::List | Plain::None => Value::Null,
        _ if report.is_instance_of::<PyFloat>() => Value::Number(Number::Float(c_api::float(borrowed))),
        _ => {
            let Some(members) = asked(report.py(), members(report))? else { return Ok(Value::Null) };
            let mut object = Object::default();
            for (key, member) in members.iter() {
                if let Some(name) = c_api::text(key.as_borrowed()) {
                    object.insert(name, value(&member, depth + 1)?);
                }
            }
            Value::Object(object)
        }
    })
}

/// Returns the members of a mapping, or an object's attributes, in a new dictionary.
fn members<'py>(report: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    match report.cast::<PyMapping>() {
        Ok(mapping) => Ok(report.py().get_type::<PyDict>().call1((mapping,))?.cast_into()?),
        Err(_) => report.getattr("__dict__")?.cast_into::<PyDict>()?.copy(),
    }
}

/// Sums entries of token usage, given as dictionaries with the keys of the wire.
pub fn aggregate_usage<'py>(entries: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = entries.py();
    let raise = |error| raised(py, &error, None);
    let (entries, _) = from_json::<Vec<TokenUsage>>(json_of(entries)?, Profile::Strict).map_err(raise)?;
    let sums = TokenUsage::aggregate(&entries).map_err(raise)?;
    Ok(pythonize(py, &sums)?)
}

/// Makes a new id of the named kind.
pub fn make_id(kind: &str, prefix: Option<&str>, milliseconds: Option<u64>) -> PyResult<String> {
    let found = IdKind::ALL.iter().find(|known| known.name() == kind);
    let kind = *found.ok_or_else(|| PyValueError::new_err(format!("unknown kind of id: {kind:?}")))?;
    Ok(match milliseconds {
        Some(milliseconds) => {
            let prefix = prefix.unwrap_or_default().to_owned();
            TimestampGenerator { prefix, clock: || milliseconds }.id(kind)
        }
        None => UuidGenerator.id(kind),
    })
}
