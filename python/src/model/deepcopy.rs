//! Native deep copies of instances. `copy.deepcopy` copies the members that are not plain, and has the memo.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

use crate::c_api::{self, Plain};
use crate::model::copy::{HollowCopy, hollow_copy};
use crate::model::instance::Model;
use crate::model::plan::{Plan, ValueKind};

/// Makes a deep copy of an instance; `None` if pydantic has to do it. The memo knows the copy before its members are copied, since
/// they may refer to the instance.
pub fn deep_copy<'py>(
    object: &Bound<'py, PyAny>,
    memo: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    static DEEPCOPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let Some(HollowCopy { members, copy, copied }) = hollow_copy(object) else { return Ok(None) };
    let plan = Model::cached(object).map(Model::plan);
    let deepcopy = DEEPCOPY.import(py, "copy", "deepcopy")?;
    memo.set_item(object.as_ptr().addr(), &copy)?;
    memo.set_item(members.as_ptr().addr(), &copied)?;
    keep_alive(memo, &members)?;
    // Its own copy: the code that copies a value may change the members.
    for (at, (name, value)) in members.copy()?.iter().enumerate() {
        let value =
            if is_atom(plan, at, &value) { value } else { c_api::call(deepcopy, &[&value, memo.as_any()])? };
        copied.set_item(name, value)?;
    }
    Ok(Some(copy))
}

/// True if a copy of the value is the value itself.
fn is_atom(plan: Option<&Plan>, at: usize, value: &Bound<'_, PyAny>) -> bool {
    match c_api::plain(value) {
        Plain::List | Plain::Dict => false,
        Plain::Other => match plan.and_then(|plan| plan.fields.get(at)).map(|field| &field.kind) {
            Some(ValueKind::Tag(object, _)) => value.is(object),
            _ => false,
        },
        _ => true,
    }
}

/// Keeps a copied object alive as long as the memo, as `copy.deepcopy` does: its address must not be used again.
fn keep_alive(memo: &Bound<'_, PyDict>, object: &Bound<'_, PyDict>) -> PyResult<()> {
    let address = memo.as_ptr().addr();
    match memo.get_item(address)? {
        Some(kept) => kept.call_method1("append", (object,)).map(|_| ()),
        None => memo.set_item(address, PyList::new(memo.py(), [object])?),
    }
}
