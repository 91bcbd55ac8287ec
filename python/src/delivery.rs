//! Deliveries to subscribers, for Python: which subscriber is notified of which event, and in which order.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ag_ui_native::bindings::client::{
    Callback, CallbackResult, Counts, Delivered, Delivery as Core, DeliveryStep, Notify, Plans, Reduce,
    Reduced,
};
use ag_ui_native::bindings::reduce::ChangeKind;
use ag_ui_native::types::EventType;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::{MutexExt, PyOnceLock};
use pyo3::types::{PyList, PyString, PyTuple};

use crate::error::guard;

/// One step: its kind, then ticket, subscriber and subject of a notification, or flags in place of the subscriber. The ticket is
/// the last one of the plan; its first notification has ticket 1.
type StepTuple<'py> = (Bound<'py, PyString>, u32, usize, isize);

/// Delivers the events of one run to subscribers, which are given by the names of their callbacks. The result of each input is the
/// list of steps that follow if every callback returns None.
#[pyclass(module = "ag_ui_native.client.rules", frozen)]
#[derive(Debug)]
pub struct Delivery(Mutex<Machine>);

#[derive(Debug)]
struct Machine {
    plans: Plans,
    /// The Python form of the plans, by their numbers.
    made: Vec<Py<PyTuple>>,
}

impl Delivery {
    /// Locks the machine. Waiting for another thread releases the interpreter's lock.
    fn machine(&self, py: Python<'_>) -> MutexGuard<'_, Machine> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn feed<'py>(
        &self,
        py: Python<'py>,
        what: impl FnOnce(&mut Core) -> DeliveryStep,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (number, known, steps) = guard(py, || {
            let mut machine = self.machine(py);
            let number = machine.plans.feed(what).and_then(|number| usize::try_from(number).ok());
            let known = number.and_then(|number| machine.made.get(number)).map(|made| made.clone_ref(py));
            let steps = if known.is_some() { Vec::new() } else { machine.plans.plan().to_vec() };
            Ok((number, known, steps))
        })?;
        match known {
            Some(made) => Ok(made.into_bound(py)),
            None => self.make(py, number, steps),
        }
    }

    /// Makes the Python form of a plan. Nothing is locked meanwhile.
    fn make<'py>(
        &self,
        py: Python<'py>,
        number: Option<usize>,
        steps: Vec<DeliveryStep>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let steps: Vec<_> = (1..).zip(steps).map(|(ticket, step)| made(py, step, ticket)).collect();
        let made = PyTuple::new(py, steps)?;
        let mut machine = self.machine(py);
        if number == Some(machine.made.len()) {
            machine.made.push(made.clone().unbind());
        }
        Ok(made)
    }

    fn feed_ticket<'py>(
        &self,
        py: Python<'py>,
        ticket: u32,
        what: impl FnOnce(&mut Core, u32) -> DeliveryStep,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let ticket = self.machine(py).plans.ticket(ticket.checked_sub(1));
        self.feed(py, |core| what(core, ticket))
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // pyo3 makes the values for the call.
impl Delivery {
    #[new]
    #[pyo3(signature = (subscribers: "list[list[str]]"))]
    fn new(subscribers: Vec<Vec<String>>) -> PyResult<Self> {
        let named = |name: String| {
            Callback::named(&name).ok_or_else(|| PyValueError::new_err(format!("unknown callback: {name:?}")))
        };
        let known = |names: Vec<String>| names.into_iter().map(named).collect::<PyResult<_>>();
        let subscribers: Vec<_> = subscribers.into_iter().map(known).collect::<PyResult<_>>()?;
        let plans = Plans::new(Core::new(subscribers));
        Ok(Self(Mutex::new(Machine { plans, made: Vec::new() })))
    }

    /// True if a subscriber has a callback for events or for changes.
    #[getter]
    fn wants_events(&self, py: Python<'_>) -> bool {
        self.machine(py).plans.delivery().wants_events()
    }

