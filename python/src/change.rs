//! Changes as Python programs see them, and the names of what is changed.

use ag_ui_native::host::reduce::{Member, Place};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

/// What a program sees of a change.
#[derive(Debug)]
pub struct Seen<'py> {
    /// What happened.
    pub kind: Bound<'py, PyString>,
    /// The message or call it happened to.
    pub object: Option<Bound<'py, PyAny>>,
    /// What was added or set.
    pub value: Option<Bound<'py, PyAny>>,
}

impl<'py> Seen<'py> {
    /// With an object, or without.
    pub fn of(kind: &Bound<'py, PyString>, object: Option<Bound<'py, PyAny>>) -> Self {
        Self::with(kind, object, None)
    }

    /// With an object and a value, or without.
    pub fn with(
        kind: &Bound<'py, PyString>,
        object: Option<Bound<'py, PyAny>>,
        value: Option<Bound<'py, PyAny>>,
    ) -> Self {
        Self { kind: kind.clone(), object, value }
    }

    /// The `Change` that Python gets.
    pub fn into_change(self, py: Python<'py>, event_index: usize) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = CLASS.import(py, "ag_ui_native.changes", "Change")?;
        // Its own constructor is Python code.
        let new =
            NEW.get_or_try_init(py, || py.get_type::<PyTuple>().getattr("__new__").map(Bound::unbind))?;
        new.bind(py).call1((class, (self.kind, event_index, self.object, self.value)))
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
