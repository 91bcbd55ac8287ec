//! `model_dump`, `model_copy`, `copy.copy`, `copy.deepcopy` and `==` of the protocol classes.

use std::ffi::CStr;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyNotImplemented, PyType};

use crate::c_api::{self, Lent, Obj, Plain};
use crate::model::dump::{self, Form};
use crate::model::method::{Call, Definition, Method};
use crate::model::{compare, copy, deepcopy, pydantic, serializer};

/// Adds the methods to the base of the protocol classes.
pub fn lay_methods(base: &Bound<'_, PyType>) -> PyResult<()> {
    let copies =
        [Definition::of::<ModelCopy>(), Definition::of::<ShallowCopy>(), Definition::of::<DeepCopy>()];
    let others = [Definition::of::<ModelDump>(), Definition::of::<Eq>()];
    copies.into_iter().chain(others).try_for_each(|method| method.lay(base))
}

struct ModelDump;

impl Method for ModelDump {
    const NAME: &'static CStr = c"model_dump";
    const DOC: &'static CStr = c"model_dump($self, *, mode='python', include=None, exclude=None, context=None, by_alias=None, exclude_unset=False, exclude_defaults=False, exclude_none=False, round_trip=False, warnings=True, fallback=None, serialize_as_any=False)
--

The model as a dictionary: pydantic's method, native for plain values and for `mode`, `by_alias`, `exclude_unset`, `exclude_defaults`, `exclude_none` and sets of names.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        if call.positional().len() == 0
            && let Some(form) = form(call)
            && let Some(dumped) = dump::dump(call.this(), form)
        {
            return Ok(dumped);
        }
        serializer::dump(call)
    }
}

/// Returns the form that named arguments ask for; `None` if pydantic has to read them.
fn form<'a, 'py>(call: &Call<'a, 'py>) -> Option<Form<'a, 'py>> {
    let mut form = Form::default();
    for (name, value) in call.named().into_iter().flatten() {
        let value = Lent::from(value);
        let switch = || (c_api::plain(value) == Plain::Bool).then(|| c_api::is_true(value));
        match c_api::text(name)? {
            "by_alias" if value.is_none() => form.by_alias = None,
            "by_alias" => form.by_alias = Some(switch()?),
            "exclude_none" => form.exclude_none = switch()?,
            "exclude_unset" => form.exclude_unset = switch()?,
            "mode" => {
                form.json = match c_api::text(value)? {
                    "json" => true,
                    "python" => false,
                    _ => return None,
                }
            }
            "exclude_defaults" => form.exclude_defaults = switch()?,
            // Defaults, which callers pass on.
            "include" | "exclude" | "context" | "fallback" if value.is_none() => {}
            "include" => form.include = Some(value),
            "exclude" => form.exclude = Some(value),
            "round_trip" | "serialize_as_any" if switch() == Some(false) => {}
            "warnings" if switch() == Some(true) => {}
            _ => return None,
        }
    }
    Some(form)
}

struct ModelCopy;

impl Method for ModelCopy {
    const NAME: &'static CStr = c"model_copy";
    const DOC: &'static CStr = c"model_copy($self, *, update=None, deep=False)
--

A copy of the model: pydantic's method, native without arguments and with an `update` that is a plain dictionary.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let this = call.this();
        let copied = if !pydantic::copies(&this.get_type()) {
            None
        } else if call.is_bare() {
            copy::copy(&this)
        } else {
            match option(call) {
                Some(("update", update)) => match update.cast_exact() {
                    Ok(update) => copy::updated(&this, &update)?,
                    Err(_) => None,
                },
                Some(("deep", deep)) if deep.is(&*PyBool::new(call.py(), true)) => {
                    deepcopy::deep_copy(&this, &PyDict::new(call.py()))?
                }
                _ => None,
            }
        };
        copied.map_or_else(|| pydantic::call(call, intern!(call.py(), "model_copy")), Ok)
    }
}

/// Returns the argument if it is the only one, and named.
fn option<'a, 'py: 'a>(call: &Call<'a, 'py>) -> Option<(&'a str, Obj<'a, 'py>)> {
    let mut named = call.named().filter(|named| named.len() == 1 && call.positional().len() == 0)?;
    let (name, value) = named.next()?;
    Some((c_api::text(name)?, value))
}

struct ShallowCopy;

impl Method for ShallowCopy {
    const NAME: &'static CStr = c"__copy__";
    const DOC: &'static CStr = c"__copy__($self, /)\n--\n\nA shallow copy of the model.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let this = call.this();
        if call.is_bare()
            && pydantic::copies(&this.get_type())
            && let Some(copy) = copy::copy(&this)
        {
            return Ok(copy);
        }
        pydantic::call(call, intern!(call.py(), "__copy__"))
    }
}

struct DeepCopy;

impl Method for DeepCopy {
    const NAME: &'static CStr = c"__deepcopy__";
    const DOC: &'static CStr = c"__deepcopy__($self, memo=None, /)\n--\n\nA deep copy of the model.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let this = call.this();
        if let Some(memo) = call.only()
            && let Ok(memo) = memo.cast_exact::<PyDict>()
            && pydantic::copies(&this.get_type())
            && let Some(copy) = deepcopy::deep_copy(&this, &memo)?
        {
            return Ok(copy);
        }
        pydantic::call(call, intern!(call.py(), "__deepcopy__"))
    }
}

struct Eq;

impl Method for Eq {
    const NAME: &'static CStr = c"__eq__";
    const DOC: &'static CStr =
        c"__eq__($self, other, /)\n--\n\nTrue if both are of one class and have equal members.";

    fn run<'py>(call: &Call<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (call.py(), call.this());
        if let Some(other) = call.only()
            && pydantic::is_usual(&this.get_type())
        {
            if c_api::plain(other) != Plain::Other {
                return Ok(PyNotImplemented::get(py).to_owned().into_any());
            }
            if let Some(equal) = compare::equal(this, other) {
                return Ok(PyBool::new(py, equal).to_owned().into_any());
            }
        }
        pydantic::call(call, intern!(py, "__eq__"))
    }
}
