//! pydantic's own methods. The native ones leave the unusual to them.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMappingProxy, PyString, PySuper, PyTuple, PyType};

use crate::c_api::{self, Obj};
use crate::model::metaclass::{self, own_plan};
use crate::model::method::Call;

/// The methods that are called past pydantic's Python code, as long as nobody has replaced that.
const KNOWN: [&str; 4] = ["model_dump", "model_dump_json", "model_validate", "model_validate_json"];
/// Attributes that copies and comparisons depend on, besides the methods themselves.
const TOUCHED: [&str; 7] = [
    "__class__",
    "__copy__",
    "__getattribute__",
    "__new__",
    "__pydantic_extra__",
    "__pydantic_fields_set__",
    "__pydantic_private__",
];

/// The classes whose methods ours stand before.
#[derive(Debug)]
struct Classes {
    /// The base of the protocol classes.
    base: Py<PyType>,
    /// pydantic's `BaseModel`.
    model: Py<PyType>,
    /// The attributes of `BaseModel`, as they are at any time.
    attributes: Py<PyMappingProxy>,
    /// Those of [`KNOWN`] at the start.
    known: Py<PyDict>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

/// Sets the class that gets the methods.
pub fn set_base(base: &Bound<'_, PyType>) -> PyResult<()> {
    let py = base.py();
    let model = py.import("pydantic")?.getattr("BaseModel")?.cast_into::<PyType>()?;
    let attributes = model.getattr("__dict__")?.cast_into::<PyMappingProxy>()?;
    let known = PyDict::new(py);
    for name in KNOWN {
        known.set_item(name, attributes.get_item(name)?)?;
    }
    let _ = CLASSES.set(
        py,
        Classes {
            base: base.clone().unbind(),
            model: model.unbind(),
            attributes: attributes.unbind(),
            known: known.unbind(),
        },
    );
    Ok(())
}

/// True if pydantic's methods follow ours for instances of the class, and nothing in the class changes their effect: it has a plan, or
/// is a subclass that adds members, methods and mixins.
#[inline]
pub fn is_usual(class: &Bound<'_, PyType>) -> bool {
    metaclass::usual(class.as_borrowed()).unwrap_or_else(|| {
        let changes = metaclass::changes();
        let usual = examine(class).unwrap_or(false);
        metaclass::set_usual(class, changes, usual);
        usual
    })
}

fn examine(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    let Some(classes) = CLASSES.get(py) else { return Ok(false) };
    let parents = class.mro();
    let Some(at) = parents.iter().position(|parent| parent.is(&classes.base)) else { return Ok(false) };
    // A change of the base itself takes the plans of all classes away.
    let has_plan = |parent: &Bound<'_, PyAny>| {
        parent.cast::<PyType>().is_ok_and(|parent| matches!(own_plan(parent.as_borrowed()), Ok(Some(_))))
    };
    if !parents.get_item(at + 1)?.is(&classes.model) || !parents.iter().any(|parent| has_plan(&parent)) {
        return Ok(false);
    }
    for parent in parents {
        let is_known = parent.is(&classes.base) || parent.is(&classes.model);
        if is_known || parent.is(py.get_type::<PyAny>()) {
            continue;
        }
        let attributes = parent.getattr(pyo3::intern!(py, "__dict__"))?;
        for name in TOUCHED {
            if attributes.contains(name)? {
                return Ok(false);
            }
        }
        // Most classes have Python's own.
        let own = attributes.call_method1(pyo3::intern!(py, "get"), (pyo3::intern!(py, "__dict__"),))?;
        if !own.is_none() && own.get_type().name()? != "getset_descriptor" {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if pydantic's method of this name, one of [`KNOWN`], follows ours in a class.
pub fn follows(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> bool {
    let py = class.py();
    let is_same = |classes: &Classes| -> PyResult<bool> {
        let now = classes.attributes.bind(py).get_item(name)?;
        Ok(classes.known.bind(py).get_item(name)?.is_some_and(|known| known.is(&now)))
    };
    is_usual(class) && CLASSES.get(py).is_some_and(|classes| is_same(classes).unwrap_or(false))
}

/// Calls the method that follows ours, with the original arguments.
pub fn call<'py>(call: &Call<'_, 'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let py = call.py();
    let classes = CLASSES.get(py).expect("it is set before methods are added");
    let this = call.this();
    // Asking `super` costs as much as comparing two small objects.
    if is_usual(&this.get_type()) {
        let method = classes.attributes.bind(py).get_item(name)?;
        return pass(call, &method, Some(this));
    }
    pass(call, &PySuper::new(classes.base.bind(py), &this.to_owned())?.getattr(name)?, None)
}

/// Calls a function with the arguments of a call, after `first`.
pub fn pass<'py>(
    call: &Call<'_, 'py>,
    function: &Bound<'py, PyAny>,
    first: Option<Obj<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = call.py();
    let Some(named) = call.named() else {
        return match (first, call.only(), call.is_bare()) {
            (Some(first), None, true) => c_api::call(function, &[&first]),
            (None, Some(only), _) => c_api::call(function, &[&only]),
            (Some(first), Some(only), _) => c_api::call(function, &[&first, &only]),
            _ => function
                .call1(PyTuple::new(py, first.into_iter().chain(call.positional()).collect::<Vec<_>>())?),
        };
    };
    let keywords = PyDict::new(py);
    for (name, value) in named {
        keywords.set_item(name, value)?;
    }
    let positional: Vec<_> = first.into_iter().chain(call.positional()).collect();
    function.call(PyTuple::new(py, positional)?, Some(&keywords))
}
