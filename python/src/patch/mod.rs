//! JSON Patch on Python objects. Nothing is converted; only the places that a patch names are
//! accessed.

mod containers;
mod objects;
mod tree;
mod value;

use std::cell::OnceCell;

use ag_ui_native::bindings::patch::{Action, Budget, Edit, Operation, apply_and, changes};
use ag_ui_native::bindings::server::within;
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Code, Error, Limits};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::c_api::{self, Exclusive, Owned};
use crate::error::{guard, raised};
use crate::options::read_limits;
pub use containers::{address, dict_of, owned_items, owned_members};
use objects::{Objects, Operand};
pub use tree::Tree;
use value::check_whole;
pub use value::copied;

/// Applies a JSON Patch (RFC 6902) as a whole or not at all, and returns the result.
///
/// `document` is any JSON value: dict, list, str, int, float, bool, None. `operations` is a list of dicts or of operation
/// instances; their values are copied. The document is not changed: the result shares with it the parts that the patch
/// does not affect. With `in_place`, dicts and lists are changed in place, and the document itself is returned, unless an
/// operation replaces the root. `limits` is an `ag_ui_native.limits.Limits`.
///
/// Raises AGUIPatchError with `operation`, the index of the failing operation, and AGUILimitError. The document is then
/// unchanged, with the order of its keys, in place too.
#[pyfunction]
#[pyo3(signature = (
    document: "Any", operations: "Sequence[Any]", limits: "object | None" = None, in_place: "bool" = false
) -> "Any")]
pub fn apply_patch<'py>(
    document: &Bound<'py, PyAny>,
    operations: &Bound<'py, PyAny>,
    limits: Option<&Bound<'py, PyAny>>,
    in_place: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = document.py();
    let limits = read_limits(limits)?;
    guard(py, || {
        let members = members_of(operations)?;
        let operations = members.iter().map(Members::operation);
        patched(document, operations, &limits, in_place)?.map_err(|error| raised(py, &error, None))
    })
}

/// Applies the operations to a document, and returns the result. An exception of Python code is passed on after everything is
/// undone.
fn patched<'p, 'py: 'p>(
    document: &Bound<'py, PyAny>,
    operations: impl ExactSizeIterator<Item = Result<Operation<'p, Operand<'p, 'py>>, Error>>,
    limits: &Limits,
    in_place: bool,
) -> PyResult<Result<Bound<'py, PyAny>, Error>> {
    patched_and(document, operations, limits, in_place, || Ok(Ok(())))
}

/// Applies operations like [`patched`], then runs `then`. If `then` fails, the patch is undone, too.
fn patched_and<'p, 'py: 'p>(
    document: &Bound<'py, PyAny>,
    operations: impl ExactSizeIterator<Item = Result<Operation<'p, Operand<'p, 'py>>, Error>>,
    limits: &Limits,
    in_place: bool,
    then: impl FnOnce() -> PyResult<Result<(), Error>>,
) -> PyResult<Result<Bound<'py, PyAny>, Error>> {
    let mut objects = Objects::new(document.py(), in_place);
    let mut patched = document.clone();
    let result = apply_and(&mut objects, &mut patched, operations, limits, |objects| {
        then().unwrap_or_else(|raised| Err(objects.failed(raised)))
    });
    if result.is_err()
        && let Some(raised) = objects.give_up()
    {
        return Err(raised);
    }
    Ok(result.map(|()| patched))
}

/// A patch that turns `old` into `new`, as a list of dicts: empty if they are equal, and never longer as JSON than one
/// that replaces the whole document. The order of keys does not matter; `1` and `1.0` differ.
///
/// Raises AGUIValidationError for values without a JSON form, AGUILimitError for values that nest too deeply.
#[pyfunction]
#[pyo3(signature = (old: "Any", new: "Any") -> "list[dict[str, Any]]")]
pub fn diff<'py>(old: &Bound<'py, PyAny>, new: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = old.py();
    guard(py, || operations_between(old, new)?.map_err(|error| raised(py, &error, None)))
}

/// Returns the patch from one value to the other. Both are read under exclusive access, and the values of the
/// operations are copied then; the operations are made afterwards.
fn operations_between<'py>(
    old: &Bound<'py, PyAny>,
    new: &Bound<'py, PyAny>,
) -> PyResult<Result<Bound<'py, PyList>, Error>> {
    let py = old.py();
    let (exclusive, fault) = (Exclusive::new(py), OnceCell::new());
    let tree = |root| Tree::new(&exclusive, root, &fault);
    let edits = changes("", tree(old.into()), tree(new.into()));
    let limits = Limits::default().with_depth(Limits::MAX_DEPTH);
    let copy = |tree: Tree<'_, 'py>| copied(&exclusive, tree.object(), &mut Budget::whole(&limits));
    let edits = match fault.get() {
        Some(error) => Err(error.clone()),
        None => edits.into_iter().map(|edit| edit.try_map(copy)).collect::<Result<Vec<_>, _>>(),
    };
    drop(exclusive);
    let edits = match edits {
        Ok(edits) => edits,
        Err(error) => return Ok(Err(error)),
    };
    let operations = PyList::empty(py);
    for edit in edits {
        operations.append(operation_of(py, edit)?)?;
    }
    Ok(Ok(operations))
}

fn operation_of<'py>(py: Python<'py>, edit: Edit<Owned<'py>>) -> PyResult<Bound<'py, PyDict>> {
    let (op, from, path, value) = match edit {
        Edit::Add(path, value) => ("add", None, path, Some(value)),
        Edit::Remove(path) => ("remove", None, path, None),
        Edit::Replace(path, value) => ("replace", None, path, Some(value)),
        Edit::Move(from, path) => ("move", Some(from), path, None),
    };
    let operation = PyDict::new(py);
    operation.set_item(intern!(py, "op"), op)?;
    if let Some(from) = from {
        operation.set_item(intern!(py, "from"), from)?;
    }
    operation.set_item(intern!(py, "path"), path)?;
    if let Some(value) = value {
        operation.set_item(intern!(py, "value"), value.release(py))?;
    }
    Ok(operation)
}

