//! Changes as Python programs see them.

use ag_ui_native::host::reduce::ChangeKind;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::c_api;

/// What a program sees of a change.
#[derive(Debug)]
pub struct ChangeRecord<'py> {
    /// What happened.
    pub kind: ChangeKind,
    /// The message or call it happened to.
    pub target: Option<Bound<'py, PyAny>>,
    /// What was added or set.
    pub value: Option<Bound<'py, PyAny>>,
}

/// How records of a kind are made: the class, which is named as the kind in core, and the kind's name.
type RecordClass = (Py<PyType>, Py<PyString>);

impl<'py> ChangeRecord<'py> {
    /// The record that Python gets.
    pub fn into_record(self, py: Python<'py>, event_index: usize) -> PyResult<Bound<'py, PyAny>> {
        static CLASSES: PyOnceLock<Vec<RecordClass>> = PyOnceLock::new();
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let classes = CLASSES.get_or_try_init(py, || {
            let module = py.import("ag_ui_native.changes")?;
            let record = |kind: &ChangeKind| {
                let class = module.getattr(format!("{kind:?}"))?.cast_into::<PyType>()?;
                Ok((class.unbind(), PyString::intern(py, kind.as_str()).unbind()))
            };
            ChangeKind::ALL.iter().map(record).collect::<PyResult<_>>()
        })?;
        // The class's own constructor is Python code.
        let new =
            NEW.get_or_try_init(py, || py.get_type::<PyTuple>().getattr("__new__").map(Bound::unbind))?;
        let (class, kind) = &classes[self.kind as usize];
        let members = (kind, event_index, self.target, self.value).into_pyobject(py)?.into_any();
        c_api::call(new.bind(py), &[class.bind(py).as_any(), &members])
    }
}
