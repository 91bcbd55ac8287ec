//! pydantic's own methods. The native ones leave the unusual to them.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMappingProxy, PyString, PySuper, PyTuple, PyType};

use crate::c_api::{self, Obj};
use crate::model::metaclass::{self, Usual, own_plan};
use crate::model::method::Call;

/// The methods that are called past pydantic's Python code, as long as nobody has replaced that.
const KNOWN: [&str; 4] = ["model_dump", "model_dump_json", "model_validate", "model_validate_json"];
/// Attributes that every method depends on.
const READ: [&str; 5] = [
    "__class__",
    "__getattribute__",
    "__pydantic_extra__",
    "__pydantic_fields_set__",
    "__pydantic_private__",
];
/// Methods that copies call.
const COPY: [&str; 3] = ["__copy__", "__deepcopy__", "__new__"];

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
/// is a subclass that adds members, methods and mixins. Copies may have another effect.
#[inline]
pub fn is_usual(class: &Bound<'_, PyType>) -> bool {
    usual(class) >= Usual::ButCopies
}

/// True if copies have the usual effect, too.
#[inline]
pub fn copies(class: &Bound<'_, PyType>) -> bool {
    usual(class) == Usual::Yes
}

#[inline]
fn usual(class: &Bound<'_, PyType>) -> Usual {
    metaclass::usual(class.as_borrowed()).unwrap_or_else(|| {
        let changes = metaclass::changes();
        let usual = examine(class).unwrap_or(Usual::No);
        metaclass::set_usual(class, changes, usual);
        usual
    })
}

fn examine(class: &Bound<'_, PyType>) -> PyResult<Usual> {
    let py = class.py();
    let Some(classes) = CLASSES.get(py) else { return Ok(Usual::No) };
    let parents = class.mro();
    let Some(at) = parents.iter().position(|parent| parent.is(&classes.base)) else { return Ok(Usual::No) };
    // A change of the base itself takes the plans of all classes away.
    let has_plan = |parent: &Bound<'_, PyAny>| {
        parent.cast::<PyType>().is_ok_and(|parent| matches!(own_plan(parent.as_borrowed()), Ok(Some(_))))
    };
    if !parents.get_item(at + 1)?.is(&classes.model) || !parents.iter().any(|parent| has_plan(&parent)) {
        return Ok(Usual::No);
    }
    let mut usual = Usual::Yes;
    for parent in parents {
        let is_known = parent.is(&classes.base) || parent.is(&classes.model);
        if is_known || parent.is(py.get_type::<PyAny>()) {
            continue;
        }
        let attributes = parent.getattr(intern!(py, "__dict__"))?;
        for name in READ {
            if attributes.contains(name)? {
                return Ok(Usual::No);
            }
        }
        for name in COPY {
            if attributes.contains(name)? {
                usual = Usual::ButCopies;
            }
        }
        // Most classes have Python's own.
        let own = attributes.call_method1(intern!(py, "get"), (intern!(py, "__dict__"),))?;
        if !own.is_none() && own.get_type().name()? != "getset_descriptor" {
            return Ok(Usual::No);
        }
    }
    Ok(usual)
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
    if this.cast::<PyType>().is_ok_and(|class| is_usual(&class)) {
        let method = classes.attributes.bind(py).get_item(name)?.getattr(intern!(py, "__func__"))?;
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
