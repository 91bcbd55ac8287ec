//! `StateTracker`: a Python state, and the state that the client has.

use std::cell::OnceCell;

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::bindings::patch::{Budget, Edit, equal_values};
use ag_ui_native::bindings::server::{Comparison, Terms, Update, update};
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Code, Error, Event, Limits};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyEllipsis;
use pyo3::{PyTraverseError, PyVisit};

use super::plain::plain;
use crate::c_api::{Exclusive, Owned};
use crate::error::{guard, raised};
use crate::events::Form;
use crate::options::read_limits;
use crate::patch::{Tree, apply_edits, apply_in_place_and, copied};
use crate::turns::{Collected, Turns, boolean, collected};

/// Tracks an agent's state, and makes the events that bring the client to it.
///
/// `state` is any JSON value, which may change between flushes, or an object with a JSON form: a pydantic model (`model_dump(mode="json",
/// by_alias=True)`), a dataclass, a date and so on, also inside dicts and lists. `base` is the state that the client has already; without
/// one the first event is a snapshot. Of `limits`, an `ag_ui_native.limits.Limits`, `depth` and `event_bytes` limit the state,
/// `patch_operations` limits a delta.
///
/// Raises AGUIValidationError with the `path` of a value without a JSON form, and AGUILimitError.
#[pyclass(module = "ag_ui_native.server", frozen, generic)]
#[derive(Debug)]
pub struct StateTracker(Turns<Tracked>);

/// The parts that a call works with.
#[derive(Debug)]
struct Tracked {
    state: Option<Py<PyAny>>,
    /// A copy of the state that the client has, if it is known.
    sent: Option<Py<PyAny>>,
    /// The count of values in the state at the last comparison.
    values: usize,
    /// The count of changes of `sent`.
    flushes: u64,
    limits: Limits,
}

#[pymethods]
impl StateTracker {
    #[new]
    #[pyo3(signature = (state: "Any", *, base: "Any" = None.into(), limits: "object | None" = None))]
    fn new(state: &Bound<'_, PyAny>, base: Base<'_>, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = state.py();
        let limits = read_limits(limits)?;
        let copy = guard(py, || base.0.map(|base| copy_of(&base, &limits)).transpose())?;
        let (sent, values) = copy.map_or((None, 0), |(copy, values)| (Some(copy.unbind()), values));
        let state = Some(state.clone().unbind());
        Ok(Self(Turns::new(Tracked { state, sent, values, flushes: 0, limits })))
    }

    /// The agent's state. It can be replaced.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.with(py, |parts| Ok(parts.state(py)))
    }

    #[setter]
    pub fn set_state(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = state.py();
        let old = self.0.with(py, |parts| Ok(parts.state.replace(state.clone().unbind())))?;
        drop(old);
        Ok(())
    }

    /// Returns the event that brings the client to the current state: STATE_DELTA or STATE_SNAPSHOT, whichever is shorter as JSON. None if
    /// the client has this state.
    ///
    /// Raises AGUIValidationError with the `path` of a value without a JSON form, AGUILimitError for a state that is too deep (the event
    /// takes three levels) or too large, and the errors of models. Then nothing has changed.
    #[pyo3(signature = () -> "StateDeltaEvent | StateSnapshotEvent | None")]
    fn flush<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.update(py, false, |json| {
            Form::Models.read(py, Event::DECLARED_KIND, json).map(|(event, _)| (event, true))
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        // A finalizer may call this while the thread works with the parts.
        let is_known = self.0.with(py, |parts| Ok(boolean(parts.sent.is_some())));
        format!("StateTracker(is_sent={})", is_known.unwrap_or("..."))
    }
}

collected!(StateTracker);

