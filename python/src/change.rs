//! Changes in the form of Python programs.

use ag_ui_native::bindings::reduce::ChangeKind;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::c_api;

/// A change in the form of Python programs.
#[derive(Debug)]
pub struct ChangeRecord<'py> {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The changed message or call.
    pub target: Option<Bound<'py, PyAny>>,
    /// The added or new value.
    pub value: Option<Bound<'py, PyAny>>,
}

/// The class of a kind's records, which core names after the kind, and the kind's name.
type RecordClass = (Py<PyType>, Py<PyString>);

impl<'py> ChangeRecord<'py> {
    /// Returns the Python record.
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
        // The constructor of the class is Python code.
        let new =
            NEW.get_or_try_init(py, || py.get_type::<PyTuple>().getattr("__new__").map(Bound::unbind))?;
        let (class, kind) = &classes[self.kind as usize];
        let members = (kind, event_index, self.target, self.value).into_pyobject(py)?.into_any();
        c_api::call(new.bind(py), &[class.bind(py).as_any(), &members])
    }
}