    /// The run will be requested.
    #[pyo3(signature = () -> "tuple[Step, ...]")]
    fn initialized<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.feed(py, Core::initialized)
    }

    /// The run has failed, or was aborted. Only subscribers that were notified of the run are notified.
    #[pyo3(signature = () -> "tuple[Step, ...]")]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.feed(py, Core::failed)
    }

    /// The run is over. Only subscribers that were notified of the run are notified.
    #[pyo3(signature = () -> "tuple[Step, ...]")]
    fn finalized<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.feed(py, Core::finalized)
    }

    /// An event of this type has arrived.
    #[pyo3(signature = (kind: "str") -> "tuple[Step, ...]")]
    fn event<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyTuple>> {
        self.feed(py, |core| core.event(EventType::parse(kind)))
    }

    /// The application has changed messages or state. `kinds` are the changes that complete a message or
    /// call.
    #[pyo3(signature = (messages: "bool", state: "bool", kinds: "list[str]") -> "tuple[Step, ...]")]
    fn changed<'py>(
        &self,
        py: Python<'py>,
        messages: bool,
        state: bool,
        kinds: Vec<PyBackedStr>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        self.feed(py, |core| core.changed(reduced(messages, state, &kinds)))
    }

    /// The event was reduced to these changes.
    #[pyo3(signature = (messages: "bool", changes: "list[Change]") -> "tuple[Step, ...]")]
    fn reduced<'py>(
        &self,
        py: Python<'py>,
        messages: bool,
        changes: &Bound<'py, PyList>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let kind = |change: Bound<'py, PyAny>| change.getattr(intern!(py, "kind"))?.extract();
        let kinds = changes.iter().map(kind).collect::<PyResult<Vec<PyBackedStr>>>()?;
        self.feed(py, |core| core.reduced(reduced(messages, false, &kinds)))
    }

    /// A callback has returned a value: it stops the delivery, or has replaced the messages or the state.
    #[pyo3(signature = (ticket: "int", stop: "bool", messages: "bool", state: "bool") -> "tuple[Step, ...]")]
    fn answered<'py>(
        &self,
        py: Python<'py>,
        ticket: u32,
        stop: bool,
        messages: bool,
        state: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        self.feed_ticket(py, ticket, |core, ticket| {
            core.answered(ticket, CallbackResult { stop, messages, state })
        })
    }

    /// A callback has failed.
    #[pyo3(signature = (ticket: "int") -> "tuple[Step, ...]")]
    fn raised<'py>(&self, py: Python<'py>, ticket: u32) -> PyResult<Bound<'py, PyTuple>> {
        self.feed_ticket(py, ticket, Core::raised)
    }

    /// The subject of a callback does not exist.
    #[pyo3(signature = (ticket: "int") -> "tuple[Step, ...]")]
    fn absent<'py>(&self, py: Python<'py>, ticket: u32) -> PyResult<Bound<'py, PyTuple>> {
        self.feed_ticket(py, ticket, Core::absent)
    }

    /// The run ends here, so it does not wait for a callback any more.
    #[pyo3(signature = (ticket: "int") -> "tuple[Step, ...]")]
    fn left<'py>(&self, py: Python<'py>, ticket: u32) -> PyResult<Bound<'py, PyTuple>> {
        self.feed_ticket(py, ticket, Core::left)
    }

    /// Gives up the current delivery.
    #[pyo3(signature = () -> "None")]
    fn cut(&self, py: Python<'_>) {
        self.machine(py).plans.feed(Core::cut);
    }
}

fn reduced(messages: bool, state: bool, kinds: &[PyBackedStr]) -> Reduced {
    let kinds = kinds.iter().filter_map(|kind| ChangeKind::named(kind));
    Reduced { messages, state, ..Reduced::default() }.with_kinds(kinds)
}

fn made(py: Python<'_>, step: DeliveryStep, ticket: u32) -> StepTuple<'_> {
    let word = |word: &str| PyString::intern(py, word);
    match step {
        DeliveryStep::Notify(Notify { callback, subscriber, subject, .. }) => {
            let subject = subject.map_or(-1, usize::cast_signed);
            (name_of(py, callback), ticket, subscriber, subject)
        }
        DeliveryStep::Reduce(Reduce::Whole) => (word("reduce"), 0, 0, 0),
        DeliveryStep::Reduce(Reduce::Begin) => (word("reduce_begin"), 0, 0, 0),
        DeliveryStep::Reduce(Reduce::End) => (word("reduce_end"), 0, 0, 0),
        DeliveryStep::Done(Delivered { stopped, messages, state, counts }) => {
            let name = match counts {
                Counts::Whole => "whole",
                Counts::End => "end",
                Counts::BareEnd => "bare_end",
                Counts::Nothing => "nothing",
            };
            let flags = usize::from(stopped) + 2 * usize::from(messages) + 4 * usize::from(state);
            (word(name), 0, flags, 0)
        }
        DeliveryStep::Raise => (word("raise"), 0, 0, 0),
        DeliveryStep::Wait => (word("wait"), 0, 0, 0),
    }
}

/// Returns the name of a callback, as a cached string.
fn name_of(py: Python<'_>, callback: Callback) -> Bound<'_, PyString> {
    static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();
    let all = || Callback::all().map(|callback| PyString::intern(py, &callback.name()).unbind()).collect();
    NAMES.get_or_init(py, all)[callback.number()].bind(py).clone()
}