impl StateTracker {
    /// Replaces the state by plain JSON values, and returns the old one.
    pub fn make_plain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (state, limits) = self.0.with(py, |parts| Ok((parts.state(py), parts.limits)))?;
        let given = Some(state.clone().unbind());
        let whole = Self(Turns::new(Tracked { state: given, sent: None, values: 0, flushes: 0, limits }));
        let snapshot = whole.flush(py)?.map(|event| event.getattr(intern!(py, "snapshot"))).transpose()?;
        self.set_state(&snapshot.unwrap_or_else(|| state.clone()))?;
        Ok(state)
    }

    /// The count of values in the state at the last comparison.
    pub fn values(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.with(py, |parts| Ok(parts.values))
    }

    /// Calls `write` with the JSON of the event that brings the client to the state; with `whole` always a snapshot. The state counts as
    /// sent if `write` returns so. Comparing and writing are one step: each thread continues from what the thread before it has sent.
    pub fn update<R>(
        &self,
        py: Python<'_>,
        whole: bool,
        write: impl Fn(&str) -> PyResult<(R, bool)>,
    ) -> PyResult<Option<R>> {
        loop {
            let (state, limits, flushes) =
                self.0.with(py, |parts| Ok((parts.state(py), parts.limits, parts.flushes)))?;
            let outcome = of_plain(&state, |state| {
                self.0.with(py, |parts| {
                    // The JSON form of a model may be older than a state that another thread has sent.
                    if parts.flushes != flushes {
                        return Ok(Ok(Outcome::Stale));
                    }
                    let sent = parts.sent.as_ref().filter(|_| !whole).map(|sent| sent.bind(py));
                    let look = match made(sent, state, &limits) {
                        Ok(look) => look,
                        Err(error) => return Ok(Err(error)),
                    };
                    parts.values = look.values;
                    let Some(made) = look.made else { return Ok(Ok(Outcome::Nothing)) };
                    let (result, is_sent) = write(&made.event())?;
                    if is_sent {
                        let sent = match made.into_sent(sent)? {
                            Ok(sent) => sent,
                            Err(error) => return Ok(Err(error)),
                        };
                        parts.sent = Some(sent.unbind());
                        parts.flushes += 1;
                    }
                    Ok(Ok(Outcome::Written(result)))
                })
            })?;
            match outcome {
                Outcome::Stale => {}
                Outcome::Nothing => return Ok(None),
                Outcome::Written(result) => return Ok(Some(result)),
            }
        }
    }
}

impl StateTracker {
    /// Applies the agent's own delta in place, to the client's state and to this one, if it applies to both and `write` sends it. The cost
    /// depends on the delta, not on the state.
    pub fn pass_on(
        &self,
        py: Python<'_>,
        delta: &[JsonPatchOperation],
        write: impl FnOnce() -> PyResult<Result<(), Error>>,
    ) -> PyResult<Result<(), Error>> {
        self.0.with(py, |parts| {
            let (state, sent) = (parts.state(py), parts.sent.as_ref().map(|sent| sent.bind(py).clone()));
            let mut changed = None;
            let on_state = || {
                let made = apply_in_place_and(&state, delta, &parts.limits, write)?;
                Ok(made.map(|state| changed = Some(state.unbind())))
            };
            let passed = match sent {
                Some(sent) => apply_in_place_and(&sent, delta, &unlimited(), on_state)?
                    .map(|sent| parts.sent = Some(sent.unbind())),
                None => on_state()?,
            };
            parts.state = changed.or_else(|| parts.state.take());
            parts.flushes += 1;
            Ok(passed)
        })
    }
}

/// The result of comparing a state with its client's.
struct Looked<V> {
    /// The update for the client.
    made: Option<Made<V>>,
    /// The count of values in the state.
    values: usize,
}

/// The outcome of a comparison of the state.
enum Outcome<R> {
    /// Another thread has sent the state in between: compare again.
    Stale,
    /// The client has the state.
    Nothing,
    Written(R),
}

/// The limits of our own patches, which are checked before.
fn unlimited() -> Limits {
    Limits::default()
        .with_patch_operations(usize::MAX)
        .with_patch_shifts(usize::MAX)
        .with_depth(Limits::MAX_DEPTH)
}

/// The update that brings the client to the state, with a copy of its values.
enum Made<V> {
    Delta { edits: Vec<Edit<V>>, json: String },
    Snapshot { state: V, json: String },
}

impl<'py> Made<Owned<'py>> {
    /// Converts the values when exclusive access has ended.
    fn release(self, py: Python<'py>) -> Made<Bound<'py, PyAny>> {
        match self {
            Self::Delta { edits, json } => {
                let edits = edits.into_iter().map(|edit| edit.map(|value| value.release(py))).collect();
                Made::Delta { edits, json }
            }
            Self::Snapshot { state, json } => Made::Snapshot { state: state.release(py), json },
        }
    }
}

impl<'py> Made<Bound<'py, PyAny>> {
    /// The event as JSON.
    fn event(&self) -> String {
        match self {
            Self::Delta { json, .. } => format!("{{\"type\":\"STATE_DELTA\",\"delta\":{json}}}"),
            Self::Snapshot { json, .. } => format!("{{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{json}}}"),
        }
    }

