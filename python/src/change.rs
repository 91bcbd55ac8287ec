//! Changes as Python programs see them, and the names of what is changed.

use ag_ui_native::host::reduce::{ChangeKind, Member, Place};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

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
        new.bind(py).call1((class, (kind, event_index, self.target, self.value)))
    }
}

/// A member, which has one name as an attribute and another on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    ToolCalls,
    Function,
    Arguments,
    OfFunction,
    Content,
    Metadata,
    ActivityType,
    EncryptedValue,
    SubagentRunId,
}

impl Name {
    /// The name of a member of a place.
    pub fn of(member: Member, place: Place) -> Self {
        match member {
            Member::Content | Member::Arguments => Self::of_text(place),
            Member::Name => Self::OfFunction,
            Member::Metadata => Self::Metadata,
            Member::ToolCalls => Self::ToolCalls,
            Member::EncryptedValue => Self::EncryptedValue,
            Member::ActivityType => Self::ActivityType,
            Member::SubagentRunId => Self::SubagentRunId,
        }
    }

    /// The name of what holds a place's text.
    pub fn of_text(place: Place) -> Self {
        match place {
            Place::Message(_) => Self::Content,
            Place::Call(..) => Self::Arguments,
        }
    }

    /// Its name as an attribute.
    pub fn attribute(self, py: Python<'_>) -> &Bound<'_, PyString> {
        match self {
            Self::ToolCalls => intern!(py, "tool_calls"),
            Self::ActivityType => intern!(py, "activity_type"),
            Self::EncryptedValue => intern!(py, "encrypted_value"),
            Self::SubagentRunId => intern!(py, "subagent_run_id"),
            _ => self.wire(py),
        }
    }

    /// Its name on the wire.
    pub fn wire(self, py: Python<'_>) -> &Bound<'_, PyString> {
        match self {
            Self::ToolCalls => intern!(py, "toolCalls"),
            Self::Function => intern!(py, "function"),
            Self::Arguments => intern!(py, "arguments"),
            Self::OfFunction => intern!(py, "name"),
            Self::Content => intern!(py, "content"),
            Self::Metadata => intern!(py, "metadata"),
            Self::ActivityType => intern!(py, "activityType"),
            Self::EncryptedValue => intern!(py, "encryptedValue"),
            Self::SubagentRunId => intern!(py, "subagentRunId"),
        }
    }
}
