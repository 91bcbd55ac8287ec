//! `model_dump_json` and `model_validate_json` of the protocol classes.

use std::ffi::CStr;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::c_api;
use crate::model::class_method::{self, VALIDATE_JSON};
use crate::model::method::{Call, Definition, Method};
use crate::model::{documents, encode, serializer, validate};

/// Adds the methods to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    Definition::of::<ModelDumpJson>().lay(base)?;
    class_method::lay::<VALIDATE_JSON, ModelValidateJson>(base)
}

struct ModelDumpJson;

impl Method for ModelDumpJson {
    const NAME: &'static CStr = c"model_dump_json";
    const DOC: &'static CStr =
        c"The model as JSON: pydantic's method, written natively where only `by_alias=True` is given.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        if is_by_alias(call) {
            let made = encode::encode(call.this(), None, "", "", |json| c_api::string(call.py(), json))?;
            if let Some(json) = made {
                return Ok(json);
            }
        }
        serializer::dump_json(call)
    }
}

/// True if `by_alias=True` is the only argument.
fn is_by_alias(call: &Call<'_, '_>) -> bool {
    let named = call.named().filter(|named| named.len() == 1 && call.positional().len() == 0);
    let argument = named.and_then(|mut named| named.next());
    argument.is_some_and(|(name, value)| {
        c_api::text(name) == Some("by_alias")
            && c_api::plain(value) == c_api::Plain::Bool
            && c_api::is_true(value)
    })
}

struct ModelValidateJson;

impl Method for ModelValidateJson {
    const NAME: &'static CStr = c"model_validate_json";
    const DOC: &'static CStr =
        c"A model from JSON: pydantic's method, read natively where only the document is given.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let py = call.py();
        let names = (intern!(py, "model_validate_json"), intern!(py, "validate_json"));
        validate::run(call, names, |plan, document| Ok(documents::instance(plan, document)))
    }
}
