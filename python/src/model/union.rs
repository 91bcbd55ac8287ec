//! Validators of the unions, such as `Event`: pydantic's, with a native way for plain values. A function in pydantic's own
//! validator gets a value only after pydantic has made dictionaries of the JSON, which costs more than the instance.
use std::ffi::CStr;

use ag_ui_native::bindings::schema::{Kind, UnionDef};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use pyo3::{PyTraverseError, PyVisit};

use crate::c_api::{self, Obj};
use crate::model::method::{Call, Definition, Method};
use crate::model::{construct, documents, pydantic};
use crate::stats;

/// A validator of a union of the protocol. It has the methods of pydantic's `SchemaValidator`. What is not plain goes to the one
/// given.
#[pyclass(module = "ag_ui_native._native", frozen)]
#[derive(Debug)]
pub struct UnionValidator {
    kind: &'static Kind,
    union: &'static UnionDef,
    validator: Py<PyAny>,
}

#[pymethods]
impl UnionValidator {
    #[new]
    #[pyo3(signature = (name: "str", validator: "object"))]
    fn new(name: &str, validator: Py<PyAny>) -> PyResult<Self> {
        match documents::kind_named(name)? {
            kind @ Kind::Union(union) => Ok(Self { kind, union, validator }),
            _ => Err(pyo3::exceptions::PyValueError::new_err(format!("no union of the protocol: {name:?}"))),
        }
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        self.validator.bind(py).getattr(name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.validator.bind(py).call_method0("__reduce__")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.validator.bind(py).repr()?.to_string())
    }

    #[allow(clippy::needless_pass_by_value)] // pyo3 hands it over.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.validator)
    }
}

/// Adds the native methods to the class.
pub fn lay_methods(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<UnionValidator>();
    Definition::of::<ValidatePython>().lay(&class)?;
    Definition::of::<ValidateJson>().lay(&class)
}

struct ValidatePython;

impl Method for ValidatePython {
    const NAME: &'static CStr = c"validate_python";
    const DOC: &'static CStr =
        c"validate_python($self, input, /, **options)\n--\n\nAn instance from a value: pydantic's method, native where only the value is given.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let this = call.this().cast::<UnionValidator>()?;
        if let Some(value) = value_alone(call)
            && let Some(made) = construct::validate_variant(this.get().union, value)?
        {
            stats::CONSTRUCTED.add();
            return Ok(made);
        }
        pydantic::pass(call, &this.get().validator.bind(call.py()).getattr("validate_python")?, None)
    }
}

struct ValidateJson;

impl Method for ValidateJson {
    const NAME: &'static CStr = c"validate_json";
    const DOC: &'static CStr =
        c"validate_json($self, input, /, **options)\n--\n\nAn instance from JSON: pydantic's method, native where only the document is given.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let this = call.this().cast::<UnionValidator>()?;
        if let Some(json) = value_alone(call)
            && let Some(made) = documents::variant(this.get().kind, json)
        {
            return Ok(made);
        }
        pydantic::pass(call, &this.get().validator.bind(call.py()).getattr("validate_json")?, None)
    }
}

/// Returns the only positional argument, if the named ones have the values that stand for none. pydantic's adapters give all of them.
fn value_alone<'a, 'py>(call: &Call<'a, 'py>) -> Option<Obj<'a, 'py>> {
    let mut values = call.positional();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let is_unset = |(name, value): (Obj<'_, '_>, Obj<'_, '_>)| {
        value.is_none()
            || value.is(PyBool::new(value.py(), false)) && c_api::text(name) == Some("allow_partial")
    };
    call.named().is_none_or(|mut named| named.all(is_unset)).then_some(value)
}