/// Applies an event's patch in place. Returns the document, which is another object only if an operation replaced the
/// root; or the reason why the patch does not apply.
pub fn apply_in_place<'py>(
    document: &Bound<'py, PyAny>,
    operations: &[JsonPatchOperation],
    limits: &Limits,
) -> PyResult<Result<Bound<'py, PyAny>, Error>> {
    apply_in_place_and(document, operations, limits, || Ok(Ok(())))
}

/// Applies a patch like [`apply_in_place`], then runs `then`. If `then` fails, the patch is undone, too.
pub fn apply_in_place_and<'py>(
    document: &Bound<'py, PyAny>,
    operations: &[JsonPatchOperation],
    limits: &Limits,
    then: impl FnOnce() -> PyResult<Result<(), Error>>,
) -> PyResult<Result<Bound<'py, PyAny>, Error>> {
    let read = |operation| Ok(Operation::try_from(operation)?.map(Operand::Value));
    patched_and(document, operations.iter().map(read), limits, true, then)
}

/// Applies the operations of a diff in place; see [`apply_in_place`].
pub fn apply_edits<'py>(
    document: &Bound<'py, PyAny>,
    edits: &[Edit<Bound<'py, PyAny>>],
    limits: &Limits,
) -> PyResult<Result<Bound<'py, PyAny>, Error>> {
    patched(document, edits.iter().map(|edit| Ok(operation_in(edit))), limits, true)
}

fn operation_in<'p, 'py>(edit: &'p Edit<Bound<'py, PyAny>>) -> Operation<'p, Operand<'p, 'py>> {
    match edit {
        Edit::Add(path, value) => {
            Operation { path, action: Action::Add(Operand::Object(value.as_borrowed())) }
        }
        Edit::Remove(path) => Operation { path, action: Action::Remove },
        Edit::Replace(path, value) => {
            Operation { path, action: Action::Replace(Operand::Object(value.as_borrowed())) }
        }
        Edit::Move(from, path) => Operation { path, action: Action::Move { from } },
    }
}

/// Returns a deep copy of a JSON value.
pub fn copy<'py>(value: &Bound<'py, PyAny>, limits: &Limits) -> Result<Bound<'py, PyAny>, Error> {
    copied(&Exclusive::new(value.py()), value.into(), &mut Budget::whole(limits))
        .map(|copy| copy.release(value.py()))
}

/// Returns a deep copy of a value with a JSON form. Lone surrogates, NaN and infinities are refused, with the pointer to
/// the first.
fn whole_copy<'py>(value: &Bound<'py, PyAny>, limits: &Limits) -> Result<Bound<'py, PyAny>, Error> {
    let copy = copy(value, limits)?;
    check_whole(&Exclusive::new(value.py()), (&copy).into())?;
    Ok(copy)
}

/// Returns a copy of a state that the caller gives.
pub fn whole_state<'py>(state: &Bound<'py, PyAny>, limits: &Limits) -> PyResult<Bound<'py, PyAny>> {
    whole_copy(state, limits).map_err(|error| raised(state.py(), &within("/state", error), None))
}

/// The members of an operation that patching uses.
#[derive(Default)]
struct Members<'py> {
    is_object: bool,
    op: Option<Bound<'py, PyString>>,
    path: Option<Bound<'py, PyString>>,
    from: Option<Bound<'py, PyString>>,
    value: Option<Bound<'py, PyAny>>,
}

impl<'py> Members<'py> {
    fn read(operation: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = operation.py();
        let dumped;
        let mut object = operation;
        if !object.is_instance_of::<PyDict>()
            && let Some(dump) = operation.getattr_opt(intern!(py, "model_dump"))?
        {
            let options = PyDict::new(py);
            options.set_item(intern!(py, "by_alias"), true)?;
            dumped = dump.call((), Some(&options))?;
            object = &dumped;
        }
        let Ok(dict) = object.cast::<PyDict>() else { return Ok(Self::default()) };
        let get = |key: &Bound<'py, PyString>| c_api::get(dict.as_any().as_borrowed(), key.as_unbound());
        let text = |key| Ok::<_, PyErr>(get(key)?.and_then(|value| value.cast_into().ok()));
        Ok(Self {
            is_object: true,
            op: text(intern!(py, "op"))?,
            path: text(intern!(py, "path"))?,
            from: text(intern!(py, "from"))?,
            value: get(intern!(py, "value"))?,
        })
    }

    fn operation(&self) -> Result<Operation<'_, Operand<'_, 'py>>, Error> {
        if !self.is_object {
            return Err(Error::new(Code::PatchInvalid, "expected an object"));
        }
        let value = self.value.as_ref().map(|value| Operand::Object(value.as_borrowed()));
        Operation::read(text(self.op.as_ref()), text(self.path.as_ref()), text(self.from.as_ref()), value)
    }
}

fn text<'a>(string: Option<&'a Bound<'_, PyString>>) -> Option<&'a str> {
    string.and_then(|string| string.to_str().ok())
}

fn members_of<'py>(operations: &Bound<'py, PyAny>) -> PyResult<Vec<Members<'py>>> {
    if !operations.is_instance_of::<PyList>() && !operations.is_instance_of::<PyTuple>() {
        let error = Error::new(Code::PatchInvalid, "expected a list of operations");
        return Err(raised(operations.py(), &error, None));
    }
    owned_items(operations).iter().map(Members::read).collect()
}
