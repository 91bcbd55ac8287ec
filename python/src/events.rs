//! Events and messages of the host as core's typed ones, and back. They cross as JSON text: one way to read them, one
//! verdict.

use ag_ui_native::host::Rules;
use ag_ui_native::host::decode::{DeclaredType, DocumentReader};
use ag_ui_native::host::validate::TypedBuild;
use ag_ui_native::{Issue, Limits, Profile};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::{asked, raised};
use crate::model::documents::{Options, decode};
use crate::model::encode::encode;
use crate::patch::Tree;

/// What objects a caller works with; what we make for him is of the same kind.
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
    /// The form of an object.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyDict>() {
            return Ok(Self::Dicts);
        }
        let module = object.get_type().getattr("__module__").and_then(|module| module.extract::<String>());
        let is_official = asked(object.py(), module)?.is_some_and(|module| module.starts_with("ag_ui."));
        Ok(if is_official { Self::Official } else { Self::Models })
    }

    /// The object of this form that `json` is: JSON text that core has written, of the named type or union.
    pub fn make<'py>(self, py: Python<'py>, type_name: &str, json: &str) -> PyResult<Bound<'py, PyAny>> {
        self.make_with_issues(py, type_name, json).map(|(made, _)| made)
    }

    /// The same, with what Python cannot hold.
    pub fn make_with_issues<'py>(
        self,
        py: Python<'py>,
        type_name: &str,
        json: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<Issue>)> {
        if self == Self::Official {
            let base = py.import("ag_ui_native.core.base")?;
            return Ok((base.call_method1("official_from_json", (type_name, json))?, Vec::new()));
        }
        let rules = Rules::of(Profile::Relay);
        let limits = Limits::default().with_event_bytes(usize::MAX).with_depth(Limits::MAX_DEPTH);
        let options = Options { rules, limits, as_dicts: self == Self::Dicts };
        let (made, issues) = decode(py, json.into(), type_name, &options)?;
        Ok((made.unwrap_or_else(|| py.None().into_bound(py)), issues))
    }
}

/// The JSON text of an object of any form.
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
        return object.call_method("model_dump_json", (), Some(&named))?.extract();
    }
    // What JSON has no word for: Python says so, or what it makes of it; halves of surrogate pairs cross as escapes, so
    // that the reader says where they are. Piece by piece, its encoder is Python code: the other one, in C, reads lists
    // after they are gone.
    named.set_item("ensure_ascii", false)?;
    named.set_item("separators", (",", ":"))?;
    let encoder = py.import("json")?.getattr("JSONEncoder")?.call((), Some(&named))?;
    let pieces = encoder.call_method1("iterencode", (object,))?;
    let text = PyString::new(py, "").call_method1("join", (pieces,))?;
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-8", "backslashreplace"))?.extract()?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// An object of any form as a typed value, read by the tolerant profile.
pub fn typed<T: DeclaredType>(object: &Bound<'_, PyAny>, limits: Limits) -> PyResult<T> {
    let mut reader = DocumentReader::new(Profile::Tolerant, limits);
    let decoded = reader.value(&*json_of(object)?, T::DECLARED_KIND, &mut TypedBuild);
    decoded.map(|decoded| T::from_validated(decoded.value)).map_err(|error| raised(object.py(), &error, None))
}
