//! Access to the members of a message or call in any form. Core gives their paths.

use ag_ui_native::bindings::reduce::Member;
use ag_ui_native::bindings::schema::{FieldDef, TYPES};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};

use crate::c_api;
use crate::events::Form;
use crate::model::instance;

/// The keys of the path to a member. The member's own key is the last one.
type Path = Vec<Py<PyString>>;

/// Returns the path of each member, by attributes or by the keys of the wire.
fn path(py: Python<'_>, form: Form, member: Member) -> &[Py<PyString>] {
    static ATTRIBUTES: PyOnceLock<Vec<Path>> = PyOnceLock::new();
    static WIRE: PyOnceLock<Vec<Path>> = PyOnceLock::new();
    let paths = |name: fn(&'static str) -> &'static str| {
        let path = |member: &Member| {
            member.path().iter().map(|key| PyString::intern(py, name(key)).unbind()).collect()
        };
        Member::ALL.iter().map(path).collect()
    };
    let paths = match form {
        Form::Dicts => WIRE.get_or_init(py, || paths(|key| key)),
        _ => ATTRIBUTES.get_or_init(py, || paths(attribute)),
    };
    &paths[member as usize]
}

/// Returns the attribute of a key.
fn attribute(key: &'static str) -> &'static str {
    field(key).map_or(key, |field| field.name)
}

/// Returns the declaration of a key.
fn field(key: &str) -> Option<&'static FieldDef> {
    TYPES.iter().flat_map(|ty| ty.fields.iter()).find(|field| field.wire == key)
}

/// True if an object keeps the member among its undeclared ones, since its class is older than the
/// member.
fn is_extra(form: Form, holder: &Bound<'_, PyAny>, member: Member) -> PyResult<bool> {
    let is_newer = member.path().last().and_then(|key| field(key)).is_some_and(FieldDef::is_newer);
    if form == Form::Dicts || !is_newer {
        return Ok(false);
    }
    Ok(!fields(form, holder)?.contains(path(holder.py(), form, member).last())?)
}

/// Returns the object that holds a member, which may be part of `object`, and the member's key in it.
fn find<'py>(
    form: Form,
    object: &Bound<'py, PyAny>,
    member: Member,
) -> PyResult<(Bound<'py, PyAny>, &'py Bound<'py, PyString>)> {
    let py = object.py();
    let (key, way) = path(py, form, member).split_last().expect("a member has a key");
    let mut holder = object.clone();
    for key in way {
        if let Some(part) = value(form, &holder, key.bind(py))? {
            holder = part;
        }
    }
    Ok((holder, key.bind(py)))
}

/// Returns the key of a member in the object that holds it, which is part of `object`.
pub fn key<'py>(
    form: Form,
    object: &Bound<'py, PyAny>,
    member: Member,
) -> PyResult<&'py Bound<'py, PyString>> {
    let (holder, _) = find(form, object, member)?;
    let form = if is_extra(form, &holder, member)? { Form::Dicts } else { form };
    Ok(path(object.py(), form, member).last().expect("a member has a key").bind(object.py()))
}

/// Returns the value of a member, unless that is None.
pub fn get<'py>(
    form: Form,
    object: &Bound<'py, PyAny>,
    member: Member,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (holder, key) = find(form, object, member)?;
    value(form, &holder, key)
}

fn value<'py>(
    form: Form,
    object: &Bound<'py, PyAny>,
    key: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let fields = fields(form, object)?.cast_into::<PyDict>()?;
    Ok(fields.get_item(key)?.filter(|value| !value.is_none()))
}

/// Returns the dictionary of an object's members.
fn fields<'py>(form: Form, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match form {
        Form::Dicts => Ok(object.clone()),
        _ => match instance::dict(object) {
            Some(dict) => Ok(dict.release(object.py())),
            None => Err(PyTypeError::new_err(
                "expected an instance of a protocol class, got another object: make it by the class of its type",
            )),
        },
    }
}

/// Sets a member.
pub fn set(form: Form, object: &Bound<'_, PyAny>, member: Member, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let (holder, _) = find(form, object, member)?;
    let key = key(form, object, member)?;
    if form == Form::Dicts { holder.set_item(key, value) } else { holder.setattr(key, value) }
}

/// Removes a member, or sets it to None.
pub fn remove(form: Form, object: &Bound<'_, PyAny>, member: Member) -> PyResult<()> {
    let py = object.py();
    let (holder, _) = find(form, object, member)?;
    let key = key(form, object, member)?;
    match form {
        Form::Dicts => holder.call_method1("pop", (key, py.None())).map(|_| ()),
        _ if is_extra(form, &holder, member)? => {
            if holder.hasattr(key)? {
                holder.delattr(key)
            } else {
                Ok(())
            }
        }
        // A member without a value does not count as given.
        _ if value(form, &holder, key)?.is_none() => Ok(()),
        _ => holder.setattr(key, py.None()),
    }
}

/// Appends to a member that is a string. The dictionary releases the string meanwhile, so it has no other reference
/// and grows in place. The cost of a message is the sum of its pieces.
pub fn append(
    form: Form,
    object: &Bound<'_, PyAny>,
    member: Member,
    text: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = object.py();
    let (holder, key) = find(form, object, member)?;
    let fields = fields(form, &holder)?.cast_into::<PyDict>()?;
    let Some(known) = fields.get_item(key)? else { return fields.set_item(key, text) };
    fields.set_item(key, py.None())?;
    fields.set_item(key, c_api::append(known, text.as_borrowed())?)
}
