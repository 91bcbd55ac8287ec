//! Core's helper functions, for Python: token usage and ids.

use ag_ui_native::ids::{IdGenerator, IdKind, TimestampGenerator, UuidGenerator};
use ag_ui_native::types::TokenUsage;
use ag_ui_native::{Number, Object, Profile, Value, from_json, to_json, usage};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyMapping};
use pythonize::{depythonize, pythonize};

use crate::error::raised;
use crate::raw::{self, Plain};

/// An entry of token usage, as JSON.
pub fn usage_from_vendor(
    report: &Bound<'_, PyAny>,
    vendor: &str,
    provider: Option<&str>,
    model: Option<&str>,
) -> Option<String> {
    let report = value(report, 0);
    let entry = match vendor {
        "langchain" => usage::from_langchain(&report, provider, model),
        _ => usage::from_ai_sdk(&report, provider, model),
    };
    entry.as_ref().map(to_json)
}

/// Deepest nesting that is looked at: vendors put counts two levels deep.
const MAX_DEPTH: usize = 8;

/// What a vendor reports, mapping or object, as core's value. Whatever JSON has no word for becomes null: a report is
/// no reason to fail, and core takes from it what is usable. (pythonize would fail.)
fn value(report: &Bound<'_, PyAny>, depth: usize) -> Value {
    let borrowed = report.as_borrowed();
    match raw::plain(borrowed) {
        _ if depth > MAX_DEPTH => Value::Null,
        Plain::Bool => Value::Bool(raw::is_true(borrowed)),
        Plain::Int => raw::int(borrowed).map_or(Value::Null, Value::from),
        Plain::Text | Plain::List | Plain::None => Value::Null,
        _ if report.is_instance_of::<PyFloat>() => Value::Number(Number::Float(raw::float(borrowed))),
        _ => members(report).map_or(Value::Null, |members| {
            let text = |(key, member): (Bound<'_, PyAny>, _)| {
                Some((raw::text(key.as_borrowed())?.to_owned(), value(&member, depth + 1)))
            };
            Value::Object(members.into_iter().filter_map(text).collect::<Object>())
        }),
    }
}

/// The members of a mapping, or an object's attributes.
fn members<'py>(report: &Bound<'py, PyAny>) -> Option<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let dict = match report.cast::<PyMapping>() {
        Ok(mapping) => report.py().get_type::<PyDict>().call1((mapping,)).ok()?.cast_into::<PyDict>().ok()?,
        Err(_) => report.getattr("__dict__").ok()?.cast_into::<PyDict>().ok()?,
    };
    Some(dict.iter().collect())
}

/// Entries of token usage, dictionaries with the keys of the wire, summed up.
pub fn aggregate_usage<'py>(entries: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = entries.py();
    let raise = |error| raised(py, &error, None);
    let entries = to_json(&depythonize::<Value>(entries)?);
    let (entries, _) = from_json::<Vec<TokenUsage>>(entries, Profile::Strict).map_err(raise)?;
    let sums = to_json(&usage::aggregate(&entries).map_err(raise)?);
    let (sums, _) = from_json::<Value>(sums, Profile::Strict).map_err(raise)?;
    Ok(pythonize(py, &sums)?)
}

/// A new id of the kind that the word names.
pub fn make_id(kind: &str, prefix: Option<&str>, milliseconds: Option<u64>) -> PyResult<String> {
    let found = IdKind::ALL.into_iter().find(|known| known.word() == kind);
    let kind = found.ok_or_else(|| PyValueError::new_err(format!("{kind:?} is no kind of id")))?;
    Ok(match milliseconds {
        Some(milliseconds) => {
            let prefix = prefix.unwrap_or_default().to_owned();
            TimestampGenerator { prefix, clock: || milliseconds }.id(kind)
        }
        None => UuidGenerator.id(kind),
    })
}
