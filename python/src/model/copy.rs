//! Native copies of instances. Whether pydantic's rules for them are the usual ones is asked before.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFrozenSet, PySet, PyString, PyTuple};

use crate::c_api::{Exclusive, Lent};
use crate::model::instance::{self, Extra, Instance};
use crate::model::slots::ModelClass;

/// The parts of an instance to be copied.
struct Parts<'py> {
    class: ModelClass,
    members: Bound<'py, PyDict>,
    /// A copy already.
    fields_set: Bound<'py, PyAny>,
    extra: Option<Bound<'py, PyDict>>,
    private: Option<Bound<'py, PyDict>>,
}

/// Makes a second instance that shares the members of one just made; `None` if that has undeclared ones.
pub fn twin<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let exclusive = Exclusive::new(object.py());
    let is_bare = Instance::usual(object)?.extra(&exclusive).is_some_and(instance::is_no_extra);
    drop(exclusive);
    if is_bare { copy(object) } else { None }
}

/// Makes a shallow copy of an instance, with its own set of given fields, undeclared members and private attributes; `None` if
/// pydantic has to do it.
pub fn copy<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let Parts { class, members, fields_set, extra, private } = parts(object)?;
    let extra = match extra {
        Some(extra) => Extra::Some(extra.copy().ok()?.into_any()),
        None => Extra::None,
    };
    let private = match private {
        Some(private) => Some(given(&private)?),
        None => None,
    };
    instance::make_copy(&class, members.copy().ok()?.as_any(), fields_set, extra, private).ok()
}

/// Returns a copy of the private attributes; `None` if some have no value.
fn given<'py>(private: &Bound<'py, PyDict>) -> Option<Bound<'py, PyDict>> {
    static UNDEFINED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let undefined = UNDEFINED.import(private.py(), "pydantic_core", "PydanticUndefined").ok()?;
    let copy = private.copy().ok()?;
    copy.values().iter().all(|value| !value.is(undefined)).then_some(copy)
}

/// Makes a shallow copy with other members, as `model_copy(update=...)` does; `None` if pydantic has to do it.
pub fn updated<'py>(
    object: &Bound<'py, PyAny>,
    update: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    let class = object.get_type();
    let config = class.getattr(intern!(py, "model_config"))?;
    let takes_more = config.cast_exact::<PyDict>().is_ok_and(|config| {
        let extra = config.get_item(intern!(py, "extra")).ok().flatten();
        extra.is_some_and(|extra| extra.cast_exact::<PyString>().is_ok_and(|extra| extra == "allow"))
    });
    let (names, declared) = (update.keys(), class.getattr(intern!(py, "__pydantic_fields__"))?);
    let has_text = names.iter().all(|name| name.is_exact_instance_of::<PyString>());
    let (true, true, Ok(declared)) = (takes_more, has_text, declared.cast_exact::<PyDict>()) else {
        return Ok(None);
    };
    let values = update.values();
    let Some(copy) = copy(object) else { return Ok(None) };
    let Some(members) = instance::dict(&copy).map(|members| members.release(py)) else { return Ok(None) };
    let given = copy.getattr(intern!(py, "__pydantic_fields_set__"))?;
    for (name, value) in names.iter().zip(values) {
        if declared.contains(&name)? {
            members.set_item(&name, value)?;
        } else {
            let extra = copy.getattr(intern!(py, "__pydantic_extra__"))?;
            let Ok(extra) = extra.cast_exact::<PyDict>() else { return Ok(None) };
            extra.set_item(&name, value)?;
        }
        given.cast::<PySet>()?.add(name)?;
    }
    Ok(Some(copy))
}

/// Makes a copy of an instance without members. Returns the original's members, the copy and its members, still empty; `None` if
/// there are undeclared members or private attributes, or if pydantic has to do it.
pub fn hollow_copy<'py>(object: &Bound<'py, PyAny>) -> Option<HollowCopy<'py>> {
    let Parts { class, members, fields_set, extra, private } = parts(object)?;
    if private.is_some() || extra.is_some_and(|extra| !extra.is_empty()) {
        return None;
    }
    let empty = PyDict::new(object.py());
    let copy = instance::make(&class, empty.as_any(), fields_set, Extra::None).ok()?;
    Some(HollowCopy { members, copy, copied: empty })
}

/// See [`hollow_copy`].
pub struct HollowCopy<'py> {
    /// The members of the original.
    pub members: Bound<'py, PyDict>,
    /// The copy.
    pub copy: Bound<'py, PyAny>,
    /// The members of the copy, still none.
    pub copied: Bound<'py, PyDict>,
}

/// Returns the parts of an instance that pydantic has not to copy itself.
fn parts<'py>(object: &Bound<'py, PyAny>) -> Option<Parts<'py>> {
    let py = object.py();
    let class = ModelClass::of(&object.get_type())?;
    let exclusive = Exclusive::new(py);
    let model = Instance::usual(object)?;
    let own = |value: Option<Lent<'_, 'py>>| value.map(|value| exclusive.own(value));
    let members = instance::dict(object)?;
    let (set, extra, private) =
        (own(model.fields_set(&exclusive))?, own(model.extra(&exclusive))?, own(model.private(&exclusive))?);
    drop(exclusive);
    let members = members.release(py).cast_into_exact::<PyDict>().ok()?;
    let extra = match extra.release(py).cast_into_exact::<PyDict>() {
        Ok(extra) => Some(extra),
        Err(error) => {
            error.into_inner().cast_into_exact::<PyTuple>().ok()?;
            None
        }
    };
    let private = private.release(py);
    let private = if private.is_none() { None } else { Some(private.cast_into_exact().ok()?) };
    let mut fields_set = set.release(py);
    if fields_set.is_exact_instance_of::<PySet>() {
        fields_set = instance::real_set(fields_set.as_borrowed()).ok()?;
    } else if !fields_set.is_exact_instance_of::<PyFrozenSet>() {
        return None;
    }
    Some(Parts { class, members, fields_set, extra, private })
}