    /// The client's state after the update.
    fn into_sent(self, sent: Option<&Bound<'py, PyAny>>) -> PyResult<Result<Bound<'py, PyAny>, Error>> {
        match (self, sent) {
            (Self::Snapshot { state, .. }, _) => Ok(Ok(state)),
            (Self::Delta { edits, .. }, Some(sent)) => apply_edits(sent, &edits, &unlimited()),
            (Self::Delta { .. }, None) => {
                Ok(Err(Error::new(Code::Internal, "a delta has no state to apply to")))
            }
        }
    }
}

/// Runs `work` on a value, or on its JSON form if it is no plain JSON. Python code makes that form, so the parts are not borrowed during
/// it.
fn of_plain<'py, R>(
    value: &Bound<'py, PyAny>,
    work: impl Fn(&Bound<'py, PyAny>) -> PyResult<Result<R, Error>>,
) -> PyResult<R> {
    let py = value.py();
    let worked = match work(value)? {
        Err(error) if error.code() == Code::WrongType => work(&plain(value)?)?,
        worked => worked,
    };
    worked.map_err(|error| raised(py, &error, None))
}

/// Copies the client's state, and counts its values.
fn copy_of<'py>(base: &Bound<'py, PyAny>, limits: &Limits) -> PyResult<(Bound<'py, PyAny>, usize)> {
    of_plain(base, |base| {
        let (exclusive, fault) = (Exclusive::new(base.py()), OnceCell::new());
        let refused = || fault.get().cloned();
        // It is not from an event.
        let limits = limits.with_event_bytes(usize::MAX);
        let terms = Terms { refused: &refused, ..Terms::new(&limits) };
        let checked = terms.check("", Tree::to_write(&exclusive, base.into(), &fault));
        let copy = checked
            .and_then(|values| copied(&exclusive, base.into(), &mut room()).map(|copy| (copy, values)));
        drop(exclusive);
        Ok(copy.map(|(copy, values)| (copy.release(base.py()), values)))
    })
}

/// Computes the update that brings a client from `sent` to `state`. Both are read under exclusive access.
fn made<'py>(
    sent: Option<&Bound<'py, PyAny>>,
    state: &Bound<'py, PyAny>,
    limits: &Limits,
) -> Result<Looked<Bound<'py, PyAny>>, Error> {
    let exclusive = Exclusive::new(state.py());
    let looked = compared(&exclusive, sent, state, limits);
    drop(exclusive);
    let Looked { made, values } = looked?;
    Ok(Looked { made: made.map(|made| made.release(state.py())), values })
}

fn compared<'py>(
    exclusive: &Exclusive<'py>,
    sent: Option<&Bound<'py, PyAny>>,
    state: &Bound<'py, PyAny>,
    limits: &Limits,
) -> Result<Looked<Owned<'py>>, Error> {
    let (compared, fault) = (OnceCell::new(), OnceCell::new());
    let tree = |object, fault| Tree::to_write(exclusive, object, fault);
    if let Some(sent) = sent {
        let sent = tree(sent.into(), &compared);
        let equal = equal_values(sent, tree(state.into(), &compared));
        // A value without a JSON form may look equal to another one.
        if let Some(values) = equal.filter(|_| compared.get().is_none()) {
            return Ok(Looked { made: None, values });
        }
    }
    let refused = || fault.get().cloned();
    let terms = Terms { refused: &refused, style: NumberStyle::Python, ..Terms::new(limits) };
    let sent = sent.map(|sent| tree(sent.into(), &fault));
    let whole = tree(state.into(), &fault);
    let copy = |tree: Tree<'_, 'py>| copied(exclusive, tree.object(), &mut room());
    let Comparison { update, values } = update("", sent, whole, &terms)?;
    let made = match update {
        None => None,
        Some(Update::Snapshot) => Some(Made::Snapshot { state: copy(whole)?, json: Tree::json(state)? }),
        Some(Update::Delta { edits, json }) => {
            let edits = edits.into_iter().map(|edit| edit.try_map(copy));
            Some(Made::Delta { edits: edits.collect::<Result<_, Error>>()?, json })
        }
    };
    Ok(Looked { made, values })
}

fn room() -> Budget {
    Budget::whole(&unlimited())
}

/// The argument `base`: `...` means absent, because None is a state.
struct Base<'py>(Option<Bound<'py, PyAny>>);

impl<'py> From<Option<Bound<'py, PyAny>>> for Base<'py> {
    fn from(given: Option<Bound<'py, PyAny>>) -> Self {
        Self(given)
    }
}

impl<'py> FromPyObject<'_, 'py> for Base<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self((!given.is_instance_of::<PyEllipsis>()).then(|| given.to_owned())))
    }
}

impl Tracked {
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.state.as_ref().map_or_else(|| py.None().into_bound(py), |state| state.bind(py).clone())
    }
}

impl Collected for Tracked {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.state)?;
        visit.call(&self.sent)
    }

    fn clear(&mut self, _: Python<'_>) {
        self.state = None;
        self.sent = None;
    }
}
