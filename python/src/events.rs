//! Converts events and messages of the host to core's types and back. They are passed as JSON text, so there is one
//! reader with one result.

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::schema::Kind;
use ag_ui_native::bindings::server::within;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Issue, Limits, Profile, to_json};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::{asked, raised};
use crate::model::copy;
use crate::model::documents::{DocumentOptions, decode, name};
use crate::model::encode::encode;
use crate::patch::Tree;

/// The form of a caller's objects. Objects made for the caller have the same form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Instances of this package's classes.
    #[default]
    Models,
    /// Dictionaries with the keys of the wire.
    Dicts,
    /// Instances of the official package's classes.
    Official,
}

impl Form {
    /// Returns the form of an object.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyDict>() {
            return Ok(Self::Dicts);
        }
        let module = object.get_type().getattr("__module__").and_then(|module| module.extract::<String>());
        let is_official = asked(object.py(), module)?.is_some_and(|module| module.starts_with("ag_ui."));
        Ok(if is_official { Self::Official } else { Self::Models })
    }

    /// Makes an object of this form from a typed value.
    pub fn make<'py, T: DeclaredType>(self, py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, T::DECLARED_KIND, &to_json(value)).map(|(made, _)| made)
    }

    /// Makes an object of this form from JSON text of core and its kind. Returns with it the numbers that Python cannot
    /// hold.
    pub fn read<'py>(
        self,
        py: Python<'py>,
        kind: &'static Kind,
        json: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<Issue>)> {
        if self == Self::Official {
            let engine = py.import("ag_ui_native.core.engine")?;
            return Ok((engine.call_method1("official_from_json", (name(kind), json))?, Vec::new()));
        }
        let rules = Rules::of(Profile::Relay);
        let limits = Limits::default().for_writing().with_depth(Limits::MAX_DEPTH);
        let options = DocumentOptions { rules, limits, as_dicts: self == Self::Dicts };
        let (made, issues) = decode(py, json.into(), kind, &options)?;
        Ok((made.unwrap_or_else(|| py.None().into_bound(py)), issues))
    }
}

/// Returns a second object like one just made from `json`, if its members can be shared: they must be strings and
/// numbers.
pub fn twin<'py>(object: &Bound<'py, PyAny>, json: &str) -> Option<Bound<'py, PyAny>> {
    // Without an exit from the loop, the compiler checks many bytes at once.
    let holds = |found, &byte: &u8| found | matches!(byte, b'{' | b'[');
    if json.as_bytes().get(1..)?.iter().fold(false, holds) {
        return None;
    }
    if let Ok(dict) = object.cast_exact::<PyDict>() {
        return dict.copy().ok().map(Bound::into_any);
    }
    copy::twin(object)
}

/// Returns the JSON text of an object of any form.
pub fn json_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = object.py();
    if object.is_instance_of::<PyDict>()
        && let Ok(json) = Tree::json(object)
    {
        return Ok(json);
    }
    if let Some(json) = encode(object.as_borrowed(), None, "", "", str::to_owned)? {
        return Ok(json);
    }
    let named = PyDict::new(py);
    if object.hasattr("model_dump_json")? {
        named.set_item("by_alias", true)?;
        // The reader checks the values that pydantic would warn about.
        named.set_item("warnings", false)?;
        return object.call_method("model_dump_json", (), Some(&named))?.extract();
    }
    // Python refuses values without a JSON form, or writes text that the reader refuses. Halves of surrogate pairs are
    // written as escapes, so that the reader reports their places. `iterencode` uses the encoder written in Python; the
    // one in C reads lists after they are freed.
    named.set_item("ensure_ascii", false)?;
    named.set_item("separators", (",", ":"))?;
    let encoder = py.import("json")?.getattr("JSONEncoder")?.call((), Some(&named))?;
    let pieces = encoder.call_method1("iterencode", (object,))?;
    let text = PyString::new(py, "").call_method1("join", (pieces,))?;
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-8", "backslashreplace"))?.extract()?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads an object of any form as a typed value, by the tolerant profile.
pub fn typed<T: DeclaredType>(object: &Bound<'_, PyAny>, limits: Limits) -> PyResult<T> {
    typed_at("", object, limits)
}

/// Reads all objects of an iterable. Errors name the index.
pub fn typed_all<T: DeclaredType>(objects: &Bound<'_, PyAny>, limits: Limits) -> PyResult<Vec<T>> {
    let typed = |(index, object): (usize, PyResult<_>)| typed_at(&format!("/{index}"), &object?, limits);
    objects.try_iter()?.enumerate().map(typed).collect()
}

/// Reads an object at `place`.
pub fn typed_at<T: DeclaredType>(place: &str, object: &Bound<'_, PyAny>, limits: Limits) -> PyResult<T> {
    let mut reader = DocumentReader::new(Profile::Tolerant, limits);
    let decoded = reader.value(&*json_of(object)?, T::DECLARED_KIND, &mut TypedBuild);
    decoded
        .map(|decoded| T::from_validated(decoded.value))
        .map_err(|error| raised(object.py(), &within(place, error), None))
}
